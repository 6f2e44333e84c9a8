import { createHash, type Hash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Row, Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import {
  CHUNK_ROWS,
  type ChunkEntry,
  type ColumnDirectory,
  type EncodedColumn,
  type UintArray,
} from './chunk.ts';
import { type ColumnBuilder, columnBuilder } from './encode-column.ts';

/** A dataset's columns as they are stored: each field's directory and its chunks, in order. */
export type PackedColumns = {
  readonly rows: number;
  readonly rowsPerChunk: number;
  readonly columns: ReadonlyMap<string, PackedColumn>;
  /**
   * A hash of each column's values and keys. A hash of the packed bytes would not do, because
   * another machine may deflate the same rows to other bytes.
   */
  readonly hashes: Readonly<Record<string, string>>;
};

export type PackedColumn = {
  readonly directory: ColumnDirectory;
  readonly chunks: readonly Buffer[];
};

/**
 * Packs rows into columns. Rows are added one at a time, and only the rows of one chunk are in
 * memory unpacked.
 */
export class ColumnPacker {
  readonly #rowsPerChunk: number;
  readonly #columns: readonly OpenColumn[];
  #rows = 0;

  constructor(fields: readonly Field[], rowsPerChunk = CHUNK_ROWS) {
    this.#rowsPerChunk = rowsPerChunk;
    this.#columns = fields.map((field) => ({
      field,
      gathered: columnBuilder(field),
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

  /** Adds rows a column at a time: `addTo` adds those from one up to another to a column. */
  addRows(
    count: number,
    addTo: (column: number, builder: ColumnBuilder, from: number, to: number) => void,
  ): void {
    for (let from = 0; from < count; ) {
      const room = this.#rowsPerChunk - (this.#rows % this.#rowsPerChunk);
      const to = Math.min(count, from + room);
      for (const [i, { gathered }] of this.#columns.entries()) addTo(i, gathered, from, to);
      this.#rows += to - from;
      from = to;
      if (this.#rows % this.#rowsPerChunk === 0) this.#closeChunks();
    }
  }

  addRow(row: Row): void {
    this.add(this.#columns.map(({ field }) => row[field.name] ?? null));
  }

  /** Returns the packed columns, after all rows have been added. */
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
      column.gathered = columnBuilder(column.field);
      column.entries.push(entry);
      column.chunks.push(bytes);
      column.hash.update(JSON.stringify({ ...entry, bytes: 0, crc32: 0 })).update(parts);
    }
  }
}

type OpenColumn = {
  readonly field: Field;
  /** The values of the current chunk, which is not full yet. */
  gathered: ColumnBuilder;
  readonly entries: ChunkEntry[];
  readonly chunks: Buffer[];
  readonly hash: Hash;
};

/**
 * A packed chunk, its entry in the column's directory, and its bytes before they were compressed.
 */
export type PackedChunk = {
  readonly bytes: Buffer;
  readonly entry: ChunkEntry;
  readonly parts: Buffer;
};

/** Packs a chunk in the format that docs/columns.md describes. */
export function packChunk(coded: EncodedColumn): PackedChunk {
  const { codes, nulls, distinct, firstKey, size, dictionary, bounds } = coded;
  const deltas = isAscending(codes);
  const parts = Buffer.concat(
    [deltas ? differences(codes) : codes, ...coded.parts].map(byteStreamSplit),
  );
  const bytes = deflateRawSync(parts, { level: 1 });
  return {
    bytes,
    parts,
    entry: {
      rows: codes.length,
      nulls,
      distinct,
      size,
      firstKey,
      min: bounds?.[0],
      max: bounds?.[1],
      deltas,
      dictionary,
      bytes: bytes.length,
      crc32: crc32(bytes),
    },
  };
}

function isAscending(codes: UintArray): boolean {
  for (let row = 1; row < codes.length; row++) {
    if ((codes[row] as number) < (codes[row - 1] as number)) return false;
  }
  return true;
}

function differences(codes: UintArray): UintArray {
  let before = 0;
  return codes.map((code) => {
    const difference = code - before;
    before = code;
    return difference;
  });
}

/**
 * Writes the first byte of every number, then the second byte of every number, and so on, least
 * significant first. Similar bytes come to lie together, so they deflate well.
 */
function byteStreamSplit(numbers: UintArray | Float64Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const width = numbers.BYTES_PER_ELEMENT;
  if (width === 1) return bytes;
  const planes = new Uint8Array(bytes.length);
  for (let plane = 0, at = 0; plane < width; plane++) {
    for (let i = plane; i < bytes.length; i += width) planes[at++] = bytes[i] as number;
  }
  return planes;
}
