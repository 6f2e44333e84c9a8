import { type Chunk, countCodes, type Narrow, narrowArray, numberAt } from './chunk.ts';
import type { HeldChunk } from './held-chunk.ts';

/** The codes of fewer rows than one in this many codes are sorted sooner than all are counted. */
const FEW = 8;

/** A chunk of a column with the rows of it that match. */
export class MatchedColumn {
  readonly held: HeldChunk;
  readonly chunk: Chunk;
  /** Each matching row's code. */
  readonly codes: Narrow;
  /** The matching rows; all if absent. */
  readonly #rows: Uint16Array | undefined;
  #keys: Float64Array | undefined;
  #rowsOfCodes: Uint32Array | undefined;

  constructor(held: HeldChunk, rows: Uint16Array | undefined) {
    const { chunk } = held;
    this.held = held;
    this.chunk = chunk;
    this.#rows = rows;
    this.codes = rows === undefined ? chunk.codes : gathered(chunk.codes, rows);
  }

  /** Whether all rows of the chunk match. */
  get isWhole(): boolean {
    return this.#rows === undefined;
  }

  /** The row in its chunk of a matching row. */
  rowAt(index: number): number {
    return this.#rows === undefined ? index : (this.#rows[index] as number);
  }

  /** By code, how many matching rows have it. */
  get rowsOfCodes(): Uint32Array {
    this.#rowsOfCodes ??=
      this.#rows === undefined ? this.held.rowsOfCodes : countCodes(this.codes, this.chunk.size);
    return this.#rowsOfCodes;
  }

  /** The codes that matching rows have, ascending; that for no key is not among them. */
  get usedCodes(): Narrow {
    const { codes } = this;
    const { size, firstKey } = this.chunk;
    const used = narrowArray(size, Math.min(size, codes.length));
    let count = 0;
    if (codes.length * FEW < size) {
      let last = firstKey - 1;
      for (const code of codes.slice().sort()) {
        if (code > last) used[count++] = code;
        last = Math.max(last, code);
      }
    } else {
      const rows = this.rowsOfCodes;
      for (let code: number = firstKey; code < size; code++) {
        if ((rows[code] as number) > 0) used[count++] = code;
      }
    }
    return used.subarray(0, count);
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
