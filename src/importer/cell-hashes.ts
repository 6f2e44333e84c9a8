import type { Value } from '../values/field-type.ts';
import { hashOf } from './value-hash.ts';

const ROWS_PER_CHUNK = 4096;

/** A hash of 32 bits of each cell, row by row. */
export class CellHashes {
  readonly #columns: number;
  readonly #chunks: Uint32Array[] = [];
  #size = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  add(values: readonly Value[]): void {
    const place = this.#size++ % ROWS_PER_CHUNK;
    if (place === 0) this.#chunks.push(new Uint32Array(ROWS_PER_CHUNK * this.#columns));
    const chunk = this.#chunks.at(-1) as Uint32Array;
    for (let i = 0; i < values.length; i++) {
      chunk[place * this.#columns + i] = hashOf(values[i] as Value);
    }
  }

  /** Tells whether a row's cell has this value, but for one chance in four billion. */
  has(row: number, column: number, value: Value): boolean {
    const chunk = this.#chunks[Math.floor(row / ROWS_PER_CHUNK)];
    return chunk?.[(row % ROWS_PER_CHUNK) * this.#columns + column] === hashOf(value);
  }
}
