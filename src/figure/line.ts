import type { Measure } from '../block/grouping.ts';
import { pictureOfLines } from './line-picture.ts';
import { type Drawn, EMPTY, type Mark, type MarkKind, MOST_LINES, MOST_MARKS } from './mark.ts';
import { countText, extremesOf, type NumberWords, signed } from './numbers.ts';
import { coarserThan, extentOf, periodNoun } from './periods.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isAmount,
  measuresTogether,
  rowsIn,
  valueIn,
} from './question.ts';
import {
  axisOf,
  hrefOf,
  isTold,
  isUnfilled,
  keysIn,
  type Lines,
  type Series,
  seriesNames,
  seriesOf,
  sumOf,
  type Time,
  timeOf,
  writingOf,
} from './series.ts';
import { barOf, cutName, linked } from './shape.ts';
import {
  blanksSentence,
  countsSentence,
  measureTitle,
  noValues,
  sentenceCase,
  sentencesOfLine,
  titleOf,
  type Words,
  words,
} from './words.ts';

/** Lines over time: one series with its extremes, or up to eight that are named at their ends. */
export const line: MarkKind = {
  title: 'line',
  fits: (question) => {
    const { answer } = question;
    const time =
      answer === undefined ? undefined : timeOf({ ...question, answer, places: undefined });
    if (answer === undefined || time === undefined) return false;
    // Of groups that are not all there, nobody knows how many lines they are; periods may be longer.
    const isWhole = answer.total <= answer.groups.length || time.other === undefined;
    const mayBeLonger =
      coarserThan(time.periods.part) !== undefined && time.dimension.field.type !== 'integer';
    const names = seriesNames({ ...question, answer, places: undefined });
    return (isWhole || mayBeLonger) && names.length <= MOST_LINES;
  },
  draw: (question) => drawLines(question as GroupsQuestion),
};

function drawLines(question: GroupsQuestion): Drawn {
  const { answer, known, cuts = {}, instead } = question;
  const time = timeOf(question) as Time;
  const { dimension, periods } = time;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const { name } = dimension.field;
  const extent = extentOf(dimension, periods, known.statistics[name] ?? {}, cuts[name]);
  const dated = answer.groups.filter((group) => valueIn(group, dimension) !== null);
  const all = seriesOf(question, time, dated, extent);
  const count = all.reduce((sum, { points }) => sum + points.filter(isTold).length, 0);
  const part = coarserThan(periods.part);
  const isTooMuch = count > MOST_MARKS || answer.total > answer.groups.length;
  if (isTooMuch && part !== undefined && dimension.field.type !== 'integer') {
    const caption = words(
      `By ${periods.part} there are more than ${countText(MOST_MARKS)} points: too many for a figure.`,
    );
    return { ...EMPTY, title, caption: [caption], wants: { part } };
  }
  const { series, earlier } = lastOf(all, count);
  const drawn = { question, measure, time, series, extent };
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const blanks = sumOf(answer.groups.filter((group) => valueIn(group, dimension) === null));
  const caption = [
    ...(instead === undefined
      ? []
      : [words(`By ${instead} there would be too many points, so it is by ${periods.part}.`)]),
    ...(earlier > 0
      ? [words(`${countText(earlier)} earlier ${periodNoun(periods.part, earlier)} are not drawn.`)]
      : []),
    ...(answer.total > answer.groups.length
      ? [words(`${countText(answer.total - answer.groups.length)} groups are not in it.`)]
      : []),
    ...(values.length === 0 ? [noValues(question)] : sentences(drawn, values)),
    ...blanksSentence(blanks, dimension.field.title, question),
  ];
  if (values.length === 0) return { ...EMPTY, title, caption };
  const keys = keysIn(series);
  const periodCount = countText(keys.length);
  return {
    ...{ title, caption, form: series.length === 1 ? 'Line' : `${series.length} lines` },
    extent: `in ${periodCount} ${periodNoun(periods.part, keys.length)}`,
    picture: pictureOfLines(drawn, values),
    ...tableOf(drawn),
  };
}

/** The last periods of series that have too many points and no coarser part. */
function lastOf(series: readonly Series[], count: number) {
  if (count <= MOST_MARKS) return { series, earlier: 0 };
  const keys = keysIn(series);
  const kept = keys.slice(-Math.floor(MOST_MARKS / series.length));
  const [first = 0] = kept;
  const last = series.map(({ name, points }) => ({
    ...{ name, points: points.filter(({ key }) => key >= first) },
  }));
  return { series: last, earlier: keys.length - kept.length };
}

function sentences(lines: Lines, values: readonly number[]): Words[] {
  const { question, measure, time, series, extent } = lines;
  const { periods } = time;
  const numbers = writingOf(lines);
  const [line] = series;
  const said =
    series.length === 1 && line !== undefined
      ? ofOne(lines, line, numbers)
      : ofMany(lines, numbers);
  const [least = 0] = extremesOf(values) ?? [];
  const isCut = question.isFromZero === false && least > 0;
  const axis = axisOf(lines, values);
  const keys = keysIn(series);
  const unfilled = [
    ...(extent?.firstBegins !== undefined && keys.includes(extent.first)
      ? [words(`${periods.long(extent.first)} has data from ${extent.firstBegins} on.`)]
      : []),
    ...(extent?.lastEnds !== undefined && keys.includes(extent.last)
      ? [words(`${periods.long(extent.last)} has data up to ${extent.lastEnds} only.`)]
      : []),
  ].map((sentence) => [sentenceCase(String(sentence[0]))] as Words);
  const others = measuresTogether(question).length - MOST_LINES;
  return [
    ...said,
    ...unfilled,
    ...(isCut ? [words(`The axis starts at ${numbers.short(axis.domain[0])}, not at 0.`)] : []),
    ...countsSentence(measure, question),
    ...(others > 0 && time.other === undefined
      ? [words(`${countText(others)} more are not drawn; lines are ${MOST_LINES} at most.`)]
      : []),
  ];
}

function ofOne(lines: Lines, { points }: Series, numbers: NumberWords): Words[] {
  const { measure, time } = lines;
  const { periods } = time;
  const whole = isAmount(measure) ? points.filter(({ key }) => !isUnfilled(lines, key)) : points;
  const told = (whole.some(isTold) ? whole : points)
    .filter(isTold)
    .map(({ key, value }) => ({ key, value, name: periods.long(key), when: periods.when(key) }));
  const changes = told.flatMap((to, i) => {
    const from = told[i - 1];
    return from?.key === to.key - 1 ? [{ from, to }] : [];
  });
  return sentencesOfLine(told, changes, numbers, periodNoun(periods.part, told.length));
}

/** Longer names are cut in a sentence; the table has them whole. */
const LONGEST_SAID = 100;

/** Of many lines: which has the most and the least at the end, and which end early. */
function ofMany({ time, series }: Lines, numbers: NumberWords): Words[] {
  const { periods } = time;
  const last = keysIn(series).at(-1) as number;
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
    most.value === least.value
      ? words(
          `${sentenceCase(periods.when(last))} ${atEnd.length === 1 ? most.name : `all ${atEnd.length}`} had `,
          say(most),
          '.',
        )
      : words(
          `${sentenceCase(periods.when(last))} ${most.name} has the most, `,
          say(most),
          `, ${least.name} the least, `,
          say(least),
          '.',
        ),
    ...(early.length === 0
      ? []
      : [
          words(`${early.map(({ name, key }) => `${name} ends ${periods.when(key)}`).join(', ')}.`),
        ]),
    ...(empty === 0 ? [] : [words(`${countText(empty)} of the ${series.length} have no values.`)]),
  ];
}

function tableOf(lines: Lines): Pick<Drawn, 'marks' | 'numbers'> {
  const { question, measure, time, series } = lines;
  const { periods, dimension } = time;
  const numbers = writingOf(lines);
  const keys = keysIn(series);
  const byKey = series.map(({ points }) => new Map(points.map((point) => [point.key, point])));
  const isOne = series.length === 1;
  const values = series.flatMap(({ points }) => points.filter(isTold).map(({ value }) => value));
  const [least, most] = extremesOf([0, ...values]) ?? [0, 1];
  const share = (value: number) => (value - least) / (most - least || 1);
  const hasCounts =
    isOne &&
    measure.of !== 'count' &&
    question.answer.groups.some((group) => rowsIn(group) !== undefined);
  const rows = keys.map((key, i) => {
    const points = byKey.map((all) => all.get(key));
    const value = points[0]?.value ?? null;
    const before = byKey[0]?.get(key - 1)?.value ?? null;
    const href = hrefOf(
      question,
      time,
      points.map((point) => point?.group),
    );
    const name = periods.short(key);
    const cells = [
      name,
      ...points.map((point) => (point?.value == null ? '–' : numbers.whole(point.value))),
      ...(isOne ? [i === 0 ? '' : changeText(before, value)] : []),
      ...(hasCounts ? [countText(rowsIn(points[0]?.group ?? {}) ?? 0)] : []),
    ];
    return {
      key,
      cells,
      ...linked(href),
      ...(isOne && value !== null ? { bar: barOf(value, share) } : {}),
    };
  });
  const marks = rows.map(
    ({ key, cells, href }): Mark => ({
      name: cells[0] as string,
      numbers: byKey.map((all) => all.get(key)?.value ?? null),
      ...linked(href),
    }),
  );
  const heads = [
    { title: sentenceCase(dimension.partName ?? dimension.field.title) },
    ...series.map(({ name }) => ({
      title: isOne ? measureTitle(measure, question) : name,
      isNumber: true as const,
    })),
    ...(isOne ? [{ title: 'Change', isNumber: true as const }] : []),
    ...(hasCounts ? [{ title: sentenceCase(question.known.noun), isNumber: true as const }] : []),
  ];
  const numbersOfAll = { heads, rows: rows.map(({ key: _, ...row }) => row) };
  return {
    marks,
    numbers: isOne && least < 0 ? { ...numbersOfAll, zero: share(0) } : numbersOfAll,
  };
}

/** The change to the period before, in per cent; nothing if that is no part of anything. */
function changeText(before: number | null, value: number | null): string {
  if (before === null || value === null || before <= 0 || value < 0) return '';
  const change = Math.round((value / before - 1) * 100);
  return `${signed(change, { spoken: (number) => countText(number) })} %`;
}
