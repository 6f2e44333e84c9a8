import { CHUNKS_AHEAD, type ColumnStore, type Run } from './column-store.ts';
import type { HeldChunk } from './held-chunk.ts';
import {
  type Column,
  columnsOf,
  mayHaveRows,
  type SearchedCondition,
} from './searched-conditions.ts';

/** How many chunks of all columns are read ahead of the one that is searched. */
const MOST_AHEAD = 32;

type ChunkSearch = {
  readonly conditions: readonly SearchedCondition[];
  /** Whether what is read stays in memory, as far as there is room. */
  readonly isKept: boolean;
  /** Whether chunks are skipped by their least and greatest keys. */
  readonly bounds: boolean;
};

/** The chunks of the columns that a search is about: from memory, or read before they are needed. */
export class SearchedChunks {
  readonly store: ColumnStore;
  readonly run: Run;
  readonly #search: ChunkSearch;
  /** Those that are being read before they are searched. */
  readonly #ahead = new Map<string, Promise<HeldChunk>>();

  constructor(store: ColumnStore, run: Run, search: ChunkSearch) {
    this.store = store;
    this.run = run;
    this.#search = search;
  }

  /** How many rows a chunk has. */
  rowsIn(chunk: number): number {
    const { rows, rowsPerChunk } = this.store;
    return Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
  }

  /** A chunk that is in memory. */
  held({ field }: Column, chunk: number): HeldChunk | undefined {
    return this.store.heldChunk(field, chunk);
  }

  /** A chunk of a column; not a promise if it is in memory. */
  read(column: Column, chunk: number): HeldChunk | Promise<HeldChunk> {
    return this.held(column, chunk) ?? this.#read(column, chunk);
  }

  /**
   * Begins to read what this chunk and the next ones need, for each condition that is likely to be
   * reached; in this one they are those from `from` on.
   */
  readAhead(chunk: number, from: number): void {
    const { conditions, bounds } = this.#search;
    const end = Math.min(chunk + 1 + CHUNKS_AHEAD, this.store.chunks);
    for (let next = chunk; next < end; next++) {
      if (bounds && !mayHaveRows(conditions, next)) continue;
      let left = this.store.rowsPerChunk;
      for (const [i, condition] of conditions.entries()) {
        if (left < 1) break;
        left *= condition.share;
        if (next === chunk && i < from) continue;
        for (const column of columnsOf(condition)) {
          if (this.#ahead.size >= MOST_AHEAD) return;
          this.#readOneAhead(column, next);
        }
      }
    }
  }

  #readOneAhead(column: Column, chunk: number): void {
    const name = nameOf(column, chunk);
    if (this.#ahead.has(name) || this.held(column, chunk) !== undefined) return;
    const reading = this.#begin(column, chunk);
    // Who asks for the chunk meets the failure.
    reading.catch(() => {});
    this.#ahead.set(name, reading);
  }

  #read(column: Column, chunk: number): Promise<HeldChunk> {
    const name = nameOf(column, chunk);
    const reading = this.#ahead.get(name) ?? this.#begin(column, chunk);
    this.#ahead.delete(name);
    return this.store.within(reading, this.run);
  }

  #begin({ field, directory }: Column, chunk: number): Promise<HeldChunk> {
    return this.store.readChunk(field, chunk, directory, this.#search.isKept, this.run);
  }
}

function nameOf({ field }: Column, chunk: number): string {
  return `${field}/${chunk}`;
}
