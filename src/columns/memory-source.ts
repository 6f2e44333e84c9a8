import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { ColumnSource } from './column-source.ts';
import type { PackedColumn, PackedColumns } from './pack-columns.ts';
import { rowsOf } from './packed-rows.ts';

/** A source of columns and rows that are in memory. */
export function memorySource(fields: readonly Field[], packed: PackedColumns): ColumnSource {
  const columnOf = (field: string) => packed.columns.get(field) as PackedColumn;
  let rows: readonly Row[] | undefined;
  return {
    directory: async (field) => ({ directory: columnOf(field).directory }),
    chunk: async (field, chunk) => columnOf(field).chunks[chunk] as Buffer,
    rows: async (positions) => {
      rows ??= Array.from(rowsOf(fields, packed), ({ values }) => values);
      return Array.from(positions, (position) => rows?.[position] as Row);
    },
  };
}
