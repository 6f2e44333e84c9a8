import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Block, checkAddresses, type DatasetBlock } from '../block/block.ts';
import type { CreateRun } from '../query/run-value.ts';
import type { DatasetSource } from './dataset-source.ts';

/**
 * The content of a block's folder: a dataset and its source, or a function that computes a value.
 */
export type LoadedBlock =
  | { readonly kind: 'dataset'; readonly block: DatasetBlock; readonly dataset: DatasetSource }
  | {
      readonly kind: 'value';
      readonly block: Block;
      readonly createRun: CreateRun;
      /** Files and folders below `seed-data/` that runs need. */
      readonly seedFiles?: readonly string[];
      /** Changes the shipped copy of the seed files so that the function starts sooner. */
      readonly prepareSeedData?: (seedData: string) => void;
      /** Throws a SeedError if a file that runs need is damaged. */
      readonly checkSeedData?: (seedData: string) => void;
    };

/** Reads every block's folder, ordered by name. Throws if one is incomplete. */
export async function loadBlocks(functions: string): Promise<LoadedBlock[]> {
  const entries = await readdir(functions, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const loaded: LoadedBlock[] = [];
  // One at a time: Jest cannot link two modules at once that both import others for the first time.
  for (const name of folders.sort()) loaded.push(await loadBlock(functions, name));
  checkAddresses(loaded.map(({ block }) => block));
  return loaded;
}

/** The files that a block's folder must have; a test reports a missing one. */
export const BLOCK_FILES = ['block.ts', 'handler.ts', 'README.md'];

async function loadBlock(functions: string, name: string): Promise<LoadedBlock> {
  const folder = path.join(functions, name);
  const { block } = (await load(folder, 'block.ts')) as { block: Block };
  if (block?.name !== name) {
    throw new TypeError(`functions/${name}/block.ts must export a block whose name is ${name}.`);
  }
  if (block.answers === 'rows') {
    const { dataset } = (await load(folder, 'dataset.ts')) as { dataset: DatasetSource };
    return { kind: 'dataset', block: block as DatasetBlock, dataset };
  }
  const run = (await load(folder, 'run.ts')) as Omit<LoadedBlock & { kind: 'value' }, 'block'>;
  return { ...run, kind: 'value', block };
}

async function load(folder: string, file: string): Promise<unknown> {
  const whole = path.join(folder, file);
  if (!existsSync(whole)) {
    throw new TypeError(`functions/${path.basename(folder)}/${file} is missing.`);
  }
  return import(pathToFileURL(whole).href);
}
