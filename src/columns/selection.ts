import { firstWhere } from '../values/comparison.ts';
import type { UintArray } from './chunk.ts';
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
    const { length } = this.#codes;
    if (this.#order === undefined || this.count * FEW >= length) return this.firstRows(0, length);
    const rows = new Uint16Array(this.count);
    let at = 0;
    for (let run = 0; run < this.#runs.length; run += 2) {
      const found = this.#order.subarray(this.#runs[run], this.#runs[run + 1]);
      rows.set(found, at);
      at += found.length;
    }
    // The rows of one code are ascending already.
    return rows.sort();
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

  #has(code: number): boolean {
    if (this.#isSelected !== undefined) return this.#isSelected[code] === 1;
    return isWithin(this.#ranges, code);
  }
}

/** With more ranges than this, looking each up in the order takes longer than scanning the rows. */
const MOST_RUNS = 256;

/** With at most this many codes, each code is marked as selected or not. */
const MOST_MARKS = 2 ** 17;

/**
 * If at most one row in this many is selected, sorting the selected rows is faster than scanning
 * all rows.
 */
const FEW = 16;

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
  selections: readonly RowSelection[],
): SelectionVector | undefined {
  const sorted =
    selections.length < 2 ? selections : [...selections].sort((a, b) => a.count - b.count);
  const [first] = sorted;
  if (first === undefined) return before;
  if (before === undefined && sorted.length === 1 && first.isCounted)
    return new OneColumnSelected(first);
  const rows = before?.rows(0, before.count) ?? first.rows();
  let kept = rows.length;
  for (let i = before === undefined ? 1 : 0; i < sorted.length; i++) {
    kept = (sorted[i] as RowSelection).keep(rows, kept);
  }
  return new RowsSelected(rows.subarray(0, kept));
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
};

/**
 * Returns the rows of a chunk ordered by code, then by position. It is a radix sort, one byte at a
 * time, with plain loops because iterators take several times as long.
 */
export function rowOrder(codes: UintArray): Uint16Array {
  const { length } = codes;
  let order = new Uint16Array(length);
  let next = new Uint16Array(length);
  for (let row = 0; row < length; row++) order[row] = row;
  for (let shift = 0; shift < 8 * codes.BYTES_PER_ELEMENT; shift += 8) {
    const starts = new Uint32Array(257);
    for (let row = 0; row < length; row++) {
      const above = (((codes[row] as number) >>> shift) & 255) + 1;
      starts[above] = (starts[above] as number) + 1;
    }
    for (let byte = 1; byte < 257; byte++) {
      starts[byte] = (starts[byte] as number) + (starts[byte - 1] as number);
    }
    for (let i = 0; i < length; i++) {
      const row = order[i] as number;
      const byte = ((codes[row] as number) >>> shift) & 255;
      const at = starts[byte] as number;
      next[at] = row;
      starts[byte] = at + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}

/** The number of rows whose code is less than this one. */
export function rowsBelow(order: Uint16Array, codes: UintArray, code: number): number {
  const isFrom = (at: number) => (codes[order[at] as number] as number) >= code;
  return firstWhere(isFrom, 0, order.length);
}
