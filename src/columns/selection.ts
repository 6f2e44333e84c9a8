import { firstWhere, sortBy } from '../values/comparison.ts';
import { CHUNK_ROWS, type UintArray } from './chunk.ts';
import type { CodeRanges } from './code-ranges.ts';

/**
 * Selects the rows of a chunk whose codes lie in some ranges. This code is hot: it has plain loops
 * over typed arrays, and it is a class so that its methods are not made again for each selection.
 */
export class RowSelection {
  readonly #codes: UintArray;
  readonly #ranges: CodeRanges;
  readonly #order: Uint16Array | undefined;
  /** The start and end of each range in the order, one pair after another. */
  readonly #runs: readonly number[];
  /** If there are several ranges: 1 for each selected code. */
  readonly #isSelected: Uint8Array | undefined;
  /** The number of rows if the order is known, otherwise an upper bound. */
  readonly count: number;

  constructor(codes: UintArray, size: number, ranges: CodeRanges, order?: Uint16Array) {
    this.#codes = codes;
    this.#ranges = ranges;
    this.#order = ranges.length <= MOST_RUNS ? order : undefined;
    this.#isSelected = ranges.length > 1 && size <= MOST_MARKS ? marksOf(ranges, size) : undefined;
    const runs: number[] = [];
    let count = this.#order === undefined && ranges.length > 0 ? codes.length : 0;
    if (this.#order !== undefined) {
      for (const [first, last] of ranges) {
        const start = rowsBelow(this.#order, codes, first);
        const end = rowsBelow(this.#order, codes, last + 1);
        runs.push(start, end);
        count += end - start;
      }
    }
    this.#runs = runs;
    this.count = count;
  }

  /** Whether `count` is exact. */
  get isCounted(): boolean {
    return this.#order !== undefined || this.#ranges.length === 0;
  }

  /** Returns all selected rows, ascending. */
  rows(): Uint16Array {
    const rows = this.rowsInAnyOrder();
    return this.isInOrder ? rows : ascendingRows(rows);
  }

  /** Whether `rowsInAnyOrder` returns ascending rows. */
  get isInOrder(): boolean {
    return this.#order === undefined;
  }

  /** Returns all selected rows in an array of their own. */
  rowsInAnyOrder(): Uint16Array {
    if (this.#order === undefined) return this.firstRows(0, this.#codes.length);
    const rows = new Uint16Array(this.count);
    let at = 0;
    for (let run = 0; run < this.#runs.length; run += 2) {
      const found = this.#order.subarray(this.#runs[run], this.#runs[run + 1]);
      rows.set(found, at);
      at += found.length;
    }
    return rows;
  }

  /** Returns the first `most` selected rows from `from` on, ascending. */
  firstRows(from: number, most: number): Uint16Array {
    const rows = new Uint16Array(Math.min(most, this.count));
    const { length } = this.#codes;
    const codes = this.#codes;
    let found = 0;
    const [range] = this.#ranges;
    if (range === undefined) return rows;
    if (this.#ranges.length === 1) {
      const [first, last] = range;
      for (let row = from; row < length && found < rows.length; row++) {
        const code = codes[row] as number;
        if (code >= first && code <= last) rows[found++] = row;
      }
    } else {
      for (let row = from; row < length && found < rows.length; row++) {
        if (this.#has(codes[row] as number)) rows[found++] = row;
      }
    }
    return rows.subarray(0, found);
  }

  /**
   * Moves the selected rows among the first `length` rows to the front, and returns their number.
   */
  keep(rows: Uint16Array, length: number): number {
    const codes = this.#codes;
    let kept = 0;
    const [range] = this.#ranges;
    if (range === undefined) return 0;
    if (this.#ranges.length === 1) {
      const [first, last] = range;
      for (let i = 0; i < length; i++) {
        const row = rows[i] as number;
        const code = codes[row] as number;
        if (code >= first && code <= last) rows[kept++] = row;
      }
    } else {
      for (let i = 0; i < length; i++) {
        const row = rows[i] as number;
        if (this.#has(codes[row] as number)) rows[kept++] = row;
      }
    }
    return kept;
  }

  /** Sets a bit for each of the rows that is not selected. */
  markOthers(rows: Uint16Array, bit: number, failed: Uint32Array): void {
    const codes = this.#codes;
    const [first = 1, last = 0] = this.#ranges[0] ?? [];
    if (this.#ranges.length < 2) {
      for (let i = 0; i < rows.length; i++) {
        const code = codes[rows[i] as number] as number;
        if (code < first || code > last) failed[i] = (failed[i] as number) | bit;
      }
    } else {
      for (let i = 0; i < rows.length; i++) {
        if (!this.#has(codes[rows[i] as number] as number)) failed[i] = (failed[i] as number) | bit;
      }
    }
  }

  #has(code: number): boolean {
    if (this.#isSelected !== undefined) return this.#isSelected[code] === 1;
    return isWithin(this.#ranges, code);
  }
}

/** With more ranges than this, looking each up in the order takes longer than scanning the rows. */
const MOST_RUNS = 256;

/** With at most this many codes, each code is marked as selected or not. */
const MOST_MARKS = 2 ** 17;

/** So few rows are put in order faster by V8's own sort. */
const FEW_TO_SORT = 256;

/**
 * Puts rows of a chunk in ascending order, in place. Bits put three thousand of them in order in
 * 25 µs, a sort in 67.
 */
function ascendingRows(rows: Uint16Array): Uint16Array {
  if (rows.length <= FEW_TO_SORT) return rows.sort();
  const bits = new Uint32Array(CHUNK_ROWS / 32);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const word = row >>> 5;
    bits[word] = (bits[word] as number) | (1 << (row & 31));
  }
  let at = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) {
      rows[at++] = 32 * word + 31 - Math.clz32(left & -left);
    }
  }
  return rows;
}

function marksOf(ranges: CodeRanges, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (const [first, last] of ranges) marks.fill(1, first, last + 1);
  return marks;
}

function isWithin(ranges: CodeRanges, code: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as CodeRanges[number])[1] >= code) high = middle;
    else low = middle + 1;
  }
  const range = ranges[low];
  return range !== undefined && range[0] <= code;
}

/** The matching rows of one chunk. */
export type SelectionVector = {
  readonly count: number;
  /** Returns the first `most` of them from row `from` on, ascending. */
  rows(from: number, most: number): Uint16Array;
};

export const NO_ROWS: SelectionVector = { count: 0, rows: () => new Uint16Array() };

/**
 * Returns the rows that satisfy all selections, among those in `before`; undefined if there is
 * neither `before` nor a selection, so that all rows match.
 */
export function matchOf(
  before: SelectionVector | undefined,
  selections: RowSelection[],
): SelectionVector | undefined {
  const sorted = sortBy(selections, ({ count }) => count);
  const [first] = sorted;
  if (first === undefined) return before;
  if (before === undefined && sorted.length === 1 && first.isCounted)
    return new OneColumnSelected(first);
  const rows = before?.rows(0, before.count) ?? first.rowsInAnyOrder();
  let kept = rows.length;
  for (let i = before === undefined ? 1 : 0; i < sorted.length; i++) {
    kept = (sorted[i] as RowSelection).keep(rows, kept);
  }
  const found = rows.subarray(0, kept);
  const isInOrder = before !== undefined || first.isInOrder;
  return new RowsSelected(isInOrder ? found : ascendingRows(found));
}

/**
 * The rows of one selection. They are counted but not listed yet, because a page needs only some of
 * them.
 */
class OneColumnSelected implements SelectionVector {
  readonly #selection: RowSelection;

  constructor(selection: RowSelection) {
    this.#selection = selection;
  }

  get count(): number {
    return this.#selection.count;
  }

  rows(from: number, most: number): Uint16Array {
    return from === 0 && most >= this.count
      ? this.#selection.rows()
      : this.#selection.firstRows(from, most);
  }
}

/** All rows of a chunk. Only the rows that are wanted are listed. */
export class AllSelected implements SelectionVector {
  readonly count: number;

  constructor(count: number) {
    this.count = count;
  }

  rows(from: number, most: number): Uint16Array {
    const rows = new Uint16Array(Math.max(0, Math.min(most, this.count - from)));
    for (let i = 0; i < rows.length; i++) rows[i] = from + i;
    return rows;
  }
}

/** Rows in a list, ascending. */
export class RowsSelected implements SelectionVector {
  readonly #rows: Uint16Array;

  constructor(rows: Uint16Array) {
    this.#rows = rows;
  }

  get count(): number {
    return this.#rows.length;
  }

  rows(from: number, most: number): Uint16Array {
    const rows = this.#rows;
    let start = 0;
    while (start < rows.length && (rows[start] as number) < from) start++;
    return rows.subarray(start, start + most);
  }
}

/**
 * Selects the rows of a chunk whose bits are set: of all rows, or of those in `before`. The bits are
 * those of all chunks, and `first` is the position of this chunk's first row.
 */
export function selectedByBits(
  bits: Uint32Array,
  first: number,
  length: number,
  before: SelectionVector | undefined,
): SelectionVector {
  if (before === undefined) return new BitsSelected(bits, first, length);
  const rows = before.rows(0, before.count);
  let kept = 0;
  for (let i = 0; i < rows.length; i++) {
    const position = first + (rows[i] as number);
    const isSet = ((bits[position >>> 5] as number) >>> (position & 31)) & 1;
    if (isSet === 1) rows[kept++] = rows[i] as number;
  }
  return new RowsSelected(rows.subarray(0, kept));
}

/** Rows as bits. They are counted but not listed yet. */
class BitsSelected implements SelectionVector {
  readonly #bits: Uint32Array;
  readonly #first: number;
  readonly #length: number;
  readonly count: number;

  constructor(bits: Uint32Array, first: number, length: number) {
    this.#bits = bits;
    this.#first = first;
    this.#length = length;
    this.count = countBits(bits, first, first + length);
  }

  rows(from: number, most: number): Uint16Array {
    const [bits, first] = [this.#bits, this.#first];
    const end = first + this.#length;
    const rows = new Uint16Array(Math.min(most, this.count));
    let found = 0;
    for (let position = first + from; position < end && found < rows.length; ) {
      let left = (bits[position >>> 5] as number) >>> (position & 31);
      for (let row = position - first; left !== 0 && found < rows.length; row++, left >>>= 1) {
        const zeros = 31 - Math.clz32(left & -left);
        row += zeros;
        left >>>= zeros;
        if (first + row >= end) break;
        rows[found++] = row;
      }
      position = ((position >>> 5) + 1) * 32;
    }
    return rows.subarray(0, found);
  }
}

/** Counts the bits that are set, from one position up to another. */
function countBits(bits: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let position = from; position < to; ) {
    let left = (bits[position >>> 5] as number) >>> (position & 31);
    const next = ((position >>> 5) + 1) * 32;
    if (next > to) left &= (1 << (to - position)) - 1;
    // Counts in pairs, fours and bytes, and adds up the bytes (Warren, Hacker's Delight, chapter 5).
    left -= (left >>> 1) & 0x55555555;
    left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
    count += Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    position = next;
  }
  return count;
}

/** A page of the rows that a query finds: their positions, in the order of the query. */
export type FoundPage = {
  readonly positions: Uint32Array;
  /**
   * The number of matching rows on all pages; if the rows were not all counted, only those found so
   * far.
   */
  readonly total: number;
  /** Whether rows follow this page. */
  readonly hasMore: boolean;
  /** The distance of each row in metres, as in an answer, if they are in the order of these. */
  readonly metres?: Float64Array;
};

/** Returns the rows of a chunk ordered by code, then by position. All codes are less than `size`. */
export function rowOrder(codes: UintArray, size: number): Uint16Array {
  const { length } = codes;
  return ascending(codes, size, new Uint16Array(length), new Uint16Array(length));
}

/** Bits of a key that are sorted at a time, of keys with this many bits or more. */
const DIGIT_BITS = 11;

/**
 * The indices of the keys, ascending by key, then by index. All keys are less than `size`. Both arrays
 * have the length of the keys; one of them is returned. It is a radix sort, some bits at a time, with
 * plain loops because iterators take several times as long.
 */
export function ascending<Order extends UintArray>(
  keys: UintArray,
  size: number,
  order: Order,
  next: Order,
): Order {
  for (let index = 0; index < keys.length; index++) order[index] = index;
  const bits = Math.ceil(Math.log2(Math.max(2, size)));
  const digits = Math.ceil(bits / DIGIT_BITS);
  const ofDigit = Math.ceil(bits / digits);
  for (let digit = 0; digit < digits; digit++) {
    sortByBits(keys, digit * ofDigit, ofDigit, order, next);
    [order, next] = [next, order];
  }
  return order;
}

/** Writes indices to `next` by some bits of their keys; those with equal ones in their order. */
function sortByBits(
  keys: UintArray,
  shift: number,
  bits: number,
  order: UintArray,
  next: UintArray,
): void {
  const mask = 2 ** bits - 1;
  const starts = new Uint32Array(mask + 2);
  for (let index = 0; index < keys.length; index++) {
    const above = (((keys[index] as number) >>> shift) & mask) + 1;
    starts[above] = (starts[above] as number) + 1;
  }
  for (let value = 1; value <= mask; value++) {
    starts[value] = (starts[value] as number) + (starts[value - 1] as number);
  }
  for (let i = 0; i < order.length; i++) {
    const index = order[i] as number;
    const value = ((keys[index] as number) >>> shift) & mask;
    const at = starts[value] as number;
    next[at] = index;
    starts[value] = at + 1;
  }
}

/** The number of rows whose code is less than this one. */
export function rowsBelow(order: Uint16Array, codes: UintArray, code: number): number {
  const isFrom = (at: number) => (codes[order[at] as number] as number) >= code;
  return firstWhere(isFrom, 0, order.length);
}
