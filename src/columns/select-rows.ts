import type { Narrow } from './chunk.ts';
import { rowsBelow } from './row-order.ts';
import type { CodeRanges } from './select-codes.ts';

/**
 * The rows of a chunk whose codes lie in some ranges. This code is hot, so it has plain loops over
 * typed arrays, and a class, whose methods are not made anew for each selection.
 */
export class RowSelection {
  readonly #codes: Narrow;
  readonly #ranges: CodeRanges;
  readonly #order: Uint16Array | undefined;
  /** Where each range lies in the order: pairs of a start and an end. */
  readonly #runs: readonly number[];
  /** For several ranges: 1 for each selected code. */
  readonly #isSelected: Uint8Array | undefined;
  /** The number of rows, if the order tells; else a bound. */
  readonly count: number;

  constructor(codes: Narrow, size: number, ranges: CodeRanges, order?: Uint16Array) {
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

  /** All of the rows, ascending. */
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
    // The rows of one code ascend already.
    return rows.sort();
  }

  /** The first `most` of the rows from `from` on, ascending. */
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

  /** Moves the selected ones of the first `length` rows to the front; returns their number. */
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

/** Beyond this many ranges, looking each up in the order takes longer than scanning the rows. */
const MOST_RUNS = 256;

/** The most codes that are marked one by one. */
const MOST_MARKS = 2 ** 17;

/** Fewer rows than one in this many are sorted sooner than all rows are scanned. */
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
