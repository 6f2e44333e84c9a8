import { exactDecimal, nearestOf, unitsAt } from '../text/decimal.ts';
import { ordinalEnding } from '../text/wording.ts';
import { firstWhere } from '../values/comparison.ts';
import type { Value } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import type { Work } from '../work/work.ts';
import type { Aggregate, MatchingValues, MeasureKind, SortedGroups } from './measure.ts';

/** The number in the middle. If two numbers are in the middle, the number halfway between them. */
export const median: MeasureKind<GroupNumbers> = {
  title: 'Median of',
  of: isNumeric,
  type: 'number',
  rankInForm: 3,
  aggregate: () => new GroupNumbers(),
  results: (numbers, groups) => percentiles(50, numbers, groups),
};

/**
 * The number that this many hundredths of the way from the least to the greatest number lead to. If
 * it lies between two numbers, it is as far between them as the way leads. So `median` is the 50th
 * percentile. (Hyndman and Fan 1996, definition 7; `percentile_cont` in SQL.)
 */
export function percentile(hundredths: number): MeasureKind<GroupNumbers> {
  const { rankInForm: _, ...kind } = median;
  return {
    ...kind,
    title: `${hundredths}${ordinalEnding(hundredths)} percentile of`,
    rankInForm: hundredths === 90 ? 7 : undefined,
    results: (numbers, groups) => percentiles(hundredths, numbers, groups),
  };
}

function* percentiles(
  hundredths: number,
  numbers: GroupNumbers,
  groups: Uint32Array,
): Work<Value[]> {
  const found: Value[] = [];
  for (const group of groups) {
    const around = yield* numbers.around(hundredths, group);
    found.push(around === undefined ? null : numberBetween(...around));
  }
  return found;
}

/** The number nearest to the exact one that lies some hundredths of the way between two. */
export function numberBetween(low: number, high: number, hundredths: number): number {
  if (low === high || hundredths === 0) return low;
  const [a, b] = [exactDecimal(low), exactDecimal(high)];
  const power = Math.min(a.power, b.power);
  const [from, to] = [unitsAt(a, power), unitsAt(b, power)];
  const units = from * BigInt(100 - hundredths) + to * BigInt(hundredths);
  return nearestOf({ units, power }, 100);
}

/** At most this many numbers are sorted at once. */
const FEW = 2048;

/** The cost of looking up a number among a group's numbers of one chunk, in steps. */
const STEPS_PER_LOOKUP = 30;

/** The numbers of each group. They are sorted chunk by chunk, never all together. */
export class GroupNumbers implements Aggregate {
  readonly steps = 6;
  readonly #chunks: SortedGroups[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  add(groups: Uint32Array, values: MatchingValues): undefined {
    const sorted = values.sortedIn(groups);
    this.#chunks.push(sorted);
    this.#byteLength += sorted.numbers.byteLength + sorted.starts.byteLength;
  }

  /** The chunks' starts, which have a place for each group, are counted with the numbers. */
  readonly bytesOfGroups = 0;

  reserve(): void {}

  /**
   * The two numbers around a percentile of a group, and how many hundredths of the way between them
   * it lies.
   */
  *around(
    hundredths: number,
    group: number,
  ): Work<readonly [low: number, high: number, between: number] | undefined> {
    const ranges = (): SortedRange[] =>
      this.#chunks.flatMap(({ numbers, starts }) => {
        const [from = 0, to = 0] = [starts[group], starts[group + 1]];
        return from < to ? [{ numbers, from, to }] : [];
      });
    yield this.#chunks.length * STEPS_PER_LOOKUP;
    const all = ranges();
    const count = sizeOf(all);
    if (count === 0) return undefined;
    const index = Math.floor(((count - 1) * hundredths) / 100);
    const between = ((count - 1) * hundredths) % 100;
    const low = yield* numberIn(all, index);
    if (between === 0) return [low, low, 0];
    return [low, yield* numberIn(ranges(), index + 1), between];
  }
}

/** A part of a chunk's sorted numbers. */
type SortedRange = { readonly numbers: Float64Array; from: number; to: number };

function sizeOf(ranges: readonly SortedRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

/**
 * Returns the number at an index, as if all ranges were sorted together. Each round takes the
 * median of the ranges' middle numbers, weighted by the ranges' sizes, and rules out at least a
 * quarter of the numbers.
 */
function* numberIn(ranges: SortedRange[], index: number): Work<number> {
  let left = index;
  for (;;) {
    const [only, second] = ranges;
    if (only !== undefined && second === undefined) return only.numbers[only.from + left] as number;
    const size = sizeOf(ranges);
    if (size <= FEW) {
      const all = new Float64Array(size);
      let at = 0;
      for (const { numbers, from, to } of ranges) {
        all.set(numbers.subarray(from, to), at);
        at += to - from;
      }
      yield size * 6;
      return all.sort()[left] as number;
    }
    const pivot = weightedMiddle(ranges, size);
    const below = ranges.map((range) => indexIn(range, pivot, false));
    const upTo = ranges.map((range) => indexIn(range, pivot, true));
    yield ranges.length * STEPS_PER_LOOKUP;
    const before = ranges.reduce((sum, { from }, i) => sum + (below[i] as number) - from, 0);
    const through = ranges.reduce((sum, { from }, i) => sum + (upTo[i] as number) - from, 0);
    if (left >= before && left < through) return pivot;
    for (const [i, range] of ranges.entries()) {
      if (left < before) range.to = below[i] as number;
      else range.from = upTo[i] as number;
    }
    if (left >= through) left -= through;
  }
}

function weightedMiddle(ranges: readonly SortedRange[], size: number): number {
  const middles = ranges
    .filter(({ from, to }) => from < to)
    .map(({ numbers, from, to }) => ({
      middle: numbers[(from + to) >>> 1] as number,
      size: to - from,
    }))
    .sort((a, b) => a.middle - b.middle);
  let before = 0;
  for (const { middle, size: sizeOfRange } of middles) {
    before += sizeOfRange;
    if (2 * before >= size) return middle;
  }
  throw new RangeError('There are no numbers.');
}

/**
 * Returns the first index in a range whose number is not less than `number`; if `isBehind`, the
 * first whose number is greater.
 */
function indexIn({ numbers, from, to }: SortedRange, number: number, isBehind: boolean): number {
  const isThere = (at: number) =>
    isBehind ? (numbers[at] as number) > number : (numbers[at] as number) >= number;
  return firstWhere(isThere, from, to);
}
