import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Identifies the build by a hash of all that it is made of, so that no ETag outlives it. */
export async function buildOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(path.join(root, 'package-lock.json')));
  for (const folder of ['src', 'functions', 'seed-data', 'client/src']) {
    const files = await readdir(path.join(root, folder), { recursive: true });
    for (const file of files
      .filter((name) => /\.(?:[cm]?[jt]sx?|css|txt|csv|(?:geo)?json)$/.test(name))
      .sort()) {
      hash.update(file).update(await readFile(path.join(root, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 20);
}
