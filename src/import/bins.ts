import type { Bins } from '../block/manifest.ts';
import { type Chunk, numberAt } from '../columns/chunk.ts';
import { binOf } from '../query/bin-of.ts';
import { DAY_MS } from '../values/calendar.ts';
import { firstWhere } from '../values/comparison.ts';
import { type Field, keysOfDay, typeOf } from '../values/field-types.ts';
import { firstDayOf, monthOf } from '../values/time-part.ts';
import { instantOf, offsetAt } from '../values/time-zone.ts';

/** Enough bins to show a shape, and few enough for the width of a filter. */
export const MOST_BINS = 24;

/** The months that a bin of dates may have: one, a quarter, and round numbers of years. */
const MONTHS = [1, 3, ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((years) => 12 * years)];

/** The scale of a histogram. */
export type Scale = Pick<Bins, 'edges' | 'isLog'>;

/** Makes the histogram of a column of numbers, dates or times from its keys in ascending order. */
export function binsOf(field: Field, sorted: Float64Array): Bins {
  return binned(sorted, scaleOf(field, sorted));
}

/**
 * The scale of keys in ascending order; there is at least one. Bins have round edges. If a few
 * values lie far from the others, the outer bins are wider. If values crowd at one end, bins grow:
 * 1, 2, 5, 10.
 */
function scaleOf(field: Field, sorted: Float64Array): Scale {
  const [min, max] = [sorted[0] as number, sorted.at(-1) as number];
  // The difference of numbers this far apart is infinite.
  if (min === max || !Number.isFinite(max - min)) return { edges: [min, max] };
  const isWhole = typeOf(field).json === 'integer';
  const even = { edges: evenEdges(field, sorted, isWhole) };
  const most = mostIn(sorted, even);
  const mayGrow = min >= 0 && keysOfDay(field) === undefined;
  if (!mayGrow || most <= CROWDED * sorted.length) return even;
  const growing = { edges: growingEdges(sorted, isWhole), isLog: true as const };
  return mostIn(sorted, growing) < most ? growing : even;
}

/** If one bin has a greater share of the rows than this, the other bins show nothing. */
const CROWDED = 0.6;

function mostIn(sorted: Float64Array, scale: Scale): number {
  return Math.max(...binned(sorted, scale).counts);
}

/** Counts ascending keys in the bins of a scale, as `binOf` does. */
export function binned(sorted: Float64Array, scale: Scale): Bins {
  const { edges } = scale;
  const starts = edges.map((edge) =>
    firstWhere((i) => !((sorted[i] as number) < edge), 0, sorted.length),
  );
  // The outer bins have what is beyond the edges.
  [starts[0], starts[edges.length - 1]] = [0, sorted.length];
  return { ...scale, counts: starts.slice(1).map((end, bin) => end - (starts[bin] as number)) };
}

/** Counts the keys of a column's chunks in the bins of a scale. */
export function binnedChunks(chunks: Iterable<Chunk>, scale: Scale): Bins {
  const counts = new Array<number>(scale.edges.length - 1).fill(0);
  for (const { codes, firstKey, size, dictionary } of chunks) {
    if (dictionary.kind === 'texts') throw new TypeError('Texts have no bins.');
    // Codes ascend with their numbers, so that each bin is a range of codes.
    const starts = scale.edges.map((edge) =>
      firstWhere((code) => !(numberAt(dictionary, code) < edge), firstKey, size),
    );
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      if (code < firstKey) continue;
      const bin = binOf(starts, code);
      counts[bin] = (counts[bin] as number) + 1;
    }
  }
  return { ...scale, counts };
}

/** A column of numbers, by some of its keys in ascending order. */
export type Sampled = { readonly field: Field; readonly sample: Float64Array };

/** Keys of each column, of which the scale of several columns is made. */
const MOST_SAMPLED = 1000;

/** Some keys, evenly apart, with the least and the greatest. */
export function sampleOf(sorted: Float64Array): Float64Array {
  const last = sorted.length - 1;
  const count = Math.min(MOST_SAMPLED, sorted.length);
  return Float64Array.from({ length: count }, (_, i) => {
    return sorted[count === 1 ? 0 : Math.round((i * last) / (count - 1))] as number;
  });
}

/**
 * The scales that columns have in common, by their names: columns of one unit or of none, of which
 * the middle halves overlap by half; of one declared unit also if all of their ranges do. The same
 * value is then at the same place wherever they stand together. Parts of a whole that are ten times
 * smaller keep a scale on which they can be seen.
 */
export function sharedScales(columns: readonly Sampled[]): ReadonlyMap<string, Scale> {
  const groups: [Sampled, ...Sampled[]][] = [];
  for (const column of columns) {
    const group = groups.find(([first]) => isAlike(first, column));
    if (group === undefined) groups.push([column]);
    else group.push(column);
  }
  return new Map(
    groups.flatMap((group) => {
      if (group.length === 1) return [];
      const [{ field }] = group;
      const isWhole = group.every((one) => one.field.type === 'integer');
      const all = Float64Array.from(group.flatMap(({ sample }) => [...sample])).sort();
      const scale = scaleOf({ ...field, type: isWhole ? 'integer' : 'number' } as Field, all);
      return group.map((one): [string, Scale] => [one.field.name, scale]);
    }),
  );
}

function isAlike(a: Sampled, b: Sampled): boolean {
  if (a.field.unit !== b.field.unit) return false;
  const overlap = (share: number) => {
    const [[from, to], [first, last]] = [a, b].map(({ sample }) => [
      quantile(sample, share),
      quantile(sample, 1 - share),
    ]) as [[number, number], [number, number]];
    const common = Math.min(to, last) - Math.max(from, first);
    return common > 0 && 2 * common >= Math.max(to - from, last - first);
  };
  return overlap(0.25) || (a.field.unit !== undefined && overlap(0));
}

/** Returns the number below which this share of the sorted numbers lies. */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))] as number;
}

/** Equal bins may span at most this many times the range of the middle 98 % of the rows. */
const MOST_REACH = 2;

function evenEdges(field: Field, sorted: Float64Array, isWhole: boolean): number[] {
  const [min, max] = [sorted[0] as number, sorted.at(-1) as number];
  const [low, high] = [quantile(sorted, 0.01), quantile(sorted, 0.99)];
  const hasFar = high > low && max - min > MOST_REACH * (high - low);
  // The two outer bins hold the values that lie far away.
  const [from, to, most] = hasFar ? [low, high, MOST_BINS - 2] : [min, max, MOST_BINS];
  const edges =
    keysOfDay(field) === undefined
      ? stepsBetween(from, to, most, isWhole)
      : periodsBetween(field, from, to, most);
  // With a large step, rounding may put the first edge above a tiny minimum.
  const isFull = edges.length > MOST_BINS;
  if (min < (edges[0] as number)) edges.splice(0, isFull ? 1 : 0, min);
  if (max > (edges.at(-1) as number)) edges.splice(isFull ? -1 : edges.length, isFull ? 1 : 0, max);
  return edges;
}

/**
 * Multiples of a round step: the last one up to `from`, the first one from `to`, and all between.
 */
function stepsBetween(from: number, to: number, most: number, isWhole: boolean): number[] {
  const least = Math.floor(Math.log10((to - from) / most));
  for (let power = least; Number.isFinite(10 ** power) && 10 ** power > 0; power++) {
    for (const digit of isWhole ? [1, 2, 5] : [1, 2, 2.5, 5]) {
      const step = digit * 10 ** power;
      const first = Math.floor(from / step);
      // A step of 1 holds one whole number, so the greatest number needs a bin after it.
      const last = isWhole && step === 1 ? to + 1 : Math.ceil(to / step);
      if ((isWhole && step < 1) || last - first > most) continue;
      const edges = Array.from({ length: last - first + 1 }, (_, i) => tidy((first + i) * step));
      // Numbers that differ only in their last digits have no round numbers between them.
      return edges.every((edge, i) => i === 0 || edge > (edges[i - 1] as number))
        ? edges
        : [from, to];
    }
  }
  return [from, to];
}

/** Smaller numbers have fewer digits than others (IEEE 754, subnormal). */
const LEAST = 1e-300;

/** Edges at 1, 2, 5, 10 and so on, from the one below the least number; of zeros, from 0. */
function growingEdges(sorted: Float64Array, isWhole: boolean): number[] {
  const [min, max] = [sorted[0] as number, sorted.at(-1) as number];
  const positive = sorted.subarray(sorted.findIndex((key) => key > 0));
  const low = min > 0 ? min : isWhole ? 1 : quantile(positive, 0.02);
  const first = Math.max(LEAST, low);
  let edges: number[] = [];
  for (const digits of [[1, 2, 5], [1, 3], [1]]) {
    edges = [];
    for (let power = Math.floor(Math.log10(first)); (edges.at(-1) ?? 0) <= max; power++) {
      edges.push(...digits.map((digit) => tidy(digit * 10 ** power)));
    }
    while ((edges.at(-2) as number) > max) edges.pop();
    while ((edges[1] as number) <= first) edges.shift();
    if (min < (edges[0] as number)) edges.unshift(0);
    if (edges.length <= MOST_BINS + 1) break;
  }
  // A range that needs more bins keeps its upper end.
  return edges.length <= MOST_BINS + 1 ? edges : [0, ...edges.slice(-MOST_BINS)];
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** The starts of days, weeks, months, quarters or years, as keys of the field. */
function periodsBetween(field: Field, from: number, to: number, most: number): number[] {
  const isTime = (keysOfDay(field) as number) > 1;
  const zone = field.local ? 'UTC' : (field.timeZone ?? 'UTC');
  const dayOf = (key: number) => (isTime ? Math.floor((key + offsetAt(zone, key)) / DAY_MS) : key);
  const days = startsBetween(dayOf(from), dayOf(to), most);
  return isTime ? days.map((day) => instantOf(day * DAY_MS, zone)) : days;
}

/** The first days of the shortest periods that need at most `most` bins. */
function startsBetween(first: number, last: number, most: number): number[] {
  for (const days of [1, 7]) {
    // Day 0 was a Thursday, and weeks begin on Mondays.
    const start = days === 1 ? first : 7 * Math.floor((first + 3) / 7) - 3;
    const bins = Math.floor((last - start) / days) + 1;
    if (bins <= most) return Array.from({ length: bins + 1 }, (_, i) => start + i * days);
  }
  const [from, to] = [monthOf(first), monthOf(last)];
  // Months count from year 0, so that periods of several years begin in round years.
  const months = MONTHS.find((each) => Math.floor(to / each) - Math.floor(from / each) < most);
  if (months === undefined) throw new RangeError('Dates lie within 10,000 years.');
  const start = Math.floor(from / months);
  const bins = Math.floor(to / months) - start + 1;
  return Array.from({ length: bins + 1 }, (_, i) => firstDayOf((start + i) * months));
}
