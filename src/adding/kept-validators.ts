import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sendable, type Validators } from '../fetching/validators.ts';
import type { OwnBlock } from './own-block.ts';

/** What a server said of a block's file when it was fetched; nothing if the block is another since. */
export async function readValidators(blocks: string, own: OwnBlock): Promise<Validators> {
  const { file, hash, downloadUrl } = own.file;
  if (hash === undefined || !existsSync(path.join(own.seedData, file))) return {};
  try {
    const kept = JSON.parse(await readFile(fileOf(blocks, own), 'utf8'));
    return kept.hash === hash && kept.downloadUrl === downloadUrl ? sendable(kept) : {};
  } catch {
    // None were kept, or the file is damaged: then all of it is fetched.
    return {};
  }
}

export async function keepValidators(
  blocks: string,
  own: OwnBlock,
  hash: string,
  { etag, lastModified }: Validators,
): Promise<void> {
  const kept = fileOf(blocks, own);
  await mkdir(path.dirname(kept), { recursive: true });
  const { downloadUrl } = own.file;
  await writeFile(kept, JSON.stringify({ downloadUrl, hash, etag, lastModified }));
}

function fileOf(blocks: string, { name }: OwnBlock): string {
  return path.join(blocks, '.blockyard', 'fetched', `${name}.json`);
}
