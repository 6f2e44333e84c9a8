import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Identifies the build by a hash of all that it is made of, our code and the folder of the
 * blocks, so that no ETag outlives it.
 */
export function buildOf(root: string, blocks = root): Promise<string> {
  const ofBlocks = ['functions', 'seed-data'].map((folder) => path.join(blocks, folder));
  return hashOf([root, blocks], [...sourcesOf(root), ...ofBlocks]);
}

/** Identifies the code alone: what it makes of a file is the same whatever other blocks there are. */
export function codeOf(root: string, blocks = root): Promise<string> {
  return hashOf([root, blocks], sourcesOf(root));
}

const sourcesOf = (root: string) => ['src', 'client/src'].map((folder) => path.join(root, folder));

async function hashOf(roots: readonly string[], folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const add = async (file: string) => {
    for await (const bytes of createReadStream(file)) hash.update(bytes);
  };
  // In a package, it is the lock file of whoever has installed it.
  const locks = new Set(roots.map((folder) => path.join(folder, 'package-lock.json')));
  for (const lock of [...locks].filter(existsSync)) await add(lock);
  // What is missing is told where it is read.
  for (const folder of folders.filter(existsSync)) {
    const files = await readdir(folder, { recursive: true });
    for (const file of files
      .filter((name) => /\.(?:[cm]?[jt]sx?|css|txt|csv|(?:geo)?json)$/.test(name))
      .sort()) {
      hash.update(file);
      await add(path.join(folder, file));
    }
  }
  return hash.digest('hex').slice(0, 20);
}
