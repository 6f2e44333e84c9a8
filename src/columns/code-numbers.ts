import { type NumberFrame, narrowArray, numberAt, POWERS } from './chunk.ts';
import type { Coded } from './coded.ts';

/** Codes numbers by the smaller of a frame and a list of them. NaN stands for none. */
export function codeNumbers(numbers: Float64Array, nulls: number): Coded {
  const distinct = distinctOf(numbers, nulls);
  const firstKey = nulls > 0 ? 1 : 0;
  const listed = distinct.length + firstKey;
  const common: Pick<Coded, 'bounds' | 'distinct' | 'firstKey' | 'nulls'> = {
    nulls,
    distinct: distinct.length,
    firstKey,
    ...(distinct.length === 0
      ? {}
      : { bounds: [distinct[0] as number, distinct.at(-1) as number] }),
  };
  const framed = frameOf(distinct, firstKey);
  if (framed !== undefined) {
    const { frame, size } = framed;
    const codes = narrowArray(size, numbers.length);
    const bytesOfList = narrowArray(listed, numbers.length).byteLength + distinct.byteLength;
    if (codes.byteLength <= bytesOfList) {
      for (let row = 0; row < numbers.length; row++) {
        const number = numbers[row] as number;
        if (!Number.isNaN(number)) codes[row] = inUnits(number, frame.power) - frame.first;
      }
      return { ...common, codes, size, dictionary: frame, parts: [] };
    }
  }
  const codeOf = new Map<number, number>([[Number.NaN, 0]]);
  for (const [i, number] of distinct.entries()) codeOf.set(number, i + firstKey);
  const codes = narrowArray(listed, numbers.length);
  for (const [row, number] of numbers.entries()) codes[row] = codeOf.get(number) as number;
  return { ...common, codes, size: listed, dictionary: { kind: 'numbers' }, parts: [distinct] };
}

/** The distinct numbers, ascending, without NaN. */
function distinctOf(numbers: Float64Array, nulls: number): Float64Array {
  const marked = markedNumbers(numbers);
  if (marked !== undefined) return marked;
  // NaN is sorted behind all numbers.
  const sorted = numbers.toSorted().subarray(0, numbers.length - nulls);
  return sorted.filter((number, i) => i === 0 || number !== sorted[i - 1]);
}

/** The same, far sooner, for whole numbers that lie close together; undefined for others. */
function markedNumbers(numbers: Float64Array): Float64Array | undefined {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    if (number < least) least = number;
    if (number > greatest) greatest = number;
    if (number !== Math.trunc(number) && !Number.isNaN(number)) return undefined;
  }
  const range = greatest - least + 1;
  if (range < 1 || range > MOST_MARKS_PER_ROW * numbers.length) return undefined;
  const marks = new Uint8Array(range);
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    if (!Number.isNaN(number)) marks[number - least] = 1;
  }
  const found: number[] = [];
  for (let i = 0; i < range; i++) if (marks[i] === 1) found.push(least + i);
  return Float64Array.from(found);
}

/** Sorting a number takes longer than going through so many marks. */
const MOST_MARKS_PER_ROW = 16;

/** A frame that gives exactly these ascending numbers back; undefined if there is none. */
function frameOf(
  distinct: Float64Array,
  firstKey: number,
): { readonly frame: NumberFrame; readonly size: number } | undefined {
  if (distinct.length === 0)
    return { frame: { kind: 'frame', first: 0, power: 0 }, size: firstKey };
  const power = powerOf(distinct);
  if (power === undefined) return undefined;
  const least = inUnits(distinct[0] as number, power);
  const greatest = inUnits(distinct.at(-1) as number, power);
  const first = least - firstKey;
  const size = greatest - first + 1;
  // Beyond these, subtracting rounds: a number could get the code for none.
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(greatest)) return undefined;
  if (size > 2 ** 32) return undefined;
  const frame: NumberFrame = { kind: 'frame', first, power };
  const isExact = distinct.every((number) =>
    Object.is(numberAt(frame, inUnits(number, power) - frame.first), number),
  );
  return isExact ? { frame, size } : undefined;
}

/** The most digits behind a point, and zeros before it, that a frame has. */
const MOST_DIGITS = 9;

/** The greatest power of ten of which each number is a whole multiple; undefined if none serves. */
function powerOf(numbers: Float64Array): number | undefined {
  let digits = 0;
  for (const number of numbers) {
    if (!Number.isSafeInteger(inUnits(number, -digits))) return undefined;
    while (inUnits(number, -digits) / (POWERS[digits] as number) !== number) {
      if (digits++ === MOST_DIGITS) return undefined;
    }
  }
  if (digits > 0) return -digits;
  let zeros = 0;
  while (
    zeros < MOST_DIGITS &&
    numbers.every((number) => number % (POWERS[zeros + 1] as number) === 0)
  ) {
    zeros++;
  }
  return zeros === MOST_DIGITS ? 0 : zeros;
}

/** How many times `10 ** power` a number is, rounded. */
function inUnits(number: number, power: number): number {
  return Math.round(
    power < 0 ? number * (POWERS[-power] as number) : number / (POWERS[power] as number),
  );
}
