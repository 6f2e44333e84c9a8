import type { Budget } from '../work/budget.ts';
import { type Chunk, countCodes, greatestOf, type Narrow, narrowArray, numberAt } from './chunk.ts';
import type { HeldChunk } from './column-store.ts';

/** The numbers of one chunk: by group, and ascending in each. */
type SortedChunk = {
  readonly numbers: Float64Array;
  /** Where each group begins, and the last one ends. */
  readonly starts: Uint32Array;
};

/** A part of a chunk's numbers. */
type Range = { readonly numbers: Float64Array; from: number; to: number };

/** If so few of a chunk's rows match, they are sorted sooner than the chunk's order is gone through. */
const FEW_OF_CHUNK = 1 / 4;

/** So few numbers are sorted at once. */
const FEW = 2048;

/** Stands for rows that do not match. */
const NO_GROUP = 2 ** 16 - 1;

/** The work of looking a number up in a chunk of a group, in steps. */
const STEPS_PER_LOOKUP = 30;

/** The numbers of each group, for their medians: sorted chunk by chunk, never all together. */
export class GroupNumbers {
  readonly #chunks: SortedChunk[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  /** Adds the number of each matching row to its group. */
  add(column: MatchedColumn, groups: Uint16Array): void {
    const { codes, chunk } = column;
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
      sortFew(column, groups, starts, numbers);
    } else {
      placeInOrder(column, groups, starts, numbers);
    }
    this.#chunks.push({ numbers, starts });
    this.#byteLength += numbers.byteLength + starts.byteLength;
  }

  /** The two numbers in the middle of a group, the same one if it has an odd number of them. */
  async middleOf(group: number, budget: Budget): Promise<readonly [number, number] | undefined> {
    const ranges = (): Range[] =>
      this.#chunks.flatMap(({ numbers, starts }) => {
        const [from = 0, to = 0] = [starts[group], starts[group + 1]];
        return from < to ? [{ numbers, from, to }] : [];
      });
    const pause = budget.turn(this.#chunks.length * STEPS_PER_LOOKUP);
    if (pause !== undefined) await pause;
    const all = ranges();
    const count = sizeOf(all);
    if (count === 0) return undefined;
    const upper = await numberIn(all, count >> 1, budget);
    if (count % 2 === 1) return [upper, upper];
    return [await numberIn(ranges(), (count >> 1) - 1, budget), upper];
  }
}

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

function sizeOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

/**
 * The number at an index of all numbers of sorted ranges, if they were sorted together. The middle
 * numbers' own middle, by the ranges' sizes, rules out at least a quarter each time.
 */
async function numberIn(ranges: Range[], index: number, budget: Budget): Promise<number> {
  let left = index;
  for (;;) {
    const [only, others] = ranges;
    if (only !== undefined && others === undefined) return only.numbers[only.from + left] as number;
    const size = sizeOf(ranges);
    if (size <= FEW) {
      const all = new Float64Array(size);
      let at = 0;
      for (const { numbers, from, to } of ranges) {
        all.set(numbers.subarray(from, to), at);
        at += to - from;
      }
      await budget.turn(size * 6);
      return all.sort()[left] as number;
    }
    const pivot = weightedMiddle(ranges, size);
    const below = ranges.map((range) => placeIn(range, pivot, false));
    const upTo = ranges.map((range) => placeIn(range, pivot, true));
    await budget.turn(ranges.length * STEPS_PER_LOOKUP);
    const before = ranges.reduce((sum, { from }, i) => sum + (below[i] as number) - from, 0);
    const through = ranges.reduce((sum, { from }, i) => sum + (upTo[i] as number) - from, 0);
    if (left >= before && left < through) return pivot;
    for (const [i, range] of ranges.entries()) {
      if (left < before) range.to = below[i] as number;
      else range.from = upTo[i] as number;
    }
    if (left >= through) left -= through;
  }
}

function weightedMiddle(ranges: readonly Range[], size: number): number {
  const middles = ranges
    .filter(({ from, to }) => from < to)
    .map(({ numbers, from, to }) => ({
      middle: numbers[(from + to) >>> 1] as number,
      size: to - from,
    }))
    .sort((a, b) => a.middle - b.middle);
  let before = 0;
  for (const { middle, size: its } of middles) {
    before += its;
    if (2 * before >= size) return middle;
  }
  throw new RangeError('There are no numbers.');
}

/** The first place in a range whose number is not less than one; or greater, if `isBehind`. */
function placeIn({ numbers, from, to }: Range, number: number, isBehind: boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const its = numbers[middle] as number;
    if (its < number || (isBehind && its === number)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The codes of fewer rows than one in this many codes are sorted sooner than all are counted. */
const ROWS_PER_SORTED_CODE = 8;

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
