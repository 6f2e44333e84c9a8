import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** What identifies a service's parts, by hashes of all that they are made of. */
export type Build = {
  /** Of the code alone: what it makes of a file is the same whatever other blocks there are. */
  readonly code: string;
  /** Of the code and the folder of the blocks, so that no ETag outlives it. */
  readonly build: string;
};

/** Reads everything once: the hash of the code is where that of the build has begun. */
export async function buildOf(root: string, blocks = root): Promise<Build> {
  const hash = createHash('sha256');
  const add = async (file: string) => {
    for await (const bytes of createReadStream(file)) hash.update(bytes);
  };
  const addFolders = async (...folders: readonly string[]) => {
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
  };
  // In a package, it is the lock file of whoever has installed it.
  const locks = new Set([root, blocks].map((folder) => path.join(folder, 'package-lock.json')));
  for (const lock of [...locks].filter(existsSync)) await add(lock);
  await addFolders(path.join(root, 'src'), path.join(root, 'client/src'));
  const code = hash.copy().digest('hex').slice(0, 20);
  await addFolders(path.join(blocks, 'functions'), path.join(blocks, 'seed-data'));
  return { code, build: hash.digest('hex').slice(0, 20) };
}
