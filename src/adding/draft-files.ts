import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkExamples } from '../arguments/arguments.ts';
import type { BlockFile } from '../block/block-file.ts';
import { importDataset } from '../importer/import-dataset.ts';
import { loadDataBlock } from '../importer/load-blocks.ts';
import { sha256Of } from '../importer/seed-files.ts';
import { blockFileText, withFile } from './block-file-text.ts';
import type { GivenFile } from './check-writing.ts';

/** A block and its data, in a folder of their own. */
export type DraftedFiles = {
  readonly blockFile: string;
  readonly dataFile: string;
  /** The data file's name in `seed-data/`: the block's, with the beginning of the file's hash. */
  readonly file: string;
  readonly hash: string;
};

/**
 * Writes a block with a data file into a folder of blocks, and imports it there. Throws a SeedError
 * if it would not start.
 */
export async function draftFiles(
  draft: string,
  name: string,
  block: BlockFile,
  { folder, file: given }: GivenFile,
): Promise<DraftedFiles> {
  const [functions, seedData] = [
    path.join(draft, 'functions', name),
    path.join(draft, 'seed-data'),
  ];
  await mkdir(functions, { recursive: true });
  await mkdir(seedData, { recursive: true });
  const sha256 = await sha256Of(folder, given);
  const file = `${name}-${sha256.slice(0, 12)}${path.extname(block.file).toLowerCase()}`;
  const [hash, dataFile] = [`sha256:${sha256}`, path.join(seedData, file)];
  await copyFile(path.join(folder, given), dataFile);
  const blockFile = path.join(functions, 'block.json');
  await writeFile(blockFile, blockFileText(withFile(block, file, hash)));
  const { block: loaded, dataset } = await loadDataBlock(functions);
  checkExamples(loaded);
  await importDataset(loaded, dataset, seedData);
  return { blockFile, dataFile, file, hash };
}
