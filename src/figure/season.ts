import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { TIME_PARTS } from '../values/time-part.ts';
import { type Drawn, emptyFigure, type MarkKind, MOST_MARKS } from './mark.ts';
import type { NumberWords } from './numbers.ts';
import { type Extent, extentOf, isUnfilled, type Periods, periodsOf } from './periods.ts';
import { drawnMeasure, type GroupsQuestion, numberIn, valueIn } from './question.ts';
import { axisOf, type Point, type Series, sumOf, writingOf } from './series.ts';
import { type Link, movedApart, type Picture, type Shape, square } from './shape.ts';
import {
  axisSentence,
  blanksSentence,
  countsSentence,
  noValues,
  sentence,
  sentenceCase,
  titleOf,
  unfilledSentences,
  type Words,
} from './words.ts';

/** The months of the year, with a line a year: the last one is marked, and earlier ones are quiet. */
export const season: MarkKind = {
  title: 'season',
  fits: ({ answer }) => {
    if (answer === undefined || sidesOf(answer.grouping.dimensions) === undefined) return false;
    return answer.total <= Math.min(answer.groups.length, MOST_MARKS);
  },
  draw: (question) => drawSeason(question as GroupsQuestion),
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

type Season = {
  readonly question: GroupsQuestion;
  readonly measure: Measure;
  /** A series a year, whose keys are the months from 0 on. */
  readonly series: readonly Series[];
  readonly years: readonly number[];
  readonly numbers: NumberWords;
  /** The months of all years, one after another, and which of them the data have. */
  readonly periods: Periods;
  readonly extent: Extent | undefined;
};

function drawSeason(question: GroupsQuestion): Drawn {
  const { answer, known, cuts = {} } = question;
  const { language } = known;
  const { month, year } = sidesOf(answer.grouping.dimensions) as Sides;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const dated = answer.groups.filter((group) => valueIn(group, month) !== null);
  const blanks = answer.groups.filter((group) => valueIn(group, month) === null);
  const years = [...new Set(dated.map((group) => Number(valueIn(group, year))))].sort(
    (a, b) => a - b,
  );
  const series = years.map((one) => ({
    name: String(one),
    points: pointsOf(
      dated.filter((group) => valueIn(group, year) === one),
      month,
      measure,
    ),
  }));
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  if (values.length === 0)
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const ofMonths = { ...month, part: TIME_PARTS.month, partName: 'month' as const };
  const { name, title: field } = month.field;
  const statistics = known.statistics[name] ?? {};
  const periods = periodsOf(ofMonths, language) as Periods;
  const extent = extentOf(ofMonths, periods, language, statistics, cuts[name]);
  const numbers = writingOf({ question, measure, series });
  const drawn: Season = { question, measure, series, years, numbers, periods, extent };
  const count = years.length;
  const monthNames = Array.from({ length: MONTHS }, (_, i) => language.month(i + 1, 'short'));
  return {
    title,
    form: count === 1 ? language.say('Line') : language.say('{count} lines', { count }),
    extent: language.say('in {count} {periods}', {
      count,
      periods: language.say(count === 1 ? 'year #counted' : 'years #counted'),
    }),
    caption: [...captionOf(drawn, values), ...blanksSentence(sumOf(blanks), field, question)],
    picture: pictureOf(drawn, values, monthNames),
    marks: monthNames.map((name, i) => ({
      name,
      numbers: series.map(({ points }) => points[i]?.value ?? null),
    })),
    numbers: {
      heads: [
        { title: sentenceCase(language.say('year')) },
        ...monthNames.map((title) => ({ title, isNumber: true as const })),
      ],
      rows: series.map(({ name, points }) => ({
        cells: [name, ...points.map(({ value }) => (value === null ? '–' : numbers.whole(value)))],
      })),
    },
  };
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

function captionOf(season: Season, values: readonly number[]): Words[] {
  const { question, measure, series, years, numbers, periods, extent } = season;
  const { language } = numbers;
  const keyOf = (year: number, month: number) => 12 * year + month;
  const all = series.flatMap(({ points }, i) =>
    points.flatMap(({ key, value }) =>
      value === null ? [] : [{ key: keyOf(years[i] as number, key), value }],
    ),
  );
  const full = all.filter(({ key }) => !isUnfilled(extent, key));
  const some = full.length === 0 ? all : full;
  const most = some.reduce((a, b) => (b.value > a.value ? b : a));
  const least = some.reduce((a, b) => (b.value < a.value ? b : a));
  const keys = new Set(all.map(({ key }) => key));
  const last = years.at(-1) as number;
  const lastMonth = series.at(-1)?.points.findLastIndex(({ value }) => value !== null) ?? -1;
  const end = periods.long(keyOf(last, lastMonth));
  const said = { value: [numbers.spoken(most.value)] as [string], when: periods.when(most.key) };
  return [
    ...(years.length === 1
      ? []
      : [
          lastMonth === MONTHS - 1
            ? sentence(language, 'The marked line is {year}.', { year: String(last) })
            : sentence(language, 'The marked line is {year}, up to {month}.', {
                ...{ year: String(last), month: end },
              }),
        ]),
    ...(most.value === least.value
      ? []
      : [
          sentence(language, 'Highest {value}, {when}.', said),
          sentence(language, 'Lowest {value}, {when}.', {
            ...{ value: [numbers.spoken(least.value)], when: periods.when(least.key) },
          }),
        ]),
    ...unfilledSentences({ extent, isDrawn: (key) => keys.has(key), long: periods.long }, language),
    ...axisSentence(axisOf(season, values).domain[0], numbers),
    ...countsSentence(measure, question),
  ];
}

/** More lines than these are faint, and of more, those of each tenth year have names. */
const MOST_PLAIN = 12;
const MOST_NAMED = 8;

function pictureOf(season: Season, values: readonly number[], names: readonly string[]): Picture {
  const { series, years } = season;
  const y = axisOf(season, values);
  const x = (month: number) => month / (MONTHS - 1);
  const isLast = (i: number) => i === series.length - 1;
  const look = series.length > MOST_PLAIN ? 'l old faint' : 'l old';
  const curves = series.flatMap(({ points }, i): Shape[] => {
    const places = points.map(({ key, value }) =>
      value === null ? null : ([x(key), y.at(value)] as const),
    );
    const alone = points.filter(({ key, value }) => {
      return value !== null && points[key - 1]?.value == null && points[key + 1]?.value == null;
    });
    return [
      { shape: 'curve', look: isLast(i) ? 'l' : look, points: places },
      ...alone.map(({ key, value }) =>
        square(isLast(i) ? 'lone' : 'tk', x(key), y.at(value as number), 5),
      ),
    ];
  });
  return {
    layout: 'plot',
    look: 'line season',
    shapes: [
      ...y.shapes,
      ...names.flatMap((text, month): Shape[] => [
        { shape: 'rect', look: 'tk', x: x(month), y: 1, width: [0, 1], height: [0, 5] },
        {
          ...{ shape: 'text', look: month % 3 === 0 ? 'tick' : 'tick wide' },
          ...{ x: x(month), y: 1, down: 1.6, anchor: 'middle', runs: [{ text }] },
        },
      ]),
      ...curves,
      ...namesOf(season, years, y.at),
    ],
    readouts: readoutsOf(season, y.at, names),
  };
}

/** The last year with its last number, and the names of others, moved apart. */
function namesOf(
  { series, numbers }: Season,
  years: readonly number[],
  y: (value: number) => number,
): Shape[] {
  const ends = series.map(({ points }) => points.findLast(({ value }) => value !== null));
  const named = series.flatMap((one, i) => {
    const end = ends[i];
    const isLast = i === series.length - 1;
    const isOne = years.length <= MOST_NAMED || (years[i] as number) % 10 === 0;
    return end && (isLast || isOne) ? [{ ...one, end, isLast }] : [];
  });
  const places = movedApart(named.map(({ end }) => y(end.value as number)));
  return named.flatMap(({ name, end, isLast }, i): Shape[] => {
    const text = { shape: 'text', x: [1, 8], y: places[i] as number, down: 0.34 } as const;
    if (!isLast) return [{ ...text, look: 'tick', runs: [{ text: name }] }];
    const value = end.value as number;
    return [
      square('mark', end.key / (MONTHS - 1), y(value), 7),
      {
        ...{ ...text, look: 'end' },
        runs: [{ text: numbers.aligned(value), isBold: true }, { text: ` ${name}` }],
      },
    ];
  });
}

/** For each month, the number of the last year that has one. */
function readoutsOf(
  { series, numbers }: Season,
  y: (value: number) => number,
  names: readonly string[],
): Link[] {
  return names.flatMap((month, key): Link[] => {
    const last = series.findLast(({ points }) => points[key]?.value != null);
    const value = last?.points[key]?.value;
    if (last === undefined || value == null) return [];
    const at = key / (MONTHS - 1);
    const half = 0.5 / (MONTHS - 1);
    const [left, right] = [Math.max(0, at - half), Math.min(1, at + half)];
    const anchor = at > 0.5 ? 'end' : 'start';
    return [
      {
        ...{ shape: 'link', look: 'h' },
        shapes: [
          { shape: 'rect', look: '', x: left, y: 0, width: right - left, height: 1 },
          { shape: 'line', look: '', x: [at, at], y: [0, 1] },
          square('on', at, y(value), 7),
          {
            ...{ shape: 'text', look: '', x: [at, anchor === 'end' ? -6 : 6], y: 0, down: -0.35 },
            ...{
              anchor,
              runs: [
                { text: numbers.aligned(value), isBold: true },
                { text: ` ${month} ${last.name}` },
              ],
            },
          },
        ],
      },
    ];
  });
}
