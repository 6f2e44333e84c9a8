import { type Chunk, type Narrow, numberAt } from './chunk.ts';
import type { HeldChunk } from './held-chunk.ts';

/** A chunk of a column with the rows of it that match. */
export class MatchedColumn {
  readonly held: HeldChunk;
  readonly chunk: Chunk;
  /** Each matching row's code. */
  readonly codes: Narrow;
  /** The matching rows; all if absent. */
  readonly #rows: Uint16Array | undefined;
  #keys: Float64Array | undefined;

  constructor(held: HeldChunk, rows: Uint16Array | undefined) {
    const { chunk } = held;
    this.held = held;
    this.chunk = chunk;
    this.#rows = rows;
    this.codes = rows === undefined ? chunk.codes : gathered(chunk.codes, rows);
  }

  /** The row in its chunk of a matching row. */
  rowAt(index: number): number {
    return this.#rows === undefined ? index : (this.#rows[index] as number);
  }

  /** Each matching row's number; NaN if it has none. */
  get keys(): Float64Array {
    this.#keys ??= numbersOf(this.chunk, this.codes);
    return this.#keys;
  }
}

function gathered(codes: Narrow, rows: Uint16Array): Narrow {
  const its = new (codes.constructor as new (length: number) => Narrow)(rows.length);
  for (let i = 0; i < rows.length; i++) its[i] = codes[rows[i] as number] as number;
  return its;
}

function numbersOf({ dictionary, firstKey }: Chunk, codes: Narrow): Float64Array {
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
