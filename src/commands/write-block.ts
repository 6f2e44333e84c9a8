import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkExamples } from '../arguments/check-examples.ts';
import { aliasBeside } from '../channels/chat/command.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { bytesOf, type FileIn } from '../files/read-bytes.ts';
import { firstOf } from '../first/first-question.ts';
import type { FirstQuestion } from '../first/known-data.ts';
import {
  type ImportedDataset,
  type ImportSettings,
  importDataset,
} from '../import/import-dataset.ts';
import { type LoadedDataset, loadDataBlock } from '../import/load-blocks.ts';
import { isWithin, SCHEMA_FILE } from '../import/own-code.ts';
import { type HashOfFile, hashesOnce } from '../import/seed-files.ts';
import { badRowsFile } from '../recipe/bad-rows.ts';
import type { Draft } from '../recipe/propose.ts';
import { AddRefusal } from '../recipe/questions.ts';
import type { BlockFile } from '../recipe/recipe.ts';
import { defined } from '../values/field-type.ts';
import type { Keep } from './console.ts';
import type { OwnBlock } from './own-block.ts';
import { inDraftFolder } from './workspace.ts';

/** What was written. */
export type WrittenBlock = {
  readonly blockFile: string;
  readonly dataFile: string;
  /** The request that its page opens with. */
  readonly first: FirstQuestion;
  /** What somebody should look at. */
  readonly doubts: readonly string[];
};

/** What keeps the import for a start, and the rows if they are packed already. */
type Writing = { readonly keep?: Keep | undefined } & Pick<ImportSettings, 'rowsAhead'>;

/**
 * Writes a block into a folder of blocks, after importing it: its `block.json` below `functions/`,
 * and its data below `seed-data/` under a name with their hash. Writes both or nothing. Throws an
 * AddRefusal if the name is taken, and a SeedError if the block would not start.
 */
export async function writeBlock(
  blocks: string,
  given: FileIn,
  { name, block }: Pick<Draft, 'name' | 'block'>,
  { keep, rowsAhead }: Writing = {},
): Promise<WrittenBlock> {
  const [functions, seedData] = [path.join(blocks, 'functions'), path.join(blocks, 'seed-data')];
  await refuseTaken(blocks, name);
  return inDraftFolder(blocks, name, async (draft) => {
    const names = { ...schemaLink(blocks, name), ...(await aliasIn(functions, name, block)) };
    const drafted = await draftFiles(draft, name, { ...names, ...block }, given, rowsAhead);
    // Another command may have been quicker.
    await refuseTaken(blocks, name);
    // Synchronous, so that a signal finds all of it written, or nothing.
    mkdirSync(functions, { recursive: true });
    mkdirSync(seedData, { recursive: true });
    // The block comes last: a data file that no block names is not read.
    for (const file of drafted.files) {
      renameSync(path.join(path.dirname(drafted.dataFile), file), path.join(seedData, file));
    }
    renameSync(path.dirname(drafted.blockFile), path.join(functions, name));
    await keep?.(blocks, drafted.loaded, drafted.imported);
    return {
      blockFile: path.join(functions, name, 'block.json'),
      dataFile: path.join(seedData, drafted.file),
      first: firstOf(drafted.imported.block, drafted.imported.manifest, drafted.imported.profile),
      doubts: drafted.imported.doubts ?? [],
    };
  });
}

/** Throws an AddRefusal if a folder of blocks has a block of this name. */
export async function refuseTaken(blocks: string, name: string): Promise<void> {
  const functions = path.join(blocks, 'functions');
  const found = await stat(path.join(functions, name)).catch(() => undefined);
  if (found === undefined) return;
  throw new AddRefusal(`There is a block ${name} in ${functions}; choose another by --name`);
}

/**
 * Links the schema for editors, if its path lies within the folder and thus holds for others too.
 */
function schemaLink(blocks: string, name: string): Pick<BlockFile, '$schema'> {
  if (!isWithin(blocks, SCHEMA_FILE)) return {};
  const link = path.relative(path.join(blocks, 'functions', name), SCHEMA_FILE);
  return { $schema: link.split(path.sep).join('/') };
}

/** The alias that the block needs beside those of the folder, whose short names stay theirs. */
async function aliasIn(
  functions: string,
  name: string,
  { fields }: BlockFile,
): Promise<Pick<BlockFile, 'alias'>> {
  const others = await readdir(functions).catch(() => []);
  const ownNames = fields.map((field) => field.name);
  return defined({ alias: aliasBeside(name, others, ownNames) });
}

/** A drafted block and its data, in a separate folder. */
type DraftedFiles = {
  readonly blockFile: string;
  readonly dataFile: string;
  /**
   * The data file's name in `seed-data/`: the block's name and the beginning of the file's hash.
   */
  readonly file: string;
  readonly hash: string;
  /** The names of all new files in `seed-data/`. */
  readonly files: readonly string[];
  readonly loaded: LoadedDataset;
  readonly imported: ImportedDataset;
};

/**
 * Writes a block with a data file into a folder of blocks, and imports it there. Throws a SeedError
 * if it would not start.
 */
async function draftFiles(
  draft: string,
  name: string,
  block: BlockFile,
  { folder, file: given }: FileIn,
  rowsAhead?: ImportSettings['rowsAhead'],
): Promise<DraftedFiles> {
  const [functions, seedData] = [
    path.join(draft, 'functions', name),
    path.join(draft, 'seed-data'),
  ];
  await mkdir(functions, { recursive: true });
  await mkdir(seedData, { recursive: true });
  const part = path.join(seedData, `${name}.part`);
  const sha256 = await copyWithHash(bytesOf(folder, given), part);
  const file = `${name}-${sha256.slice(0, 12)}${path.extname(block.file).toLowerCase()}`;
  const [hash, dataFile] = [`sha256:${sha256}`, path.join(seedData, file)];
  await rename(part, dataFile);
  const blockFile = path.join(functions, 'block.json');
  const listFile = `${path.parse(file).name}.bad-rows.csv`;
  await writeFile(blockFile, blockFileText(withFiles(block, file, hash, listFile)));
  const loaded = await loadDataBlock(functions);
  checkExamples(loaded.block);
  const hashes = hashesOnce(seedData);
  const hashOfFile: HashOfFile = async (one) => (one === file ? sha256 : hashes(one));
  const settings = { hashOfFile, rowsAhead };
  const imported = await importDataset(loaded.block, loaded.dataset, seedData, DYNAMODB, settings);
  const { badRows, manifest } = imported;
  const hasList = manifest.badRows !== undefined;
  if (hasList)
    await writeFile(path.join(seedData, listFile), badRowsFile(badRows, imported.counts));
  const files = hasList ? [listFile, file] : [file];
  return { blockFile, dataFile, file, hash, files, loaded, imported };
}

/** Writes bytes to a file. Returns their SHA-256, in hex. */
async function copyWithHash(bytes: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const some of bytes) {
      hash.update(some);
      yield some;
    }
  }
  await pipeline(hashed(), createWriteStream(file));
  return hash.digest('hex');
}

/** Gives a block other data files. The members about the file follow its name. */
function withFiles(block: BlockFile, file: string, hash: string, listFile: string): BlockFile {
  const { hash: _old, boundaries, badRows, ...before } = block;
  const others =
    badRows === undefined ? before : { ...before, badRows: { ...badRows, file: listFile } };
  // A GeoJSON file may also hold the rows' shapes.
  const isSame = boundaries?.file === block.file;
  const shapes = boundaries && { boundaries: isSame ? { ...boundaries, file } : boundaries };
  const members = Object.entries({ ...others, ...shapes }).flatMap(([name, value]) =>
    name === 'file' ? Object.entries({ file, hash }) : [[name, value]],
  );
  return Object.fromEntries(members);
}

/** Writes a block file as text, with short members on one line. */
function blockFileText(block: BlockFile): string {
  const text = JSON.stringify(block, undefined, 2);
  // Texts hold no line ends, because JSON escapes them.
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

/** The width of a `block.json`, as Biome formats it. */
const MOST_LINE = 100;

/** What a block's file says about its data beside their name and hash. */
export type DeliveryFacts = { readonly rows: number; readonly date: string };

/**
 * Writes into a folder what a block would be with another file, and imports it there. Throws a
 * SeedError if it would not start.
 */
export async function draftDelivery(
  { name, file: block, seedData }: OwnBlock,
  given: FileIn,
  draft: string,
  { rows, date }: DeliveryFacts,
): Promise<DraftedFiles> {
  const { boundaries } = block;
  if (boundaries?.file !== undefined && boundaries.file !== block.file) {
    const copy = path.join(draft, 'seed-data', boundaries.file);
    await mkdir(path.dirname(copy), { recursive: true });
    await copyFile(path.join(seedData, boundaries.file), copy);
  }
  const [main, ...others] = block.sources;
  const sources = main === undefined ? [] : [{ ...main, date }, ...others];
  return draftFiles(draft, name, { ...block, rows, sources }, given);
}
