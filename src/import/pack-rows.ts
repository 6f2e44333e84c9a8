import { CHUNK_ROWS } from '../columns/chunk.ts';
import { ColumnPacker, type PackedColumns, type PackingAside } from '../columns/encode-chunk.ts';
import type { ColumnBuilder } from '../columns/encode-column.ts';
import { withCodes } from '../columns/pack-codes.ts';
import { openCsv, readCsvRows } from '../files/csv/named-rows.ts';
import { PlainRows } from '../files/plain-rows.ts';
import { bytesOf } from '../files/read-bytes.ts';
import { batchesOf, SeedError, type SourceTable } from '../files/source-table.ts';
import type { BadRows } from '../recipe/bad-rows.ts';
import {
  type FoundField,
  type RecipeRows,
  readRows,
  refuseOtherColumns,
  valuesOf,
} from '../recipe/read.ts';
import { showCell } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { DatasetSource } from './seed-files.ts';
import type { StoredOrders } from './stored-orders.ts';

/** The rows of a file, packed, and what is told of them. */
export type PackedRows = {
  readonly columns: PackedColumns;
  /** The number of rows in the file. */
  readonly found: number;
  readonly notes: readonly string[];
  readonly badRows: BadRows;
  /** What the places of bad rows count: lines, or what else the file has. */
  readonly counts: SourceTable['counts'];
  /** Gives the columns with these orders, if another thread makes them too. */
  readonly inOrders?: (orders: StoredOrders) => Promise<PackedColumns | undefined>;
};

/** Gives the rows of a file that were packed while it was decided how to. Undefined if there are none. */
export type RowsAhead = (source: DatasetSource) => Promise<PackedRows | undefined>;

export const NO_BAD_ROWS: BadRows = { mended: [], setAside: [] };

/**
 * Packs a file's rows as they are read, or the rows that the block's code makes from all of them.
 */
export async function packRows(
  fields: readonly Field[],
  source: DatasetSource,
  folder: string,
  rowsPerChunk = CHUNK_ROWS,
  aside?: PackingAside,
): Promise<PackedRows> {
  const packer = new ColumnPacker(fields, rowsPerChunk, aside);
  const { file, toRows } = source;
  if (toRows !== undefined) {
    const csvRows = await readCsvRows(await openCsv(() => bytesOf(folder, file), file));
    const { rows, notes } = toRows(csvRows, file);
    for (const [i, row] of rows.entries()) {
      checkTimes(fields, row, i + 1, file);
      packer.addRow(row);
    }
    const found = csvRows.length;
    const columns = withCodes(packer.packed(), fields);
    return { columns, found, notes, badRows: NO_BAD_ROWS, counts: 'line' };
  }
  const recipe = { ...source, fields: source.fields ?? fields };
  const rows = await readRows(recipe, folder);
  refuseOtherColumns(rows, file);
  let found = 0;
  const cells = rows.found.map((field) => new PlainCells(field));
  for await (const batch of batchesOf(rows.records)) {
    if (batch instanceof PlainRows) {
      packer.addRows(batch.length, (column, builder, from, to) => {
        const isRead = cells[column]?.addTo(builder, batch, from, to);
        if (!isRead) refuse(batch, rows, file);
      });
    } else for (const record of batch) packer.add(valuesOf(record, rows, file));
    found += batch.length;
  }
  const { table, odd, badRows } = rows;
  const { counts } = table;
  const notes = [...table.notes, ...odd.notes(counts)];
  packer.end();
  await aside?.settled();
  return { columns: withCodes(packer.packed(), fields), found, notes, badRows, counts };
}

/** Throws a SeedError at the first of some rows with a cell that is not of its field's type. */
function refuse(batch: PlainRows, rows: RecipeRows, file: string): never {
  for (const record of batch) valuesOf(record, rows, file);
  throw new TypeError('A cell that cannot be read is not found again.');
}

/** Packs the cells of a field. What a text becomes is found out once a chunk. */
class PlainCells {
  readonly #field: FoundField;
  #builder: ColumnBuilder | undefined;
  /** What the builder of the present chunk knows each text by. NOT_YET if it has not had it. */
  #codes = new Float64Array(0);

  constructor(field: FoundField) {
    this.#field = field;
  }

  /** Adds rows to a chunk. Returns whether all of their cells are of the field's type. */
  addTo(builder: ColumnBuilder, rows: PlainRows, from: number, to: number): boolean {
    const { at: column, read, plainKey, isPlainText } = this.#field;
    const { text, codes: signs, columns, starts, ends, ids } = rows;
    const codes = this.#codesFor(builder, rows.known[column]?.size ?? 0);
    for (let row = from, at = from * columns + column; row < to; row++, at += columns) {
      const id = ids[at] as number;
      const known = id < 0 ? NOT_YET : (codes[id] as number);
      if (known !== NOT_YET) {
        builder.repeat(known);
        continue;
      }
      const [start, end] = [starts[at] as number, ends[at] as number];
      const key = plainKey === undefined ? Number.NaN : plainKey(signs, start, end);
      if (!Number.isNaN(key)) {
        builder.repeat(key);
        if (id >= 0) codes[id] = key;
        continue;
      }
      const isPlain = isPlainText && id < 0 && end > start;
      if (isPlain && builder.addPlain?.(signs, start, end)) continue;
      const value = read(text.slice(start, end));
      if (value === undefined) return false;
      const code = builder.add(value);
      if (id >= 0) codes[id] = code;
    }
    return true;
  }

  #codesFor(builder: ColumnBuilder, size: number): Float64Array {
    const isNew = builder !== this.#builder;
    this.#builder = builder;
    if (this.#codes.length < size) {
      const before = this.#codes;
      this.#codes = new Float64Array(2 * size).fill(NOT_YET);
      if (!isNew) this.#codes.set(before);
    } else if (isNew) this.#codes.fill(NOT_YET);
    return this.#codes;
  }
}

/** No index of a text, and no key. */
const NOT_YET = Number.POSITIVE_INFINITY;

/** Throws if code has made a row with a text that is not the date or time it should be. */
function checkTimes(fields: readonly Field[], row: Row, number: number, file: string): void {
  for (const field of fields) {
    const type = typeOf(field);
    const value = row[field.name] ?? null;
    if (type.comparedBy !== 'number' || type.json !== 'string' || value === null) continue;
    if (typeof value === 'string' && type.readCell(value, field) !== undefined) continue;
    const reason = `row ${number}: rows.ts gives ${showCell(String(value))}, which is not ${type.noun}`;
    throw new SeedError(file, reason, { column: field.name });
  }
}
