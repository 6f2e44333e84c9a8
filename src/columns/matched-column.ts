import {
  greatestOf,
  type MatchingValues,
  type PartsOfRows,
  type SortedGroups,
} from '../measures/measure.ts';
import type { TextRun } from '../text/text-run.ts';
import type { Budget } from '../work/budget.ts';
import {
  type Chunk,
  countCodes,
  type Narrow,
  type NumberFrame,
  type NumberList,
  narrowArray,
  numberAt,
} from './chunk.ts';
import type { HeldChunk } from './column-store.ts';
import { decimalParts } from './decimal-parts.ts';

/** The codes of fewer rows than one in this many codes are sorted sooner than all are counted. */
const ROWS_PER_SORTED_CODE = 8;

/** A chunk of a column with the rows of it that match. */
export class MatchedColumn implements MatchingValues {
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

  get firstKey(): 0 | 1 {
    return this.chunk.firstKey;
  }

  get size(): number {
    return this.chunk.size;
  }

  get texts(): TextRun | undefined {
    const { dictionary } = this.chunk;
    return dictionary.kind === 'texts' ? dictionary.keys : undefined;
  }

  numberAt(code: number): number {
    return numberAt(this.chunk.dictionary as NumberFrame | NumberList, code);
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
    if (codes.length * ROWS_PER_SORTED_CODE < size) {
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

  sortedIn(groups: Uint16Array): SortedGroups {
    const { codes, chunk } = this;
    const { firstKey } = chunk;
    const most = greatestOf(groups);
    const starts = new Uint32Array(most + 2);
    for (let i = 0; i < groups.length; i++) {
      if ((codes[i] as number) < firstKey) continue;
      const behind = (groups[i] as number) + 1;
      starts[behind] = (starts[behind] as number) + 1;
    }
    for (let group = 0; group <= most; group++) {
      starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
    }
    const numbers = new Float64Array(starts[most + 1] as number);
    if (groups.length < chunk.codes.length * FEW_OF_CHUNK) {
      sortFew(this, groups, starts, numbers);
    } else {
      placeInOrder(this, groups, starts, numbers);
    }
    return { numbers, starts };
  }

  decimalParts(budget: Budget): Promise<PartsOfRows> {
    return decimalParts(this.held, this.codes, budget);
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

/** If so few of a chunk's rows match, they are sorted sooner than the chunk's order is gone through. */
const FEW_OF_CHUNK = 1 / 4;

/** Stands for rows that do not match. */
const NO_GROUP = 2 ** 16 - 1;

/** Goes through a chunk's rows in the order of their numbers. */
function placeInOrder(
  column: MatchedColumn,
  groups: Uint16Array,
  starts: Uint32Array,
  numbers: Float64Array,
): void {
  const { chunk, held, isWhole } = column;
  const { codes, firstKey, dictionary } = chunk;
  if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
  let groupOf = groups;
  if (!isWhole) {
    groupOf = new Uint16Array(codes.length).fill(NO_GROUP);
    for (let i = 0; i < groups.length; i++) groupOf[column.rowAt(i)] = groups[i] as number;
  }
  if (held.order === undefined) held.makeOrder();
  const order = held.order as Uint16Array;
  const next = starts.slice();
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    const group = groupOf[row] as number;
    const code = codes[row] as number;
    if (group === NO_GROUP || code < firstKey) continue;
    const at = next[group] as number;
    numbers[at] = numberAt(dictionary, code);
    next[group] = at + 1;
  }
}

function sortFew(
  { keys }: MatchedColumn,
  groups: Uint16Array,
  starts: Uint32Array,
  numbers: Float64Array,
): void {
  const next = starts.slice();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    if (Number.isNaN(key)) continue;
    const group = groups[i] as number;
    const at = next[group] as number;
    numbers[at] = key;
    next[group] = at + 1;
  }
  for (let group = 0; group + 1 < starts.length; group++) {
    const [from, to] = [starts[group] as number, starts[group + 1] as number];
    if (to - from > 1) numbers.subarray(from, to).sort();
  }
}
