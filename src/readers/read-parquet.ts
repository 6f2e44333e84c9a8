import { type FileHandle, open } from 'node:fs/promises';
import type { FileMetaData, SchemaTree } from 'hyparquet';
import { parquetMetadataAsync, parquetSchema } from 'hyparquet';
import { listed } from './listed.ts';
import { type CellWriter, cellWriterOf } from './parquet-cell.ts';
import { type Held, ParquetPages } from './parquet-pages.ts';
import { SeedError } from './seed-error.ts';
import { MAX_COLUMNS } from './source-limits.ts';
import type { SourceRecord } from './source-table.ts';
import { repeatable, type SourceTable } from './source-table.ts';

/** Bytes of what describes the file, at its end. */
const MAX_FOOTER = 64 * 2 ** 20;

type Column = { readonly name: string; readonly leaf: SchemaTree; readonly write: CellWriter };

/**
 * Reads a Parquet file page by page. Decimals, 64-bit integers and times keep all their digits.
 * Columns of lists, structs and shapes are left out, with a note.
 */
export async function readParquet(path: string, file: string): Promise<SourceTable> {
  const metadata = await withFile(path, file, (handle, size) => readMetadata(handle, size));
  const root = parquetSchema(metadata);
  const left: string[] = [];
  const columns: Column[] = [];
  for (const leaf of root.children) {
    const { name, repetition_type: repetition, logical_type: logical } = leaf.element;
    const isShape = logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY';
    if (leaf.children.length > 0 || repetition === 'REPEATED' || isShape) {
      left.push(name);
      continue;
    }
    const write = cellWriterOf(leaf.element);
    if (typeof write === 'string') {
      const reason = `${write}, which are not read; write the table without this column`;
      throw new SeedError(file, reason, { column: listed([name]) });
    }
    columns.push({ name, leaf, write });
  }
  if (columns.length > MAX_COLUMNS) throw new SeedError(file, `over ${MAX_COLUMNS} columns`);
  const twice = columns.find(({ name }, i) => columns.findIndex((each) => each.name === name) < i);
  if (twice !== undefined) {
    throw new SeedError(file, 'two columns have this name', { column: listed([twice.name]) });
  }
  if (columns.length === 0) throw new SeedError(file, 'it has no columns of plain values');
  const notes =
    left.length === 0 ? [] : [`left out columns of lists, structs or shapes: ${listed(left)}`];
  return {
    headers: columns.map(({ name }) => name),
    counts: 'row',
    headerLine: 0,
    notes,
    records: repeatable(async function* () {
      const handle = await open(path);
      try {
        let before = 0;
        for (const group of metadata.row_groups) {
          yield* rowsOf(handle, group, root, columns, before, file);
          before += Number(group.num_rows);
        }
      } finally {
        await handle.close();
      }
    }),
  };
}

async function* rowsOf(
  handle: FileHandle,
  group: FileMetaData['row_groups'][number],
  root: SchemaTree,
  columns: readonly Column[],
  before: number,
  file: string,
): AsyncGenerator<SourceRecord> {
  const held: Held = { bytes: 0 };
  const rows = Number(group.num_rows);
  const opened = columns.map(({ name, leaf, write }) => {
    const chunk = group.columns.find(({ meta_data: data }) => {
      return data?.path_in_schema.length === 1 && data.path_in_schema[0] === name;
    });
    if (chunk?.meta_data === undefined || chunk.file_path || chunk.crypto_metadata) {
      const reason = chunk?.crypto_metadata ? 'it is encrypted' : 'its values are not in the file';
      throw new SeedError(file, reason, { column: listed([name]) });
    }
    const read = (start: number, end: number) => readRange(handle, start, end);
    const pages = new ParquetPages(read, chunk.meta_data, root, leaf, write, held);
    return { name, pages, at: 0 };
  });
  for (let row = 0; row < rows; ) {
    let ready = rows - row;
    for (const column of opened) {
      while (column.at === column.pages.cells.length) {
        column.at = 0;
        try {
          await column.pages.next();
        } catch (error) {
          throw new SeedError(file, (error as Error).message, {
            line: before + row + 1,
            column: listed([column.name]),
          });
        }
      }
      ready = Math.min(ready, column.pages.cells.length - column.at);
    }
    for (const end = row + ready; row < end; ) {
      const cells = opened.map((column) => column.pages.cells[column.at++] as string);
      const number = before + ++row;
      yield { cells, line: () => number };
    }
  }
}

async function readMetadata(handle: FileHandle, size: number): Promise<FileMetaData> {
  const magic = Buffer.from(await readRange(handle, Math.max(0, size - 4), size)).toString(
    'latin1',
  );
  if (magic === 'PARE') throw new Error('it is encrypted; write it without encryption');
  if (magic !== 'PAR1' || size < 12) throw new Error('its end is missing; is it cut off?');
  const buffer = {
    byteLength: size,
    slice: async (start: number, end = size) => {
      if (end - start > MAX_FOOTER) throw new Error(`over ${MAX_FOOTER / 2 ** 20} MiB of metadata`);
      return (await readRange(handle, start, end)).buffer as ArrayBuffer;
    },
  };
  return await parquetMetadataAsync(buffer);
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
  if (bytesRead < bytes.length) throw new Error('the file is cut off');
  return bytes;
}

async function withFile<T>(
  path: string,
  file: string,
  use: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const handle = await open(path);
  try {
    return await use(handle, (await handle.stat()).size);
  } catch (error) {
    throw new SeedError(file, `not a sound Parquet file: ${(error as Error).message}`);
  } finally {
    await handle.close();
  }
}
