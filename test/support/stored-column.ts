import { type Chunk, keyAt } from '../../src/columns/chunk.ts';
import { unpackChunk } from '../../src/columns/decode-chunk.ts';
import { type PackedChunk, packValues } from '../../src/columns/encode-chunk.ts';
import { columnBuilder } from '../../src/columns/encode-column.ts';
import type { KeyedRow } from '../../src/query/predicate.ts';
import type { Key, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { keyRow } from './key-row.ts';

/** A chunk that was packed and unpacked, and the rows that it was made of. */
export type StoredColumn = {
  readonly field: Field;
  readonly rows: readonly KeyedRow[];
  readonly packed: PackedChunk;
  readonly chunk: Chunk;
};

export function fieldOf(type: Field['type']): Field {
  return { type, name: 'a', title: 'A' };
}

/** These values of a field as rows with keys. */
export function rowsOf(field: Field, values: readonly Value[]): KeyedRow[] {
  return values.map((value) => keyRow([field], { [field.name]: value }));
}

/** Packs rows' values of a field as one chunk. */
export function packRows(field: Field, rows: readonly KeyedRow[]): PackedChunk {
  const gathered = columnBuilder(field);
  for (const { values } of rows) gathered.add(values[field.name] ?? null);
  return packValues(field, gathered.collected());
}

export async function storedColumn(field: Field, values: readonly Value[]): Promise<StoredColumn> {
  const rows = rowsOf(field, values);
  const packed = packRows(field, rows);
  return { field, rows, packed, chunk: await unpackChunk(packed.bytes, packed.entry) };
}

/** The rows' keys, -0 as 0: they are equal, and a column has one code for both. */
export function givenKeys({ field, rows }: Pick<StoredColumn, 'field' | 'rows'>): (Key | null)[] {
  return rows.map(({ keys }) => {
    const key = keys[field.name] ?? null;
    return key === 0 ? 0 : key;
  });
}

export function readKeys(chunk: Chunk): (Key | null)[] {
  return Array.from(chunk.codes, (code) => keyAt(chunk, code));
}
