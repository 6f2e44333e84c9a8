import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedBlock } from '../import/load-blocks.ts';
import { hashOfSeed } from '../import/seed-files.ts';
import type { ColumnHashes } from './verified-columns.ts';

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
};

/** A dataset to import. */
export type ToImport = LoadedBlock & { readonly kind: 'dataset' };

/** A hash of all that an import depends on: with the same one, it would make the same. */
export async function hashOfImport(
  { build, code }: KeptImports,
  { dataset }: ToImport,
  seedData: string,
  rowsPerChunk: number | undefined,
): Promise<string> {
  const seed = await hashOfSeed(dataset, seedData);
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
  { folder }: KeptImports,
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

/** A text behind a line that tells what import it is of, and whether it was changed since. */
function sealed(hash: string, text: string): string {
  return `${createHash('sha256').update(hash).update(text).digest('hex')}\n${text}`;
}

function fileOf(folder: string, block: string): string {
  return path.join(folder, `${block}.json`);
}
