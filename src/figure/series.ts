import type { Dimension, Measure } from '../block/grouping.ts';
import type { AxisName } from '../block/views.ts';
import type { Row, Value } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import { MOST_LINES, MOST_MARKS } from './mark.ts';
import { type NumberWords, numberWords } from './numbers.ts';
import type { Extent, Periods } from './periods.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isAmount,
  isShare,
  nameOf,
  numberIn,
  periodsIn,
  placeAmong,
  type Question,
  rowsIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { measureTitle } from './words.ts';

/** A period of a series; without a value it is a gap. */
export type Point = { readonly key: number; readonly value: number | null; readonly group?: Row };
export type Series = {
  readonly name: string;
  /** What it is in full, where its name is short: `Average of Wind`. */
  readonly title?: string;
  /** Of a field's values, which it is of. */
  readonly value?: Value;
  readonly points: readonly Point[];
};

export type Time = {
  readonly dimension: Dimension;
  readonly periods: Periods;
  readonly other?: Dimension | undefined;
};

/** The dimension that is time, and the other one. Undefined if none is, or there are more. */
export function timeOf(question: GroupsQuestion): Time | undefined {
  const { dimensions } = question.answer.grouping;
  if (dimensions.length === 0 || dimensions.length > 2) return undefined;
  const dimension = dimensions.find((one) => periodsIn(question, one) !== undefined);
  const periods = dimension && periodsIn(question, dimension);
  if (dimension === undefined || periods === undefined) return undefined;
  return { dimension, periods, other: dimensions.find((one) => one !== dimension) };
}

/** The values of the dimension that is not time: as they were picked, or else in their order. */
export function seriesNames(question: GroupsQuestion): Value[] {
  const { picks, answer } = question;
  const other = timeOf(question)?.other;
  if (other === undefined) return [];
  const values = valuesOf(answer.groups, other);
  if (picks?.field.name !== other.field.name) return values;
  const placeOf = placeAmong(picks);
  return values.sort((a, b) => placeOf(a) - placeOf(b));
}

export type Lines = {
  readonly question: GroupsQuestion;
  readonly measure: Measure;
  readonly time: Time;
  /** The lines that are named. */
  readonly series: readonly Series[];
  /** Those that are drawn in grey, without names. */
  readonly quiet: readonly Series[];
  /** Set if the named ones are the highest and the lowest of all, which are too many for colours. */
  readonly areEnds?: true;
  /** Two of them that are the ends of a band, the lower first. */
  readonly band?: readonly [low: Series, high: Series];
  readonly extent: Extent | undefined;
  /** The axis that they are drawn on. */
  readonly axis?: Exclude<AxisName, 'share'>;
  /** The key of the period in which each of them is 100, if it is so. */
  readonly base?: number;
};

/** Plots under each other, and lines of each; of one plot alone, `MOST_LINES`. */
export const MOST_PANELS = 3;
export const MOST_OF_PANEL = 4;

/** What is known of fields: the greatest of each. */
type Statistics = Readonly<Record<string, { readonly max?: number; readonly min?: number }>>;

/** What tells which plot a measure is in. */
type Measured = Pick<Measure, 'of' | 'field'> & { readonly column: { readonly unit?: string } };

/** Numbers without a unit are of one plot if one is at most this many times as large as the other. */
const MOST_TIMES = 50;

/**
 * The plot among some in which a measure has a place: that of its unit. What adds up has another size
 * than what is averaged. Without a unit, numbers of one function can be compared, or of one field, if
 * they are about as large.
 */
export function panelFor<M extends Measured>(
  measure: Measured,
  panels: readonly (readonly M[])[],
  statistics: Statistics,
): number {
  const sizeOf = ({ field }: Measured) => {
    const { min = 0, max = 0 } = statistics[field?.name ?? ''] ?? {};
    return Math.max(Math.abs(min), Math.abs(max));
  };
  const { unit } = measure.column;
  return panels.findIndex(([first]) => {
    if (first === undefined || isAmount(first) !== isAmount(measure)) return false;
    if (unit !== undefined || first.column.unit !== undefined) return first.column.unit === unit;
    const [less = 0, more = 0] = [sizeOf(first), sizeOf(measure)].sort((a, b) => a - b);
    const isAlike = first.of === measure.of || first.field?.name === measure.field?.name;
    return isAlike && more <= MOST_TIMES * less;
  });
}

/**
 * Measures over time in plots, the others under the first. A count beside others tells how many rows
 * they are of. What does not fit is left out.
 */
export function measuresInPanels({
  answer,
  known,
}: {
  readonly answer: Pick<GroupsQuestion['answer'], 'grouping'>;
  readonly known: { readonly statistics: Statistics };
}): readonly (readonly Measure[])[] {
  const numbers = answer.grouping.measures.filter(({ column }) => isNumeric(column));
  const panels: Measure[][] = [];
  for (const measure of numbers) {
    if (measure.of === 'count' && measure !== numbers[0]) continue;
    const at = panelFor(measure, panels, known.statistics);
    if (at < 0) panels.push([measure]);
    else panels[at]?.push(measure);
  }
  const most = panels.length > 1 ? MOST_OF_PANEL : MOST_LINES;
  return panels.slice(0, MOST_PANELS).map((all) => all.slice(0, most));
}

/** What is drawn in one plot: a measure, or several of one unit. */
export type Panel = Pick<Lines, 'measure' | 'series'>;

export function panelsOf(
  question: GroupsQuestion,
  { periods, dimension, other }: Time,
  dated: readonly Row[],
  extent: Extent | undefined,
): Panel[] {
  const keyOf = (group: Row) => periods.keyOf(valueIn(group, dimension));
  const step = stepOf(dated.map(keyOf));
  const points = (groups: readonly Row[], measure: Measure) => {
    const isZero = measure.of === 'count' || measure.of === 'share:count';
    const filled = isZero && question.answer.isFiltered === undefined ? extent : undefined;
    return pointsOf(new Map(groups.map((group) => [keyOf(group), group])), measure, step, filled);
  };
  if (other !== undefined) {
    const measure = drawnMeasure(question) as Measure;
    const series = seriesNames(question).map((value) => ({
      name: nameOf(value, other, question.known.language),
      value,
      points: points(
        dated.filter((group) => valueIn(group, other) === value),
        measure,
      ),
    }));
    return [{ measure, series }];
  }
  const panels = measuresInPanels(question);
  const [first] = panels.flat();
  const titles = panels.flat().map(({ field }) => field?.title);
  // Measures of different fields are told apart by these.
  const isByField = new Set(titles).size === titles.length;
  const isOfOneKind = panels.flat().every(({ of }) => of === first?.of);
  return panels.map((measures) => ({
    measure: measures[0] as Measure,
    series: measures.map((measure) => {
      const title = measureTitle(measure, question);
      const name = (isByField && measure.field?.title) || title;
      return { name, title: isOfOneKind ? name : title, points: points(dated, measure) };
    }),
  }));
}

/** Fewer periods show no step. */
const LEAST_PERIODS = 3;

/**
 * How far apart periods are: 5 for every fifth year. All distances are multiples of it, so between
 * two periods there is nothing to miss.
 */
export function stepOf(keys: readonly number[]): number {
  const sorted = [...new Set(keys)].sort((a, b) => a - b);
  if (sorted.length < LEAST_PERIODS) return 1;
  const distances = sorted.slice(1).map((key, i) => key - (sorted[i] as number));
  return distances.reduce(greatestDivisor);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * The points of a series. In an extent, a period without rows is 0; else it is a gap, of which one
 * point is enough. Zeros are left out if they would be too many. Of two points that follow each
 * other, none is missing between them.
 */
function pointsOf(
  groups: ReadonlyMap<number, Row>,
  measure: Measure,
  step: number,
  filled: Extent | undefined,
): Point[] {
  const keys = [...groups.keys()].sort((a, b) => a - b);
  const pointAt = (key: number): Point => {
    const group = groups.get(key);
    return group === undefined
      ? { key, value: filled === undefined ? null : 0 }
      : { key, value: numberIn(group, measure), group };
  };
  const first = Math.min(
    filled?.first ?? Number.POSITIVE_INFINITY,
    keys[0] ?? Number.POSITIVE_INFINITY,
  );
  const last = Math.max(
    filled?.last ?? Number.NEGATIVE_INFINITY,
    keys.at(-1) ?? Number.NEGATIVE_INFINITY,
  );
  // One more than may be drawn shows that they are too many.
  if (filled !== undefined && last - first <= MOST_MARKS) {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => pointAt(first + i));
  }
  const points: Point[] = [];
  for (const key of keys) {
    const before = points.at(-1);
    const next = before && before.key + (filled === undefined ? step : 1);
    if (next !== undefined && key > next) points.push(pointAt(next));
    if (next !== undefined && key > next + 1 && filled !== undefined) points.push(pointAt(key - 1));
    points.push(pointAt(key));
  }
  return points;
}

/** The periods that have a value in any series, in order. */
export function keysIn(series: readonly Pick<Series, 'points'>[]): number[] {
  const keys = series.flatMap(({ points }) => points.filter(({ value }) => value !== null));
  return [...new Set(keys.map(({ key }) => key))].sort((a, b) => a - b);
}

export function sumOf(groups: readonly Row[]): number {
  return groups.reduce((sum, group) => sum + (rowsIn(group) ?? 0), 0);
}

export const isTold = (point: Point): point is Point & { value: number } => point.value !== null;

export function valuesIn(series: readonly Pick<Series, 'points'>[]): number[] {
  return series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
}

/** The numbers of a line, and how they are written. */
export function writingOf({
  question,
  measure,
  series,
  base,
}: Pick<Lines, 'question' | 'measure' | 'series' | 'base'>): NumberWords {
  const values = valuesIn(series);
  const { language } = question.known;
  if (base !== undefined) return numberWords({ language, field: INDEX, values });
  return numberWords({ language, field: measure.column, values, isShare: isShare(measure) });
}

/** Numbers that are 100 in one period. */
const INDEX = { name: 'index', type: 'number' } as const;

/** The rows of some groups, whatever their series. */
export function hrefOf(
  { linkOf }: Question,
  { dimension }: Time,
  groups: readonly (Row | undefined)[],
) {
  const some = groups.filter((group) => group !== undefined);
  const [first, last] = [some[0], some.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const only = (group: Row): Row => ({ [dimension.column.name]: valueIn(group, dimension) });
  const isSame = valueIn(first, dimension) === valueIn(last, dimension);
  return isSame ? linkOf(only(first)) : linkOf(only(first), only(last));
}
