import type { RowSelection } from './select-rows.ts';

/** The rows of one chunk that match. */
export type ChunkMatch = {
  readonly count: number;
  /** The first `most` of them from a row of the chunk on, ascending. */
  rows(from: number, most: number): Uint16Array;
};

export const NO_ROWS: ChunkMatch = { count: 0, rows: () => new Uint16Array() };

/** The rows that satisfy all selections, of those that match already; undefined if all do. */
export function matchOf(
  before: ChunkMatch | undefined,
  selections: readonly RowSelection[],
): ChunkMatch | undefined {
  const sorted =
    selections.length < 2 ? selections : [...selections].sort((a, b) => a.count - b.count);
  const [first] = sorted;
  if (first === undefined) return before;
  if (before === undefined && sorted.length === 1 && first.isCounted)
    return new OneSelection(first);
  const rows = before?.rows(0, before.count) ?? first.rows();
  let kept = rows.length;
  for (let i = before === undefined ? 1 : 0; i < sorted.length; i++) {
    kept = (sorted[i] as RowSelection).keep(rows, kept);
  }
  return new FoundRows(rows.subarray(0, kept));
}

/** The rows of one selection, counted but not yet listed: a page needs only some of them. */
class OneSelection implements ChunkMatch {
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

/** All rows of a chunk, listed as far as they are asked for. */
export class EveryRow implements ChunkMatch {
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
export class FoundRows implements ChunkMatch {
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

/** A page of the rows that a query finds: their positions, in the query's order. */
export type FoundPage = {
  readonly positions: Uint32Array;
  /** The number of rows that match on all pages, if they were counted. */
  readonly total: number;
  /** Whether rows follow this page. */
  readonly hasMore: boolean;
};
