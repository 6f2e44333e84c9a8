import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ColumnDirectory } from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { packedRows } from '../columns/memory-rows.ts';
import { profileWithThumbnail } from '../http/draw-thumbnail.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedBlock } from '../import/load-blocks.ts';
import { type HashOfFile, hashesOnce, hashOfSeed } from '../import/seed-files.ts';

/** What identifies a service's parts, by hashes of all that they are made of. */
type Build = {
  /** Of the code alone: what it makes of a file is the same whatever other blocks there are. */
  readonly code: string;
  /** Of the code and the folder of the blocks, so that no ETag outlives it. */
  readonly build: string;
};

/** Hashes the code that makes imports, and then the blocks and their data. */
export async function buildOf(
  root: string,
  blocks: string,
  hashOfFile: HashOfFile,
): Promise<Build> {
  const hash = await hashOfCode(root, blocks);
  const code = nameOf(hash.copy());
  await addFolder(hash, path.join(blocks, 'functions'));
  const seedData = path.join(blocks, 'seed-data');
  for (const file of await filesIn(seedData)) hash.update(file).update(await hashOfFile(file));
  return { code, build: nameOf(hash) };
}

async function hashOfCode(root: string, blocks: string): Promise<Hash> {
  const hash = createHash('sha256');
  // In a package, it is the lock file of whoever has installed it.
  const locks = new Set([root, blocks].map((folder) => path.join(folder, 'package-lock.json')));
  for (const lock of [...locks].filter(existsSync)) hash.update(await readFile(lock));
  for (const folder of ['src', 'client/src']) await addFolder(hash, path.join(root, folder));
  return hash;
}

async function addFolder(hash: Hash, folder: string): Promise<void> {
  for (const file of await filesIn(folder)) {
    hash.update(file).update(await readFile(path.join(folder, file)));
  }
}

/** The files below a folder that code and data are in. What is missing is told where it is read. */
async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder, { recursive: true });
  return files.filter((name) => /\.(?:[cm]?[jt]sx?|css|txt|csv|(?:geo)?json)$/.test(name)).sort();
}

function nameOf(hash: Hash): string {
  return hash.digest('hex').slice(0, 20);
}

/**
 * Keeps what `add` or `refresh` has imported for the next start, which would make the same. A start
 * can do without it, so failures are ignored.
 */
export async function keepForStart(
  root: string,
  blocks: string,
  entry: ToImport,
  imported: ImportedDataset,
): Promise<void> {
  // Code of the block's own may depend on anything.
  if (entry.dataset.toRows !== undefined) return;
  try {
    const folder = path.join(blocks, DATA_FOLDER, 'imports');
    const code = nameOf(await hashOfCode(root, blocks));
    const { file, hash: known } = entry.dataset;
    const read = hashesOnce(path.join(blocks, 'seed-data'));
    // The import has compared it.
    const hashOfFile: HashOfFile = async (name) =>
      name === file && known !== undefined ? known.replace('sha256:', '') : read(name);
    const { name } = entry.block;
    const hash = await hashOfImport({ code, build: '', hashOfFile }, entry, undefined);
    await keepColumns({ folder }, name, imported.columns.columns);
    await keepImport({ folder }, hash, name, await toKeep(imported));
  } catch {}
}

/** Where the embedded DynamoDB keeps its data, in a folder of blocks. */
export const DATA_FOLDER = path.join('.blockyard', 'dynamodb');

/** What is served of a dataset beside its table. */
export type KeptImport = Pick<ImportedDataset, 'boundaries' | 'manifest' | 'notes' | 'profile'> & {
  /** Of what its table has, which is compared with them. */
  readonly hashes: ColumnHashes;
};

/** Where imports are kept for later starts, and what they depend on beside the seed files. */
export type KeptImports = {
  readonly folder: string;
  /** Identifies the code, as `buildOf` tells it. */
  readonly code: string;
  /** Identifies code, blocks and data, as `buildOf` tells it. */
  readonly build: string;
  readonly hashOfFile: HashOfFile;
};

/** A dataset to import. */
export type ToImport = LoadedBlock & { readonly kind: 'dataset' };

/** A hash of all that an import depends on: with the same one, it would make the same. */
export async function hashOfImport(
  { build, code, hashOfFile }: Omit<KeptImports, 'folder'>,
  { dataset }: Pick<ToImport, 'dataset'>,
  rowsPerChunk: number | undefined,
): Promise<string> {
  const seed = await hashOfSeed(dataset, hashOfFile);
  // A block's own code may read whatever it likes.
  const by = dataset.toRows === undefined ? code : build;
  // Node brings its own tables of characters and time zones, and deflates in ways of its own.
  const all = { by, seed, rowsPerChunk, versions: process.versions, arch: process.arch };
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

/** The import of this hash, if it was kept and is as it was written. */
export async function keptImport(
  { folder }: KeptImports,
  { block }: ToImport,
  hash: string,
): Promise<KeptImport | undefined> {
  try {
    const file = await readFile(fileOf(folder, block.name), 'utf8');
    const text = file.slice(file.indexOf('\n') + 1);
    return file === sealed(hash, text) ? JSON.parse(text) : undefined;
  } catch {
    // None was kept, or it was damaged: the dataset is then imported.
    return undefined;
  }
}

/** Keeps an import for later starts. Returns why that is not possible; a start can do without. */
export async function keepImport(
  { folder }: Pick<KeptImports, 'folder'>,
  hash: string,
  name: string,
  { boundaries, manifest, notes, profile, hashes }: KeptImport,
): Promise<string | undefined> {
  const file = fileOf(folder, name);
  const text = JSON.stringify({ boundaries, manifest, notes, profile, hashes });
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.part`, sealed(hash, text));
    // Renamed, so that a kill leaves it whole or away.
    await rename(`${file}.part`, file);
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Keeps the columns of an import beside it, for a start that has not written them into its store.
 * They are what `hashes` tells of them, or they are not read.
 */
export async function keepColumns(
  { folder }: Pick<KeptImports, 'folder'>,
  name: string,
  columns: PackedColumns['columns'],
): Promise<void> {
  const file = columnsFileOf(folder, name);
  const heads = Array.from(columns, ([field, { directory, chunks }]) => {
    return { field, directory, bytes: chunks.map(({ length }) => length) };
  });
  const chunks = [...columns.values()].flatMap((column) => column.chunks);
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.part`, [Buffer.from(`${JSON.stringify(heads)}\n`), ...chunks]);
  await rename(`${file}.part`, file);
}

/** The columns that are kept beside an import; undefined if there are none, or others. */
export async function keptColumns(
  { folder }: Pick<KeptImports, 'folder'>,
  name: string,
  hashes: ColumnHashes,
): Promise<PackedColumns['columns'] | undefined> {
  try {
    const file = await readFile(columnsFileOf(folder, name));
    let at = file.indexOf('\n') + 1;
    const heads: Head[] = JSON.parse(file.toString('utf8', 0, at));
    const columns = new Map<string, PackedColumn>();
    for (const { field, directory, bytes } of heads) {
      const chunks = bytes.map((length) => {
        at += length;
        return file.subarray(at - length, at);
      });
      columns.set(field, { directory, chunks });
    }
    return JSON.stringify(hashesOf({ columns })) === JSON.stringify(hashes) ? columns : undefined;
  } catch {
    return undefined;
  }
}

type Head = {
  readonly field: string;
  readonly directory: ColumnDirectory;
  readonly bytes: readonly number[];
};

/** Removes the columns that are kept, once a store has them. */
export function removeColumns(
  { folder }: Pick<KeptImports, 'folder'>,
  name: string,
): Promise<void> {
  return rm(columnsFileOf(folder, name), { force: true });
}

function columnsFileOf(folder: string, name: string): string {
  return path.join(folder, `${name}.columns`);
}

/**
 * What is served of an import, without its columns: those are in the store. Its profile has a
 * thumbnail, which is drawn of all rows.
 */
export async function toKeep(imported: ImportedDataset): Promise<KeptImport> {
  const { block, manifest, notes, boundaries, columns } = imported;
  return {
    ...{ manifest, notes },
    profile: await profileWithThumbnail(imported, packedRows(block.fields, columns)),
    ...(boundaries === undefined ? {} : { boundaries }),
    hashes: hashesOf(columns),
  };
}

/** A text behind a line that tells what import it is of, and whether it was changed since. */
function sealed(hash: string, text: string): string {
  return `${createHash('sha256').update(hash).update(text).digest('hex')}\n${text}`;
}

function fileOf(folder: string, block: string): string {
  return path.join(folder, `${block}.json`);
}

/** Hashes of what an import made: of each column's directory, and of the packed bytes of its chunks. */
export type ColumnHashes = readonly (readonly [
  field: string,
  hashes: { readonly directory: string; readonly chunks: readonly string[] },
])[];

export function hashesOf({ columns }: Pick<PackedColumns, 'columns'>): ColumnHashes {
  return Array.from(columns, ([field, { directory, chunks }]) => [
    field,
    { directory: hashOfDirectory(directory), chunks: chunks.map(hashOf) },
  ]);
}

/** JSON that was parsed is written as it was: what is compared is what readers get, not its spelling. */
export function hashOfDirectory(directory: ColumnDirectory): string {
  return hashOf(JSON.stringify(directory));
}

export function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}
