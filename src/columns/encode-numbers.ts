import { POWERS } from '../text/decimal.ts';
import { type EncodedColumn, numberAt, type UintArray, uintArrayFor } from './chunk.ts';

/**
 * Encodes numbers by a frame of reference or by a list of the distinct numbers, whichever is
 * smaller. NaN is no number.
 */
export function encodeNumbers(numbers: Float64Array): EncodedColumn {
  const framed = encodeInFrame(numbers);
  if (framed !== undefined) {
    const { codes, distinct, firstKey } = framed;
    const codesOfList = uintArrayFor(distinct + firstKey, numbers.length);
    if (codes.byteLength <= codesOfList.byteLength + distinct * BYTES_OF_NUMBER) return framed;
  }
  return encodeInList(numbers);
}

const BYTES_OF_NUMBER = Float64Array.BYTES_PER_ELEMENT;

/** Undefined if no frame of reference gives back exactly these numbers. */
function encodeInFrame(numbers: Float64Array): EncodedColumn | undefined {
  const power = powerOf(numbers);
  if (power === undefined) return undefined;
  const factor = POWERS[Math.abs(power)] as number;
  const units = new Float64Array(numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    const unit = Math.round(power < 0 ? number * factor : number / factor);
    // As a reader of the frame does it.
    if (!Object.is(power < 0 ? unit / factor : unit * factor, number)) return undefined;
    units[row] = unit;
  }
  const range = rangeOf(units);
  return isFrame(range) ? encodeRange(units, power, range) : undefined;
}

/**
 * Encodes whole multiples of `10 ** power` by a frame of reference, several times as fast. NaN is no
 * number. The greatest is less than 2 ** 32 above the least.
 */
export function encodeUnits(units: Float64Array, power: number): EncodedColumn {
  const range = rangeOf(units);
  if (!isFrame(range)) throw new RangeError('A frame has fewer codes.');
  return encodeRange(units, power, range);
}

/** The units of a frame, with one below the least if rows have none. */
type Range = {
  readonly first: number;
  readonly size: number;
  readonly nulls: number;
  readonly least: number;
  readonly greatest: number;
};

function rangeOf(units: Float64Array): Range {
  let [least, greatest, nulls] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let row = 0; row < units.length; row++) {
    const unit = units[row] as number;
    if (unit < least) least = unit;
    if (unit > greatest) greatest = unit;
    if (Number.isNaN(unit)) nulls++;
  }
  const firstKey = nulls > 0 ? 1 : 0;
  const hasAny = nulls < units.length;
  const first = hasAny ? least - firstKey : 0;
  const size = hasAny ? greatest - first + 1 : firstKey;
  return { first, size, nulls, least, greatest };
}

function isFrame({ first, size }: Range): boolean {
  // Beyond safe integers a subtraction rounds, and a number could get the code that stands for
  // none.
  return Number.isSafeInteger(first) && Number.isSafeInteger(first + size) && size <= 2 ** 32;
}

function encodeRange(units: Float64Array, power: number, range: Range): EncodedColumn {
  const { first, size, nulls, least, greatest } = range;
  const firstKey = nulls > 0 ? 1 : 0;
  const codes = uintArrayFor(size, units.length);
  for (let row = 0; row < units.length; row++) {
    const unit = units[row] as number;
    if (!Number.isNaN(unit)) codes[row] = unit - first;
  }
  const distinct = countDistinct(codes, firstKey, size);
  return {
    codes,
    nulls,
    distinct,
    firstKey,
    size,
    dictionary: { kind: 'frame', first, power },
    parts: [],
    bounds: distinct === 0 ? undefined : [inNumbers(least, power), inNumbers(greatest, power)],
  };
}

/** Codes that are marked to count the different ones. More are sorted. */
const MOST_MARKED = 2 ** 22;

function countDistinct(codes: UintArray, firstKey: number, size: number): number {
  let distinct = 0;
  if (size > MOST_MARKED) {
    const sorted = codes.toSorted();
    for (let i = 0; i < sorted.length; i++) {
      const code = sorted[i] as number;
      if (code >= firstKey && code !== sorted[i - 1]) distinct++;
    }
    return distinct;
  }
  const isFound = new Uint8Array(size);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey || isFound[code] === 1) continue;
    isFound[code] = 1;
    distinct++;
  }
  return distinct;
}

/**
 * The most decimals that a frame's numbers may have, and the most zeros at their end that a frame
 * may leave out.
 */
const MOST_DIGITS = 9;

/**
 * Returns the greatest power of ten that divides every number; undefined if there
 * is none.
 */
function powerOf(numbers: Float64Array): number | undefined {
  let [digits, factor] = [0, 1];
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    if (Number.isNaN(number)) continue;
    if (!Number.isSafeInteger(Math.round(number * factor))) return undefined;
    while (Math.round(number * factor) / factor !== number) {
      if (digits++ === MOST_DIGITS) return undefined;
      factor = POWERS[digits] as number;
    }
  }
  if (digits > 0) return -digits;
  let zeros = 0;
  while (zeros < MOST_DIGITS && areMultiples(numbers, POWERS[zeros + 1] as number)) zeros++;
  return zeros === MOST_DIGITS ? 0 : zeros;
}

function areMultiples(numbers: Float64Array, of: number): boolean {
  for (let row = 0; row < numbers.length; row++) {
    const rest = (numbers[row] as number) % of;
    if (rest !== 0 && !Number.isNaN(rest)) return false;
  }
  return true;
}

function inNumbers(units: number, power: number): number {
  return numberAt({ kind: 'frame', first: 0, power }, units);
}

function encodeInList(numbers: Float64Array): EncodedColumn {
  // NaN sorts after all numbers.
  const sorted = numbers.toSorted();
  let nulls = 0;
  while (nulls < sorted.length && Number.isNaN(sorted.at(-1 - nulls))) nulls++;
  const distinct = sorted
    .subarray(0, sorted.length - nulls)
    .filter((number, i) => i === 0 || number !== sorted[i - 1]);
  const firstKey = nulls > 0 ? 1 : 0;
  const size = distinct.length + firstKey;
  const codes = uintArrayFor(size, numbers.length);
  const codeOf = new Map<number, number>([[Number.NaN, 0]]);
  for (const [i, number] of distinct.entries()) codeOf.set(number, i + firstKey);
  for (const [row, number] of numbers.entries()) codes[row] = codeOf.get(number) as number;
  return {
    codes,
    nulls,
    distinct: distinct.length,
    firstKey,
    size,
    dictionary: { kind: 'numbers' },
    parts: [distinct],
    bounds: distinct.length === 0 ? undefined : [distinct[0] as number, distinct.at(-1) as number],
  };
}
