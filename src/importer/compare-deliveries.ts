import type { Value } from '../values/field-type.ts';
import { CellHashes } from './cell-hashes.ts';
import { KeyTable } from './key-table.ts';

/** One delivery of a dataset; its rows can be read again. */
export type Delivery = {
  readonly columns: readonly string[];
  readonly rows: () => AsyncIterable<DeliveredRow> | Iterable<DeliveredRow>;
};

/** A row's values, in the order of the columns, and the line where it begins. */
export type DeliveredRow = { readonly values: readonly Value[]; readonly line: () => number };

export type RowPlace = { readonly key: readonly Value[]; readonly line: number };

/** How the rows of a later delivery differ from an earlier one's. */
export type Differences = {
  readonly rows: {
    readonly before: number;
    readonly after: number;
    readonly added: number;
    readonly gone: number;
    readonly changed: number;
  };
  readonly firstAdded: RowPlace | undefined;
  readonly firstGone: RowPlace | undefined;
  readonly columnsNew: readonly string[];
  readonly columnsGone: readonly string[];
  /** The columns of both deliveries that have changed cells, in the later one's order. */
  readonly columnsChanged: readonly ColumnChange[];
};

/** How often a column's cells changed, and the first such cell of the later delivery. */
export type ColumnChange = {
  readonly column: string;
  readonly cells: number;
  readonly key: readonly Value[];
  readonly before: Cell;
  readonly after: Cell;
};

export type Cell = { readonly value: Value; readonly line: number };

/**
 * Compares two deliveries by the columns of their key, which both have; without a key, by all
 * columns that both have. Rows with the same key are matched in their order. Holds hashes alone:
 * some 30 bytes a row, and 4 a cell, so two cells in four billion that differ are taken as equal.
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
  const { changes, ...found } = await findChanges(after, held, common, keyColumns);
  const { firstGone, cells } = await lookUp(before, held, common, keyColumns, changes);
  const rows = held.table.size;
  return {
    rows: { ...found.rows, before: rows, gone: rows - (found.rows.after - found.rows.added) },
    firstAdded: found.firstAdded,
    firstGone,
    columnsNew: after.columns.filter((column) => !common.includes(column)),
    columnsGone: before.columns.filter((column) => !common.includes(column)),
    columnsChanged: changes.map(({ row: _row, ...change }, i) => ({
      ...change,
      before: cells[i] as Cell,
    })),
  };
}

/** What is held of the earlier delivery; `taken` has a 1 for each row that the later one has too. */
type HeldRows = {
  readonly table: KeyTable;
  readonly hashes: CellHashes;
  readonly taken: Uint8Array;
};

async function holdRows(
  delivery: Delivery,
  common: readonly string[],
  keyColumns: readonly string[],
): Promise<HeldRows> {
  const [pick, pickKey] = [pickerOf(delivery, common), pickerOf(delivery, keyColumns)];
  const table = new KeyTable();
  const hashes = new CellHashes(common.length);
  for await (const { values } of delivery.rows()) {
    table.add(pickKey(values));
    hashes.add(pick(values));
  }
  return { table, hashes, taken: new Uint8Array(table.size) };
}

/** A column's change; its earlier value, in this row, is yet to be looked up. */
type Change = Omit<ColumnChange, 'before'> & { readonly row: number };

async function findChanges(
  delivery: Delivery,
  { table, hashes, taken }: HeldRows,
  common: readonly string[],
  keyColumns: readonly string[],
) {
  const [pick, pickKey] = [pickerOf(delivery, common), pickerOf(delivery, keyColumns)];
  const cells = new Array<number>(common.length).fill(0);
  const firsts: Omit<Change, 'cells'>[] = [];
  const rows = { after: 0, added: 0, changed: 0 };
  let firstAdded: RowPlace | undefined;
  for await (const { values, line } of delivery.rows()) {
    rows.after++;
    const key = pickKey(values);
    const row = table.take(key);
    if (row === undefined) {
      rows.added++;
      firstAdded ??= { key, line: line() };
      continue;
    }
    taken[row] = 1;
    let isChanged = false;
    for (const [i, value] of pick(values).entries()) {
      if (hashes.has(row, i, value)) continue;
      isChanged = true;
      cells[i] = (cells[i] as number) + 1;
      firsts[i] ??= { column: common[i] as string, key, row, after: { value, line: line() } };
    }
    if (isChanged) rows.changed++;
  }
  // `firsts` has a place for each column, and gaps.
  const changes = firsts.flatMap((first, i) => [{ ...first, cells: cells[i] as number }]);
  return { rows, firstAdded, changes };
}

/** Reads the earlier delivery again, as far as there is something to look up. */
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
  let firstGone: RowPlace | undefined;
  let row = 0;
  if (last < 0) return { firstGone, cells };
  for await (const { values, line } of delivery.rows()) {
    if (row === goneRow) firstGone = { key: pickKey(values), line: line() };
    for (const [i, change] of changes.entries()) {
      if (change.row !== row) continue;
      const value = pick(values)[common.indexOf(change.column)] as Value;
      cells[i] = { value, line: line() };
    }
    if (row++ === last) return { firstGone, cells };
  }
  throw new Error('The earlier delivery changed while it was compared.');
}

/** A function that takes these columns' values, in this order, out of a delivery's rows. */
function pickerOf({ columns }: Delivery, wanted: readonly string[]) {
  const places = wanted.map((column) => columns.indexOf(column));
  return (values: readonly Value[]) => places.map((place) => values[place] as Value);
}
