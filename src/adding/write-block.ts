import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BlockFile } from '../block/block-file.ts';
import { isWithin, SCHEMA_FILE } from '../package/own-code.ts';
import { AddRefusal } from './add-refusal.ts';
import type { GivenFile } from './check-writing.ts';
import type { Draft } from './draft-block.ts';
import { draftFiles } from './draft-files.ts';

/** What was written. */
export type WrittenBlock = { readonly blockFile: string; readonly dataFile: string };

/**
 * Writes a block into a folder of blocks: its `block.json` below `functions/`, its data below
 * `seed-data/` under a name with their hash; both, or nothing. It is imported before. Throws an
 * AddRefusal if the name is taken, a SeedError if the block would not start.
 */
export async function writeBlock(
  blocks: string,
  given: GivenFile,
  { name, block }: Pick<Draft, 'name' | 'block'>,
): Promise<WrittenBlock> {
  const [functions, seedData] = [path.join(blocks, 'functions'), path.join(blocks, 'seed-data')];
  if (await exists(path.join(functions, name))) {
    throw new AddRefusal(`There is a block ${name} in ${functions}; choose another by --name`);
  }
  // In the same folder, so that what is renamed is neither copied nor cut off half way.
  const draft = path.join(blocks, `.${name}.draft`);
  try {
    await rm(draft, { recursive: true, force: true });
    const drafted = await draftFiles(draft, name, { ...schemaLink(blocks, name), ...block }, given);
    await mkdir(functions, { recursive: true });
    await mkdir(seedData, { recursive: true });
    // The block last: a data file that no block names is not read.
    await rename(drafted.dataFile, path.join(seedData, drafted.file));
    await rename(path.dirname(drafted.blockFile), path.join(functions, name));
    return {
      blockFile: path.join(functions, name, 'block.json'),
      dataFile: path.join(seedData, drafted.file),
    };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Where editors find the schema, if that is a path within the folder, as it is for others too. */
function schemaLink(blocks: string, name: string): Pick<BlockFile, '$schema'> {
  if (!isWithin(blocks, SCHEMA_FILE)) return {};
  const link = path.relative(path.join(blocks, 'functions', name), SCHEMA_FILE);
  return { $schema: link.split(path.sep).join('/') };
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
