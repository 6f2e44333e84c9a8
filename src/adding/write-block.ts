import { mkdirSync, renameSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { BlockFile } from '../block/block-file.ts';
import { isWithin, SCHEMA_FILE } from '../package/own-code.ts';
import { AddRefusal } from './add-refusal.ts';
import type { GivenFile } from './check-writing.ts';
import type { Draft } from './draft-block.ts';
import { draftFiles } from './draft-files.ts';
import { inDraftFolder } from './own-folder.ts';

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
  await refuseTaken(blocks, name);
  return inDraftFolder(blocks, name, async (draft) => {
    const drafted = await draftFiles(draft, name, { ...schemaLink(blocks, name), ...block }, given);
    // Perhaps another command has been quicker.
    await refuseTaken(blocks, name);
    // At once, so that a signal finds all of it written, or nothing.
    mkdirSync(functions, { recursive: true });
    mkdirSync(seedData, { recursive: true });
    // The block last: a data file that no block names is not read.
    renameSync(drafted.dataFile, path.join(seedData, drafted.file));
    renameSync(path.dirname(drafted.blockFile), path.join(functions, name));
    return {
      blockFile: path.join(functions, name, 'block.json'),
      dataFile: path.join(seedData, drafted.file),
    };
  });
}

/** Throws an AddRefusal if a folder of blocks has one of this name. */
export async function refuseTaken(blocks: string, name: string): Promise<void> {
  const functions = path.join(blocks, 'functions');
  const found = await stat(path.join(functions, name)).catch(() => undefined);
  if (found === undefined) return;
  throw new AddRefusal(`There is a block ${name} in ${functions}; choose another by --name`);
}

/** Where editors find the schema, if that is a path within the folder, as it is for others too. */
function schemaLink(blocks: string, name: string): Pick<BlockFile, '$schema'> {
  if (!isWithin(blocks, SCHEMA_FILE)) return {};
  const link = path.relative(path.join(blocks, 'functions', name), SCHEMA_FILE);
  return { $schema: link.split(path.sep).join('/') };
}
