import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetBlock } from '../block/block.ts';
import type { Boundaries } from '../block/geometry.ts';
import type { FieldStatistics, Manifest, Source } from '../block/manifest.ts';
import { CHUNK_ROWS, COLUMN_FORMAT } from '../columns/chunk.ts';
import { packColumns } from '../columns/pack-columns.ts';
import { itemFault, tableFaults } from '../dynamodb/check-limits.ts';
import { columnItems, headItem } from '../dynamodb/column-items.ts';
import { type Item, itemBytes, makeItem } from '../dynamodb/item.ts';
import { LIMITS } from '../dynamodb/limits.ts';
import { SHARD, tableShape } from '../dynamodb/table-shape.ts';
import type { Field } from '../fields/field.ts';
import { isIndexed, typeOf } from '../fields/field-types.ts';
import type { DatasetProfile } from '../page/dataset-profile.ts';
import { type KeyedRow, keyRow } from '../query/predicate.ts';
import { type DatasetSource, rowsByColumn } from './dataset-source.ts';
import { profileDataset } from './profile-dataset.ts';
import { readBoundaries } from './read-boundaries.ts';
import { readCsv } from './read-csv.ts';
import { SeedError } from './seed-error.ts';

/** A dataset, ready to be written to a local table or to the stack's. */
export type ImportedDataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly rows: readonly KeyedRow[];
  readonly items: readonly Item[];
  readonly notes: readonly string[];
  readonly profile: DatasetProfile;
  /** Set if its rows are regions. */
  readonly boundaries?: Boundaries;
};

/** The content of a `.source.json`: the source, and checks that the file must still pass. */
type SourceFile = Source & { readonly rows?: number; readonly sha256?: string };

/** Reads a block's seed file. Throws a SeedError if anything is wrong with it. */
export async function importDataset(
  block: DatasetBlock,
  source: DatasetSource,
  seedData: string,
  rowsPerChunk = CHUNK_ROWS,
): Promise<ImportedDataset> {
  const { file } = source;
  const { about, bytes, sourceFile } = await readWithSource(seedData, file);
  const csvRows = readCsv(bytes, file);
  const { rows, notes } =
    source.toRows?.(csvRows, file) ?? rowsByColumn(block.fields, csvRows, file);
  const { rows: count, sha256, ...origin } = about;
  if (count !== undefined && count !== csvRows.length) {
    throw new SeedError(file, `${csvRows.length} rows, and ${sourceFile} says ${count}`);
  }
  checkChecksum(bytes, sha256, file, sourceFile);
  const boundaries = await boundariesOf(block, source, rows, seedData);
  return makeDataset(block, rows, origin, {
    file,
    notes,
    rowsPerChunk,
    ...(boundaries === undefined ? {} : { boundaries }),
  });
}

/** The shapes of a block's regions, with at least one for each row. */
async function boundariesOf(
  { name, geometry }: DatasetBlock,
  { boundaries: source }: DatasetSource,
  rows: readonly KeyedRow['values'][],
  seedData: string,
): Promise<Boundaries | undefined> {
  if (geometry?.kind !== 'regions') return undefined;
  if (source === undefined) {
    throw new TypeError(`functions/${name}/dataset.ts must name the boundaries of its regions.`);
  }
  const { file, property } = source;
  const { about, bytes, sourceFile } = await readWithSource(seedData, file);
  checkChecksum(bytes, about.sha256, file, sourceFile);
  const boundaries = readBoundaries(bytes, file, property);
  const found = Object.keys(boundaries).length;
  if (about.rows !== undefined && about.rows !== found) {
    throw new SeedError(file, `${found} boundaries, and ${sourceFile} says ${about.rows}`);
  }
  const missing = rows
    .map((row) => row[geometry.region])
    .filter((region) => !Object.hasOwn(boundaries, region as string));
  if (missing.length > 0) {
    throw new SeedError(file, `has no boundary of ${missing.slice(0, 3).join(', ')}`);
  }
  return boundaries;
}

async function readWithSource(
  seedData: string,
  file: string,
): Promise<{ about: SourceFile; bytes: Uint8Array; sourceFile: string }> {
  const sourceFile = file.replace(/\.[a-z]+$/, '.source.json');
  const about = parseSource(await read(seedData, sourceFile), sourceFile);
  return { about, bytes: await read(seedData, file), sourceFile };
}

function checkChecksum(
  bytes: Uint8Array,
  sha256: string | undefined,
  file: string,
  sourceFile: string,
): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (sha256 === undefined || sha256 === found) return;
  throw new SeedError(
    file,
    `not the file that ${sourceFile} describes; if it was changed on purpose, write its sha256 there: ${found}`,
  );
}

/** Makes the items and the manifest of these rows. Throws for whatever DynamoDB would refuse. */
export function makeDataset(
  block: DatasetBlock,
  values: readonly KeyedRow['values'][],
  source: Source,
  more: {
    file?: string;
    notes?: readonly string[];
    shardBytes?: number;
    rowsPerChunk?: number;
    boundaries?: Boundaries;
  } = {},
): ImportedDataset {
  const { fields } = block;
  const { file = block.name, notes = [], boundaries } = more;
  const { shardBytes = SHARD_BYTES, rowsPerChunk = CHUNK_ROWS } = more;
  if (values.length === 0) throw new SeedError(file, 'the dataset has no rows');
  const [tableFault] = tableFaults(fields);
  if (tableFault !== undefined) throw new SeedError(file, tableFault);
  const rows = values.map((row) => keyRow(fields, row));
  const sizes = rows.map((row, position) => itemBytes(makeItem(fields, row, position, 1)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const rowsPerShard = Math.ceil(rows.length / Math.ceil(bytes / shardBytes));
  const items = rows.map((row, position) => makeItem(fields, row, position, rowsPerShard));
  for (const [position, item] of items.entries()) {
    const fault = itemFault(item, fields);
    if (fault === undefined) continue;
    const where = fault.field === undefined ? {} : { column: fault.field };
    throw new SeedError(file, `row ${position + 1}: ${fault.reason}`, where);
  }
  const columns = columnItems(packColumns(fields, rows, rowsPerChunk));
  const tooLarge = columns.find((item) => itemBytes(item) > LIMITS.itemBytes);
  if (tooLarge !== undefined) {
    throw new SeedError(file, `too many rows: ${tooLarge[SHARD]?.S} is over what an item holds`);
  }
  const manifest: Manifest = {
    block: block.name,
    version: versionOf(items, fields, rowsPerChunk),
    rows: rows.length,
    bytes,
    rowsPerShard,
    rowsPerChunk,
    source,
    fields: Object.fromEntries(
      fields.map((field) => [field.name, statisticsOf(field, rows, sizes)]),
    ),
  };
  return {
    block,
    rows,
    items: [...items, headItem(fields, manifest), ...columns],
    notes,
    manifest,
    profile: profileDataset(block, rows, manifest, boundaries),
    ...(boundaries === undefined ? {} : { boundaries }),
  };
}

/** A little less than a page, so that one page holds a whole shard. */
const SHARD_BYTES = 0.9 * 2 ** 20;

/** The most distinct texts that a person would still look through. */
const FEW_VALUES = 20;

/**
 * A hash of the rows' items, the table's shape and the columns' format, which rewording a title does
 * not change. The columns' own bytes may differ between machines, as those of any packed file.
 */
function versionOf(items: readonly Item[], fields: readonly Field[], rowsPerChunk: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(tableShape(fields)))
    .update(JSON.stringify({ format: COLUMN_FORMAT, rowsPerChunk }));
  for (const item of items) {
    hash.update(JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));
  }
  return hash.digest('hex').slice(0, 20);
}

function statisticsOf(
  field: Field,
  rows: readonly KeyedRow[],
  sizes: readonly number[],
): FieldStatistics {
  const { name } = field;
  const present = rows.flatMap(({ values }) => values[name] ?? []);
  const distinct = new Set(present);
  const manifest = { nulls: rows.length - present.length, distinct: distinct.size };
  if (typeOf(field).comparedBy === 'number') {
    if (present.length === 0) return manifest;
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { keys } of rows) {
      const key = keys[name] as number | undefined;
      if (key === undefined) continue;
      if (key < min) min = key;
      if (key > max) max = key;
    }
    return { ...manifest, min, max };
  }
  return {
    ...manifest,
    ...(distinct.size > 0 && distinct.size <= FEW_VALUES
      ? { values: ([...distinct] as string[]).sort() }
      : {}),
    ...(isIndexed(field) ? { mostBytesOfKey: mostBytesOfKey(name, rows, sizes) } : {}),
  };
}

function mostBytesOfKey(name: string, rows: readonly KeyedRow[], sizes: readonly number[]): number {
  const bytes = new Map<string, number>();
  for (const [i, { keys }] of rows.entries()) {
    const key = keys[name] as string | undefined;
    if (key !== undefined) bytes.set(key, (bytes.get(key) ?? 0) + (sizes[i] as number));
  }
  return [...bytes.values()].reduce((most, value) => Math.max(most, value), 0);
}

async function read(folder: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(path.join(folder, file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SeedError(file, code === 'ENOENT' ? `is missing in ${folder}` : message);
  }
}

/** The members that every description of a dataset shows. */
const REQUIRED = ['title', 'publisher', 'license', 'date'] as const satisfies (keyof Source)[];

function parseSource(bytes: Uint8Array, file: string): SourceFile {
  const source = parseJson(bytes, file);
  for (const member of REQUIRED) {
    if (typeof source?.[member] !== 'string') {
      throw new SeedError(file, `${member} is missing; expected a text`);
    }
  }
  return source as SourceFile;
}

function parseJson(bytes: Uint8Array, file: string): Partial<SourceFile> | null {
  const text = Buffer.from(bytes).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message may quote text with line ends.
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    const where =
      position === undefined ? {} : { line: text.slice(0, Number(position)).split('\n').length };
    throw new SeedError(file, `not valid JSON: ${message.replace(/\s+/g, ' ')}`, where);
  }
}
