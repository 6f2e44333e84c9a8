import { createHash } from 'node:crypto';
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BlockFile } from '../block/block-file.ts';
import { checkExamples } from '../block/check-examples.ts';
import { importDataset } from '../importer/import-dataset.ts';
import { loadDataBlock } from '../importer/load-blocks.ts';
import { bytesOf } from '../importer/seed-files.ts';
import { AddRefusal } from './add-refusal.ts';
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
    const file = `${name}-${sha256.slice(0, 12)}${path.extname(table.file).toLowerCase()}`;
    await rename(copy, path.join(drafted.seedData, file));
    const blockFile = path.join(drafted.functions, name, 'block.json');
    await writeFile(blockFile, blockFileText(block, file, `sha256:${sha256}`));
    await checkBlock(path.dirname(blockFile), drafted.seedData);
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

/** A block file as text, with its data file's own name and hash; what is short is on one line. */
function blockFileText(block: BlockFile, file: string, hash: string): string {
  const members = Object.entries(block).flatMap(([name, value]) =>
    name === 'file' ? Object.entries({ file, hash }) : [[name, value]],
  );
  const text = JSON.stringify(Object.fromEntries(members), undefined, 2);
  // Texts hold no line ends: JSON escapes them.
  const short = text.replace(
    /^( *)(.*)([[{])\n([^[\]{}]*?)\n *([\]}])/gm,
    (long, indent, before, opening, inner, closing) => {
      const line = inner.replace(/\n */g, ' ').trim();
      const space = opening === '{' ? ' ' : '';
      const whole = `${indent}${before}${opening}${space}${line}${space}${closing}`;
      return whole.length <= MOST_LINE ? whole : long;
    },
  );
  return `${short}\n`;
}

const MOST_LINE = 100;

/** Throws if the block would not start. */
async function checkBlock(folder: string, seedData: string): Promise<void> {
  const { block, dataset } = await loadDataBlock(folder);
  checkExamples(block);
  await importDataset(block, dataset, seedData);
}

async function sha256Of(folder: string, file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(folder, file)) hash.update(bytes);
  return hash.digest('hex');
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
