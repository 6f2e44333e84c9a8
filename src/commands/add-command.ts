import path from 'node:path';
import { FORMATS_IN_WORDS } from '../files/formats.ts';
import type { PackedFile } from '../files/unpack-file.ts';
import { BLOCKS_USAGE, isWithin } from '../import/own-code.ts';
import { inOneLine } from '../text/wording.ts';
import type { GivenFile } from './check-delivery.ts';
import { describeDraft, optionsOf } from './describe-draft.ts';
import { blockName, type Draft, draftBlock } from './draft-block.ts';
import { openFile, packedIn, readColumns } from './open-file.ts';
import {
  type AddChoices,
  type AddOptions,
  CHOICES_USAGE,
  quoted,
  readAddOptions,
} from './options.ts';
import { askPublisherWords, missingWords, withPublisherWords } from './publisher-words.ts';
import {
  answerLine,
  askBy,
  type Decide,
  download,
  EXIT,
  inTemporaryFolder,
  isAddress,
  type Keep,
  type Place,
  refuseToGuess,
  runAside,
  type Terminal,
  takeSafest,
} from './terminal.ts';
import { refuseTaken, type WrittenBlock, writeBlock } from './write-block.ts';

/** How `try` serves a block of a folder of its own, until it is stopped. */
export type Serving = {
  /** Throws unless there is a port to serve it at: the one that was asked for, if one was. */
  ready(port: number | undefined): Promise<void>;
  serve(blocks: string, name: string, port: number | undefined): Promise<void>;
  readonly keep?: Keep;
};

/** `blockyard add`: makes a block of a file. Returns the exit code. */
export function runAdd(args: readonly string[], terminal: Terminal, place: Place): Promise<number> {
  const blocksOf = (options: AddOptions) => path.resolve(options.blocks ?? place.blocks);
  return runOnFile('add', args, terminal, place, {
    blocksOf,
    before: (options, name) => refuseTaken(blocksOf(options), name),
    after: async (given, draft, options) => {
      const written = await writeBlock(blocksOf(options), given, draft, place.keep);
      const again = `add ${quoted(options.file as string)}${optionsOf(draft.wishes)}`;
      tellWritten(written, draft, again, options.blocks, terminal);
    },
  });
}

/** `blockyard try`: serves a file as a block, and writes nothing but to a temporary folder. */
export function runTry(
  args: readonly string[],
  terminal: Terminal,
  { ready, serve, keep }: Serving,
): Promise<number> {
  return runOnFile(
    'try',
    args,
    terminal,
    {},
    {
      before: ({ port }) => ready(port),
      after: (given, draft, { port }) =>
        inTemporaryFolder(async (folder) => {
          await writeBlock(folder, given, draft, keep);
          await serve(folder, draft.name, port);
        }),
    },
  );
}

/** What a command does before a file is read, with the name that its block will have, and after. */
type OnFile = {
  /** The folder that it writes to, if that is not a temporary one. */
  readonly blocksOf?: (options: AddOptions) => string;
  readonly before: (options: AddOptions, name: string) => Promise<void>;
  readonly after: (given: GivenFile, draft: Draft, options: AddOptions) => Promise<void>;
};

/** A block for a file. What was learned of its cells takes much memory, and is not kept. */
async function draftOf(
  file: string,
  wishes: AddChoices,
  decide: Decide,
  tell: (line: string) => void,
): Promise<{ readonly draft: Draft; readonly given: GivenFile }> {
  const opened = await openFile(file, wishes, decide, tell);
  const draft = await draftBlock(opened, await readColumns(opened, tell), decide);
  return { draft, given: { folder: opened.folder, file: opened.table.file } };
}

async function runOnFile(
  command: 'add' | 'try',
  args: readonly string[],
  terminal: Terminal,
  place: Pick<Place, 'fetching'>,
  { blocksOf, before, after }: OnFile,
): Promise<number> {
  const { out, err } = terminal;
  const options = readAddOptions(command, args);
  const answered = answerLine(options, usageOf(command), terminal);
  if (answered !== undefined) return answered;
  const file = options.file as string;
  return runAside(terminal, blocksOf?.(options), async (downloads) => {
    const fetched = isAddress(file) ? await download(file, downloads, terminal, place) : undefined;
    const local = fetched?.path ?? file;
    const { wishes } = options;
    const packed = await packedIn(local, wishes.innerPath);
    await before(options, blockName(wishes, packed?.file ?? path.basename(local)));
    const decide = decideBy(options, terminal);
    const unpacked = (await packed?.unpack(downloads)) ?? local;
    const { draft, given } = await draftOf(unpacked, wishes, decide, err);
    const drafted = withSource(draft, fetched && file, packed, local);
    const described = withPublisherWords(drafted, drafted.wishes);
    for (const line of describeDraft(described, terminal.columns)) out(line);
    out('');
    const whole =
      command === 'try' || options.isYes
        ? drafted.wishes
        : await askPublisherWords(terminal, drafted.wishes, described);
    await after(given, withPublisherWords(drafted, whole), options);
    return EXIT.done;
  });
}

function decideBy({ isYes }: AddOptions, { ask }: Terminal): Decide {
  if (isYes) return takeSafest;
  return ask === undefined ? refuseToGuess : askBy(ask);
}

/** The same draft with the address and the archive that its file came from, if it did. */
function withSource(
  draft: Draft,
  address: string | undefined,
  packed: PackedFile | undefined,
  local: string,
): Draft {
  const { block, notes } = draft;
  const { innerPath } = draft.wishes;
  const [source] = block.sources;
  const unpacked =
    packed && `${inOneLine(packed.file)} is unpacked from ${inOneLine(path.basename(local))}`;
  return {
    ...draft,
    notes: unpacked === undefined ? notes : [unpacked, ...notes],
    block: {
      ...block,
      ...(innerPath === undefined ? {} : { innerPath }),
      ...(address === undefined
        ? {}
        : {
            downloadUrl: new URL(address).href,
            sources: [{ title: source?.title ?? address, path: address }],
          }),
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

/** Tells what was written, what its page opens with, the words that write the same again, and what comes next. */
export function tellWritten(
  { blockFile, dataFile, first }: WrittenBlock,
  { name, block }: Pick<Draft, 'name' | 'block'>,
  again: string,
  blocks: string | undefined,
  { out }: Terminal,
): void {
  const shown = (file: string) => path.relative(process.cwd(), file) || '.';
  out(`Written: ${shown(blockFile)}, ${shown(dataFile)}`);
  const folder = path.resolve(blockFile, '../../..');
  if (blocks === undefined && !isWithin(folder, process.cwd())) {
    out(`That is in ${folder}, where the other blocks are; --blocks . writes to this folder.`);
  }
  out(`${first.reason} "first" in block.json changes that.`);
  const into = blocks === undefined ? '' : ` --blocks ${quoted(blocks)}`;
  out(`The same again: npx blockyard ${again}${into}`);
  const missing = missingWords(block);
  if (missing !== undefined) out(`${missing} They stand in "sources" and "licenses" there.`);
  out(`Serve it: npx blockyard start${into}; it is at /api_v2/blocks/${name}`);
}
