import { bytesText } from '../values/row-texts.ts';
import type { Cached } from './column-cache.ts';

/** The number of rows whose texts are cached together, as a block. */
export const ROWS_PER_BLOCK = 2 ** 12;

/** What V8 adds to a row's bytes: the string's header, and its place in the list. */
const BYTES_PER_ROW = 24;

/** The texts of some of a block's rows, as an answer has them. */
export class RowBlock implements Cached {
  readonly #rows = new Array<string | undefined>(ROWS_PER_BLOCK);
  #bytes = 8 * ROWS_PER_BLOCK;

  get byteLength(): number {
    return this.#bytes;
  }

  /** A row's bytes and a comma; undefined if the row has not been added. */
  rowAt(row: number): string | undefined {
    return this.#rows[row];
  }

  add(row: number, text: string): void {
    const bytes = bytesText(`${text},`);
    this.#rows[row] = bytes;
    this.#bytes += bytes.length + BYTES_PER_ROW;
  }
}
