import { createHash } from 'node:crypto';
import type { DatasetBlock } from '../block/block.ts';
import {
  type DataSource,
  type DatasetProfile,
  type FieldStatistics,
  type Manifest,
  sourceOf,
} from '../block/manifest.ts';
import { type Chunk, COLUMN_FORMAT, numberAt } from '../columns/chunk.ts';
import type { PackedColumns } from '../columns/encode-chunk.ts';
import { chunksOf, packedColumnRows, packedValues } from '../columns/memory-rows.ts';
import { readBoundaries } from '../files/geojson/read-boundaries.ts';
import { simplifyAreas } from '../files/geojson/simplify-areas.ts';
import { readWhole } from '../files/read-bytes.ts';
import { SeedError, type SourceTable } from '../files/source-table.ts';
import type { KeyedRow } from '../query/predicate.ts';
import { type BadRows, badRowsText } from '../recipe/bad-rows.ts';
import type { Storage } from '../recipe/storage.ts';
import { defined, type Row, type Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Boundaries } from '../values/places.ts';
import { KeyTable } from './compare-deliveries.ts';
import { noteOfExchanged } from './exchanged-places.ts';
import { withUs } from './map-of-us.ts';
import { namedAreas, unfoundNote } from './named-areas.ts';
import { numbersTogether } from './numbers-together.ts';
import { NO_BAD_ROWS, packRows, type RowsAhead } from './pack-rows.ts';
import { type Points, profileDataset } from './profile-dataset.ts';
import { checkDataFile, type DatasetSource, type HashOfFile, hashesOnce } from './seed-files.ts';
import { inOrders, storedOrders } from './stored-orders.ts';
import { type ColumnSummary, summariseColumns } from './summarise-columns.ts';
import { totalValues } from './total-values.ts';

/** A dataset that is ready to be written to a local table or the stack's. */
export type ImportedDataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly columns: PackedColumns;
  /** The rows with their keys, made from the columns during the iteration. */
  readonly rows: Iterable<KeyedRow>;
  readonly notes: readonly string[];
  /** What somebody should look at, in sentences; they are among the notes too. */
  readonly doubts?: readonly string[];
  readonly badRows: BadRows;
  /** What the places of bad rows count: lines, or what else the file has. */
  readonly counts: SourceTable['counts'];
  readonly profile: DatasetProfile;
  /** Set if the rows are regions, or a field names areas. */
  readonly boundaries?: Boundaries;
};

/** Known hashes of files, rows that are packed already, and for tests the rows of a chunk. */
export type ImportSettings = {
  readonly hashOfFile?: HashOfFile;
  readonly rowsAhead?: RowsAhead | undefined;
  readonly rowsPerChunk?: number;
};

/** Imports a block's seed file. Throws a SeedError if anything is wrong with it. */
export async function importDataset(
  block: DatasetBlock,
  source: DatasetSource,
  seedData: string,
  storage: Storage,
  { rowsPerChunk, hashOfFile = hashesOnce(seedData), rowsAhead }: ImportSettings = {},
): Promise<ImportedDataset> {
  const { file } = source;
  const { fields } = block;
  const packed =
    (await rowsAhead?.(source)) ?? (await packRows(fields, source, seedData, rowsPerChunk));
  const { columns, found, notes, badRows, counts } = packed;
  await checkDataFile(hashOfFile, source, { found, noun: 'rows', blockFile: blockFileOf(block) });
  checkBadRows(badRows, source, blockFileOf(block));
  const areas = await areasOf(block, source, columns, seedData, hashOfFile);
  const imported = datasetOf(block, columns, sourceOf(source), storage, {
    file,
    notes,
    badRows,
    counts,
    ...areas,
  });
  checkPrimaryKey(imported, file);
  const { profile, manifest } = imported;
  const { geometry } = block;
  const map =
    geometry === undefined
      ? undefined
      : await withUs(profile.map, placesIn(block, columns), geometry, manifest.rows);
  const exchanged =
    geometry === undefined
      ? undefined
      : await noteOfExchanged(placesIn(block, columns), geometry, manifest.rows);
  const named = await areasNamed(block, source, columns, areas.named);
  const orders = storedOrders(block);
  const ordered = (await packed.inOrders?.(orders)) ?? inOrders(columns, orders);
  const whole = withOrders(imported, ordered, storage, file);
  const doubts = [exchanged, unfoundNote(named?.drawing)].filter((one) => one !== undefined);
  const told = { notes: [...notes, ...doubts], doubts };
  if (named === undefined) return { ...whole, ...told, profile: { ...profile, map } };
  const { drawing, shapes } = named;
  const { kind, areaOf, unfound } = drawing;
  return {
    ...whole,
    ...told,
    profile: { ...profile, map, areas: drawing },
    boundaries: shapes,
    manifest: {
      ...whole.manifest,
      areas: {
        kind,
        found: Object.keys(areaOf).length,
        unfound: unfound && { values: unfound.values, rows: unfound.rows },
      },
    },
  };
}

/** The areas that a field names, with how many rows have each value. */
async function areasNamed(
  block: DatasetBlock,
  { boundaries }: DatasetSource,
  columns: PackedColumns,
  own: Boundaries | undefined,
): Promise<Awaited<ReturnType<typeof namedAreas>> | undefined> {
  const { fields, areaField, lang } = block;
  const field = fields.filter((one) => one.name === areaField);
  if (areaField === undefined || boundaries === undefined) return undefined;
  const rows = new Map<string, number>();
  for (const { [areaField]: value = null } of packedValues(field, columns)) {
    if (value !== null) rows.set(String(value), (rows.get(String(value)) ?? 0) + 1);
  }
  const blockFile = blockFileOf(block);
  return namedAreas({ field: areaField, boundaries, lang, own, blockFile }, rows);
}

/** The places of rows, and nothing else of them. */
function placesIn({ fields, geometry }: DatasetBlock, columns: PackedColumns): Iterable<Row> {
  const inPlace = fields.filter(
    ({ name }) => name === geometry?.longitude || name === geometry?.latitude,
  );
  return packedValues(inPlace, columns);
}

/** The places of the rows that have one, without the rows. */
function pointsOf({ geometry }: DatasetBlock, packed: PackedColumns): Points {
  const longitudes = new Float64Array(geometry === undefined ? 0 : packed.rows);
  const latitudes = longitudes.slice();
  if (geometry === undefined) return { longitudes, latitudes };
  let count = 0;
  const others = chunksOf(packed, geometry.latitude);
  for (const x of chunksOf(packed, geometry.longitude)) {
    const y = others.next().value as Chunk;
    const [xs, ys] = [x.dictionary, y.dictionary];
    if (xs.kind === 'texts' || ys.kind === 'texts') throw new TypeError('Places are numbers.');
    for (let row = 0; row < x.codes.length; row++) {
      const [codeOfX, codeOfY] = [x.codes[row] as number, y.codes[row] as number];
      if (codeOfX < x.firstKey || codeOfY < y.firstKey) continue;
      longitudes[count] = numberAt(xs, codeOfX);
      latitudes[count++] = numberAt(ys, codeOfY);
    }
  }
  return { longitudes: longitudes.subarray(0, count), latitudes: latitudes.subarray(0, count) };
}

function blockFileOf({ name }: DatasetBlock): string {
  return `functions/${name}/block.json`;
}

/** Throws if the counts of bad rows differ from those in the block's file. */
function checkBadRows(
  { mended, setAside }: BadRows,
  source: DatasetSource,
  blockFile: string,
): void {
  const { file, badRows } = source;
  const said = { mended: 0, setAside: 0, ...badRows };
  if (said.mended === mended.length && said.setAside === setAside.length) return;
  const found = badRowsText(mended.length, setAside.length) ?? 'no row is bad';
  const expected = badRowsText(said.mended, said.setAside) ?? 'none is bad';
  const line = (setAside[0] ?? mended[0])?.line;
  const reason = `${found}, and ${blockFile} says ${expected}; add the file anew, or write the counts there`;
  throw new SeedError(file, reason, defined({ line }));
}

/** The areas of a block's map: outlines, or its regions, of which each row must have one. */
async function areasOf(
  block: DatasetBlock,
  { boundaries: source }: DatasetSource,
  columns: PackedColumns,
  seedData: string,
  hashOfFile: HashOfFile,
): Promise<Pick<Details, 'boundaries' | 'outlines'> & { readonly named?: Boundaries }> {
  const { geometry } = block;
  if (source?.file === undefined) return {};
  const { file, property } = source;
  const areas = readBoundaries(await readWhole(seedData, file), file, property);
  const found = Object.keys(areas).length;
  const blockFile = blockFileOf(block);
  const data = { ...source, file };
  await checkDataFile(hashOfFile, data, { found, noun: 'boundaries', blockFile });
  const named = source.field === undefined ? undefined : areas;
  if (geometry === undefined) return { named };
  if (geometry.kind === 'points') return { outlines: areas, named };
  checkRegions(block, geometry.region, columns, areas, file);
  const { simplifiedTo } = geometry;
  return { boundaries: simplifiedTo === undefined ? areas : simplifyAreas(areas, simplifiedTo) };
}

function checkRegions(
  { fields }: DatasetBlock,
  region: string,
  columns: PackedColumns,
  areas: Boundaries,
  file: string,
): void {
  const named = fields.filter(({ name }) => name === region);
  const missing = Array.from(
    packedColumnRows(named, columns),
    ({ values }) => values[region],
  ).filter((found) => !Object.hasOwn(areas, found as string));
  if (missing.length > 0) {
    throw new SeedError(file, `has no boundary of ${missing.slice(0, 3).join(', ')}`);
  }
}

/** Throws if two rows have the same primary key, or one lacks a part of it. */
function checkPrimaryKey(
  { block: { fields, primaryKey = [] }, manifest, columns }: ImportedDataset,
  file: string,
): void {
  const [only, ...others] = primaryKey;
  if (only === undefined) return;
  const { nulls, distinct } = manifest.fields[only] as FieldStatistics;
  if (others.length === 0 && nulls === 0 && distinct === manifest.rows) return;
  const parts = primaryKey.map((name) => fields.find((field) => field.name === name) as Field);
  const keys = () => packedColumnRows(parts, columns);
  const fault = (row: number, reason: string) =>
    new SeedError(file, `row ${row}: ${reason}`, { column: primaryKey.join(', ') });
  const known = new KeyTable();
  let row = 0;
  for (const { values } of keys()) {
    const key = primaryKey.map((name) => values[name] as Value);
    row++;
    if (key.includes(null)) throw fault(row, `blank, and it is the primary key; ${NO_KEY}`);
    if (known.take(key) !== undefined) {
      const first = firstRowOf(keys(), primaryKey, key);
      // A different key may have the same hash.
      if (first < row)
        throw fault(row, `the same primary key as row ${first}: ${key.join(', ')}; ${NO_KEY}`);
    }
    known.add(key);
  }
}

/** The number of the first row with this key, from 1. */
function firstRowOf(
  rows: Iterable<KeyedRow>,
  primaryKey: readonly string[],
  key: readonly Value[],
): number {
  let row = 0;
  for (const { values } of rows) {
    row++;
    if (primaryKey.every((name, i) => values[name] === key[i])) return row;
  }
  throw new TypeError('A row that has a key is not found again.');
}

/** How to say that rows have no key. */
const NO_KEY = '--key none (in block.json, no primaryKey) says that nothing identifies a row';

type Details = {
  readonly file?: string;
  readonly notes?: readonly string[];
  readonly badRows?: BadRows;
  readonly counts?: SourceTable['counts'];
  readonly boundaries?: Boundaries;
  /** The outlines below the points of a map. */
  readonly outlines?: Boundaries;
};

/** Makes a dataset of packed rows. Throws if the storage would refuse one of them. */
export function datasetOf(
  block: DatasetBlock,
  columns: PackedColumns,
  source: DataSource,
  storage: Storage,
  details: Details,
): ImportedDataset {
  const { file = block.name, notes = [], badRows = NO_BAD_ROWS, counts = 'row' } = details;
  const { boundaries, outlines } = details;
  const { fields } = block;
  const [mended, setAside] = [badRows.mended.length, badRows.setAside.length];
  const { rows: count, rowsPerChunk } = columns;
  const [tableFault] = storage.tableFaults(fields);
  if (tableFault !== undefined) throw new SeedError(file, tableFault);
  const rows = packedColumnRows(fields, columns);
  const summary = summariseColumns(fields, columns, storage);
  if (!summary.isHoldable) throw rowFault(fields, rows, storage, file);
  const bytes = summary.sizes.reduce((sum, size) => sum + size, 0);
  // A block without rows still has one shard.
  const rowsPerShard = Math.max(
    1,
    Math.ceil(count / Math.max(1, Math.ceil(bytes / storage.bytesOfShard))),
  );
  const manifest: Manifest = {
    block: block.name,
    version: versionOf(fields, columns, rowsPerShard, storage),
    rows: count,
    badRows: mended + setAside === 0 ? undefined : { mended, setAside },
    bytes,
    rowsPerShard,
    rowsPerChunk,
    source,
    fields: Object.fromEntries(
      fields.map(({ name }) => [name, (summary.columns[name] as ColumnSummary).statistics]),
    ),
  };
  const profile = profileDataset(
    block,
    summary.columns,
    pointsOf(block, columns),
    boundaries ?? outlines,
  );
  const rowsOf = (some: readonly Field[]) => packedValues(some, columns);
  const totals = totalValues(block, manifest, profile, rowsOf);
  const together = numbersTogether(block, manifest, profile, rowsOf);
  const sums = Object.entries(totals ?? {}).filter(([, { isSum }]) => isSum);
  const sumOf = Object.fromEntries(sums.map(([name, { value }]) => [name, value]));
  return {
    block,
    manifest: { ...manifest, ...(sums.length > 0 && { totals: sumOf }) },
    columns,
    rows,
    notes,
    badRows,
    counts,
    profile: { ...profile, totals, together },
    boundaries,
  };
}

/** Adds the columns that find rows. Throws if the storage would refuse any. */
export function withOrders(
  dataset: ImportedDataset,
  columns: PackedColumns,
  storage: Storage,
  file: string,
): ImportedDataset {
  const { block, manifest } = dataset;
  const fault = storage.columnsFault(columns, manifest.version);
  if (fault !== undefined) throw new SeedError(file, fault);
  return { ...dataset, columns, rows: packedColumnRows(block.fields, columns) };
}

/** Finds the first row that the storage refuses. Returns an error that says why. */
function rowFault(
  fields: readonly Field[],
  rows: Iterable<KeyedRow>,
  storage: Storage,
  file: string,
): Error {
  let position = 0;
  for (const row of rows) {
    const fault = storage.rowFault(fields, row, position++);
    if (fault === undefined) continue;
    const where = defined({ column: fault.field });
    return new SeedError(file, `row ${position}: ${fault.reason}`, where);
  }
  return new TypeError('A row that the storage would refuse is not found again.');
}

/**
 * Hashes what a table is made from: its shape, and each field's values and keys. A new title does
 * not change the hash.
 */
function versionOf(
  fields: readonly Field[],
  { hashes, rowsPerChunk }: PackedColumns,
  rowsPerShard: number,
  { tableShape }: Storage,
): string {
  const columns = fields
    .map(({ name, type, timeZone, local }) => [name, hashes[name], type, timeZone, local])
    .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  const format = COLUMN_FORMAT;
  return createHash('sha256')
    .update(
      JSON.stringify({ shape: tableShape(fields), format, rowsPerChunk, rowsPerShard, columns }),
    )
    .digest('hex')
    .slice(0, 20);
}
