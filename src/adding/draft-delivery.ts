import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256Of } from '../importer/seed-files.ts';
import { blockFileText, withFile } from './block-file-text.ts';
import type { GivenFile } from './check-writing.ts';
import type { OwnBlock } from './own-block.ts';
import { dataFileName, tryImport } from './write-block.ts';

/** A block with another file, in a folder of its own. */
export type DraftedDelivery = {
  readonly blockFile: string;
  readonly dataFile: string;
  /** The data file's name in `seed-data/`. */
  readonly file: string;
  readonly hash: string;
};

/** What a block's file says of its data beside their name and hash. */
export type DeliveryFacts = { readonly rows: number; readonly date: string };

/**
 * Writes what a block would be with another file into a folder, and imports it there. Throws a
 * SeedError if it would not start.
 */
export async function draftDelivery(
  { name, file: block, seedData }: OwnBlock,
  { folder, file: given }: GivenFile,
  draft: string,
  { rows, date }: DeliveryFacts,
): Promise<DraftedDelivery> {
  const [functions, drafted] = [path.join(draft, 'functions', name), path.join(draft, 'seed-data')];
  await mkdir(functions, { recursive: true });
  await mkdir(drafted, { recursive: true });
  const sha256 = await sha256Of(folder, given);
  const file = dataFileName(name, sha256, block.file);
  const [hash, dataFile] = [`sha256:${sha256}`, path.join(drafted, file)];
  await copyFile(path.join(folder, given), dataFile);
  const { boundaries } = block;
  if (boundaries !== undefined && boundaries.file !== block.file) {
    const copy = path.join(drafted, boundaries.file);
    await mkdir(path.dirname(copy), { recursive: true });
    await copyFile(path.join(seedData, boundaries.file), copy);
  }
  const [main, ...others] = block.sources;
  const sources = main === undefined ? [] : [{ ...main, date }, ...others];
  const blockFile = path.join(functions, 'block.json');
  await writeFile(blockFile, blockFileText({ ...withFile(block, file, hash), rows, sources }));
  await tryImport(functions, drafted);
  return { blockFile, dataFile, file, hash };
}
