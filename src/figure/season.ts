import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { TIME_PARTS } from '../values/time-part.ts';
import { axesOffered, axisSentences, type Drawable, misfitOf, onAxis } from './axis-kinds.ts';
import { type Drawn, emptyFigure, type MarkKind, MOST_MARKS } from './mark.ts';
import { extremesOf, type NumberWords } from './numbers.ts';
import { type Extent, extentOf, isUnfilled, type Periods, periodsOf } from './periods.ts';
import { drawnMeasure, type GroupsQuestion, numberIn, valueIn } from './question.ts';
import { isNamed, MOST_PLAIN, pictureOfSeason } from './season-picture.ts';
import { isTold, type Point, type Series, sumOf, writingOf } from './series.ts';

import {
  blanksSentence,
  countsSentence,
  noValues,
  sentence,
  sentenceCase,
  titleOf,
  unfilledSentences,
  type Words,
} from './words.ts';

const AXES = ['zero', 'near', 'log'] as const;

/** The months of the year, with a line a year: the last one is marked, and earlier ones are quiet. */
export const season: MarkKind = {
  title: 'season',
  of: 'two',
  fits: ({ answer }) => {
    if (answer === undefined || sidesOf(answer.grouping.dimensions) === undefined) return false;
    return answer.total <= Math.min(answer.groups.length, MOST_MARKS);
  },
  draw: (question) => drawSeason(question as GroupsQuestion),
  axes: AXES,
};

const MONTHS = 12;

type Sides = { readonly month: Dimension; readonly year: Dimension };

/** The month of the year and the year of one date. Undefined if the dimensions are others. */
function sidesOf(dimensions: readonly Dimension[]): Sides | undefined {
  const month = dimensions.find(({ partName }) => partName === 'month_of_year');
  const year = dimensions.find(({ partName }) => partName === 'year');
  const isOfOne = month !== undefined && year !== undefined && month.field === year.field;
  return isOfOne && dimensions.length === 2 ? { month, year } : undefined;
}

/** A line a year, whose keys are the months from 0 on. */
function linesOf(question: GroupsQuestion): Drawable {
  const { answer } = question;
  const { month, year } = sidesOf(answer.grouping.dimensions) as Sides;
  const measure = drawnMeasure(question) as Measure;
  const byYear = new Map<number, Row[]>();
  for (const group of answer.groups) {
    if (valueIn(group, month) === null) continue;
    const key = Number(valueIn(group, year));
    byYear.set(key, [...(byYear.get(key) ?? []), group]);
  }
  const series = [...byYear]
    .sort(([a], [b]) => a - b)
    .map(([key, groups]) => ({ name: String(key), points: pointsOf(groups, month, measure) }));
  return { question, measure, series };
}

/** The months of a year, from January on. */
function pointsOf(groups: readonly Row[], month: Dimension, measure: Measure): Point[] {
  const byMonth = new Map(groups.map((group) => [Number(valueIn(group, month)) - 1, group]));
  return Array.from({ length: MONTHS }, (_, key) => {
    const group = byMonth.get(key);
    return group === undefined
      ? { key, value: null }
      : { key, value: numberIn(group, measure), group };
  });
}

type Season = Drawable & {
  readonly numbers: NumberWords;
  /** The months of all years, one after another, and which of them the data have. */
  readonly periods: Periods;
  readonly extent: Extent | undefined;
};

function drawSeason(question: GroupsQuestion): Drawn {
  const { answer, known, cuts = {} } = question;
  const { language } = known;
  const { month, year } = sidesOf(answer.grouping.dimensions) as Sides;
  const { name, title: field } = month.field;
  const asked = linesOf(question);
  const lines = onAxis(asked, AXES);
  const { measure, series } = lines;
  const grouping = { ...answer.grouping, dimensions: [month] };
  const title = titleOf(measure, { ...question, answer: { ...answer, grouping } });
  if (!series.some(({ points }) => points.some(isTold))) {
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  }
  const ofMonths = { ...month, part: TIME_PARTS.month, partName: 'month' as const };
  const periods = periodsOf(ofMonths, language) as Periods;
  const statistics = known.statistics[name] ?? {};
  const extent = extentOf(ofMonths, periods, language, statistics, cuts[name]);
  const numbers = writingOf(lines);
  const blanks = sumOf(answer.groups.filter((group) => valueIn(group, month) === null));
  const count = series.length;
  const names = Array.from({ length: MONTHS }, (_, i) => language.month(i + 1, 'short'));
  const ofYear = (year_: string): Row => ({ [year.column.name]: Number(year_) });
  return {
    title,
    form: count === 1 ? language.say('Line') : language.say('{count} lines', { count }),
    extent:
      count === 1
        ? language.say('in {count} {periods}', { count, periods: language.say('year #counted') })
        : language.say('as a line for each of {count} years', { count }),
    caption: [
      ...captionOf({ ...lines, numbers, periods, extent }),
      ...blanksSentence(blanks, field, question),
    ],
    picture: pictureOfSeason(lines, names),
    marks: names.map((name, i) => ({
      name,
      numbers: series.map(({ points }) => points[i]?.value ?? null),
    })),
    numbers: {
      heads: [
        { title: sentenceCase(language.say('year')) },
        ...names.map((title) => ({ title, isNumber: true as const })),
      ],
      rows: series.map(({ name, points }) => ({
        cells: [name, ...points.map(({ value }) => (value === null ? '–' : numbers.whole(value)))],
        href: question.linkOf(ofYear(name)),
      })),
    },
    axis: lines.axis,
    offers: axesOffered(asked, AXES, lines.axis),
    misfit: misfitOf(lines, AXES),
  };
}

function captionOf(season: Season): Words[] {
  const { question, measure, series, numbers, periods, extent } = season;
  const { language } = numbers;
  const keyOf = ({ name }: Series, month: number) => MONTHS * Number(name) + month;
  const all = series.flatMap((one) =>
    one.points.filter(isTold).map(({ key, value }) => ({ key: keyOf(one, key), value })),
  );
  const full = all.filter(({ key }) => !isUnfilled(extent, key));
  const some = full.length === 0 ? all : full;
  const most = some.reduce((a, b) => (b.value > a.value ? b : a));
  const least = some.reduce((a, b) => (b.value < a.value ? b : a));
  const keys = new Set(all.map(({ key }) => key));
  const extremes = (message: 'Highest {value}, {when}.' | 'Lowest {value}, {when}.', at: Told) =>
    sentence(language, message, {
      value: [numbers.spoken(at.value)],
      when: periods.when(at.key),
    });
  return [
    ...(series.length === 1 ? [] : lastYear(season, keyOf)),
    ...(most.value === least.value
      ? []
      : [extremes('Highest {value}, {when}.', most), extremes('Lowest {value}, {when}.', least)]),
    ...unfilledSentences({ extent, isDrawn: (key) => keys.has(key), long: periods.long }, language),
    ...axisSentences(season),
    ...countsSentence(measure, question),
  ];
}

type Told = { readonly key: number; readonly value: number };

/** The last year against those before: in its last full month, and in all of its months. */
function lastYear(
  { series, numbers, periods, extent }: Season,
  keyOf: (year: Series, month: number) => number,
): Words[] {
  const { language } = numbers;
  const last = series.at(-1) as Series;
  const before = series.slice(0, -1);
  const year = last.name;
  const told = last.points.filter(isTold);
  const full = told.filter(({ key }) => !isUnfilled(extent, keyOf(last, key)));
  const end = told.at(-1);
  const compared = full.at(-1);
  const othersIn = (month: number) => before.flatMap(({ points }) => points[month]?.value ?? []);
  const others = compared === undefined ? [] : othersIn(compared.key);
  const [from, to] = extremesOf(others) ?? [0, 0];
  const say = (value: number): [string] => [numbers.spoken(value)];
  const highest = full.filter(({ key, value }) => {
    const values = othersIn(key);
    return values.length > 0 && values.every((other) => value > other);
  }).length;
  const isMany = series.length > MOST_PLAIN && before.some(({ name }) => isNamed(name));
  return [
    ...(compared === undefined || others.length === 0
      ? []
      : [
          from === to
            ? sentence(language, '{when} it is {value}; before, {from}.', {
                when: sentenceCase(periods.when(keyOf(last, compared.key))),
                value: say(compared.value),
                from: say(from),
              })
            : sentence(
                language,
                '{when} it is {value}; in the same month of years before, {from} to {to}.',
                {
                  when: sentenceCase(periods.when(keyOf(last, compared.key))),
                  value: say(compared.value),
                  from: say(from),
                  to: say(to),
                },
              ),
        ]),
    ...(highest === 0
      ? []
      : [
          sentence(language, 'In {count} of {all} months, {year} is the highest of all.', {
            count: highest,
            all: full.length,
            year,
          }),
        ]),
    ...(end === undefined || end.key === MONTHS - 1 || isUnfilled(extent, keyOf(last, end.key))
      ? []
      : [
          sentence(language, '{year} ends {when}.', {
            year,
            when: periods.when(keyOf(last, end.key)),
          }),
        ]),
    isMany
      ? sentence(language, 'Coloured: {year}, the last year; named: it and each tenth.', { year })
      : sentence(language, 'Coloured: {year}, the last year.', { year }),
  ];
}
