import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { GivenFile } from './check-writing.ts';
import { type DeliveryFacts, draftDelivery } from './draft-delivery.ts';
import type { OwnBlock } from './own-block.ts';
import { inDraftFolder } from './own-folder.ts';

/**
 * Makes a file a block's data. Renaming `block.json` commits: whenever this is cut off, the block is
 * the old or the new one. Throws a SeedError if the new one would not start. Returns its hash.
 */
export async function takeOver(
  blocks: string,
  own: OwnBlock,
  given: GivenFile,
  facts: DeliveryFacts,
): Promise<string> {
  try {
    await removeLeftovers(blocks, own);
    return await inDraftFolder(blocks, own.name, async (draft) => {
      const { blockFile, dataFile, file, hash } = await draftDelivery(own, given, draft, facts);
      await rename(dataFile, path.join(own.seedData, file));
      await rename(blockFile, own.path);
      return hash;
    });
  } finally {
    await removeLeftovers(blocks, own);
  }
}

/** Removes a block's data files that no block names any longer, also of earlier runs. */
export async function removeLeftovers(blocks: string, own: OwnBlock): Promise<void> {
  const { name, file, seedData } = own;
  const isKept = new RegExp(`^${name}-[0-9a-f]{12}(?:\\.[a-z0-9]+)?$`);
  const kept = (await readdir(seedData)).filter((one) => isKept.test(one));
  const texts = await sourcesOf(path.join(blocks, 'functions'));
  for (const one of new Set([file.file, ...kept])) {
    if (texts.some((text) => text.includes(one))) continue;
    await rm(path.join(seedData, one), { force: true });
  }
}

/** All that may name a data file: what stands in the blocks' folders. */
async function sourcesOf(functions: string): Promise<string[]> {
  const entries = await readdir(functions, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(?:json|[jt]sx?)$/.test(entry.name));
  return Promise.all(
    files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')),
  );
}
