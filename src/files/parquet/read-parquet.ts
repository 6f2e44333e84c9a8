import { type FileHandle, open } from 'node:fs/promises';
import { type FileMetaData, parquetMetadataAsync, parquetSchema, type SchemaTree } from 'hyparquet';
import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import type { FileFormat } from '../file-format.ts';
import {
  LATITUDE_FIRST,
  pointCells,
  REPROJECT,
  WGS84,
  wkbPoint,
} from '../geojson/geojson-point.ts';
import {
  type CellType,
  type GeometryColumns,
  listed,
  MAX_COLUMNS,
  repeatable,
  SeedError,
  type SourceRecord,
  type SourceTable,
} from '../source-table.ts';
import {
  type CellWriter,
  cellTypeOf,
  cellWriterOf,
  type Held,
  ParquetPages,
} from './parquet-pages.ts';

export const parquet: FileFormat = {
  title: 'Parquet',
  endings: ['parquet'],
  isBinary: true,
  takes: ['axisOrder'],
  // A text file may also begin with PAR1, but it has no zeros.
  isIn: ({ start, isBinary }) => isBinary && start.startsWith('PAR1'),
  read: ({ file, dialect }, { path }) => readParquet(path, file, dialect?.axisOrder),
};

/** Bytes of the metadata at the file's end. */
const MAX_FOOTER = 64 * 2 ** 20;

type Column = {
  readonly name: string;
  readonly leaf: SchemaTree;
  readonly write: CellWriter;
  /** Whether its cells are shapes, which become points. */
  readonly isShape: boolean;
};

/**
 * Reads a Parquet file page by page. Decimals, 64-bit integers and times keep all their digits. A
 * shape becomes a point. Columns of lists, of structs and of further shapes are left out, with a
 * note.
 */
export async function readParquet(
  path: string,
  file: string,
  axisOrder?: Dialect['axisOrder'],
): Promise<SourceTable> {
  const metadata = await withFile(path, file, (handle, size) => readMetadata(handle, size));
  const root = parquetSchema(metadata);
  const shapes = shapesOf(metadata, file);
  const leftOut: string[] = [];
  const columns: Column[] = [];
  for (const leaf of root.children) {
    const { name, repetition_type: repetition, logical_type: logical } = leaf.element;
    const isShape = logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY';
    const isFurther = isShape && (shapes.primary ?? name) !== name;
    if (leaf.children.length > 0 || repetition === 'REPEATED' || isFurther) {
      leftOut.push(name);
      continue;
    }
    if (isShape) {
      shapes.primary ??= name;
      if (logical.crs !== undefined && !WGS84.test(logical.crs)) {
        const reason = `its coordinates are in ${listed([logical.crs])}; ${REPROJECT}`;
        throw new SeedError(file, reason, { column: listed([name]) });
      }
    }
    const write = isShape
      ? (bytes: Uint8Array) => wkbPoint(bytes, axisOrder)
      : cellWriterOf(leaf.element);
    if (typeof write === 'string') {
      const reason = `${write}, which are not read; write the table without this column`;
      throw new SeedError(file, reason, { column: listed([name]) });
    }
    columns.push({ name, leaf, write, isShape });
  }
  if (columns.length > MAX_COLUMNS)
    throw new SeedError(
      file,
      `over ${numberText(MAX_COLUMNS)} columns; write the table with fewer`,
    );
  const twice = columns.find(({ name }, i) => columns.findIndex((each) => each.name === name) < i);
  if (twice !== undefined) {
    throw new SeedError(file, 'two columns have this name; write the table with another', {
      column: listed([twice.name]),
    });
  }
  if (columns.length === 0)
    throw new SeedError(
      file,
      'it has no columns of plain values; write what its lists and structs hold as columns',
    );
  const notes = [
    ...(axisOrder === undefined ? [] : [LATITUDE_FIRST]),
    ...shapes.others.map((type) => `${listed([type])}: a point that stands for each`),
    ...(leftOut.length === 0
      ? []
      : [`left out columns of lists, structs or shapes: ${listed(leftOut)}`]),
  ];
  const shape = columns.findIndex(({ isShape }) => isShape);
  if (shape < 0 && axisOrder !== undefined) {
    const reason = '--axis-order is given, and no column of the file has shapes; leave it out';
    throw new SeedError(file, reason);
  }
  const names = columns.filter(({ isShape }) => !isShape).map(({ name }) => name);
  const typesOfLeaves = columns
    .filter(({ isShape }) => !isShape)
    .map(({ leaf }) => cellTypeOf(leaf.element));
  const types: readonly CellType[] =
    shape < 0 ? typesOfLeaves : [...typesOfLeaves, 'number', 'number'];
  const isTaken = names.some((name) => /^(?:longitude|latitude)$/i.test(name));
  const prefix = isTaken ? 'point_' : '';
  const [longitude, latitude] = [names.length, names.length + 1];
  const { are } = shapes;
  return {
    headers: shape < 0 ? names : [...names, `${prefix}longitude`, `${prefix}latitude`],
    geometry: shape < 0 ? undefined : { longitude, latitude, are },
    counts: 'row',
    headerLine: 0,
    notes,
    records: repeatable(async function* () {
      const handle = await open(path);
      try {
        let before = 0;
        for (const group of metadata.row_groups) {
          for await (const row of rowsOf(handle, group, root, columns, before, file)) {
            const cells = shape < 0 ? row.cells : withPoint(row.cells, shape);
            yield { cells, types, line: row.line };
          }
          before += Number(group.num_rows);
        }
      } finally {
        await handle.close();
      }
    }),
  };
}

/** Replaces the shape with the point's two cells at the end. */
function withPoint(cells: readonly string[], shape: number): string[] {
  return [...cells.toSpliced(shape, 1), ...pointCells(cells[shape] as string)];
}

/** What a GeoParquet file says about its shapes: the primary column, and types other than Point. */
function shapesOf(
  { key_value_metadata: pairs = [] }: FileMetaData,
  file: string,
): {
  primary?: string;
  readonly others: readonly string[];
  readonly are: GeometryColumns['are'];
} {
  const geo = pairs.find(({ key }) => key === 'geo')?.value;
  const unknown = { others: [], are: 'others' } as const;
  if (geo === undefined) return unknown;
  const { primary_column: primary, columns } = (JSON.parse(geo) ?? {}) as GeoMetadata;
  const { encoding, geometry_types: types } = columns?.[primary ?? ''] ?? {};
  if (primary === undefined || encoding === undefined) return unknown;
  if (encoding !== 'WKB') {
    const reason = `its shapes are written as ${listed([encoding])}; write them as WKB`;
    throw new SeedError(file, reason, { column: listed([primary]) });
  }
  const all = Array.isArray(types) ? types.map(String) : [];
  const others = all.filter((type) => !/^Point\b/.test(type));
  return { primary, others, are: all.length > 0 && others.length === 0 ? 'points' : 'others' };
}

/** GeoParquet 1.1. */
type GeoMetadata = {
  readonly primary_column?: string;
  readonly columns?: Readonly<
    Record<string, { readonly encoding?: string; readonly geometry_types?: unknown }>
  >;
};

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
  const opened = columns.map(({ name, leaf, write, isShape }) => {
    const chunk = group.columns.find(({ meta_data: data }) => {
      return data?.path_in_schema.length === 1 && data.path_in_schema[0] === name;
    });
    if (chunk?.meta_data === undefined || chunk.file_path || chunk.crypto_metadata) {
      const reason = chunk?.crypto_metadata
        ? 'it is encrypted; write the table without that'
        : 'its values are not in the file; write the table as one';
      throw new SeedError(file, reason, { column: listed([name]) });
    }
    const read = (start: number, end: number) => readRange(handle, start, end);
    const pages = new ParquetPages(read, chunk.meta_data, root, leaf, write, held);
    return { name, isShape, pages, at: 0 };
  });
  for (let row = 0; row < rows; ) {
    let ready = rows - row;
    for (const column of opened) {
      while (column.at === column.pages.cells.length) {
        column.at = 0;
        try {
          await column.pages.next();
        } catch (error) {
          const { message } = error as Error;
          throw new SeedError(
            file,
            column.isShape ? message : `${message}; as CSV it would be read`,
            {
              line: before + row + 1,
              column: listed([column.name]),
            },
          );
        }
      }
      ready = Math.min(ready, column.pages.cells.length - column.at);
    }
    for (const end = row + ready; row < end; ) {
      const cells = opened.map((column) => column.pages.cells[column.at++] as string);
      const number = before + ++row;
      yield { cells, line: number };
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
    throw new SeedError(
      file,
      `not a sound Parquet file: ${(error as Error).message}; get it anew, or write it as CSV`,
    );
  } finally {
    await handle.close();
  }
}
