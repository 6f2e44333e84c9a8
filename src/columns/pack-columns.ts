import { createHash, type Hash } from 'node:crypto';
import type { Row, Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { CHUNK_ROWS } from './chunk.ts';
import type { ChunkEntry, ColumnDirectory } from './column-directory.ts';
import { gatherValues } from './gathered-values.ts';
import { packChunk } from './pack-chunk.ts';

/** A dataset's columns as they are stored: each field's directory, and its chunks in order. */
export type PackedColumns = {
  readonly rows: number;
  readonly rowsPerChunk: number;
  readonly columns: ReadonlyMap<string, PackedColumn>;
  /**
   * A hash of each column's values and keys. Packed bytes would not do: the same rows may deflate to
   * others on another machine.
   */
  readonly hashes: Readonly<Record<string, string>>;
};

export type PackedColumn = {
  readonly directory: ColumnDirectory;
  readonly chunks: readonly Buffer[];
};

/** Packs rows that come one after another; holds those of one chunk as they are. */
export class ColumnPacker {
  readonly #rowsPerChunk: number;
  readonly #columns: readonly OpenColumn[];
  #rows = 0;

  constructor(fields: readonly Field[], rowsPerChunk = CHUNK_ROWS) {
    this.#rowsPerChunk = rowsPerChunk;
    this.#columns = fields.map((field) => ({
      field,
      gathered: gatherValues(field),
      entries: [],
      chunks: [],
      hash: createHash('sha256'),
    }));
  }

  /** Adds a row: its values in the order of the fields. */
  add(values: readonly Value[]): void {
    for (let i = 0; i < this.#columns.length; i++) {
      (this.#columns[i] as OpenColumn).gathered.add(values[i] ?? null);
    }
    if (++this.#rows % this.#rowsPerChunk === 0) this.#closeChunks();
  }

  addRow(row: Row): void {
    this.add(this.#columns.map(({ field }) => row[field.name] ?? null));
  }

  /** All rows that were added; there are none to come. */
  packed(): PackedColumns {
    if (this.#rows % this.#rowsPerChunk !== 0) this.#closeChunks();
    const columns = this.#columns.map(
      ({ field, entries, chunks }) =>
        [field.name, { directory: { chunks: entries }, chunks }] as const,
    );
    return {
      rows: this.#rows,
      rowsPerChunk: this.#rowsPerChunk,
      columns: new Map(columns),
      hashes: Object.fromEntries(
        this.#columns.map(({ field, hash }) => [field.name, hash.digest('hex')]),
      ),
    };
  }

  #closeChunks(): void {
    for (const column of this.#columns) {
      const { bytes, entry, parts } = packChunk(column.gathered.coded());
      column.gathered = gatherValues(column.field);
      column.entries.push(entry);
      column.chunks.push(bytes);
      column.hash.update(JSON.stringify({ ...entry, bytes: 0, crc32: 0 })).update(parts);
    }
  }
}

type OpenColumn = {
  readonly field: Field;
  /** The values of the chunk that is not full. */
  gathered: ReturnType<typeof gatherValues>;
  readonly entries: ChunkEntry[];
  readonly chunks: Buffer[];
  readonly hash: Hash;
};

/** Packs all columns of these rows. */
export function packColumns(
  fields: readonly Field[],
  rows: Iterable<Row>,
  rowsPerChunk = CHUNK_ROWS,
): PackedColumns {
  const packer = new ColumnPacker(fields, rowsPerChunk);
  for (const row of rows) packer.addRow(row);
  return packer.packed();
}
