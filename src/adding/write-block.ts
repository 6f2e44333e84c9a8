import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkExamples } from '../block/check-examples.ts';
import { importDataset } from '../importer/import-dataset.ts';
import { loadDataBlock } from '../importer/load-blocks.ts';
import { sha256Of } from '../importer/seed-files.ts';
import { AddRefusal } from './add-refusal.ts';
import { blockFileText, withFile } from './block-file-text.ts';
import type { Draft } from './draft-block.ts';
import type { OpenedFile } from './open-file.ts';

/** What was written. */
export type WrittenBlock = { readonly blockFile: string; readonly dataFile: string };

/**
 * Writes a block into a folder of blocks: its `block.json` below `functions/`, its data below
 * `seed-data/` under a name with their hash; both, or nothing. It is imported before. Throws an
 * AddRefusal if the name is taken, a SeedError if the block would not start.
 */
export async function writeBlock(
  blocks: string,
  { folder, table }: OpenedFile,
  { name, block }: Draft,
): Promise<WrittenBlock> {
  const [functions, seedData] = [path.join(blocks, 'functions'), path.join(blocks, 'seed-data')];
  if (await exists(path.join(functions, name))) {
    throw new AddRefusal(`There is a block ${name} in ${functions}; choose another by --name`);
  }
  // In the same folder, so that what is renamed is neither copied nor cut off half way.
  const draft = path.join(blocks, `.${name}.draft`);
  const drafted = {
    functions: path.join(draft, 'functions'),
    seedData: path.join(draft, 'seed-data'),
  };
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(path.join(drafted.functions, name), { recursive: true });
    await mkdir(drafted.seedData, { recursive: true });
    const copy = path.join(drafted.seedData, table.file);
    await copyFile(path.join(folder, table.file), copy);
    const sha256 = await sha256Of(drafted.seedData, table.file);
    const file = dataFileName(name, sha256, table.file);
    await rename(copy, path.join(drafted.seedData, file));
    const blockFile = path.join(drafted.functions, name, 'block.json');
    await writeFile(blockFile, blockFileText(withFile(block, file, `sha256:${sha256}`)));
    await tryImport(path.dirname(blockFile), drafted.seedData);
    await mkdir(functions, { recursive: true });
    await mkdir(seedData, { recursive: true });
    // The block last: a data file that no block names is not read.
    await rename(path.join(drafted.seedData, file), path.join(seedData, file));
    await rename(path.join(drafted.functions, name), path.join(functions, name));
    return {
      blockFile: path.join(functions, name, 'block.json'),
      dataFile: path.join(seedData, file),
    };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A data file's name in `seed-data/`: the block's, with the beginning of the file's hash. */
export function dataFileName(name: string, sha256: string, file: string): string {
  return `${name}-${sha256.slice(0, 12)}${path.extname(file).toLowerCase()}`;
}

/** Throws a SeedError if the block in a folder would not start with its data in another. */
export async function tryImport(folder: string, seedData: string): Promise<void> {
  const { block, dataset } = await loadDataBlock(folder);
  checkExamples(block);
  await importDataset(block, dataset, seedData);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
