import type { Cached } from './column-cache.ts';

/** The number of rows whose texts are cached together, as a block. */
export const ROWS_PER_BLOCK = 2 ** 12;

/** The sizes of a block's first buffer and of each further one. */
const FIRST_PART = 2 ** 16;
const PART = 2 ** 20;

/**
 * The texts of some of a block's rows: JSON in UTF-8, each followed by a comma, in the order in
 * which they were first needed. Bytes never move or change once they are written.
 */
export class RowBlock implements Cached {
  readonly #parts: Buffer[] = [];
  readonly #sources = new Array<Buffer | undefined>(ROWS_PER_BLOCK);
  readonly #starts = new Uint32Array(ROWS_PER_BLOCK);
  readonly #ends = new Uint32Array(ROWS_PER_BLOCK);
  #used = 0;

  get byteLength(): number {
    return (
      this.#parts.reduce((sum, { length }) => sum + length, 0) +
      this.#starts.byteLength +
      this.#ends.byteLength +
      ROWS_PER_BLOCK * 8
    );
  }

  /** The buffer that has a row's text; undefined if the row has not been added. */
  sourceOf(row: number): Buffer | undefined {
    return this.#sources[row];
  }

  startOf(row: number): number {
    return this.#starts[row] as number;
  }

  endOf(row: number): number {
    return this.#ends[row] as number;
  }

  add(row: number, text: string): void {
    const line = `${text},`;
    const most = line.length * 3;
    let part = this.#parts.at(-1);
    if (part === undefined || part.length - this.#used < most) {
      const size = this.#parts.length === 0 ? FIRST_PART : PART;
      part = Buffer.allocUnsafeSlow(Math.max(size, most));
      this.#parts.push(part);
      this.#used = 0;
    }
    this.#sources[row] = part;
    this.#starts[row] = this.#used;
    this.#used += part.write(line, this.#used);
    this.#ends[row] = this.#used;
  }
}
