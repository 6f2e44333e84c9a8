import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import { setApart } from '../text/wording.ts';
import type { Row, Value } from '../values/field-type.ts';
import { inOrderOfGroups } from './heat-order.ts';
import type { SumsOfRows } from './heat-sums.ts';
import { type Fewer, MOST_HEAT_COLUMNS, MOST_HEAT_PERIODS } from './mark.ts';
import { extremesOf } from './numbers.ts';
import {
  coarserThan,
  type Extent,
  extentOf,
  isUnfilled,
  type Periods,
  yearStepsOf,
} from './periods.ts';
import {
  type GroupsQuestion,
  nameOf,
  numberIn,
  periodsIn,
  rowsIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { stepOf } from './series.ts';
import { partWords, unfilledSentences, type Words } from './words.ts';

/** What the rows and the columns of a heat table are, and its cells. */

/** The rows or the columns of a heat table. */
export type Side = {
  readonly dimension: Dimension;
  /** Set if they follow each other in time. */
  readonly time: Time | undefined;
  readonly lines: readonly {
    readonly value: Value;
    readonly name: string;
    /** Set if the data do not fill this period. */
    readonly isUnfilled?: true;
  }[];
  /** How many there are that are not shown. */
  readonly more: number;
};

/** Periods, or years in steps. */
type Time = Pick<Periods, 'keyOf' | 'short'> & {
  readonly extent?: Extent | undefined;
  /** Longer periods, if there are any. */
  readonly longer: Fewer | undefined;
  /** What they are called in a sentence: `quarter`. */
  readonly noun: string;
  /** What is said of a first and a last period that the data do not fill. */
  unfilled(isDrawn: (key: number) => boolean): readonly Words[];
};

/** What goes across: time, or else the second dimension. */
export function columnsOf(question: GroupsQuestion): Side {
  const { dimensions } = question.answer.grouping;
  const isAcross = (one: Dimension) => timeIn(question, one) !== undefined;
  const across = dimensions.find(isAcross) ?? (dimensions[1] as Dimension);
  return sideOf(question, across, MOST_HEAT_COLUMNS);
}

/** Longer periods, if there are too many columns. */
export function longerPeriods({ time, lines }: Side): Fewer | undefined {
  return lines.length > MOST_HEAT_PERIODS ? time?.longer : undefined;
}

export function nameIn(
  { dimension, time }: Omit<Side, 'lines' | 'more'>,
  value: Value,
  language: Language,
) {
  return time === undefined ? nameOf(value, dimension, language) : time.short(time.keyOf(value));
}

/** The time that a dimension is. Undefined if its values do not follow each other. */
function timeIn(question: GroupsQuestion, dimension: Dimension): Time | undefined {
  const { known, cuts = {} } = question;
  const { language } = known;
  const { name, type } = dimension.field;
  const statistics = known.statistics[name] ?? {};
  const steps = yearStepsOf(dimension, language, statistics, cuts[name]);
  if (steps !== undefined) {
    const { extent, width } = steps;
    return {
      ...steps,
      longer: width < LONGEST_YEARS ? { years: LONGEST_YEARS } : undefined,
      noun: width === 10 ? language.say('decade') : language.say('century'),
      unfilled: (isDrawn) =>
        unfilledSentences({ extent, isDrawn, long: steps.short }, language, [
          'The {period} have data from {day} on.',
          'The {period} have data up to {day} only.',
        ]),
    };
  }
  const periods = periodsIn(question, dimension);
  if (periods === undefined) return undefined;
  const extent = extentOf(dimension, periods, language, statistics, cuts[name]);
  const part = coarserThan(periods.part);
  return {
    keyOf: periods.keyOf,
    short: periods.short,
    extent,
    // Only whole numbers are put into steps.
    longer: type === 'integer' ? { years: 10 } : part && { part },
    noun: partWords(periods.part, language),
    unfilled: (isDrawn) => unfilledSentences({ extent, isDrawn, long: periods.long }, language),
  };
}

/** Years are put into decades, and these into centuries. */
const LONGEST_YEARS = 100;

/** The values of a side in their order; of too many, those with the most rows. */
export function sideOf(
  question: GroupsQuestion,
  dimension: Dimension,
  most: number,
  sums?: SumsOfRows,
): Side {
  const { groups } = question.answer;
  const time = timeIn(question, dimension);
  const rows = new Map<Value, number>();
  for (const group of groups) {
    const value = valueIn(group, dimension);
    rows.set(value, (rows.get(value) ?? 0) + (rowsIn(group) ?? 0));
  }
  if (time !== undefined) return sideOfTime(dimension, time, [...rows.keys()], most);
  const values = valuesOf(groups, dimension);
  const kept = new Set(
    values.toSorted((a, b) => (rows.get(b) ?? 0) - (rows.get(a) ?? 0)).slice(0, most),
  );
  const lines = inOrderOfGroups(values, dimension, question, sums)
    .filter((value) => kept.has(value))
    .map((value) => ({ value, name: nameOf(value, dimension, question.known.language) }));
  return { dimension, time, lines, more: values.length - lines.length };
}

/**
 * All periods from the first to the last, with those that have no rows, but of every fifth year only
 * these; of too many, the last.
 */
function sideOfTime(
  dimension: Dimension,
  time: Time,
  values: readonly Value[],
  most: number,
): Side {
  const dated = values.filter((value) => value !== null);
  const byKey = new Map(dated.map((value) => [time.keyOf(value), value]));
  const [first, last] = extremesOf(byKey.keys()) ?? [1, 0];
  const step = stepOf([...byKey.keys()]);
  const count = (last - first) / step + 1;
  const more = Math.max(0, count - most);
  const keys = Array.from({ length: count - more }, (_, i) => first + (more + i) * step);
  return {
    dimension,
    time,
    more,
    lines: keys.map((key) => ({
      value: byKey.get(key) ?? null,
      name: time.short(key),
      isUnfilled: isUnfilled(time.extent, key) ? true : undefined,
    })),
  };
}

export type Cell = {
  readonly row: number;
  readonly column: number;
  /** Of its row and of its column. */
  readonly name: string;
  readonly value: number;
  readonly rows: number | undefined;
  readonly href: string | undefined;
};

export function cellsOf(
  question: GroupsQuestion,
  measure: Measure,
  columns: Side,
  rows: Side,
): Cell[] {
  const indexIn = ({ lines, time }: Side) =>
    new Map(lines.flatMap(({ value }, i) => (time && value === null ? [] : [[value, i] as const])));
  const [columnOf, rowOf] = [indexIn(columns), indexIn(rows)];
  return question.answer.groups.flatMap((group: Row): Cell[] => {
    const row = rowOf.get(valueIn(group, rows.dimension));
    const column = columnOf.get(valueIn(group, columns.dimension));
    const value = numberIn(group, measure);
    if (row === undefined || column === undefined || value === null) return [];
    const sides = [rows.lines[row]?.name, columns.lines[column]?.name];
    const name = sides.map((side = '') => setApart(side)).join(', ');
    return [{ row, column, name, value, rows: rowsIn(group), href: question.linkOf(group) }];
  });
}
