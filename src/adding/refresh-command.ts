import path from 'node:path';
import { sha256Of } from '../importer/seed-files.ts';
import { BLOCKS_USAGE } from '../package/own-code.ts';
import { SeedError } from '../readers/seed-error.ts';
import { numberText } from '../values/wording.ts';
import { AddRefusal } from './add-refusal.ts';
import { reportCheck } from './check-command.ts';
import { download } from './download.ts';
import { keepValidators, readValidators } from './kept-validators.ts';
import { type OwnBlock, ownNames, readOwnBlock } from './own-block.ts';
import { inTemporaryFolder, removeLeftBehind } from './own-folder.ts';
import { answerLine, readBlockOptions } from './read-block-options.ts';
import { removeLeftovers, takeOver } from './take-over.ts';
import { EXIT, isForUser, type Place, type Terminal } from './terminal.ts';

/** `blockyard refresh`: fetches the next file of a block, or of all. Returns the exit code. */
export async function runRefresh(
  args: readonly string[],
  terminal: Terminal,
  place: Place,
): Promise<number> {
  const line = readBlockOptions(args, { least: 0, most: 1 });
  const answered = answerLine(line, USAGE, terminal);
  if (answered !== undefined) return answered;
  const { words, blocks = place.blocks } = line;
  const folder = path.resolve(blocks);
  const [name] = words;
  await removeLeftBehind(folder);
  const codes: number[] = [];
  // One that fails keeps no other from being fresh.
  for (const one of name === undefined ? await ownNames(folder) : [name]) {
    try {
      const own = await readOwnBlock(folder, one);
      if (own.file.downloadUrl !== undefined) {
        const { downloadUrl } = own.file;
        codes.push(
          await inTemporaryFolder((downloads) =>
            refreshOne({ blocks: folder, own, downloadUrl, downloads }, terminal, place),
          ),
        );
      } else if (name !== undefined) {
        throw new AddRefusal('its block.json has no "downloadUrl", the https address of its file');
      }
    } catch (error) {
      if (!isForUser(error)) throw error;
      terminal.err(`${one} stays as it was: ${error.message}`);
      codes.push(EXIT.refused);
    }
  }
  if (codes.length > 0) return Math.max(...codes);
  terminal.err(`No block in ${folder} has a "downloadUrl", the https address of its file`);
  return EXIT.refused;
}

type Refreshed = {
  readonly blocks: string;
  readonly own: OwnBlock;
  readonly downloadUrl: string;
  /** Where the file is fetched to. */
  readonly downloads: string;
};

async function refreshOne(
  { blocks, own, downloadUrl, downloads }: Refreshed,
  terminal: Terminal,
  place: Place,
): Promise<number> {
  const { name, file: block, seedData } = own;
  const { out, err } = terminal;
  const earlier = await readValidators(blocks, own);
  const fetched = await download(downloadUrl, downloads, terminal, place, earlier);
  const before = block.hash ?? `sha256:${await sha256Of(seedData, block.file)}`;
  if (fetched === undefined || `sha256:${fetched.sha256}` === before) {
    if (fetched !== undefined) await keepValidators(blocks, own, before, fetched);
    await removeLeftovers(blocks, own);
    out(`${name}: unchanged`);
    return EXIT.done;
  }
  out(`${name}: a new file`);
  const given = { folder: downloads, file: path.basename(fetched.path) };
  const isUnfit = await reportCheck(own, given, terminal, async ({ rows }, next) => {
    if (!fetched.isEndKnown && rows.gone > 0) {
      const reason = `${numberText(rows.gone)} rows are gone, and the server does not say where its file ends: this may be a part`;
      throw new SeedError(given.file, reason);
    }
    const facts = { rows: rows.after, date: dayOf(fetched.lastModified) };
    const hash = await takeOver(blocks, next, given, facts);
    await keepValidators(blocks, own, hash, fetched);
  });
  if (isUnfit) {
    err(`${name} stays as it was; edit its block.json, or remove the block and add it anew`);
    return EXIT.unfit;
  }
  out(`${name}: taken over`);
  return EXIT.done;
}

/** The day that a server says a file is of; today if it says none. */
function dayOf(lastModified: string | undefined): string {
  const said = new Date(lastModified ?? Number.NaN);
  const day = Number.isNaN(said.getTime()) ? new Date() : said;
  return day.toISOString().slice(0, 10);
}

const USAGE = `npx blockyard refresh [BLOCK]
Fetches a block's file anew from its "downloadUrl", which add writes, checks it as check does, and
takes it over, or leaves all as it was. Without BLOCK: every block with such an address.

  --blocks FOLDER   ${BLOCKS_USAGE}

It ends with 0 if each block is fresh, 3 if a file does not fit, 1 if one cannot be fetched.`;
