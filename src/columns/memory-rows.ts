import type { KeyedRow } from '../query/predicate.ts';
import type { RowStore } from '../query/row-store.ts';
import type { Key, Row, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { type Chunk, type ChunkEntry, keyAt, textOfRow } from './chunk.ts';
import { ColumnCache } from './column-cache.ts';
import { ColumnRows } from './column-rows.ts';
import { ALL_SHORTCUTS, type ColumnSource, ColumnStore, type Shortcuts } from './column-store.ts';
import { readChunk } from './decode-chunk.ts';
import type { PackedColumn, PackedColumns } from './encode-chunk.ts';

/** A guess. */
const ROW_BYTES = 256;

/** How to answer from columns that are in memory. Absent members have defaults. */
type MemorySettings = {
  readonly cacheBytes?: number;
  readonly shortcuts?: Shortcuts;
  /** The approximate size of a row's item, in bytes. */
  readonly rowBytes?: number;
};

/** Answers from columns that are in memory. */
export function packedRows(
  fields: readonly Field[],
  packed: PackedColumns,
  settings: MemorySettings = {},
): RowStore {
  const { cacheBytes = Number.POSITIVE_INFINITY, shortcuts = ALL_SHORTCUTS } = settings;
  const { rowBytes = ROW_BYTES } = settings;
  const store = new ColumnStore({
    rows: packed.rows,
    rowsPerChunk: packed.rowsPerChunk,
    rowBytes,
    source: memorySource(fields, packed),
    cache: new ColumnCache(cacheBytes),
    unavailable: (cause) => cause,
  });
  return new ColumnRows(store, fields, shortcuts);
}

/** A source of columns and rows that are in memory. */
export function memorySource(fields: readonly Field[], packed: PackedColumns): ColumnSource {
  const columnOf = (field: string) => packed.columns.get(field) as PackedColumn;
  let rows: readonly Row[] | undefined;
  return {
    directory: async (field) => ({ directory: columnOf(field).directory }),
    chunk: async (field, chunk) => columnOf(field).chunks[chunk] as Buffer,
    rows: async (positions) => {
      rows ??= Array.from(packedColumnRows(fields, packed), ({ values }) => values);
      return Array.from(positions, (position) => rows?.[position] as Row);
    },
  };
}

/** Unpacks the chunks of a column in memory, one after another. */
export function* chunksOf({ columns }: PackedColumns, field: string): Generator<Chunk> {
  const { directory, chunks } = columns.get(field) as PackedColumn;
  for (const [i, bytes] of chunks.entries()) {
    yield readChunk(bytes, directory.chunks[i] as ChunkEntry);
  }
}

/**
 * Reads these fields of the rows from columns in memory. Each row is made when the caller gets to
 * it.
 */
export function packedColumnRows(
  fields: readonly Field[],
  packed: PackedColumns,
): Iterable<KeyedRow> {
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

/** Reads these fields of the rows, without keys, each row into a new object. */
export function* packedValues(fields: readonly Field[], packed: PackedColumns): Generator<Row> {
  const columns = fields.map(({ name }) => chunksOf(packed, name));
  for (let from = 0; from < packed.rows; from += packed.rowsPerChunk) {
    const chunks = columns.map((one) => one.next().value as Chunk);
    const readers = fields.map((field, i) => valueReader(field, chunks[i] as Chunk));
    const rows = Math.min(packed.rowsPerChunk, packed.rows - from);
    for (let row = 0; row < rows; row++) {
      const values: Record<string, Value> = Object.create(null);
      for (let i = 0; i < fields.length; i++) {
        const chunk = chunks[i] as Chunk;
        const key = keyAt(chunk, chunk.codes[row] as number);
        values[(fields[i] as Field).name] = (readers[i] as ValueReader)(row, key);
      }
      yield values;
    }
  }
}

/** Reads a chunk's rows with their keys, from the chunks of their fields. */
export function rowReader(
  fields: readonly Field[],
  chunks: readonly Chunk[],
): (row: number) => KeyedRow {
  const values = fields.map((field, i) => valueReader(field, chunks[i] as Chunk));
  return (row) => {
    const read: { values: Record<string, Value>; keys: Record<string, Key> } = {
      values: Object.create(null),
      keys: Object.create(null),
    };
    for (const [i, { name }] of fields.entries()) {
      const chunk = chunks[i] as Chunk;
      const key = keyAt(chunk, chunk.codes[row] as number);
      if (key !== null) read.keys[name] = key;
      read.values[name] = (values[i] as ValueReader)(row, key);
    }
    return read;
  };
}

type ValueReader = (row: number, key: Key | null) => Value;

function valueReader(field: Field, chunk: Chunk): ValueReader {
  const type = typeOf(field);
  return type.comparedBy === 'text'
    ? (row) => textOfRow(chunk, row)
    : (_, key) => (key === null ? null : type.valueOf(key as number, field));
}
