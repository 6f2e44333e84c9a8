import type { BlockFile } from '../block/block-file.ts';
import { placeOf } from '../importer/cells.ts';
import type { Delivery } from '../importer/compare-deliveries.ts';
import { readTable } from '../importer/read-table.ts';
import { nameColumns } from '../inference/column-names.ts';
import type { SourceRecord, SourceTable } from '../readers/source-table.ts';
import type { Value } from '../values/field-type.ts';
import { type CellReader, cellReader } from '../values/spelling.ts';
import type { GivenFile } from './check-writing.ts';

/** A field that a file has a column for. */
export type FoundField = { readonly name: string; readonly at: number; readonly read: CellReader };

/** A file as a block reads it, whether or not it fits. */
export type OpenedDelivery = Delivery & {
  readonly table: SourceTable;
  /** The columns' names, as those of fields are made. */
  readonly names: readonly string[];
  readonly found: readonly FoundField[];
  /** The fields without a column. */
  readonly gone: readonly string[];
};

/** Opens a file as a block reads its own. Throws a SeedError if its head cannot be read. */
export async function openDelivery(
  block: BlockFile,
  { folder, file }: GivenFile,
): Promise<OpenedDelivery> {
  const open = () => readTable({ ...block, file }, folder);
  const table = await open();
  const names = nameColumns(table.headers).map(({ name }) => name);
  const { missingValues } = block;
  const fields = block.fields.map((field) => ({
    ...(missingValues === undefined ? {} : { missingValues }),
    ...field,
  }));
  const places = fields.map((field) => placeOf(field, names, table.headers));
  const find = () =>
    fields.flatMap((field, i): FoundField[] => {
      const at = places[i] as number;
      return at < 0 ? [] : [{ name: field.name, at, read: cellReader(field, field) }];
    });
  const found = find();
  return {
    table,
    names,
    found,
    gone: fields.filter((_, i) => (places[i] as number) < 0).map(({ name }) => name),
    columns: found.map(({ name }) => name),
    // Each time with readers of its own, which may take what they expect from the first cells.
    rows: () => rowsOf(open, find()),
  };
}

async function* rowsOf(open: () => Promise<SourceTable>, found: readonly FoundField[]) {
  for await (const record of (await open()).records) {
    yield { values: valuesOf(record, found), line: record.line };
  }
}

/** A record's values; a cell that is not of its field's type is the text that it is. */
function valuesOf({ cells }: SourceRecord, found: readonly FoundField[]): Value[] {
  return found.map(({ at, read }) => {
    const cell = cells[at] as string;
    const value = read(cell);
    return value === undefined ? cell : value;
  });
}
