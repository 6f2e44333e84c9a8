import type { Measure } from '../block/grouping.ts';
import type { Row, Value } from '../values/field-type.ts';
import { shareAxis, type ValueAxis, valueAxis } from './axes.ts';
import { MOST_LINES, MOST_MARKS } from './mark.ts';
import { type NumberWords, numberWords } from './numbers.ts';
import { coarserThan, type Extent, extentOf } from './periods.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  nameOf,
  numberIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { stepOf, type Time, timeOf } from './series.ts';
import { unitText } from './words.ts';

/** What stacked areas are made of: layers over time, the largest of them and one of all others. */

/** Longer periods of the same dates, if there are such. */
export function longerThan({ periods, dimension }: Time) {
  const part = coarserThan(periods.part);
  return part === undefined || dimension.field.type === 'integer' ? undefined : { part };
}

/** Layers of a figure: the largest, and one more for all others. */
const MOST_LAYERS = MOST_LINES;

/** A period: the number of each layer, from the lowest on, and their sum. */
export type Column = {
  readonly key: number;
  readonly values: readonly number[];
  readonly sum: number;
  readonly groups: readonly Row[];
};

export type Layer = { readonly name: string; readonly look: string };

/** Layers over time. */
export type Stack = {
  readonly question: GroupsQuestion;
  readonly measure: Measure;
  readonly time: Time;
  readonly extent: Extent | undefined;
  /** From the lowest on, which is the largest. */
  readonly layers: readonly Layer[];
  /** How many values are one layer together. */
  readonly others: number;
  readonly columns: readonly Column[];
  /** Periods that are left out, as there are none that are longer. */
  readonly earlier: number;
  /** How far apart periods are: a longer distance is a gap. */
  readonly step: number;
  readonly isShare: boolean;
};

export function stackOf(question: GroupsQuestion): Stack {
  const { answer, known, cuts = {} } = question;
  const { language } = known;
  const time = timeOf(question) as Time;
  const { dimension, periods } = time;
  const other = time.other as NonNullable<Time['other']>;
  const measure = drawnMeasure(question) as Measure;
  const { name } = dimension.field;
  const extent = extentOf(dimension, periods, language, known.statistics[name] ?? {}, cuts[name]);
  const dated = answer.groups.filter((group) => valueIn(group, dimension) !== null);
  const named = largestOf(dated, (group) => [valueIn(group, other), numberIn(group, measure) ?? 0]);
  const places = new Map(named.values.map((value, i) => [value, i]));
  const byKey = new Map<number, Row[]>();
  for (const group of dated) {
    const key = periods.keyOf(valueIn(group, dimension));
    const groups = byKey.get(key);
    if (groups === undefined) byKey.set(key, [group]);
    else groups.push(group);
  }
  const layers = named.values.map((value, i) => ({
    name: nameOf(value, other, language),
    look: `c${i + 1}`,
  }));
  const rest = { name: language.say('{count} more', { count: named.others }), look: 'others' };
  const count = named.others > 0 ? layers.length + 1 : layers.length;
  const columns = [...byKey].map(([key, groups]): Column => {
    const values = Array.from({ length: count }, () => 0);
    for (const group of groups) {
      const at = places.get(valueIn(group, other)) ?? layers.length;
      values[at] = (values[at] ?? 0) + (numberIn(group, measure) ?? 0);
    }
    return { key, values, sum: values.reduce((a, b) => a + b, 0), groups };
  });
  columns.sort((a, b) => a.key - b.key);
  const isShare = question.axis === 'share';
  const drawn = isShare ? columns.filter(({ sum }) => sum > 0) : columns;
  // What has no longer periods has its last ones.
  const most = Math.floor(MOST_MARKS / count);
  const earlier = longerThan(time) === undefined ? Math.max(0, drawn.length - most) : 0;
  return {
    question,
    measure,
    time,
    extent,
    layers: named.others > 0 ? [...layers, rest] : layers,
    others: named.others,
    columns: drawn.slice(earlier),
    earlier,
    step: stepOf(columns.map(({ key }) => key)),
    isShare,
  };
}

/** The values with the largest sums, the first of equal ones first, and how many others there are. */
function largestOf(groups: readonly Row[], numberOf: (group: Row) => readonly [Value, number]) {
  const sums = new Map<Value, number>();
  for (const group of groups) {
    const [value, number] = numberOf(group);
    sums.set(value, (sums.get(value) ?? 0) + number);
  }
  const values = [...sums].sort(([, a], [, b]) => b - a).map(([value]) => value);
  const isMore = values.length > MOST_LAYERS;
  const named = isMore ? values.slice(0, MOST_LAYERS - 1) : values;
  return { values: named, others: values.length - named.length };
}

export function isTooMuch({ question: { answer }, columns, layers }: Stack): boolean {
  return columns.length * layers.length > MOST_MARKS || answer.total > answer.groups.length;
}

/** How the numbers of a stack are written, and their shares. */
export function wordsOfStack(stack: Stack): { whole: NumberWords; drawn: NumberWords } {
  const { question, measure, columns, isShare } = stack;
  const { language } = question.known;
  const values = columns.flatMap(({ values, sum }) => [...values, sum]);
  const field = measure.column;
  const whole = numberWords({ language, field, values });
  return { whole, drawn: isShare ? numberWords({ language, field, values, isShare }) : whole };
}

/** The numbers of a period as they are drawn: shares of it, or as they are. */
export function drawnValues({ isShare }: Stack, { values, sum }: Column): readonly number[] {
  return isShare ? values.map((value) => value / sum) : values;
}

/** How many values areas are of, if filters leave out values or rows; undefined if they are of all. */
export function countLeft(question: GroupsQuestion): number | undefined {
  const { answer, known } = question;
  const { other } = timeOf(question) as Time;
  if (other === undefined) return undefined;
  const count = valuesOf(answer.groups, other).length;
  const isOfValues = other.part === undefined && other.width === undefined;
  const all = known.statistics[other.field.name]?.distinct ?? 0;
  const isOfSome = (isOfValues && count < all) || answer.matching < known.rows;
  return isOfSome ? count : undefined;
}

export function axisOfStack(stack: Stack): ValueAxis {
  const { question, measure, columns, isShare } = stack;
  const { drawn: numbers } = wordsOfStack(stack);
  const { language, noun } = question.known;
  const isCount = measure.of === 'count';
  if (isShare) {
    const count = countLeft(question);
    const ofAll =
      count === undefined
        ? language.say('of all {noun}', { noun })
        : language.say('of the {count}', { count });
    return shareAxis({ numbers, unit: isCount ? ofAll : undefined });
  }
  const sums = columns.map(({ sum }) => sum);
  const unit = unitText(measure, question);
  return valueAxis(sums, { numbers, unit, isFromZero: true, isWhole: isCount });
}
