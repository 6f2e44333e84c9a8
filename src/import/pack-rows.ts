import { CHUNK_ROWS } from '../columns/chunk.ts';
import { ColumnPacker, type PackedColumns } from '../columns/encode-chunk.ts';
import { openCsv, readCsvRows } from '../files/csv/named-rows.ts';
import { bytesOf } from '../files/read-bytes.ts';
import { batchesOf, SeedError, type SourceTable } from '../files/source-table.ts';
import type { BadRows } from '../recipe/bad-rows.ts';
import { readRows, refuseOtherColumns, valuesOf } from '../recipe/read.ts';
import { showCell } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { DatasetSource } from './seed-files.ts';

/** The rows of a file, packed, and what is told of them. */
export type PackedRows = {
  readonly columns: PackedColumns;
  /** The number of rows in the file. */
  readonly found: number;
  readonly notes: readonly string[];
  readonly badRows: BadRows;
  /** What the places of bad rows count: lines, or what else the file has. */
  readonly counts: SourceTable['counts'];
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
): Promise<PackedRows> {
  const packer = new ColumnPacker(fields, rowsPerChunk);
  const { file, toRows } = source;
  if (toRows !== undefined) {
    const csvRows = await readCsvRows(await openCsv(() => bytesOf(folder, file), file));
    const { rows, notes } = toRows(csvRows, file);
    for (const [i, row] of rows.entries()) {
      checkTimes(fields, row, i + 1, file);
      packer.addRow(row);
    }
    const found = csvRows.length;
    return { columns: packer.packed(), found, notes, badRows: NO_BAD_ROWS, counts: 'line' };
  }
  const recipe = { ...source, fields: source.fields ?? fields };
  const rows = await readRows(recipe, folder);
  refuseOtherColumns(rows, file);
  let found = 0;
  for await (const batch of batchesOf(rows.records)) {
    for (const record of batch) packer.add(valuesOf(record, rows, file));
    found += batch.length;
  }
  const { table, odd, badRows } = rows;
  const { counts } = table;
  const notes = [...table.notes, ...odd.notes(counts)];
  return { columns: packer.packed(), found, notes, badRows, counts };
}

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
