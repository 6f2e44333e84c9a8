import type { Row } from '../fields/field.ts';
import type { ColumnSource } from './column-source.ts';
import type { PackedColumn, PackedColumns } from './pack-columns.ts';

/** A source of columns and rows that are in memory. */
export function memorySource({ columns }: PackedColumns, rows: readonly Row[]): ColumnSource {
  const columnOf = (field: string) => columns.get(field) as PackedColumn;
  return {
    directory: async (field) => ({ directory: columnOf(field).directory }),
    chunk: async (field, chunk) => columnOf(field).chunks[chunk] as Buffer,
    rows: async (positions) => Array.from(positions, (position) => rows[position] as Row),
  };
}
