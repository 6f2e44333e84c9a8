import { type Dimension, type Measure, MOST_GROUPS } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Value } from '../values/field-type.ts';
import {
  axesOffered,
  axisOf,
  axisSentences,
  type LineAxis,
  misfitOf,
  onAxis,
} from './axis-kinds.ts';
import { pictureOfLines } from './line-picture.ts';
import {
  type AxisOffer,
  type Drawn,
  emptyFigure,
  type Fewer,
  type Mark,
  type MarkKind,
  MOST_LINES,
  MOST_MARKS,
  MOST_QUIET_LINES,
  MOST_QUIET_POINTS,
} from './mark.ts';
import { extremesOf, type NumberWords, percent, signed } from './numbers.ts';
import { coarserThan, extentOf, isUnfilled, periodNoun } from './periods.ts';
import { drawnMeasure, type GroupsQuestion, type Question, rowsIn, valueIn } from './question.ts';
import {
  hrefOf,
  isTold,
  keysIn,
  type Lines,
  measuresInPanels,
  type Panel,
  panelsOf,
  type Series,
  seriesNames,
  sumOf,
  type Time,
  timeOf,
  valuesIn,
  writingOf,
} from './series.ts';
import { barOf, cutName, linked, type Picture } from './shape.ts';
import {
  blanksSentence,
  countsSentence,
  measureTitle,
  noValues,
  partWords,
  sentence,
  sentenceCase,
  sentencesOfLine,
  titleOf,
  unfilledSentences,
  type Words,
} from './words.ts';

const LINE_AXES = ['zero', 'near', 'log', 'index'] as const;

/** Lines over time: one series with its extremes, up to eight that are named, or quiet ones. */
export const line: MarkKind = {
  title: 'line',
  showsOthers: true,
  fits: (question) => {
    const count = countIn(question);
    if (count === undefined) return false;
    const asked = question as GroupsQuestion;
    return (
      count <= MOST_LINES ||
      (count <= MOST_QUIET_LINES && isOfValues(timeOf(asked)?.other) && !isPicked(asked))
    );
  },
  measures: (question) => measuresOf(question as GroupsQuestion),
  fewer: fewerPoints,
  draw: (question) => drawLines(question as GroupsQuestion, AS_LINES),
  axes: LINE_AXES,
  offers: (question) => {
    const asked = question as GroupsQuestion;
    return offersOf(linesOf(asked, countedLines(asked)).panels, LINE_AXES) ?? [];
  },
};

/**
 * How many lines a question has. Undefined if it has none: it is not of time, or some of its groups
 * are not there, so that their number is not known, and its periods cannot be longer.
 */
export function countIn(question: Question): number | undefined {
  const { answer } = question;
  if (answer === undefined) return undefined;
  const asked = { ...question, answer, places: undefined };
  const time = timeOf(asked);
  if (time === undefined) return undefined;
  const { length } = seriesNames(asked);
  const most = length > MOST_LINES ? MOST_QUIET_POINTS : MOST_GROUPS;
  const isWhole = answer.total <= Math.min(answer.groups.length, most);
  const mayBeLonger =
    coarserThan(time.periods.part) !== undefined && time.dimension.field.type !== 'integer';
  return isWhole || mayBeLonger || time.other === undefined ? length : undefined;
}

/** Longer periods, if a question has too many points. */
export function fewerPoints(question: Question): Fewer | undefined {
  return longerPeriods(countedLines(question as GroupsQuestion));
}

/** Whether a dimension is of the values of a field, which can be picked. */
export function isOfValues(dimension: Dimension | undefined): dimension is Dimension {
  const { part, width, cells } = dimension ?? {};
  return dimension !== undefined && (part ?? width ?? cells) === undefined;
}

/** Whether a filter names the values of the field that is not time. */
function isPicked(question: GroupsQuestion): boolean {
  return question.picks?.field.name === timeOf(question)?.other?.field.name;
}

/** The measures of a line: of one dimension several, in a plot for each unit. */
export function measuresOf(question: GroupsQuestion): readonly Measure[] {
  const isOfOne = question.answer.grouping.dimensions.length === 1;
  return isOfOne ? measuresInPanels(question).flat() : [drawnMeasure(question) as Measure];
}

/** The lines of a question, and how many points they have. */
function countedLines(question: GroupsQuestion) {
  const { answer, known, cuts = {} } = question;
  const time = timeOf(question) as Time;
  const { dimension, periods } = time;
  const { name } = dimension.field;
  const statistics = known.statistics[name] ?? {};
  const extent = extentOf(dimension, periods, known.language, statistics, cuts[name]);
  const dated = answer.groups.filter((group) => valueIn(group, dimension) !== null);
  const panels = panelsOf(question, time, dated, extent);
  const all = panels.flatMap(({ series }) => series);
  const count = all.reduce((sum, { points }) => sum + points.filter(isTold).length, 0);
  const most = all.length > MOST_LINES ? MOST_QUIET_POINTS : MOST_MARKS;
  return { answer, time, extent, panels, count, most };
}

/** Longer periods, if there are too many points, and if there are longer ones. */
function longerPeriods({ answer, time, count, most }: Counted) {
  const part = coarserThan(time.periods.part);
  const isTooMuch = count > most || answer.total > answer.groups.length;
  const hasLonger = part !== undefined && time.dimension.field.type !== 'integer';
  return isTooMuch && hasLonger ? { part } : undefined;
}

type Counted = ReturnType<typeof countedLines>;

/** A way to draw series over time. */
export type Form = {
  /** What is in each plot, and how many earlier periods are not. */
  arranged(
    question: GroupsQuestion,
    counted: Counted,
  ): { readonly panels: readonly Lines[]; readonly earlier: number };
  said(panels: readonly Lines[]): readonly Words[];
  picture(panels: readonly Lines[]): Picture;
  /** The axes that its numbers can have; if absent, the usual one. */
  readonly axes?: readonly LineAxis[];
};

const AS_LINES: Form = {
  arranged: linesOf,
  said: sentences,
  picture: pictureOfLines,
  axes: LINE_AXES,
};

/** The axes that are offered: of one plot, as it was asked for and on the axis on which it is drawn. */
function offersOf(
  panels: readonly Lines[],
  names: readonly LineAxis[] = [],
  drawn?: LineAxis,
): AxisOffer[] | undefined {
  const [lines, more] = panels;
  if (lines === undefined || more !== undefined || names.length === 0) return undefined;
  return axesOffered(lines, names, drawn);
}

/** Why plots do not have the axis that was asked for. */
function misfitOfPanels(panels: readonly Lines[], { axes = [] }: Form): string | undefined {
  const [lines] = panels;
  if (lines === undefined) return undefined;
  const { axis, known } = lines.question;
  if (panels.length === 1) return misfitOf(lines, axes);
  return axes.some((name) => name === axis)
    ? known.language.say('Plots of several units have an axis each.')
    : undefined;
}

export function drawLines(question: GroupsQuestion, form: Form): Drawn {
  const { answer, known, instead } = question;
  const counted = countedLines(question);
  const { time, most } = counted;
  const { dimension, periods } = time;
  const { language } = known;
  const [measure, ...together] = measuresOf(question) as [Measure, ...Measure[]];
  const title = titleOf(measure, question, together);
  if (longerPeriods(counted) !== undefined) {
    const caption = sentence(
      language,
      'By {part} there are more than {count} points: too many for a figure.',
      { part: partWords(periods.part, language), count: most },
    );
    return { ...emptyFigure(language), title, caption: [caption] };
  }
  const { panels: asked, earlier } = form.arranged(question, counted);
  // Plots of several units have an axis each.
  const names = asked.length > 1 ? [] : (form.axes ?? []);
  const panels = asked.map((lines) => onAxis(lines, names));
  const blanks = sumOf(answer.groups.filter((group) => valueIn(group, dimension) === null));
  const isEmpty = panels.every(({ series }) => keysIn(series).length === 0);
  const caption = [
    ...(instead === undefined
      ? []
      : [
          sentence(language, 'By {part} there would be too many points, so it is by {other}.', {
            part: partWords(instead, language),
            other: partWords(periods.part, language),
          }),
        ]),
    ...(earlier > 0
      ? [
          sentence(language, '{count} earlier {periods} are not drawn.', {
            count: earlier,
            periods: periodNoun(periods.part, earlier, language),
          }),
        ]
      : []),
    ...(answer.total > answer.groups.length
      ? [
          sentence(language, '{count} groups are not in it.', {
            count: answer.total - answer.groups.length,
          }),
        ]
      : []),
    ...(isEmpty ? [noValues(question)] : form.said(panels)),
    ...blanksSentence(blanks, dimension.field.title, question),
  ];
  if (isEmpty) return { ...emptyFigure(language), title, caption };
  const all = panels.flatMap(({ series, quiet }) => [...series, ...quiet]);
  const [lines, keys] = [all.length, keysIn(all).length];
  const { axis, base } = panels[0] ?? {};
  const asIndex = (title: string, period: string) =>
    language.say('{title}, {period} = 100', { title, period });
  return {
    caption,
    title: base === undefined ? title : asIndex(title, periods.short(base)),
    form: lines === 1 ? language.say('Line') : language.say('{count} lines', { count: lines }),
    extent: language.say('in {count} {periods}', {
      count: keys,
      periods: periodNoun(periods.part, keys, language),
    }),
    picture: form.picture(panels),
    toPick: panels[0]?.areEnds && valuesToPick(panels[0]),
    ...(base === undefined
      ? tableOf(panels)
      : withDrawn(tableOf(asked), tableOf(panels), (name) => asIndex(name, periods.short(base)))),
    axis,
    offers: offersOf(asked, form.axes, axis),
    misfit: misfitOfPanels(asked, form),
  };
}

/** The plots of a question: which lines are named in each, and which are quiet. */
export function linesOf(question: GroupsQuestion, { panels, count, time, extent }: Counted) {
  const [first] = panels as [Panel];
  const common = { question, time, extent };
  if (first.series.length > MOST_LINES) {
    const { ends, others } = endsOf(first.series);
    const { measure } = first;
    const crowd: Lines = { ...common, measure, series: ends, quiet: others, areEnds: true };
    return { panels: [crowd], earlier: 0 };
  }
  const { series: cut, earlier } = lastOf(
    panels.flatMap(({ series }) => series),
    count,
  );
  let at = 0;
  const drawn = panels.map(({ measure, series }): Lines => {
    const own = cut.slice(at, at + series.length);
    at += series.length;
    return { ...common, measure, series: own, quiet: othersOf(question, common, own) };
  });
  return { panels: drawn, earlier };
}

/** Of many lines: those with the most and the least at the end, and the others. */
function endsOf(series: readonly Series[]) {
  const last = keysIn(series).at(-1);
  const atEnd = series.flatMap((one) => {
    const end = one.points.findLast(isTold);
    return end?.key === last && end !== undefined ? [{ one, value: end.value }] : [];
  });
  if (atEnd.length === 0) return { ends: [], others: series };
  const most = atEnd.reduce((a, b) => (b.value > a.value ? b : a)).one;
  const least = atEnd.reduce((a, b) => (b.value < a.value ? b : a)).one;
  const ends = [...new Set([most, least])];
  return { ends, others: series.filter((one) => !ends.includes(one)) };
}

/** What a filter leaves out of the field that is not time, in the periods that are drawn. */
export function othersOf(
  question: GroupsQuestion,
  { time, extent }: Pick<Lines, 'time' | 'extent'>,
  series: readonly Series[],
): readonly Series[] {
  const { others, answer } = question;
  if (others === undefined || !('groups' in others)) return [];
  const dated = others.groups.filter((group) => valueIn(group, time.dimension) !== null);
  const asked = { ...question, picks: undefined, answer: { ...answer, groups: others.groups } };
  const keys = keysIn(series);
  const [first = 0, last = 0] = [keys[0], keys.at(-1)];
  return panelsOf(asked, time, dated, extent).flatMap((panel) =>
    panel.series.map((one) => ({
      ...one,
      points: one.points.filter(({ key }) => key >= first && key <= last),
    })),
  );
}

/** Of many lines, those to begin with: the first, the quarters and the last, by their ends. */
function valuesToPick({ series, quiet }: Lines): Value[] {
  const ends = [...series, ...quiet].flatMap(({ value = null, points }) => {
    const end = points.findLast(isTold)?.value;
    return end === undefined || value === null ? [] : [{ value, end }];
  });
  const sorted = ends.sort((a, b) => b.end - a.end);
  const places = [0, 1, 2, 3, 4].map((i) => Math.round((i * (sorted.length - 1)) / 4));
  return [...new Set(places.flatMap((at) => sorted[at]?.value ?? []))];
}

/** The last periods of series that have too many points and no coarser part. */
function lastOf(series: readonly Series[], count: number) {
  if (count <= MOST_MARKS) return { series, earlier: 0 };
  const keys = keysIn(series);
  const kept = keys.slice(-Math.floor(MOST_MARKS / series.length));
  const [first = 0] = kept;
  const last = series.map((one) => ({
    ...one,
    points: one.points.filter(({ key }) => key >= first),
  }));
  return { series: last, earlier: keys.length - kept.length };
}

function sentences(panels: readonly Lines[]): Words[] {
  return [
    ...panels.flatMap((panel) => sentencesOfPanel(panel, panels.length)),
    ...sentencesUnder(panels),
  ];
}

/** What is said of all plots: of their periods, their axis, and the rows of their averages. */
export function sentencesUnder(panels: readonly Lines[]): Words[] {
  const [lines] = panels as [Lines];
  const { question, time, extent, measure } = lines;
  const { periods } = time;
  const { language } = question.known;
  const all = panels.flatMap(({ series, quiet }) => [...series, ...quiet]);
  const keys = new Set(keysIn(all));
  const isDrawn = (key: number) => keys.has(key);
  return [
    ...unfilledSentences({ extent, isDrawn, long: periods.long }, language),
    ...(panels.length > 1 ? panels.flatMap(axisOfPanel) : axisSentences(lines)),
    ...countsSentence(measure, question),
    ...quietSentences(lines),
  ];
}

/** Where the axis of one of several plots begins, if that is not 0. */
function axisOfPanel(lines: Lines): Words[] {
  const numbers = writingOf(lines);
  const [from] = axisOf(lines).domain;
  const [first] = lines.series;
  if (from <= 0 || first === undefined) return [];
  const name = cutName(first.title ?? first.name, LONGEST_SAID);
  const said = { name, value: numbers.short(from) };
  return [sentence(numbers.language, 'The axis of {name} starts at {value}, not at 0.', said)];
}

/** What is said of a plot: of one line more than of several, unless other plots have their own. */
export function sentencesOfPanel(lines: Lines, panels: number): Words[] {
  const { series, areEnds } = lines;
  const numbers = writingOf(lines);
  const [line] = series;
  if (line === undefined || keysIn(series).length === 0) return [];
  if (series.length > 1 || areEnds) return ofMany(lines, numbers);
  return panels > 1 ? extremesInShort(lines, line, numbers) : ofOne(lines, line, numbers);
}

/** `Rain: highest 285, in December 2015, lowest 0, in August 2012.` */
function extremesInShort({ time }: Lines, line: Series, numbers: NumberWords): Words[] {
  const { when } = time.periods;
  const told = line.points.filter(isTold);
  const most = told.reduce((a, b) => (b.value > a.value ? b : a));
  const least = told.reduce((a, b) => (b.value < a.value ? b : a));
  return [
    sentence(numbers.language, '{name}: highest {most}, {whenMost}, lowest {least}, {whenLeast}.', {
      name: cutName(line.title ?? line.name, LONGEST_SAID),
      most: [numbers.spoken(most.value)],
      whenMost: when(most.key),
      least: [numbers.spoken(least.value)],
      whenLeast: when(least.key),
    }),
  ];
}

/** What is said of lines without names, and of those that are not drawn. */
export function quietSentences(lines: Lines): Words[] {
  const { question, time, quiet } = lines;
  const { language } = question.known;
  const { others } = question;
  const field = time.other?.field.title ?? '';
  if (others !== undefined && 'leftOut' in others) {
    const { leftOut } = others;
    // A pick that no row has is not drawn either.
    const arePicksDrawn = lines.series.length >= (question.picks?.values.length ?? 0);
    return leftOut === 'some' || !arePicksDrawn
      ? [sentence(language, 'Other values of {field} are not drawn.', { field })]
      : [
          sentence(language, 'The other {count} values of {field} are not drawn.', {
            ...{ count: leftOut, field },
          }),
        ];
  }
  if (quiet.length === 0) return [];
  const [from, to] = axisOf(lines).domain;
  const areCut = valuesIn(quiet).some((value) => value < from || value > to);
  return [
    sentence(language, 'Grey: the other {count} values of {field}.', {
      count: quiet.length,
      field,
    }),
    ...(areCut ? [sentence(language, 'Some of them go beyond the axis.')] : []),
  ];
}

function ofOne(lines: Lines, { points }: Series, numbers: NumberWords): Words[] {
  const { periods } = lines.time;
  const whole = points.filter(({ key }) => !isUnfilled(lines.extent, key));
  const named = (whole.some(isTold) ? whole : points).map((point) => {
    const { key } = point;
    return isTold(point)
      ? { key, value: point.value, name: periods.long(key), when: periods.when(key) }
      : undefined;
  });
  const told = named.filter((one) => one !== undefined);
  const changes = named.flatMap((to, i) => {
    const from = named[i - 1];
    return from && to ? [{ from, to }] : [];
  });
  const noun = periodNoun(periods.part, told.length, numbers.language);
  return sentencesOfLine(told, changes, numbers, noun);
}

/** Longer names are cut in a sentence; the table has them whole. */
const LONGEST_SAID = 100;

/** Of many lines: which has the most and the least at the end, and which end early. */
export function ofMany(lines: Lines, numbers: NumberWords): Words[] {
  const { time, areEnds, base } = lines;
  // Those axes are about growth, and what is said of them tells who grew most.
  const isGrowth = base !== undefined || lines.axis === 'log';
  const { periods } = time;
  const { language } = numbers;
  const series = areEnds ? [...lines.series, ...lines.quiet] : lines.series;
  const last = keysIn(series).at(-1) as number;
  const when = sentenceCase(periods.when(last));
  const ends = series.flatMap(({ name, points }) => {
    const end = points.findLast(isTold);
    return end === undefined
      ? []
      : [{ name: cutName(name, LONGEST_SAID), key: end.key, value: end.value }];
  });
  const atEnd = ends.filter(({ key }) => key === last);
  const most = atEnd.reduce((a, b) => (b.value > a.value ? b : a));
  const least = atEnd.reduce((a, b) => (b.value < a.value ? b : a));
  const say = ({ value }: { readonly value: number }): [string] => [numbers.aligned(value)];
  const early = ends.filter(({ key }) => key !== last);
  const empty = series.length - ends.length;
  return [
    base !== undefined && most.value !== least.value
      ? sentence(language, '{when} {name} is at {most}, {other} at {least}.', {
          ...{ when, name: most.name, most: say(most), other: least.name, least: say(least) },
        })
      : most.value !== least.value
        ? sentence(language, '{when} {name} has the most, {most}, {other} the least, {least}.', {
            ...{ when, name: most.name, most: say(most), other: least.name, least: say(least) },
          })
        : atEnd.length === 1
          ? sentence(language, '{when} {name} had {value}.', {
              ...{ when, name: most.name, value: say(most) },
            })
          : sentence(language, '{when} all {count} had {value}.', {
              ...{ when, count: atEnd.length, value: say(most) },
            }),
    ...(areEnds ? middleOf(atEnd, numbers) : isGrowth ? [] : riseOf(lines, numbers)),
    ...(early.length === 0
      ? []
      : early.length > MOST_LINES
        ? [sentence(language, '{count} end earlier.', { count: early.length })]
        : [
            [
              `${early
                .map(({ name, key }) =>
                  language.say('{name} ends {when}', { name, when: periods.when(key) }),
                )
                .join(', ')}.`,
            ],
          ]),
    ...(empty === 0
      ? []
      : [
          sentence(language, '{count} of the {all} have no values.', {
            ...{ count: empty, all: series.length },
          }),
        ]),
  ];
}

/** The numbers that were asked for, and beside them those that are drawn, by their titles. */
function withDrawn(
  asked: LinesTable,
  drawn: LinesTable,
  titled: (name: string) => string,
): LinesTable {
  const heads = drawn.numbers.heads.slice(1);
  const rows = asked.numbers.rows.map((row, i) => ({
    ...row,
    cells: [...row.cells, ...(drawn.numbers.rows[i]?.cells.slice(1) ?? [])],
  }));
  return {
    marks: drawn.marks,
    numbers: {
      heads: [
        ...asked.numbers.heads,
        ...heads.map(({ title }) => ({ title: titled(title), isNumber: true as const })),
      ],
      rows,
    },
  };
}

type LinesTable = Pick<Drawn, 'marks' | 'numbers'>;

/** Which of several lines rose most up to the last period, if the data fill that. */
function riseOf({ time, series, extent }: Lines, numbers: NumberWords): Words[] {
  const keys = keysIn(series);
  const first = keys.find((key) => !isUnfilled(extent, key));
  const last = keys.at(-1) as number;
  if (first === undefined || first === last || isUnfilled(extent, last)) return [];
  const rises = series.flatMap(({ name, points }) => {
    const told = points.filter(isTold);
    const [begin, end] = [first, last].map((at) => told.find(({ key }) => key === at));
    return begin && end ? [{ name, by: end.value - begin.value }] : [];
  });
  const [most, next] = rises.sort((a, b) => b.by - a.by);
  if (most === undefined || next === undefined || most.by <= 0 || most.by === next.by) return [];
  return [
    sentence(numbers.language, '{name} rose most since {period}, by {change}.', {
      name: cutName(most.name, LONGEST_SAID),
      period: time.periods.long(first),
      change: [numbers.aligned(most.by)],
    }),
  ];
}

/** Of many lines, what half of them are above at the end. */
function middleOf(ends: readonly { readonly value: number }[], numbers: NumberWords): Words[] {
  const sorted = ends.map(({ value }) => value).sort((a, b) => b - a);
  const median = sorted[sorted.length >> 1];
  if (median === undefined || sorted.length < LEAST_FOR_MEDIAN) return [];
  const value: [string] = [numbers.spoken(median)];
  return [sentence(numbers.language, 'Half of them have more than {value}.', { value })];
}

/** Of fewer lines, a median says little. */
const LEAST_FOR_MEDIAN = 9;

function tableOf(panels: readonly Lines[]): LinesTable {
  const [first] = panels as [Lines];
  const { question, measure, time, areEnds } = first;
  const columns = panels.flatMap((panel) => {
    const { series, quiet } = panel;
    const numbers = writingOf(panel);
    const unit = panels.length > 1 ? panel.measure.column.unit : undefined;
    return (areEnds ? [...series, ...quiet] : series).map(({ name, title = name, points }) => ({
      title: unit === undefined ? title : `${title}, ${unit}`,
      points,
      byKey: new Map(points.map((point) => [point.key, point])),
      written: (value: number) => numbers.whole(value),
    }));
  });
  const { periods } = time;
  const { language } = question.known;
  const keys = keysIn(columns);
  const hrefs = keys.map((key) => {
    const groups = columns.map(({ byKey }) => byKey.get(key)?.group);
    return hrefOf(question, time, groups);
  });
  const marks = keys.map(
    (key, i): Mark => ({
      name: periods.short(key),
      numbers: columns.map(({ byKey }) => byKey.get(key)?.value ?? null),
      ...linked(hrefs[i]),
    }),
  );
  if (areEnds) return { marks, numbers: numbersOfMany(first) };
  const before = new Map(columns[0]?.points.map(({ key }, i, all) => [key, all[i - 1]?.value]));
  const isOne = columns.length === 1;
  const [least, most] = extremesOf([0, ...valuesIn(columns)]) ?? [0, 1];
  const share = (value: number) => (value - least) / (most - least || 1);
  const hasCounts =
    isOne &&
    measure.of !== 'count' &&
    question.answer.groups.some((group) => rowsIn(group) !== undefined);
  const rows = keys.map((key, i) => {
    const points = columns.map(({ byKey }) => byKey.get(key));
    const value = points[0]?.value ?? null;
    const cells = [
      periods.short(key),
      ...points.map((point, k) =>
        point?.value == null ? '–' : (columns[k]?.written(point.value) ?? ''),
      ),
      ...(isOne ? [i === 0 ? '' : changeText(before.get(key) ?? null, value, language)] : []),
      ...(hasCounts ? [language.number(rowsIn(points[0]?.group ?? {}) ?? 0)] : []),
    ];
    return {
      cells,
      ...linked(hrefs[i]),
      ...(isOne && value !== null ? { bar: barOf(value, share) } : {}),
    };
  });
  const heads = [
    { title: periodsTitle(time, language) },
    ...columns.map(({ title }) => ({
      title: isOne ? measureTitle(measure, question) : title,
      isNumber: true as const,
    })),
    ...(isOne ? [{ title: language.say('Change'), isNumber: true as const }] : []),
    ...(hasCounts ? [{ title: sentenceCase(question.known.noun), isNumber: true as const }] : []),
  ];
  return {
    marks,
    numbers: isOne && least < 0 ? { heads, rows, zero: share(0) } : { heads, rows },
  };
}

function periodsTitle({ dimension: { partName, field } }: Time, language: Language): string {
  return sentenceCase(partName === undefined ? field.title : partWords(partName, language));
}

/** Columns of the numbers of many lines; of more periods, the first, the middle and the last. */
const MOST_COLUMNS = 12;

/** The numbers of many lines: a row for each, those with the most at the end on top. */
export function numbersOfMany(lines: Lines, isSorted = true): Drawn['numbers'] {
  const { question, time, series, quiet } = lines;
  const all = [...series, ...quiet];
  const numbers = writingOf({ ...lines, series: all });
  const keys = keysIn(all);
  const { length } = keys;
  const shown =
    length <= MOST_COLUMNS ? keys : [0, length >> 1, length - 1].map((i) => keys[i] as number);
  const last = keys.at(-1);
  const rows = all.map(({ name, value, points }) => {
    const byKey = new Map(points.map((point) => [point.key, point.value]));
    const cells = shown.map((key) => {
      const number = byKey.get(key);
      return number == null ? '–' : numbers.whole(number);
    });
    const href =
      value === undefined || time.other === undefined
        ? undefined
        : question.linkOf({ [time.other.column.name]: value });
    const end = byKey.get(last as number) ?? Number.NEGATIVE_INFINITY;
    return { end, row: { cells: [name, ...cells], ...linked(href) } };
  });
  return {
    heads: [
      { title: time.other?.field.title ?? '' },
      ...shown.map((key) => ({ title: time.periods.short(key), isNumber: true as const })),
    ],
    rows: (isSorted ? rows.sort((a, b) => b.end - a.end) : rows).map(({ row }) => row),
  };
}

/** The change to the period before, in per cent; nothing if that is no part of anything. */
function changeText(before: number | null, value: number | null, language: Language): string {
  if (before === null || value === null || before <= 0 || value < 0) return '';
  const change = Math.round((value / before - 1) * 100);
  return signed(change, { spoken: (number) => percent(number / 100, language) });
}
