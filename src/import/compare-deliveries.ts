import { NumberTable } from '../measures/text-ids.ts';
import type { Value } from '../values/field-type.ts';

/** One version of a dataset's file, whose rows can be read repeatedly. */
export type Delivery = {
  readonly columns: readonly string[];
  readonly rows: () => AsyncIterable<DeliveredRow> | Iterable<DeliveredRow>;
};

/** A row's values in the order of the columns, and the line where it begins. */
type DeliveredRow = { readonly values: readonly Value[]; readonly line: number };

type KeyedLine = { readonly key: readonly Value[]; readonly line: number };

/** How the rows of a later delivery differ from those of an earlier one. */
export type Differences = {
  readonly rows: {
    readonly before: number;
    readonly after: number;
    readonly added: number;
    readonly gone: number;
    readonly changed: number;
  };
  readonly firstAdded: KeyedLine | undefined;
  readonly firstGone: KeyedLine | undefined;
  readonly columnsNew: readonly string[];
  readonly columnsGone: readonly string[];
  /** The columns that have values before, and none after. */
  readonly columnsBlank: readonly string[];
  /** The columns with changed cells, in the order of the later delivery. */
  readonly columnsChanged: readonly ColumnChange[];
};

/** How many of a column's cells changed, and the first of these in the later delivery. */
export type ColumnChange = {
  readonly column: string;
  readonly cells: number;
  readonly key: readonly Value[];
  readonly before: Cell;
  readonly after: Cell;
};

type Cell = { readonly value: Value; readonly line: number };

/**
 * Compares two deliveries by the columns of the key, which both must have. Without a key, compares
 * by all common columns. Matches rows with the same key in their order. Holds only hashes: some 30
 * bytes a row and 4 a cell, so two different cells in four billion count as equal.
 */
export async function compareDeliveries(
  before: Delivery,
  after: Delivery,
  key: readonly string[],
): Promise<Differences> {
  const common = after.columns.filter((column) => before.columns.includes(column));
  const keyColumns = key.length === 0 ? common : key;
  const missing = keyColumns.find((column) => !common.includes(column));
  if (missing !== undefined) throw new Error(`A delivery lacks a column of the key: ${missing}`);

  const held = await holdRows(before, common, keyColumns);
  const { changes, filled, ...found } = await findChanges(after, held, common, keyColumns);
  const { firstGone, cells } = await lookUp(before, held, common, keyColumns, changes);
  const rows = held.table.size;
  return {
    rows: { ...found.rows, before: rows, gone: rows - (found.rows.after - found.rows.added) },
    firstAdded: found.firstAdded,
    firstGone,
    columnsNew: after.columns.filter((column) => !common.includes(column)),
    columnsGone: before.columns.filter((column) => !common.includes(column)),
    columnsBlank: common.filter((_, i) => held.filled[i] && !filled[i]),
    columnsChanged: changes.map(({ row: _row, ...change }, i) => ({
      ...change,
      before: cells[i] as Cell,
    })),
  };
}

/**
 * What is kept of the earlier delivery. `taken` has a 1 for each row that the later one has too.
 */
type HeldRows = {
  readonly table: KeyTable;
  readonly hashes: CellHashes;
  readonly taken: Uint8Array;
  /** For each column, whether any cell has a value. */
  readonly filled: readonly boolean[];
};

async function holdRows(
  delivery: Delivery,
  common: readonly string[],
  keyColumns: readonly string[],
): Promise<HeldRows> {
  const [pick, pickKey] = [pickerOf(delivery, common), pickerOf(delivery, keyColumns)];
  const table = new KeyTable();
  const hashes = new CellHashes(common.length);
  const filled = new Array<boolean>(common.length).fill(false);
  for await (const { values } of delivery.rows()) {
    table.add(pickKey(values));
    const cells = pick(values);
    noteFilled(filled, cells);
    hashes.add(cells);
  }
  return { table, hashes, filled, taken: new Uint8Array(table.size) };
}

function noteFilled(filled: boolean[], cells: readonly Value[]): void {
  for (let i = 0; i < cells.length; i++) if (cells[i] !== null) filled[i] = true;
}

/** A column's change, before the earlier value in `row` is looked up. */
type Change = Omit<ColumnChange, 'before'> & { readonly row: number };

async function findChanges(
  delivery: Delivery,
  { table, hashes, taken }: Omit<HeldRows, 'filled'>,
  common: readonly string[],
  keyColumns: readonly string[],
) {
  const [pick, pickKey] = [pickerOf(delivery, common), pickerOf(delivery, keyColumns)];
  const cells = new Array<number>(common.length).fill(0);
  const firsts: Omit<Change, 'cells'>[] = [];
  const rows = { after: 0, added: 0, changed: 0 };
  let firstAdded: KeyedLine | undefined;
  const filled = new Array<boolean>(common.length).fill(false);
  for await (const { values, line } of delivery.rows()) {
    rows.after++;
    const picked = pick(values);
    noteFilled(filled, picked);
    const key = pickKey(values);
    const row = table.take(key);
    if (row === undefined) {
      rows.added++;
      firstAdded ??= { key, line };
      continue;
    }
    taken[row] = 1;
    let isChanged = false;
    for (const [i, value] of picked.entries()) {
      if (hashes.has(row, i, value)) continue;
      isChanged = true;
      cells[i] = (cells[i] as number) + 1;
      firsts[i] ??= { column: common[i] as string, key, row, after: { value, line } };
    }
    if (isChanged) rows.changed++;
  }
  // `firsts` is sparse: only columns with a change have an entry.
  const changes = firsts.flatMap((first, i) => [{ ...first, cells: cells[i] as number }]);
  return { rows, firstAdded, changes, filled };
}

/** Reads the earlier delivery again, up to the last row that is needed. */
async function lookUp(
  delivery: Delivery,
  { taken }: HeldRows,
  common: readonly string[],
  keyColumns: readonly string[],
  changes: readonly Change[],
) {
  const [pick, pickKey] = [pickerOf(delivery, common), pickerOf(delivery, keyColumns)];
  const cells: Cell[] = [];
  const goneRow = taken.indexOf(0);
  const last = Math.max(goneRow, ...changes.map(({ row }) => row));
  let firstGone: KeyedLine | undefined;
  let row = 0;
  if (last < 0) return { firstGone, cells };
  for await (const { values, line } of delivery.rows()) {
    if (row === goneRow) firstGone = { key: pickKey(values), line };
    for (const [i, change] of changes.entries()) {
      if (change.row !== row) continue;
      const value = pick(values)[common.indexOf(change.column)] as Value;
      cells[i] = { value, line };
    }
    if (row++ === last) return { firstGone, cells };
  }
  throw new Error('The earlier delivery changed while it was compared.');
}

/** Makes a function that picks these columns' values, in this order, from a delivery's rows. */
function pickerOf({ columns }: Delivery, wanted: readonly string[]) {
  const places = wanted.map((column) => columns.indexOf(column));
  return (values: readonly Value[]) => places.map((place) => values[place] as Value);
}

/**
 * Finds rows by their keys, of which it holds hashes alone: some 40 bytes a row. Takes rows with the
 * same key in their order.
 */
export class KeyTable {
  /** The first row of each key, by the key's hash. */
  readonly #firsts = new NumberTable();
  /** Of a key's first row: the next row to take, and the key's last row. */
  readonly #turn: number[] = [];
  readonly #last: number[] = [];
  /** The next row with the same key. */
  readonly #next: number[] = [];

  get size(): number {
    return this.#next.length;
  }

  add(key: readonly Value[]): void {
    const row = this.#next.push(NONE) - 1;
    const hash = hashOfKey(key);
    if (this.#firsts.add(hash, row)) {
      this.#turn[row] = row;
      this.#last[row] = row;
      return;
    }
    const first = this.#firsts.get(hash) as number;
    this.#turn[row] = NONE;
    this.#last[row] = NONE;
    this.#next[this.#last[first] as number] = row;
    this.#last[first] = row;
    if (this.#turn[first] === NONE) this.#turn[first] = row;
  }

  /** The first row with this key that was not taken yet; undefined if there is none. */
  take(key: readonly Value[]): number | undefined {
    const first = this.#firsts.get(hashOfKey(key));
    const row = first === undefined ? NONE : (this.#turn[first] as number);
    if (row === NONE) return undefined;
    this.#turn[first as number] = this.#next[row] as number;
    return row;
  }
}

const NONE = -1;

const ROWS_PER_CHUNK = 4096;

/** A hash of 32 bits of each cell, row by row. */
class CellHashes {
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

  /** Whether a row's cell has this value. Wrong in one case of four billion. */
  has(row: number, column: number, value: Value): boolean {
    const chunk = this.#chunks[Math.floor(row / ROWS_PER_CHUNK)];
    return chunk?.[(row % ROWS_PER_CHUNK) * this.#columns + column] === hashOf(value);
  }
}

/** A value's hash of 32 bits: 1 and '1' differ. */
function hashOf(value: Value): number {
  return finished(mixed(0, value, LOW));
}

// Odd, with bits that look random: those of MurmurHash3 (public domain).
const LOW = 0xcc9e2d51;
const HIGH = 0x1b873593;

/**
 * A hash of a key's values, of 63 bits: the number that has these bits. Without the first bit of the
 * exponent it is neither infinite nor NaN.
 */
function hashOfKey(key: readonly Value[]): number {
  let low = 1;
  let high = 2;
  for (const value of key) {
    low = mixed(low, value, LOW);
    high = mixed(high, value, HIGH);
  }
  const bits = new DataView(new ArrayBuffer(8));
  bits.setUint32(0, finished(high) & ~0x40000000);
  bits.setUint32(4, finished(low));
  return bits.getFloat64(0);
}

function mixed(hash: number, value: Value, factor: number): number {
  const text = String(value);
  // The length separates the values of a key, and the type separates equal spellings.
  let h = Math.imul(hash ^ (text.length * 4 + kindOf(value)), factor);
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(((h << 15) | (h >>> 17)) ^ text.charCodeAt(i), factor);
  }
  return h;
}

function kindOf(value: Value): number {
  if (typeof value === 'string') return 0;
  return typeof value === 'number' ? 1 : 2;
}

/** Spreads each bit over all others, with the last step of MurmurHash3. */
function finished(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
