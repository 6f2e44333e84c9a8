import { scaleLinear } from 'd3-scale';
import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import { decimalText } from '../text/decimal.ts';
import type { Row } from '../values/field-type.ts';
import { valueAxis } from './axes.ts';
import { type Drawn, emptyFigure, type Fewer, type MarkKind, MOST_BARS } from './mark.ts';
import { asWritten, extremesOf, type NumberWords, numberWords } from './numbers.ts';
import {
  drawnMeasure,
  endOfStep,
  type GroupsQuestion,
  isShare,
  numberIn,
  rowsIn,
  stepAfter,
  valueIn,
} from './question.ts';
import type { Link, Shape } from './shape.ts';
import {
  blanksSentence,
  dimensionTitle,
  measureTitle,
  noValues,
  rowsText,
  sentence,
  titleOf,
  unitText,
  type Words,
} from './words.ts';

/** Columns of equal steps, in front of the outline of all rows. */
export const histogram: MarkKind = {
  title: 'histogram',
  of: 'steps',
  fewer: (question) => widerSteps(countedSteps(question as GroupsQuestion)),
  axes: ['zero'],
  draw: (question) => drawHistogram(question as GroupsQuestion),
};

type Step = {
  readonly from: number;
  readonly to: number;
  readonly value: number | null;
  /** The number of all rows, for the outline. */
  readonly all?: number;
  readonly group?: Row;
};

/** The steps of a question, with those of all rows: how wide, from where, and how many. */
function countedSteps({ answer, all = [] }: GroupsQuestion) {
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const width = Number(dimension.width);
  const starts = [...answer.groups, ...all].flatMap((group) => {
    const start = valueIn(group, dimension);
    return typeof start === 'number' ? [start] : [];
  });
  const [least, greatest] = extremesOf(starts) ?? [0, 0];
  return { answer, width, starts, least, count: Math.round((greatest - least) / width) + 1 };
}

/** Wider steps, if there are too many. */
function widerSteps({ answer, width, count }: ReturnType<typeof countedSteps>): Fewer | undefined {
  if (count <= MOST_BARS && answer.total <= answer.groups.length) return undefined;
  return { width: widerThan(width, (count * width) / MOST_BARS) };
}

function drawHistogram(question: GroupsQuestion): Drawn {
  const { answer, all, median, known } = question;
  const { language } = known;
  const { say } = language;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const counted = countedSteps(question);
  const { width, starts, least, count } = counted;
  if (widerSteps(counted) !== undefined) {
    const caption = sentence(
      language,
      'In steps of {width} there are more than {count} columns: too many for a figure.',
      { width: asWritten(decimalText(width), language), count: MOST_BARS },
    );
    return { ...emptyFigure(language), title, caption: [caption] };
  }
  const steps = starts.length === 0 ? [] : stepsOf(question, measure, { least, width, count });
  const values = steps.flatMap(({ value }) => value ?? []);
  if (values.length === 0)
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const column = { field: measure.column, values, isShare: isShare(measure) };
  const numbers = numberWords({ language, ...column });
  const { unit } = dimension.field;
  const scale = numberWords({
    language,
    field: dimension.field,
    values: steps.flatMap(({ from, to }) => [from, to]),
  });
  const { endOf, range } = wordsOfSteps(steps, scale, dimension);
  const drawn: Histogram = { question, dimension, measure, steps, numbers, scale, range, unit };
  return {
    ends: [least, endOf(steps.at(-1) as Step)],
    title,
    form: say('Histogram'),
    caption: captionOf(drawn),
    extent: say('in steps of {width}', {
      width: `${scale.short(width)}${unit === undefined ? '' : ` ${unit}`}`,
    }),
    picture: pictureOf(drawn, median),
    marks: steps.map((step) => ({
      name: range(step),
      numbers: [step.value],
      href: hrefOf(drawn, step),
    })),
    numbers: {
      heads: [
        { title: dimensionTitle(dimension, question) },
        { title: measureTitle(measure, question), isNumber: true },
        ...(all === undefined ? [] : [{ title: say('Of all'), isNumber: true as const }]),
      ],
      rows: steps.map((step) => ({
        cells: [
          range(step),
          step.value === null ? '–' : numbers.whole(step.value),
          ...(all === undefined ? [] : [language.number(step.all ?? 0)]),
        ],
        href: hrefOf(drawn, step),
      })),
    },
  };
}

type Histogram = {
  readonly question: GroupsQuestion;
  readonly dimension: Dimension;
  readonly measure: Measure;
  readonly steps: readonly Step[];
  /** How the columns' numbers are written, and those of the axis below. */
  readonly numbers: NumberWords;
  readonly scale: NumberWords;
  readonly range: (step: Step) => string;
  readonly unit: string | undefined;
};

/**
 * Where steps end, as they are called, and what they are called. Whole numbers of few digits by the
 * last one in each: `20 to 29`; others short, if nothing is lost by it: `10k to 20k`; else with all
 * their digits.
 */
function wordsOfSteps(
  steps: readonly Step[],
  scale: NumberWords,
  dimension: Dimension,
): { endOf(step: Step): number; range(step: Step): string } {
  const { language } = scale;
  const edges = steps.flatMap(({ from, to }) => [from, to]);
  const isOfFew = edges.every(
    (edge) => Number.isInteger(edge) && scale.short(edge) === scale.whole(edge),
  );
  const isShort = !isOfFew && edges.every((edge) => Number(edge.toPrecision(3)) === edge);
  const exactly = (value: number) =>
    Number.isInteger(value) ? scale.whole(value) : asWritten(decimalText(value), language);
  const write = isOfFew || isShort ? scale.short : exactly;
  const endOf = ({ from, to }: Step) => (isShort ? to : endOfStep(from, dimension));
  const range = (step: Step) => {
    const [first, last] = [write(step.from), write(endOf(step))];
    return first === last ? first : language.say('{from} to {to}', { from: first, to: last });
  };
  return { endOf, range };
}

function hrefOf({ question }: Histogram, { group }: Step) {
  return group && question.linkOf(group);
}

/** A wider step, of one digit or 2.5, that is at least this wide. */
function widerThan(width: number, least: number): string {
  const isWhole = Number.isInteger(width);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, width)));
  const times = [1, 2, 2.5, 5, 10].find(
    // Steps of 2.5 hold two whole numbers, then three.
    (n) =>
      n * power >= least * (1 - 1e-9) &&
      n * power > width &&
      (!isWhole || Number.isInteger(n * power)),
  );
  return decimalText(Number(((times ?? 20) * power).toPrecision(12)));
}

/** All steps from the first to the last. One without rows has none of them, and no other number. */
function stepsOf(
  { answer, all }: GroupsQuestion,
  measure: Measure,
  {
    least,
    width,
    count,
  }: { readonly least: number; readonly width: number; readonly count: number },
): Step[] {
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const placed = (groups: readonly Row[]) =>
    new Map(
      groups.flatMap((group) => {
        const start = valueIn(group, dimension);
        return typeof start === 'number'
          ? [[Math.round((start - least) / width), group] as const]
          : [];
      }),
    );
  const [own, others] = [placed(answer.groups), placed(all ?? [])];
  const missing = measure.of === 'count' && answer.isFiltered === undefined ? 0 : null;
  return Array.from({ length: count }, (_, i) => {
    const [group, other] = [own.get(i), others.get(i)];
    const at = (k: number) => stepAfter(least, width, k);
    return {
      from: at(i),
      to: at(i + 1),
      value: group === undefined ? missing : numberIn(group, measure),
      all: all === undefined ? undefined : ((other && rowsIn(other)) ?? 0),
      group,
    };
  });
}

function captionOf(drawn: Histogram): Words[] {
  const { question, dimension, measure, steps, numbers, scale, range, unit } = drawn;
  const { answer, known, median, all } = question;
  const { language, noun } = known;
  const told = steps.filter((step): step is Step & { value: number } => step.value !== null);
  const most = told.reduce((a, b) => (b.value > a.value ? b : a));
  const count = told.filter(({ value }) => value === most.value).length;
  const isCount = measure.of === 'count';
  const blanks = answer.groups
    .filter((group) => valueIn(group, dimension) === null)
    .reduce((sum, group) => sum + (rowsIn(group) ?? 0), 0);
  const behind = unit === undefined ? '' : ` ${unit}`;
  return [
    count > 1
      ? sentence(language, 'The most in a step is {value}, in {count} of {all} steps.', {
          value: [numbers.whole(most.value)],
          count,
          all: steps.length,
        })
      : isCount
        ? sentence(language, 'The fullest step is {step}{unit}: {count} {noun}.', {
            step: [range(most)],
            unit: behind,
            count: numbers.whole(most.value),
            noun,
          })
        : sentence(language, 'The highest is {step}{unit}: {value}.', {
            step: [range(most)],
            unit: behind,
            value: numbers.whole(most.value),
          }),
    ...(median === undefined
      ? []
      : [
          sentence(language, 'The median is {value}.', {
            value: [`${scale.short(median)}${behind}`],
          }),
        ]),
    ...(all === undefined
      ? []
      : [
          sentence(language, 'Filled: the {rows} chosen. Outlined: all {count}.', {
            rows: rowsText(answer.matching, question),
            count: known.rows,
          }),
        ]),
    ...blanksSentence(blanks, dimension.field.title, question),
  ];
}

/** The width of a median's note on a phone, as a part of the plot's. A note has this room on its side. */
const NOTE_WIDTH = 0.4;

/** The height of a note with the space around it, as a part of the plot's. */
const NOTE_HEIGHT = 0.1;

/** Where a median's line is, from 0 to 1, and on which side of it the note is. */
type Note = { readonly at: number; readonly isRight: boolean };

function noteAt(x: number): Note {
  const at = Math.min(1, Math.max(0, x));
  return { at, isRight: at < NOTE_WIDTH };
}

/** A height that the axis must reach, if a column would be under the note. */
function roomFor({ at, isRight }: Note, heights: readonly number[]): number[] {
  const [from, to] = isRight ? [at, at + NOTE_WIDTH] : [at - NOTE_WIDTH, at];
  const n = heights.length;
  const beside = heights.filter((_, i) => (i + 1) / n > from && i / n < to);
  const highest = Math.max(...beside) / (1 - NOTE_HEIGHT);
  return highest > Math.max(...heights) ? [highest] : [];
}

function pictureOf(drawn: Histogram, median: number | undefined): Drawn['picture'] & object {
  const { question, dimension, measure, steps, numbers, scale, unit } = drawn;
  const { language, noun } = question.known;
  const n = steps.length;
  const [from, to] = [steps[0]?.from ?? 0, steps.at(-1)?.to ?? 1];
  const isOfOne = steps.every((step) => endOfStep(step.from, dimension) === step.from);
  // A step of one whole number has its tick at its middle.
  const middle = isOfOne ? 0.5 : 0;
  const x = scaleLinear([from - middle, to - middle], [0, 1]);
  const heights = steps.map(({ value, all }) => Math.max(value ?? 0, all ?? 0));
  const note = median === undefined ? undefined : noteAt(x(median));
  const y = valueAxis([...heights, ...(note === undefined ? [] : roomFor(note, heights))], {
    numbers,
    unit: unitText(measure, question),
    isFromZero: true,
    isWhole: measure.of === 'count',
  });
  const ticks = x.ticks(5).filter((tick) => !isOfOne || Number.isInteger(tick));
  const { texts, unit: word } = scale.ticks(ticks);
  const units = [word, unit].flatMap((one) => (one === undefined ? [] : ` ${one}`)).join('');
  // A long unit has a line of its own, since it would go beyond the plot.
  const isBelow = units.length > MOST_BESIDE_TICK;
  const column = (look: string, value: number, i: number): Shape => {
    const [top, foot] = [y.at(Math.max(0, value)), y.at(Math.min(0, value))];
    return {
      shape: 'rect',
      look,
      x: (i + 0.04) / n,
      y: top,
      width: 0.92 / n,
      height: foot - top,
    };
  };
  const outline = steps.flatMap(({ all = 0 }, i) => [
    [i / n, y.at(all)] as const,
    [(i + 1) / n, y.at(all)] as const,
  ]);
  return {
    layout: 'plot',
    look: isBelow ? 'hist named' : 'hist',
    shapes: [
      ...y.shapes,
      ...ticks.flatMap((tick, i): Shape[] => [
        { shape: 'rect', look: 'tk', x: x(tick), y: 1, width: [0, 1], height: [0, 5] },
        {
          shape: 'text',
          look: 'tick',
          x: x(tick),
          y: 1,
          down: 1.6,
          anchor: 'middle',
          runs: [{ text: `${texts[i]}${i === ticks.length - 1 && !isBelow ? units : ''}` }],
        },
      ]),
      ...(isBelow ? [nameOfAxis(units.trim())] : []),
      ...steps.flatMap(({ value }, i) => (value ? [column('col', value, i)] : [])),
      ...(question.all === undefined
        ? []
        : [
            {
              shape: 'curve',
              look: 'outline',
              points: [[0, y.at(0)], ...outline, [1, y.at(0)]],
            } as const,
          ]),
      ...(median === undefined || note === undefined
        ? []
        : medianShapes(scale.short(median), note, language)),
    ],
    readouts: steps.map((step, i): Link => {
      const at = (i + 0.5) / n;
      const value = step.value === null ? language.say('no value') : numbers.whole(step.value);
      const said = measure.of === 'count' ? `${value} ${noun}` : value;
      const range = drawn.range(step);
      const { all: count } = step;
      const place =
        count === undefined ? range : language.say('{range}, {count} of all', { range, count });
      return {
        shape: 'link',
        look: 'h',
        href: hrefOf(drawn, step),
        shapes: [
          { shape: 'rect', look: '', x: i / n, y: 0, width: 1 / n, height: 1 },
          ...(step.value ? [column('on', step.value, i)] : []),
          {
            shape: 'text',
            look: '',
            x: at,
            y: 0,
            down: -0.35,
            anchor: at > 0.66 ? 'end' : at < 0.33 ? 'start' : 'middle',
            runs: [{ text: said, isBold: true }, { text: ` ${place}` }],
          },
        ],
      };
    }),
  };
}

/** Letters of a unit that stands behind the last number of an axis. */
const MOST_BESIDE_TICK = 10;

function nameOfAxis(text: string): Shape {
  return {
    shape: 'text',
    look: 'tick',
    x: 1,
    y: 1,
    down: 2.9,
    anchor: 'end',
    runs: [{ text }],
  };
}

function medianShapes(median: string, { at, isRight }: Note, language: Language): Shape[] {
  return [
    { shape: 'line', look: 'med', x: [at, at], y: [0, 1] },
    {
      shape: 'text',
      look: 'note',
      x: [at, isRight ? 6 : -6],
      y: 0,
      down: 0.9,
      anchor: isRight ? 'start' : 'end',
      runs: sentence(language, 'Median {value}', { value: [median] }).map((piece) =>
        typeof piece === 'string' ? { text: piece } : { text: piece.bold, isBold: true },
      ),
    },
  ];
}
