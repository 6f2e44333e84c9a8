import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A folder of blocks: `functions/` with a folder for each, and `seed-data/` with their files. */
export type BlocksFolder = string;

/** A block that is to be written. */
export type NewBlock = {
  readonly name: string;
  /** The content of its `block.json`, as it is written. */
  readonly json: string;
  /** Its data, and the name under which `seed-data/` keeps them. */
  readonly data: { readonly from: string; readonly file: string };
};

/**
 * Writes a block's folder and its data file: both, or neither. `check` gets the folder of a block
 * that is written but not yet in place, and throws if it would not work. Throws if the name is taken.
 */
export async function writeBlock(
  blocks: BlocksFolder,
  { name, json, data }: NewBlock,
  check: (blocks: BlocksFolder) => Promise<void>,
): Promise<{ readonly block: string; readonly file: string }> {
  const block = path.join(blocks, 'functions', name);
  const file = path.join(blocks, 'seed-data', data.file);
  if (await exists(block)) {
    throw new Error(`There is a block ${name} already (${block}); choose another --name.`);
  }
  // In the same folder, so that renaming neither copies nor fails half way.
  const draft = path.join(blocks, `.${name}.draft`);
  const drafted = {
    block: path.join(draft, 'functions', name),
    file: path.join(draft, 'seed-data', data.file),
  };
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(drafted.block, { recursive: true });
    await mkdir(path.dirname(drafted.file), { recursive: true });
    await copyFile(data.from, drafted.file);
    await writeFile(path.join(drafted.block, 'block.json'), json);
    await check(draft);
    await mkdir(path.dirname(block), { recursive: true });
    await mkdir(path.dirname(file), { recursive: true });
    // The block last: a data file without a block is not served.
    await rename(drafted.file, file);
    await rename(drafted.block, block);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { block, file };
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
