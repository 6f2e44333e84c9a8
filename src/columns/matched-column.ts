import {
  greatestOf,
  type MatchingValues,
  type PartsOfRows,
  type SortedGroups,
} from '../measures/measure.ts';
import { type DecimalParts, decimalDigits, PART_DIGITS, POWERS } from '../text/decimal.ts';
import type { TextRun } from '../text/text-run.ts';
import { inSlot, type Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import {
  CHUNK_ROWS,
  type Chunk,
  countCodes,
  type FrameOfReference,
  type NumberList,
  numberAt,
  numbersBelow,
  type UintArray,
  uintArrayFor,
} from './chunk.ts';

/**
 * If there are this many times as many codes as rows, sorting the rows' codes is faster than
 * counting all codes.
 */
const ROWS_PER_SORTED_CODE = 8;

/** A chunk of a column, and which of its rows match. */
export class MatchedColumn implements MatchingValues {
  readonly cached: CachedChunk;
  readonly chunk: Chunk;
  readonly toCodes: number | undefined;
  /** Each matching row's code. */
  readonly codes: UintArray;
  /** The matching rows; undefined if all rows match. */
  readonly #rows: Uint16Array | undefined;
  #keys: Float64Array | undefined;
  #rowsOfCodes: Uint32Array | undefined;

  constructor(cached: CachedChunk, rows: Uint16Array | undefined, areCodes = false) {
    const { chunk } = cached;
    this.toCodes = areCodes ? (chunk.dictionary as FrameOfReference).first : undefined;
    this.cached = cached;
    this.chunk = chunk;
    this.#rows = rows;
    this.codes = rows === undefined ? chunk.codes : gathered(chunk.codes, rows);
  }

  get firstKey(): 0 | 1 {
    return this.chunk.firstKey;
  }

  get size(): number {
    return this.chunk.size;
  }

  get texts(): TextRun | undefined {
    const { dictionary } = this.chunk;
    return dictionary.kind === 'texts' ? dictionary.keys : undefined;
  }

  numberAt(code: number): number {
    return numberAt(this.chunk.dictionary as FrameOfReference | NumberList, code);
  }

  /** Whether all rows of the chunk match. */
  get isWhole(): boolean {
    return this.#rows === undefined;
  }

  /** Turns the index of a matching row into its row number in the chunk. */
  rowAt(index: number): number {
    return this.#rows === undefined ? index : (this.#rows[index] as number);
  }

  /** For each code, the number of matching rows that have it, if that is known or stays in memory. */
  get countedCodes(): Uint32Array | undefined {
    return this.isWhole && this.cached.keepsCounts ? this.#counts() : this.#rowsOfCodes;
  }

  #counts(): Uint32Array {
    this.#rowsOfCodes ??= this.isWhole
      ? this.cached.rowsOfCodes
      : countCodes(this.codes, this.chunk.size);
    return this.#rowsOfCodes;
  }

  /** The codes that occur in matching rows, ascending, without the code for no key. */
  get usedCodes(): UintArray {
    const { codes } = this;
    const { size, firstKey, dictionary } = this.chunk;
    // Of all rows, only a frame has codes that none of them has.
    if (this.isWhole && dictionary.kind !== 'frame' && size <= CHUNK_ROWS) {
      return numbersBelow(size).subarray(firstKey);
    }
    const used = uintArrayFor(size, Math.min(size, codes.length));
    let count = 0;
    if (codes.length * ROWS_PER_SORTED_CODE < size) {
      let last = firstKey - 1;
      for (const code of codes.slice().sort()) {
        if (code > last) used[count++] = code;
        last = Math.max(last, code);
      }
    } else {
      const rows = this.#counts();
      for (let code: number = firstKey; code < size; code++) {
        if ((rows[code] as number) > 0) used[count++] = code;
      }
    }
    return used.subarray(0, count);
  }

  /** Each matching row's number; NaN if it has none. */
  get keys(): Float64Array {
    this.#keys ??= numbersOf(this.chunk, this.codes);
    return this.#keys;
  }

  sortedIn(groups: Uint32Array): SortedGroups {
    const { codes, chunk } = this;
    const { firstKey } = chunk;
    const most = greatestOf(groups);
    const starts = new Uint32Array(most + 2);
    for (let i = 0; i < groups.length; i++) {
      if ((codes[i] as number) < firstKey) continue;
      const behind = (groups[i] as number) + 1;
      starts[behind] = (starts[behind] as number) + 1;
    }
    for (let group = 0; group <= most; group++) {
      starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
    }
    const numbers = new Float64Array(starts[most + 1] as number);
    if (groups.length < chunk.codes.length * FEW_OF_CHUNK) {
      sortFew(this, groups, starts, numbers);
    } else {
      fillInOrder(this, groups, starts, numbers);
    }
    return { numbers, starts };
  }

  decimalParts(): Work<PartsOfRows> {
    return decimalParts(this.cached, this.codes);
  }
}

function gathered(codes: UintArray, rows: Uint16Array): UintArray {
  const matching = new (codes.constructor as new (length: number) => UintArray)(rows.length);
  for (let i = 0; i < rows.length; i++) matching[i] = codes[rows[i] as number] as number;
  return matching;
}

function numbersOf({ dictionary, firstKey }: Chunk, codes: UintArray): Float64Array {
  const keys = new Float64Array(codes.length);
  if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
  if (dictionary.kind === 'numbers') {
    const { values } = dictionary;
    for (let i = 0; i < keys.length; i++) keys[i] = values[codes[i] as number] as number;
  } else {
    for (let i = 0; i < keys.length; i++) keys[i] = numberAt(dictionary, codes[i] as number);
  }
  if (firstKey === 1) {
    for (let i = 0; i < keys.length; i++) if (codes[i] === 0) keys[i] = Number.NaN;
  }
  return keys;
}

/**
 * If a smaller share of a chunk's rows matches, sorting them is faster than going through the
 * chunk's order.
 */
const FEW_OF_CHUNK = 1 / 4;

/** Stands for rows that do not match. */
const NO_GROUP = 2 ** 32 - 1;

/** Goes through a chunk's rows in the order of their numbers. */
function fillInOrder(
  column: MatchedColumn,
  groups: Uint32Array,
  starts: Uint32Array,
  numbers: Float64Array,
): void {
  const { chunk, cached, isWhole } = column;
  const { codes, firstKey, dictionary } = chunk;
  if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
  let groupOf = groups;
  if (!isWhole) {
    groupOf = new Uint32Array(codes.length).fill(NO_GROUP);
    for (let i = 0; i < groups.length; i++) groupOf[column.rowAt(i)] = groups[i] as number;
  }
  if (cached.order === undefined) cached.makeOrder();
  const order = cached.order as Uint16Array;
  const next = starts.slice();
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    const group = groupOf[row] as number;
    const code = codes[row] as number;
    if (group === NO_GROUP || code < firstKey) continue;
    const at = next[group] as number;
    numbers[at] = numberAt(dictionary, code);
    next[group] = at + 1;
  }
}

function sortFew(
  { keys }: MatchedColumn,
  groups: Uint32Array,
  starts: Uint32Array,
  numbers: Float64Array,
): void {
  const next = starts.slice();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    if (Number.isNaN(key)) continue;
    const group = groups[i] as number;
    const at = next[group] as number;
    numbers[at] = key;
    next[group] = at + 1;
  }
  for (let group = 0; group + 1 < starts.length; group++) {
    const [from, to] = [starts[group] as number, starts[group + 1] as number];
    if (to - from > 1) numbers.subarray(from, to).sort();
  }
}

const UNIT = 10 ** PART_DIGITS;

/**
 * Splits the number of each code into parts, by its decimal digits as JSON writes them. The code
 * for no number gets 0.
 */
function* decimalParts(cached: CachedChunk, codes: UintArray): Work<PartsOfRows> {
  const { dictionary, firstKey, size } = cached.chunk;
  if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
  if (dictionary.kind === 'frame') {
    const { first, power } = dictionary;
    const most =
      size === firstKey ? 0 : Math.max(Math.abs(first + firstKey), Math.abs(first + size - 1));
    return most <= MOST_PART
      ? { power, most, parts: [], units: first, codes }
      : { ...partsOfFrame(dictionary, codes, firstKey), codes: numbersBelow(codes.length) };
  }
  const { values } = dictionary;
  cached.decimals ??=
    inOnePart(values, firstKey) ?? (yield* inSlot('splitNumbers', splitOnce(cached, values)));
  return { ...cached.decimals, codes };
}

/** Another run may have split the numbers while this one waited for its slot. */
function* splitOnce(cached: CachedChunk, values: Float64Array): Work<DecimalParts> {
  return cached.decimals ?? (yield* inSeveralParts(values, cached.chunk.firstKey));
}

/** Two parts of each row's number. */
function partsOfFrame(
  { first, power }: FrameOfReference,
  codes: ArrayLike<number>,
  firstKey: number,
): DecimalParts {
  const [lows, highs] = [new Float64Array(codes.length), new Float64Array(codes.length)];
  for (let row = 0; row < lows.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey) continue;
    const units = first + code;
    highs[row] = Math.trunc(units / UNIT);
    lows[row] = units - (highs[row] as number) * UNIT;
  }
  return { power, most: MOST_PART, parts: [lows, highs] };
}

/** The greatest part whose sum over a chunk is surely exact. */
const MOST_PART = 2 ** 37;

/** Returns undefined if the numbers are not all small multiples of one power of ten. */
function inOnePart(values: Float64Array, firstKey: number): DecimalParts | undefined {
  let [digits, most] = [0, 0];
  for (let code = firstKey; code < values.length; code++) {
    const value = values[code] as number;
    most = Math.max(most, Math.abs(value));
    for (;;) {
      const scale = POWERS[digits] as number;
      if (most * scale > MOST_PART) return undefined;
      // This shows that the rounded multiple is exact: for whole numbers this small, only one of
      // them gives the number when divided by the power.
      if (Math.round(value * scale) / scale === value) break;
      if (++digits === POWERS.length) return undefined;
    }
  }
  const scale = POWERS[digits] as number;
  const units = values.map((value) => Math.round(value * scale));
  if (firstKey === 1) units[0] = 0;
  return { power: -digits, most: most * scale + 1, parts: [units] };
}

/** The costs of writing a number's digits, of reading them, and of clearing a part, in steps. */
const STEPS_PER_WRITTEN = 80;
const STEPS_PER_READ = 50;
const STEPS_PER_CLEARED = 0.25;

const AT_ONCE = 1024;

function* inSeveralParts(values: Float64Array, firstKey: number): Work<DecimalParts> {
  const decimals: ReturnType<typeof decimalDigits>[] = [];
  for (const value of values.subarray(firstKey)) {
    decimals.push(decimalDigits(value));
    if (decimals.length % AT_ONCE === 0) yield AT_ONCE * STEPS_PER_WRITTEN;
  }
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { digits, power } of decimals) {
    if (digits === '0') continue;
    least = Math.min(least, power);
    greatest = Math.max(greatest, power + digits.length);
  }
  const count = Math.ceil((greatest - least) / PART_DIGITS);
  const parts: Float64Array[] = [];
  while (parts.length < count) {
    parts.push(new Float64Array(values.length));
    yield values.length * STEPS_PER_CLEARED;
  }
  for (const [i, { digits, power }] of decimals.entries()) {
    if (i % AT_ONCE === 0) yield AT_ONCE * STEPS_PER_READ;
    if (digits === '0') continue;
    const sign = Math.sign(values[i + firstKey] as number);
    const units = digits + '0'.repeat((power - least) % PART_DIGITS);
    const from = Math.floor((power - least) / PART_DIGITS);
    for (let part = 0; part * PART_DIGITS < units.length; part++) {
      const end = units.length - part * PART_DIGITS;
      const digitsOfPart = Number(units.slice(Math.max(0, end - PART_DIGITS), end));
      (parts[from + part] as Float64Array)[i + firstKey] = sign * digitsOfPart;
    }
  }
  return { power: least, most: UNIT, parts };
}
