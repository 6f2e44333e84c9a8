import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sendable, type Validators } from '../fetch/fetch-answer.ts';
import type { FileIn } from '../files/read-bytes.ts';
import { SeedError } from '../files/source-table.ts';
import { BLOCKS_USAGE } from '../import/own-code.ts';
import { sha256Of } from '../import/seed-files.ts';
import { AddRefusal } from '../recipe/questions.ts';
import { numberText } from '../text/wording.ts';
import { answerLine, readBlockOptions } from './block-options.ts';
import { reportCheck, reportFigures, unpacked } from './check-command.ts';
import { type Console, EXIT, isForUser, type Setup } from './console.ts';
import { type GivenFile, givenFile } from './download.ts';
import { type OwnBlock, ownNames, readOwnBlock } from './own-block.ts';
import { inDraftFolder, inTemporaryFolder, removeLeftBehind } from './workspace.ts';
import { type DeliveryFacts, draftDelivery } from './write-block.ts';

/** `blockyard refresh`: fetches the next file of a block, or of all. Returns the exit code. */
export async function runRefresh(
  args: readonly string[],
  console: Console,
  setup: Setup,
): Promise<number> {
  const line = readBlockOptions(args, { least: 0, most: 2, more: ['file'] });
  const answered = answerLine(line, USAGE, console);
  if (answered !== undefined) return answered;
  const { words, blocks = setup.blocks, texts } = line;
  const folder = path.resolve(blocks);
  const [name, file] = words;
  await removeLeftBehind(folder);
  const codes: number[] = [];
  // If one block fails, the others are still refreshed.
  for (const blockName of name === undefined ? await ownNames(folder) : [name]) {
    try {
      const own = await readOwnBlock(folder, blockName);
      const from = file ?? own.file.downloadUrl;
      if (from !== undefined) codes.push(await refreshOne(own, from, console, setup, texts.file));
      else if (name !== undefined) {
        const reason = 'its block.json has no "downloadUrl", the https address of its file';
        throw new AddRefusal(`${reason}; name the file behind the block`);
      }
    } catch (error) {
      if (!isForUser(error)) throw error;
      console.err(`${blockName} stays as it was: ${error.message}`);
      codes.push(EXIT.refused);
    }
  }
  if (codes.length > 0) return Math.max(...codes);
  console.err(`No block in ${folder} has a "downloadUrl", the https address of its file`);
  return EXIT.refused;
}

/** A block's next file, unpacked. */
type NextFile = GivenFile & { readonly sha256: string };

/** Finds the next file. Undefined if the server says that the block has it already. */
async function nextFile(
  own: OwnBlock,
  from: string,
  downloads: string,
  console: Console,
  setup: Setup,
  named: string | undefined,
): Promise<NextFile | undefined> {
  const earlier = from === own.file.downloadUrl ? await readValidators(own) : {};
  const given = await givenFile(from, downloads, console, setup, earlier);
  if (given === undefined) return undefined;
  const { folder, file } = await unpacked(given, downloads, own, named);
  return { ...given, folder, file, sha256: await sha256Of(folder, file) };
}

function refreshOne(
  own: OwnBlock,
  from: string,
  console: Console,
  setup: Setup,
  named?: string,
): Promise<number> {
  const { name, file: block, seedData } = own;
  const { out, err } = console;
  return inTemporaryFolder(async (downloads) => {
    const next = await nextFile(own, from, downloads, console, setup, named);
    const before = block.hash ?? `sha256:${await sha256Of(seedData, block.file)}`;
    const { fetched } = next ?? {};
    // Validators are kept for the block's own address alone.
    const isOwn = from === block.downloadUrl;
    if (next === undefined || `sha256:${next.sha256}` === before) {
      if (fetched && isOwn) await keepValidators(own, before, fetched);
      await removeLeftovers(own);
      out(`${name}: unchanged`);
      return EXIT.done;
    }
    out(`${name}: a new file`);
    const isUnfit = await reportCheck(own, next, console, async ({ rows }, checked) => {
      if (fetched?.isEndKnown === false && rows.gone > 0) {
        const reason = `${numberText(rows.gone)} rows are gone, and the server does not say where its file ends: this may be a part`;
        throw new SeedError(next.file, reason);
      }
      const facts = { rows: rows.after, date: dayOf(fetched?.lastModified) };
      const hash = await takeOver(checked, next, facts, setup.keep, console);
      if (fetched && isOwn) await keepValidators(own, hash, fetched);
    });
    if (isUnfit) {
      err(`${name} stays as it was; edit its block.json, or remove the block and add it anew`);
      return EXIT.unfit;
    }
    out(`${name}: taken over`);
    return EXIT.done;
  });
}

/** The day that a server gives for a file, or else today. */
function dayOf(lastModified: string | undefined): string {
  const said = new Date(lastModified ?? Number.NaN);
  const day = Number.isNaN(said.getTime()) ? new Date() : said;
  return day.toISOString().slice(0, 10);
}

const USAGE = `npx blockyard refresh [BLOCK [FILE]]
Takes over a block's next file, if it fits as check finds it, or leaves all as it was. Without FILE,
it is fetched from the block's "downloadUrl", which add writes. Without BLOCK: every block with such
an address.

  FILE              a path or an https address
  --file NAME       the one that is meant in a zip archive of several
  --blocks FOLDER   ${BLOCKS_USAGE}

It ends with 0 if each block is fresh, 3 if a file does not fit, 1 if one cannot be fetched.`;

/** Reads the validators of a block's last fetch. Empty if the block has changed since. */
async function readValidators(own: OwnBlock): Promise<Validators> {
  const { file, hash, downloadUrl } = own.file;
  if (hash === undefined || !existsSync(path.join(own.seedData, file))) return {};
  try {
    const kept = JSON.parse(await readFile(fileOf(own), 'utf8'));
    return kept.hash === hash && kept.downloadUrl === downloadUrl ? sendable(kept) : {};
  } catch {
    // None were kept, or their file is damaged: then the whole file is fetched.
    return {};
  }
}

async function keepValidators(
  own: OwnBlock,
  hash: string,
  { etag, lastModified }: Validators,
): Promise<void> {
  const kept = fileOf(own);
  await mkdir(path.dirname(kept), { recursive: true });
  const { downloadUrl } = own.file;
  await writeFile(kept, JSON.stringify({ downloadUrl, hash, etag, lastModified }));
}

function fileOf({ blocks, name }: OwnBlock): string {
  return path.join(blocks, '.blockyard', 'fetched', `${name}.json`);
}

/**
 * Makes a file a block's data. Renaming `block.json` commits: if this is cut off at any point, the
 * block is either the old or the new one. Throws a SeedError if the new one would not start.
 * Returns the new file's hash.
 */
async function takeOver(
  own: OwnBlock,
  given: FileIn,
  facts: DeliveryFacts,
  keep: Setup['keep'],
  console: Console,
): Promise<string> {
  const { blocks, name } = own;
  try {
    await removeLeftovers(own);
    return await inDraftFolder(blocks, name, async (draft) => {
      const drafted = await draftDelivery(own, given, draft, facts);
      const { blockFile, dataFile, files, hash, loaded, imported } = drafted;
      for (const file of files) {
        await rename(path.join(path.dirname(dataFile), file), path.join(own.seedData, file));
      }
      await rename(blockFile, own.path);
      await keep?.(blocks, loaded, imported);
      await reportFigures(imported, console);
      return hash;
    });
  } finally {
    await removeLeftovers(own);
  }
}

/** Removes a block's data files that no block names any more, including those of earlier runs. */
async function removeLeftovers({ blocks, name, file, seedData }: OwnBlock): Promise<void> {
  const isKept = new RegExp(`^${name}-[0-9a-f]{12}(?:\\.bad-rows)?(?:\\.[a-z0-9]+)?$`);
  const kept = (await readdir(seedData)).filter((dataFile) => isKept.test(dataFile));
  const texts = await sourcesOf(path.join(blocks, 'functions'));
  for (const dataFile of new Set([file.file, ...kept])) {
    if (texts.some((text) => text.includes(dataFile))) continue;
    await rm(path.join(seedData, dataFile), { force: true });
  }
}

/** Reads all texts that may name a data file: those in the blocks' folders. */
async function sourcesOf(functions: string): Promise<string[]> {
  const entries = await readdir(functions, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(?:json|[jt]sx?)$/.test(entry.name));
  return Promise.all(
    files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')),
  );
}
