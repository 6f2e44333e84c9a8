import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetBlock } from '../block/block.ts';
import { readBlockFile } from '../import/read-block-file.ts';
import { AddRefusal } from '../recipe/questions.ts';
import type { BlockFile } from '../recipe/recipe.ts';
import { nearName } from '../text/near-name.ts';

/** A data block in a folder of blocks. */
export type OwnBlock = {
  /** The folder of blocks. */
  readonly blocks: string;
  readonly name: string;
  /** The path of its `block.json`. */
  readonly path: string;
  readonly file: BlockFile;
  readonly block: DatasetBlock;
  readonly seedData: string;
};

/**
 * Reads the block of this name. Throws an AddRefusal if there is none, and a SeedError if its file
 * is wrong.
 */
export async function readOwnBlock(blocks: string, name: string): Promise<OwnBlock> {
  const functions = path.join(blocks, 'functions');
  const folder = path.join(functions, name);
  const blockFile = path.join(folder, 'block.json');
  const names = await ownNames(blocks);
  if (!names.includes(name)) {
    const near = nearName(name, names);
    const fix = near === undefined ? `there are ${names.join(', ') || 'none'}` : `try ${near}`;
    throw new AddRefusal(`There is no data block ${JSON.stringify(name)} in ${functions}; ${fix}`);
  }
  const text = await readFile(blockFile, 'utf8');
  const { file, block } = readBlockFile(text, `functions/${name}/block.json`, name);
  const seedData = path.join(blocks, 'seed-data');
  return { blocks, name, path: blockFile, file, block, seedData };
}

/** The names of the data blocks in a folder of blocks. */
export async function ownNames(blocks: string): Promise<string[]> {
  const functions = path.join(blocks, 'functions');
  const names = existsSync(functions) ? await readdir(functions) : [];
  return names.filter((name) => existsSync(path.join(functions, name, 'block.json'))).sort();
}
