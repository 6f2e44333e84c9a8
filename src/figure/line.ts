import type { Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import { axesOffered, axisSentences, misfitOf, onAxis } from './axis-kinds.ts';
import { pictureOfLines } from './line-picture.ts';
import {
  type Drawn,
  emptyFigure,
  type Mark,
  type MarkKind,
  MOST_LINES,
  MOST_MARKS,
} from './mark.ts';
import { extremesOf, type NumberWords, percent, signed } from './numbers.ts';
import { coarserThan, extentOf, isUnfilled, periodNoun } from './periods.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  measuresTogether,
  rowsIn,
  valueIn,
} from './question.ts';
import {
  hrefOf,
  isTold,
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
  partWords,
  sentence,
  sentenceCase,
  sentencesOfLine,
  titleOf,
  unfilledSentences,
  type Words,
} from './words.ts';

const LINE_AXES = ['zero', 'near', 'log', 'index'] as const;

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
  fewer: (question) => longerPeriods(countedLines(question as GroupsQuestion)),
  draw: (question) => drawLines(question as GroupsQuestion),
  axes: LINE_AXES,
  offers: (question) => axesOffered(linesOf(question), LINE_AXES),
};

/** The lines of a question, with the numbers that were asked for. */
function linesOf(question: GroupsQuestion): Lines {
  const { time, extent, all, count } = countedLines(question);
  const { series } = lastOf(all, count);
  return { question, measure: drawnMeasure(question) as Measure, time, series, extent };
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
  const all = seriesOf(question, time, dated, extent);
  const count = all.reduce((sum, { points }) => sum + points.filter(isTold).length, 0);
  return { answer, time, extent, all, count };
}

/** Longer periods, if there are too many points, and if there are longer ones. */
function longerPeriods({ answer, time, count }: ReturnType<typeof countedLines>) {
  const part = coarserThan(time.periods.part);
  const isTooMuch = count > MOST_MARKS || answer.total > answer.groups.length;
  const hasLonger = part !== undefined && time.dimension.field.type !== 'integer';
  return isTooMuch && hasLonger ? { part } : undefined;
}

function drawLines(question: GroupsQuestion): Drawn {
  const { answer, known, instead } = question;
  const counted = countedLines(question);
  const { time, extent, all, count } = counted;
  const { dimension, periods } = time;
  const { language } = known;
  const measure = drawnMeasure(question) as Measure;
  const isOfOne = question.answer.grouping.dimensions.length === 1;
  const together = isOfOne ? measuresTogether(question) : [];
  const title = titleOf(measure, question, together);
  if (longerPeriods(counted) !== undefined) {
    const caption = sentence(
      language,
      'By {part} there are more than {count} points: too many for a figure.',
      { part: partWords(periods.part, language), count: MOST_MARKS },
    );
    return { ...emptyFigure(language), title, caption: [caption] };
  }
  const { series, earlier } = lastOf(all, count);
  const lines: Lines = { question, measure, time, series, extent };
  const drawn = onAxis(lines, LINE_AXES);
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const blanks = sumOf(answer.groups.filter((group) => valueIn(group, dimension) === null));
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
    ...(values.length === 0 ? [noValues(question)] : sentences(drawn)),
    ...blanksSentence(blanks, dimension.field.title, question),
  ];
  if (values.length === 0) return { ...emptyFigure(language), title, caption };
  const [count_, keys] = [series.length, keysIn(series).length];
  const { axis, base } = drawn;
  const asIndex = (title: string, period: string) =>
    language.say('{title}, {period} = 100', { title, period });
  return {
    caption,
    title: base === undefined ? title : asIndex(title, periods.short(base)),
    form: count_ === 1 ? language.say('Line') : language.say('{count} lines', { count: count_ }),
    extent: language.say('in {count} {periods}', {
      count: keys,
      periods: periodNoun(periods.part, keys, language),
    }),
    picture: pictureOfLines(drawn),
    ...(base === undefined
      ? tableOf(drawn)
      : withDrawn(tableOf(lines), tableOf(drawn), (name) => asIndex(name, periods.short(base)))),
    axis,
    offers: axesOffered(lines, LINE_AXES, axis),
    misfit: misfitOf(lines, LINE_AXES),
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

function sentences(lines: Lines): Words[] {
  const { question, measure, time, series, extent } = lines;
  const { periods } = time;
  const numbers = writingOf(lines);
  const { language } = numbers;
  const [line] = series;
  const said =
    series.length === 1 && line !== undefined
      ? ofOne(lines, line, numbers)
      : ofMany(lines, numbers);
  const keys = keysIn(series);
  const isDrawn = (key: number) => keys.includes(key);
  const unfilled = unfilledSentences({ extent, isDrawn, long: periods.long }, language);
  const others = measuresTogether(question).length - MOST_LINES;
  return [
    ...said,
    ...unfilled,
    ...axisSentences(lines),
    ...countsSentence(measure, question),
    ...(others > 0 && time.other === undefined
      ? [
          sentence(language, '{count} more are not drawn; lines are {most} at most.', {
            ...{ count: others, most: MOST_LINES },
          }),
        ]
      : []),
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
function ofMany({ time, series, base }: Lines, numbers: NumberWords): Words[] {
  const { periods } = time;
  const { language } = numbers;
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
    ...(early.length === 0
      ? []
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

function tableOf(lines: Lines): LinesTable {
  const { question, measure, time, series } = lines;
  const { periods, dimension } = time;
  const numbers = writingOf(lines);
  const { language } = numbers;
  const keys = keysIn(series);
  const byKey = series.map(({ points }) => new Map(points.map((point) => [point.key, point])));
  const before = new Map(series[0]?.points.map(({ key }, i, all) => [key, all[i - 1]?.value]));
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
    const href = hrefOf(
      question,
      time,
      points.map((point) => point?.group),
    );
    const name = periods.short(key);
    const cells = [
      name,
      ...points.map((point) => (point?.value == null ? '–' : numbers.whole(point.value))),
      ...(isOne ? [i === 0 ? '' : changeText(before.get(key) ?? null, value, language)] : []),
      ...(hasCounts ? [language.number(rowsIn(points[0]?.group ?? {}) ?? 0)] : []),
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
  const { partName, field } = dimension;
  const heads = [
    { title: sentenceCase(partName === undefined ? field.title : partWords(partName, language)) },
    ...series.map(({ name }) => ({
      title: isOne ? measureTitle(measure, question) : name,
      isNumber: true as const,
    })),
    ...(isOne ? [{ title: language.say('Change'), isNumber: true as const }] : []),
    ...(hasCounts ? [{ title: sentenceCase(question.known.noun), isNumber: true as const }] : []),
  ];
  const numbersOfAll = { heads, rows: rows.map(({ key: _, ...row }) => row) };
  return {
    marks,
    numbers: isOne && least < 0 ? { ...numbersOfAll, zero: share(0) } : numbersOfAll,
  };
}

/** The change to the period before, in per cent; nothing if that is no part of anything. */
function changeText(before: number | null, value: number | null, language: Language): string {
  if (before === null || value === null || before <= 0 || value < 0) return '';
  const change = Math.round((value / before - 1) * 100);
  return signed(change, { spoken: (number) => percent(number / 100, language) });
}
