import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type HashOfFile, hashOfSeed } from '../import/seed-files.ts';
import type { ToImport } from './version-store.ts';

/** Identifies a service's parts by hashes of all that they are made of. */
export type Build = {
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

/** Hashes the code alone: enough for a dataset whose rows no code of its block makes. */
export async function codeOf(root: string, blocks: string): Promise<string> {
  return nameOf(await hashOfCode(root, blocks));
}

/** What an import depends on, beside its dataset. */
export type ImportedBy = Build & {
  readonly hashOfFile: HashOfFile;
  readonly rowsPerChunk?: number | undefined;
};

/** A hash of all that an import depends on: two imports with the same hash are the same. */
export async function importHash(
  { build, code, hashOfFile, rowsPerChunk }: ImportedBy,
  { dataset }: Pick<ToImport, 'dataset'>,
): Promise<string> {
  const seed = await hashOfSeed(dataset, hashOfFile);
  // A block's own code may read any file.
  const by = dataset.toRows === undefined ? code : build;
  // Node brings its own tables of characters and time zones, and its own way to deflate.
  const all = { by, seed, rowsPerChunk, versions: process.versions, arch: process.arch };
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
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
