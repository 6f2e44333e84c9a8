import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ColumnDirectory } from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { packedRows } from '../columns/memory-rows.ts';
import { profileWithPicture } from '../http/draw-picture.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedBlock } from '../import/load-blocks.ts';
import { type HashOfFile, hashesOnce, hashOfSeed } from '../import/seed-files.ts';

/** Identifies a service's parts by hashes of all that they are made of. */
type Build = {
  /** Hashes the code alone, which reads a file alike whatever other blocks there are. */
  readonly code: string;
  /** Hashes the code and the folder of the blocks, so that no ETag outlives either. */
  readonly build: string;
};

/** Hashes the code that imports, and then the blocks and their data. */
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
  // In an installed package, the lock file is that of the project which installed it.
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

/** Lists the files of code and data below a folder. Their reader reports what is missing. */
async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder, { recursive: true });
  return files.filter((name) => /\.(?:[cm]?[jt]sx?|css|txt|csv|(?:geo)?json)$/.test(name)).sort();
}

function nameOf(hash: Hash): string {
  return hash.digest('hex').slice(0, 20);
}

/**
 * Keeps an import of `add` or `refresh` for the next start, which would make the same one. A start
 * can do without it, so failures are ignored.
 */
export async function keepForStart(
  root: string,
  blocks: string,
  entry: ToImport,
  imported: ImportedDataset,
): Promise<void> {
  // A block's own code may depend on anything.
  if (entry.dataset.toRows !== undefined) return;
  try {
    const folder = path.join(blocks, DATA_FOLDER, 'imports');
    const code = nameOf(await hashOfCode(root, blocks));
    const { file, hash: known } = entry.dataset;
    const read = hashesOnce(path.join(blocks, 'seed-data'));
    // The import has compared the file with this hash.
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

/** The parts of an import that are served beside its table. */
export type KeptImport = Pick<ImportedDataset, 'boundaries' | 'manifest' | 'notes' | 'profile'> & {
  /** Hashes of what the table holds, to compare with it. */
  readonly hashes: ColumnHashes;
};

/** Where imports are kept for later starts, and what they depend on beside the seed files. */
export type KeptImports = {
  readonly folder: string;
  /** Identifies the code, as `buildOf` hashes it. */
  readonly code: string;
  /** Identifies code, blocks and data, as `buildOf` hashes them. */
  readonly build: string;
  readonly hashOfFile: HashOfFile;
};

/** A dataset to import. */
export type ToImport = LoadedBlock & { readonly kind: 'dataset' };

/** A hash of all that an import depends on: two imports with the same hash are the same. */
export async function hashOfImport(
  { build, code, hashOfFile }: Omit<KeptImports, 'folder'>,
  { dataset }: Pick<ToImport, 'dataset'>,
  rowsPerChunk: number | undefined,
): Promise<string> {
  const seed = await hashOfSeed(dataset, hashOfFile);
  // A block's own code may read any file.
  const by = dataset.toRows === undefined ? code : build;
  // Node brings its own tables of characters and time zones, and its own way to deflate.
  const all = { by, seed, rowsPerChunk, versions: process.versions, arch: process.arch };
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

/** The kept import of this hash. Undefined if there is none or the file was changed. */
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
    // None was kept, or it is damaged: the dataset is then imported.
    return undefined;
  }
}

/** Keeps an import for later starts. Returns the reason if it cannot; a start can do without. */
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
    // Renamed at the end, so that a kill leaves the file whole or absent.
    await rename(`${file}.part`, file);
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Keeps the columns of an import beside it, until a start has written them into its store.
 * `keptColumns` reads them only if they match their `hashes`.
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

/**
 * Returns the kept columns of an import. Undefined if there are none, or if their hashes differ.
 */
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

/** Removes the kept columns, once a store has them. */
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
 * Keeps what is served of an import, without its columns, which are in the store. Draws the
 * picture of all rows for its profile.
 */
export async function toKeep(imported: ImportedDataset): Promise<KeptImport> {
  const { block, manifest, notes, boundaries, columns } = imported;
  return {
    ...{ manifest, notes },
    profile: await profileWithPicture(imported, packedRows(block.fields, columns)),
    ...(boundaries === undefined ? {} : { boundaries }),
    hashes: hashesOf(columns),
  };
}

/**
 * Puts a line before a text, to show later which import it belongs to and whether it was changed.
 */
function sealed(hash: string, text: string): string {
  return `${createHash('sha256').update(hash).update(text).digest('hex')}\n${text}`;
}

function fileOf(folder: string, block: string): string {
  return path.join(folder, `${block}.json`);
}

/** Hashes of each column's directory, and of the packed bytes of its chunks. */
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

/** Hashes what readers get, not its spelling: JSON is parsed and written again the same way. */
export function hashOfDirectory(directory: ColumnDirectory): string {
  return hashOf(JSON.stringify(directory));
}

export function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}
