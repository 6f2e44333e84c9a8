import type { StepMedian, TwoNumbersFound } from '../block/two-numbers.ts';
import { type Language, listed } from '../languages/language.ts';
import type { Row } from '../values/field-type.ts';
import { type Drawn, emptyFigure } from './mark.ts';
import { axisShapes, type PairAxis, pairAxis } from './pair-axes.ts';
import type { PairsQuestion } from './question.ts';
import { cutName, type Shape } from './shape.ts';
import { noRows, sentence, type Words } from './words.ts';

/** What circles and squares have in common: two numbers of each row, on two axes. */

/** Both axes of a figure, and what it is of. */
export type Pairs = {
  readonly question: PairsQuestion;
  readonly found: TwoNumbersFound;
  readonly x: PairAxis;
  readonly y: PairAxis;
  /** Rows that have a name in the figure. */
  readonly named: readonly NamedRow[];
};

export type Point = {
  readonly row: Row;
  readonly name: string;
  readonly x: number;
  readonly y: number;
};

/** A row at an end of an axis: the highest or the lowest of a field. */
type NamedRow = Point & {
  readonly of: PairAxis;
  readonly value: number;
  readonly isLeast: boolean;
};

/** The longest name beside a circle, in letters, the same on a phone, and in a sentence. */
const LONGEST = { beside: 28, onPhone: 16, said: 60 } as const;

export function numberOf(row: Row, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' ? value : undefined;
}

/** Rows as points, each with its name or else its numbers. */
export function pointsOf(rows: readonly Row[], { xy }: PairsQuestion): Point[] {
  const { asked, nameField } = xy;
  return rows.flatMap((row) => {
    const [x, y] = [numberOf(row, asked.x.name), numberOf(row, asked.y.name)];
    if (x === undefined || y === undefined) return [];
    const own = nameField === undefined ? null : row[nameField];
    return [{ row, x, y, name: own == null ? '' : String(own) }];
  });
}

/** The figure of two numbers without anything to draw; undefined if there is something. */
export function emptyPairs(question: PairsQuestion): Drawn | undefined {
  const { known, xy } = question;
  const { found, matching } = xy;
  const title = pairsTitle(question);
  if (found.rows > 0) return undefined;
  const caption = matching === 0 ? [noRows(question)] : withoutSentences(question);
  return { ...emptyFigure(known.language), title, caption };
}

function pairsTitle({ known, xy }: PairsQuestion): string {
  const { x, y } = xy.asked;
  return known.language.say('{y} against {x}', { y: y.title, x: x.title });
}

/** Makes the axes of a figure, for all numbers where its marks begin and end. */
export function pairsOf(
  question: PairsQuestion,
  numbers: { readonly x: readonly number[]; readonly y: readonly number[] },
  points: readonly Point[],
): Pairs {
  const { xy: answer, known } = question;
  const { asked, found } = answer;
  const how = { language: known.language, isTight: found.of === 'squares' };
  const x = pairAxis(asked.x, found.x, numbers.x, how);
  const y = pairAxis(asked.y, found.y, numbers.y, how);
  // A 0 has no place on a logarithmic axis.
  const placed = points.filter((one) => [x.at(one.x), y.at(one.y)].every(Number.isFinite));
  return { question, found, x, y, named: namedOf(placed, found, x, y) };
}

/** The rows that have most of y, most of x and least of y, if each is one alone; each once. */
function namedOf(
  points: readonly Point[],
  found: TwoNumbersFound,
  x: PairAxis,
  y: PairAxis,
): NamedRow[] {
  const ends = [
    { of: y, value: found.y.max, isLeast: false, has: (one: Point) => one.y === found.y.max },
    { of: x, value: found.x.max, isLeast: false, has: (one: Point) => one.x === found.x.max },
    { of: y, value: found.y.min, isLeast: true, has: (one: Point) => one.y === found.y.min },
  ];
  const named = ends.flatMap(({ has, of, value, isLeast }): NamedRow[] => {
    const [only, other] = uniqueRows(points.filter(has));
    if (only === undefined || other !== undefined || only.name === '') return [];
    return [{ ...only, of, value: value ?? 0, isLeast }];
  });
  return named.filter(
    ({ name, x, y }, i) =>
      named.findIndex((one) => one.name === name && one.x === x && one.y === y) === i,
  );
}

/** A row may have been read for two ends. */
function uniqueRows(points: readonly Point[]): Point[] {
  const byText = new Map(points.map((point) => [JSON.stringify(point.row), point]));
  return [...byText.values()];
}

/** What lies under the marks: axes, and the line on which both numbers are equal. */
function shapesUnder({ x, y }: Pairs): Shape[] {
  return [...axisShapes(x, y), ...equalsLine(x, y)];
}

/** Whether both numbers have one unit, so that they can be equal. */
function areAlike(x: PairAxis, y: PairAxis): boolean {
  return x.field.unit !== undefined && x.field.unit === y.field.unit;
}

/** Where the line of equals is on both axes; undefined if it is not. */
function equalsOf(x: PairAxis, y: PairAxis): readonly [number, number] | undefined {
  if (!areAlike(x, y)) return undefined;
  const from = Math.max(x.domain[0], y.domain[0]);
  const to = Math.min(x.domain[1], y.domain[1]);
  return from < to ? [from, to] : undefined;
}

/** Points of the line of equals, which is bent if one axis alone is logarithmic. */
const POINTS_OF_EQUALS = 40;

function equalsLine(x: PairAxis, y: PairAxis): Shape[] {
  const ends = equalsOf(x, y);
  if (ends === undefined) return [];
  const [from, to] = ends;
  const count = x.isLog === y.isLog ? 1 : POINTS_OF_EQUALS;
  const points = Array.from({ length: count + 1 }, (_, i) => {
    const value = x.isLog
      ? from ** (1 - i / count) * to ** (i / count)
      : from + ((to - from) * i) / count;
    return [x.at(value), 1 - y.at(value)] as const;
  });
  return [{ shape: 'curve', look: 'l old open', points }];
}

/** What lies over the marks: the line of medians, and the rows with names. */
function shapesOver({ x, y, named, found }: Pairs): Shape[] {
  const { medians = [] } = found;
  return [
    ...(medians.length < 2
      ? []
      : [{ shape: 'curve', look: 'l medians', points: medians.map(medianAt(x, y)) } as const]),
    ...apart(named, x, y).flatMap((one): Shape[] => {
      const [left, top] = [x.at(one.x), 1 - y.at(one.y)];
      const isRight = left > 0.6;
      return [
        { shape: 'circle', look: 'mark', x: left, y: top, radius: 4.5 },
        {
          look: one.name.length > LONGEST.onPhone ? 'note wide' : 'note',
          ...{ shape: 'text', x: [left, isRight ? -9 : 9], y: top, down: 0.32 },
          anchor: isRight ? 'end' : 'start',
          runs: [{ text: cutName(one.name, LONGEST.beside), isBold: true }],
        },
      ];
    }),
  ];
}

function medianAt(x: PairAxis, y: PairAxis) {
  return ({ from, to, median }: StepMedian) => {
    const [left, right] = [from, to].map((end) => Math.min(1, Math.max(0, x.at(end))));
    return [((left as number) + (right as number)) / 2, 1 - y.at(median)] as const;
  };
}

/** Two names nearer than this, in shares of the height, may cover each other: the second has none. */
const NAME_HEIGHT = 0.06;

function apart(named: readonly NamedRow[], x: PairAxis, y: PairAxis): NamedRow[] {
  const near = (a: NamedRow, b: NamedRow) =>
    Math.abs(y.at(a.y) - y.at(b.y)) < NAME_HEIGHT && Math.abs(x.at(a.x) - x.at(b.x)) < 0.5;
  return named.filter((one, i) => !named.slice(0, i).some((before) => near(one, before)));
}

/** A row as a circle, or rows as a square: what is said of it, its numbers, and where it leads. */
export type PairMark = {
  /** What it is called among others; what is said of it, if absent. */
  readonly name?: string;
  readonly said: string;
  readonly numbers: readonly number[];
  readonly href?: string;
  readonly shape: Shape;
  readonly cells: readonly string[];
};

/** The figure of two numbers, from its marks. */
export function drawnPairs(
  pairs: Pairs,
  marks: readonly PairMark[],
  own: Pick<Drawn, 'form' | 'extent' | 'key' | 'keyUnit'> & {
    /** The look of all marks together. */
    readonly look: string;
    /** What is said of marks of this kind. */
    readonly kind: Words;
    readonly heads: Drawn['numbers']['heads'];
  },
): Drawn {
  const { look, kind, heads, ...said } = own;
  return {
    ...said,
    title: pairsTitle(pairs.question),
    caption: [...pairsCaption(pairs), kind],
    picture: {
      layout: 'plot',
      look: 'pairs',
      shapes: [
        ...shapesUnder(pairs),
        {
          shape: 'link',
          look,
          shapes: marks.map(
            ({ said: title, href, shape }): Shape => ({
              shape: 'link',
              title,
              href,
              shapes: [shape],
            }),
          ),
        },
        ...shapesOver(pairs),
      ],
      readouts: [],
    },
    marks: marks.map(({ name, said, numbers, href }) => ({ name: name ?? said, numbers, href })),
    numbers: { heads, rows: marks.map(({ cells, href }) => ({ cells, href })) },
  };
}

/** The sentences of both: who is at the ends, what the axes are, what is not drawn. */
function pairsCaption(pairs: Pairs): Words[] {
  const { question, x, y, found } = pairs;
  const { language, noun } = question.known;
  const { medians = [] } = found;
  return [
    ...pairs.named.map((one) => endSentence(one, language)),
    ...axesSentence(x, y, language),
    ...(equalsOf(x, y) === undefined
      ? []
      : [sentence(language, 'On the dashed line both are equal.')]),
    ...(medians.length < 2
      ? []
      : [
          sentence(language, 'The line is the median of {y} in each step that has 20 {noun}.', {
            ...{ y: y.field.title, noun },
          }),
        ]),
    ...withoutSentences(question),
  ];
}

function endSentence({ of, name, value, isLeast }: NamedRow, language: Language): Words {
  const words = {
    field: of.field.title,
    name: [cutName(name, LONGEST.said)],
    value: [of.said(value)],
  } as const;
  return isLeast
    ? sentence(language, 'Lowest {field}: {name}, {value}.', words)
    : sentence(language, 'Highest {field}: {name}, {value}.', words);
}

function axesSentence(x: PairAxis, y: PairAxis, language: Language): Words[] {
  const logs = [x, y].filter(({ isLog }) => isLog);
  if (logs.length === 0) return [];
  const fields = listed(
    logs.map(({ field }) => field.title),
    language,
  );
  return [
    logs.every(({ isByTen }) => isByTen)
      ? sentence(language, 'Logarithmic: {fields}; each line is ten times the one before.', {
          fields,
        })
      : sentence(language, 'Logarithmic: {fields}.', { fields }),
  ];
}

/** Rows that match and are not drawn. */
function withoutSentences({ known, xy }: PairsQuestion): Words[] {
  const { without, zeros = 0 } = xy.found;
  const { language, noun } = known;
  const { x, y } = xy.asked;
  return [
    ...(without === 0
      ? []
      : [
          sentence(language, 'Not drawn: {count} {noun} without {x} or {y}.', {
            ...{ count: without, noun, x: x.title, y: y.title },
          }),
        ]),
    ...(zeros === 0
      ? []
      : [
          sentence(language, 'Not drawn: {count} {noun} with a 0, which has no logarithm.', {
            ...{ count: zeros, noun },
          }),
        ]),
  ];
}
