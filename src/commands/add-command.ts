import path from 'node:path';
import { FORMATS_IN_WORDS } from '../files/file-formats.ts';
import type { FileIn } from '../files/read-bytes.ts';
import { type PackedFile, packedIn } from '../files/unpack-file.ts';
import { BLOCKS_USAGE, isWithin } from '../import/own-code.ts';
import { whilePackingAhead } from '../import/pack-ahead.ts';
import type { RowsAhead } from '../import/pack-rows.ts';
import { blockName, type Draft, propose } from '../recipe/propose.ts';
import {
  type Decide,
  keepTaken,
  type Question,
  refuseToGuess,
  takenText,
} from '../recipe/questions.ts';
import { quoted } from '../text/shell-word.ts';
import { inOneLine } from '../text/wording.ts';
import { type AddOptions, CHOICES_USAGE, readAddOptions } from './add-options.ts';
import { askBy } from './ask.ts';
import { answerLine } from './block-options.ts';
import { type Console, EXIT, isAddress, type Keep, type Setup } from './console.ts';
import { describeDraft, optionsOf } from './describe-draft.ts';
import { download } from './download.ts';
import { askPublisherWords, missingWords, withPublisherWords } from './publisher-words.ts';
import { inTemporaryFolder, runAside } from './workspace.ts';
import { refuseTaken, type WrittenBlock, writeBlock } from './write-block.ts';

/** How `try` serves a block from a temporary folder until it is stopped. */
export type Serving = {
  /** Throws unless the requested port is free, or any port if none was requested. */
  ready(port: number | undefined): Promise<void>;
  serve(blocks: string, name: string, port: number | undefined): Promise<void>;
  readonly keep?: Keep;
};

/** `blockyard add`: makes a block from a file. Returns the exit code. */
export function runAdd(args: readonly string[], console: Console, setup: Setup): Promise<number> {
  const blocksOf = (options: AddOptions) => path.resolve(options.blocks ?? setup.blocks);
  return runOnFile('add', args, console, setup, {
    blocksOf,
    before: (options, name) => refuseTaken(blocksOf(options), name),
    after: async (at, draft, options, rowsAhead) => {
      const writing = { keep: setup.keep, rowsAhead };
      const written = await writeBlock(blocksOf(options), at, draft, writing);
      const again = `add ${quoted(options.file as string)}${optionsOf(draft.given)}`;
      describeWritten(written, draft, again, options.blocks, console);
    },
  });
}

/** `blockyard try`: serves a file as a block. Writes to a temporary folder only. */
export function runTry(
  args: readonly string[],
  console: Console,
  { ready, serve, keep }: Serving,
): Promise<number> {
  return runOnFile(
    'try',
    args,
    console,
    {},
    {
      before: ({ port }) => ready(port),
      after: (at, draft, { port }, rowsAhead) =>
        inTemporaryFolder(async (folder) => {
          await writeBlock(folder, at, draft, { keep, rowsAhead });
          await serve(folder, draft.name, port);
        }),
    },
  );
}

/** What a command does before and after a file is read. `name` is that of the block to be. */
type OnFile = {
  /** The folder that the command writes to. Absent if that is a temporary one. */
  readonly blocksOf?: (options: AddOptions) => string;
  readonly before: (options: AddOptions, name: string) => Promise<void>;
  readonly after: (
    at: FileIn,
    draft: Draft,
    options: AddOptions,
    rowsAhead: RowsAhead | undefined,
  ) => Promise<void>;
};

async function runOnFile(
  command: 'add' | 'try',
  args: readonly string[],
  console: Console,
  setup: Pick<Setup, 'fetching'>,
  { blocksOf, before, after }: OnFile,
): Promise<number> {
  const { out, err } = console;
  const options = readAddOptions(command, args);
  const answered = answerLine(options, usageOf(command), console);
  if (answered !== undefined) return answered;
  const file = options.file as string;
  return runAside(console, blocksOf?.(options), async (downloads) => {
    const fetched = isAddress(file) ? await download(file, downloads, console, setup) : undefined;
    const local = fetched === undefined ? file : path.join(fetched.folder, fetched.file);
    const { given } = options;
    const packed = await packedIn(local, given.innerPath);
    await before(options, blockName(given, packed?.file ?? path.basename(local)));
    const taken: Question[] = [];
    const decide = decideBy(options, console, taken);
    const unpacked = (await packed?.unpack(downloads)) ?? local;
    const at = { folder: path.dirname(path.resolve(unpacked)), file: path.basename(unpacked) };
    const aside = path.join(downloads, 'beginning');
    return whilePackingAhead(at, given, aside, async (rowsAhead) => {
      const draft = await propose(at, given, decide, err);
      const drafted = withTaken(withSource(draft, fetched && file, packed, local), taken, at.file);
      const described = withPublisherWords(drafted, drafted.given);
      for (const line of describeDraft(described, console.columns)) out(line);
      out('');
      const whole =
        command === 'try' || options.isYes
          ? drafted.given
          : await askPublisherWords(console, drafted.given, described);
      await after(at, withPublisherWords(drafted, whole), options, rowsAhead);
      return EXIT.done;
    });
  });
}

function decideBy({ isYes }: AddOptions, { ask }: Console, taken: Question[]): Decide {
  if (isYes) return keepTaken(taken);
  return ask === undefined ? refuseToGuess : askBy(ask);
}

/** Adds to a draft what `--yes` took, with the options that choose otherwise. */
function withTaken(draft: Draft, taken: readonly Question[], file: string): Draft {
  const open = taken.filter(({ isTold, readings }) => !isTold && readings.length > 1);
  const said = new Set(open.map((question) => takenText(question, file)));
  return { ...draft, taken: [...said] };
}

/** Adds to a draft the address and the archive that its file came from, if any. */
function withSource(
  draft: Draft,
  address: string | undefined,
  packed: PackedFile | undefined,
  local: string,
): Draft {
  const { block, notes } = draft;
  const { innerPath } = draft.given;
  const [source] = block.sources;
  const unpacked =
    packed && `${inOneLine(packed.file)} is unpacked from ${inOneLine(path.basename(local))}`;
  return {
    ...draft,
    notes: unpacked === undefined ? notes : [unpacked, ...notes],
    block: {
      ...block,
      innerPath,
      downloadUrl: address === undefined ? undefined : new URL(address).href,
      sources:
        address === undefined
          ? block.sources
          : [{ title: source?.title ?? address, path: address }],
    },
  };
}

function usageOf(command: 'add' | 'try'): string {
  const does =
    command === 'add'
      ? 'Makes a block of a file, and says what it decided.'
      : 'Serves a file as a block until Ctrl-C, and writes nothing.';
  return `npx blockyard ${command} FILE
${does}

  FILE                 ${FORMATS_IN_WORDS}, also packed as .gz or .zip;
                       a path or an https address
${CHOICES_USAGE}
${command === 'add' ? `  --blocks FOLDER      ${BLOCKS_USAGE}` : PORT_USAGE}
  --yes                takes the safer of two readings and asks nothing`;
}

const PORT_USAGE =
  '  --port PORT          where to serve it; else PORT, else 8787 or the next that is free';

/**
 * Prints what was written, the first question of its page, the line that writes it again, and the
 * next step.
 */
export function describeWritten(
  { blockFile, dataFile, first, doubts }: WrittenBlock,
  { name, block }: Pick<Draft, 'name' | 'block'>,
  again: string,
  blocks: string | undefined,
  { out }: Console,
): void {
  const shown = (file: string) => path.relative(process.cwd(), file) || '.';
  out(`Written: ${shown(blockFile)}, ${shown(dataFile)}`);
  const folder = path.resolve(blockFile, '../../..');
  if (blocks === undefined && !isWithin(folder, process.cwd())) {
    out(`That is in ${folder}, where the other blocks are; --blocks . writes to this folder.`);
  }
  for (const doubt of doubts) out(doubt);
  out(`${first.reason} "first" in block.json changes that.`);
  const into = blocks === undefined ? '' : ` --blocks ${quoted(blocks)}`;
  out(`The same again: npx blockyard ${again}${into}`);
  const missing = missingWords(block);
  if (missing !== undefined) out(`${missing} They stand in "sources" and "licenses" there.`);
  out(`Serve it: npx blockyard start${into}; it is at /api_v2/blocks/${name}`);
}
