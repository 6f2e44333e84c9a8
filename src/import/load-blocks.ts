import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ARGUMENT_SCHEMA, argumentSchema } from '../block/argument-schema.ts';
import {
  type Block,
  checkAddresses,
  type DatasetBlock,
  type DatasetDeclaration,
  type ValueBlock,
} from '../block/block.ts';
import type { CreateRun } from '../query/compute-value.ts';
import { importSource } from './import-source.ts';
import { readBlockFile } from './read-block-file.ts';
import type { DatasetSource, ToRows } from './seed-files.ts';

/**
 * The content of a block's folder: a dataset and its source, or a function that computes a value.
 */
export type LoadedBlock =
  | LoadedDataset
  | {
      readonly kind: 'value';
      readonly block: ValueBlock;
      readonly createRun: CreateRun;
      /** Files and folders below `seed-data/` that runs need. */
      readonly seedFiles?: readonly string[];
      /** Changes the shipped copy of the seed files, so that the function starts sooner. */
      readonly prepareSeedData?: (seedData: string) => void;
      /** Throws a SeedError if a file that runs need is damaged. */
      readonly checkSeedData?: (seedData: string) => void;
    };

export type LoadedDataset = {
  readonly kind: 'dataset';
  readonly block: DatasetBlock;
  /** The declaration that the block is made from. Its function gets it as JSON. */
  readonly declared: DatasetDeclaration;
  readonly dataset: DatasetSource;
};

/**
 * Reads every block's folder, ordered by name. Throws if one is incomplete, or has a `schema.json` of
 * another declaration: `makesSchemas` is for the command that writes these files.
 */
export async function loadBlocks(functions: string, makesSchemas = false): Promise<LoadedBlock[]> {
  const entries = await readdir(functions, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const loaded: LoadedBlock[] = [];
  // One at a time: Jest cannot link two modules at once if both import others for the first time.
  for (const name of folders.sort()) loaded.push(await loadBlock(functions, name));
  if (!makesSchemas) {
    for (const { block } of loaded) await checkSchemaFile(path.join(functions, block.name), block);
  }
  checkAddresses(loaded.map(({ block }) => block));
  return loaded;
}

/** The file that makes a folder a data block. `rows.ts` beside it may make the rows. */
const BLOCK_FILE = 'block.json';
const ROWS = 'rows.ts';

async function loadBlock(functions: string, name: string): Promise<LoadedBlock> {
  const folder = path.join(functions, name);
  if (existsSync(path.join(folder, BLOCK_FILE))) return loadDataBlock(folder);
  const { block } = (await load(folder, 'block.ts')) as { block: ValueBlock };
  if (block?.name !== name) {
    throw new Error(`functions/${name}/block.ts must export a block whose name is ${name}.`);
  }
  const run = (await load(folder, 'run.ts')) as Omit<LoadedBlock & { kind: 'value' }, 'block'>;
  return { ...run, kind: 'value', block };
}

/**
 * A block's `schema.json` is what its arguments are checked by: one that is not of its declaration
 * would promise something else. A block may have none; it is made by the same code then.
 */
async function checkSchemaFile(folder: string, block: Block): Promise<void> {
  const file = path.join(folder, ARGUMENT_SCHEMA);
  if (!existsSync(file)) return;
  const written = JSON.parse(await readFile(file, 'utf8'));
  if (isDeepStrictEqual(written, argumentSchema(block))) return;
  throw new Error(
    `functions/${block.name}/${ARGUMENT_SCHEMA} is not the schema of this block; npm run generate writes it, and without the file it is made at the start.`,
  );
}

/** Reads the folder of a data block. */
export async function loadDataBlock(folder: string): Promise<LoadedDataset> {
  const name = path.basename(folder);
  const text = await readFile(path.join(folder, BLOCK_FILE), 'utf8');
  const { file, declared, block } = readBlockFile(text, `functions/${name}/${BLOCK_FILE}`, name);
  if (!existsSync(path.join(folder, ROWS))) {
    return { kind: 'dataset', block, declared, dataset: file };
  }
  const { toRows } = (await load(folder, ROWS)) as { toRows?: ToRows };
  if (toRows === undefined) throw new Error(`functions/${name}/${ROWS} must export toRows.`);
  const ownRows: ToRows = (rows, from) => {
    try {
      return toRows(rows, from);
    } catch (error) {
      throw ofBlocksCode(folder, ROWS, error);
    }
  };
  return { kind: 'dataset', block, declared, dataset: { ...file, toRows: ownRows } };
}

async function load(folder: string, file: string): Promise<unknown> {
  const whole = path.join(folder, file);
  if (!existsSync(whole)) {
    const which = file === 'block.ts' ? `${BLOCK_FILE}, or block.ts,` : file;
    throw new Error(`functions/${path.basename(folder)}/${which} is missing.`);
  }
  return importSource(whole).catch((error) => {
    throw ofBlocksCode(folder, file, error);
  });
}

/** Names the file if a block's code throws a TypeError and the like, which is not our fault. */
function ofBlocksCode(folder: string, file: string, error: unknown): unknown {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  // An Error thrown on purpose says what is wrong. Its class may be a bundled copy of ours.
  if (name === 'Error') return error;
  return new Error(`functions/${path.basename(folder)}/${file}: ${message}`, { cause: error });
}
