import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { GivenFile } from './check-writing.ts';
import { type DraftedFiles, draftFiles } from './draft-files.ts';
import type { OwnBlock } from './own-block.ts';

/** What a block's file says of its data beside their name and hash. */
export type DeliveryFacts = { readonly rows: number; readonly date: string };

/**
 * Writes what a block would be with another file into a folder, and imports it there. Throws a
 * SeedError if it would not start.
 */
export async function draftDelivery(
  { name, file: block, seedData }: OwnBlock,
  given: GivenFile,
  draft: string,
  { rows, date }: DeliveryFacts,
): Promise<DraftedFiles> {
  const { boundaries } = block;
  if (boundaries !== undefined && boundaries.file !== block.file) {
    const copy = path.join(draft, 'seed-data', boundaries.file);
    await mkdir(path.dirname(copy), { recursive: true });
    await copyFile(path.join(seedData, boundaries.file), copy);
  }
  const [main, ...others] = block.sources;
  const sources = main === undefined ? [] : [{ ...main, date }, ...others];
  return draftFiles(draft, name, { ...block, rows, sources }, given);
}
