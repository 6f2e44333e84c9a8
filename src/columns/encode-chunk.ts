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
import {
  type CollectedColumn,
  type ColumnBuilder,
  columnBuilder,
  encodeColumn,
} from './encode-column.ts';

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

/** Packs chunks of columns beside this thread. */
export type PackingAside = {
  /** Takes a chunk's values, and gives them to `done` once they are packed. Returns whether it did. */
  take(field: Field, values: CollectedColumn, done: (packed: PackedChunk) => void): boolean;
  /** Waits until everything that was taken is packed. */
  settled(): Promise<void>;
};

/**
 * Packs rows into columns. Rows are added one at a time, and only the rows of one chunk are in
 * memory unpacked, and what is packed aside.
 */
export class ColumnPacker {
  readonly #rowsPerChunk: number;
  readonly #columns: readonly OpenColumn[];
  readonly #aside: PackingAside | undefined;
  #rows = 0;
  #rowsInChunk = 0;

  constructor(fields: readonly Field[], rowsPerChunk = CHUNK_ROWS, aside?: PackingAside) {
    this.#rowsPerChunk = rowsPerChunk;
    this.#aside = aside;
    this.#columns = fields.map((field) => ({
      field,
      gathered: columnBuilder(field),
      closed: 0,
      ahead: new Map(),
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
    this.#added(1);
  }

  /** Adds rows a column at a time: `addTo` adds those from one up to another to a column. */
  addRows(
    count: number,
    addTo: (column: number, builder: ColumnBuilder, from: number, to: number) => void,
  ): void {
    for (let from = 0; from < count; ) {
      const to = Math.min(count, from + this.#rowsPerChunk - this.#rowsInChunk);
      for (const [i, { gathered }] of this.#columns.entries()) addTo(i, gathered, from, to);
      this.#added(to - from);
      from = to;
    }
  }

  addRow(row: Row): void {
    this.add(this.#columns.map(({ field }) => row[field.name] ?? null));
  }

  /** Packs the rows of the last chunk, if it has any. */
  end(): void {
    if (this.#rowsInChunk > 0) this.#closeChunks();
  }

  /** Returns the packed columns, after all rows have been added and none is packed aside. */
  packed(): PackedColumns {
    this.end();
    const columns = this.#columns.map(({ field, entries, chunks, ahead }) => {
      if (ahead.size > 0) throw new TypeError(`${field.name} is not packed yet.`);
      return [field.name, { directory: { chunks: entries }, chunks }] as const;
    });
    return {
      rows: this.#rows,
      rowsPerChunk: this.#rowsPerChunk,
      columns: new Map(columns),
      hashes: Object.fromEntries(
        this.#columns.map(({ field, hash }) => [field.name, hash.digest('hex')]),
      ),
    };
  }

  #added(rows: number): void {
    this.#rows += rows;
    this.#rowsInChunk += rows;
    if (this.#rowsInChunk === this.#rowsPerChunk) this.#closeChunks();
  }

  #closeChunks(): void {
    this.#rowsInChunk = 0;
    for (const column of this.#columns) {
      const { field, gathered } = column;
      const values = gathered.collected();
      const number = column.closed++;
      column.gathered = columnBuilder(field);
      const done = (packed: PackedChunk) => addPacked(column, number, packed);
      if (this.#aside?.take(field, values, done)) column.ahead.set(number, undefined);
      else done(packValues(field, values));
    }
  }
}

type OpenColumn = {
  readonly field: Field;
  /** The values of the current chunk, which is not full yet. */
  gathered: ColumnBuilder;
  /** The number of full chunks, and those that come before `chunks` has the one before. */
  closed: number;
  readonly ahead: Map<number, PackedChunk | undefined>;
  readonly entries: ChunkEntry[];
  readonly chunks: Buffer[];
  readonly hash: Hash;
};

/** Adds a chunk by its number in its column, and those that have waited for it. */
function addPacked(column: OpenColumn, number: number, packed: PackedChunk): void {
  const { ahead, entries, chunks, hash } = column;
  ahead.set(number, packed);
  for (;;) {
    const next = ahead.get(chunks.length);
    if (next === undefined) break;
    ahead.delete(chunks.length);
    const { bytes, entry, parts } = next;
    entries.push(entry);
    chunks.push(bytes);
    hash.update(JSON.stringify({ ...entry, bytes: 0, crc32: 0 })).update(parts);
  }
}

/** Packs the values of a chunk's rows. */
export function packValues(field: Field, values: CollectedColumn): PackedChunk {
  return packChunk(encodeColumn(field, values));
}

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
