import { inflateRawSync } from 'node:zlib';
import type { KeyedRow } from '../query/predicate.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Chunk } from './chunk.ts';
import type { ChunkEntry } from './column-directory.ts';
import type { PackedColumn, PackedColumns } from './pack-columns.ts';
import { rowReader } from './row-reader.ts';
import { readParts } from './unpack-chunk.ts';

/** The chunks of a column that is in memory, unpacked one after another. */
export function* chunksOf({ columns }: PackedColumns, field: string): Generator<Chunk> {
  const { directory, chunks } = columns.get(field) as PackedColumn;
  for (const [i, bytes] of chunks.entries()) {
    yield readParts(inflateRawSync(bytes), directory.chunks[i] as ChunkEntry);
  }
}

/** The rows of columns that are in memory, as far as these fields go; made while one goes through them. */
export function rowsOf(fields: readonly Field[], packed: PackedColumns): Iterable<KeyedRow> {
  return { [Symbol.iterator]: () => readRows(fields, packed) };
}

function* readRows(fields: readonly Field[], packed: PackedColumns): Generator<KeyedRow> {
  const columns = fields.map(({ name }) => chunksOf(packed, name));
  for (let from = 0; from < packed.rows; from += packed.rowsPerChunk) {
    const read = rowReader(
      fields,
      columns.map((chunks) => chunks.next().value as Chunk),
    );
    const rows = Math.min(packed.rowsPerChunk, packed.rows - from);
    for (let row = 0; row < rows; row++) yield read(row);
  }
}

/** Rows without their keys. */
export function* valuesOf(rows: Iterable<KeyedRow>): Generator<Row> {
  for (const { values } of rows) yield values;
}
