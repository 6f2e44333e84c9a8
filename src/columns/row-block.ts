import type { Held } from './column-cache.ts';

/** Rows whose texts are held together. */
export const ROWS_PER_BLOCK = 2 ** 12;

/** The sizes of the first part of a block's bytes, and of the others. */
const FIRST_PART = 2 ** 16;
const PART = 2 ** 20;

/**
 * The texts of some of a block's rows as JSON in UTF-8, each with a comma behind it, in the order in
 * which they were first asked for. Bytes that have been written never move or change.
 */
export class RowBlock implements Held {
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

  /** The bytes that hold a row's text; undefined if it has not been added. */
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
