import { mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FetchError } from '../fetching/fetch-error.ts';
import { fetchFile } from '../fetching/fetch-file.ts';
import { SeedError } from '../importer/seed-error.ts';
import { AddRefusal } from './add-refusal.ts';
import { describeDraft, optionsOf, quoted } from './describe-draft.ts';
import { type Draft, draftBlock } from './draft-block.ts';
import { type OpenedFile, openFile } from './open-file.ts';
import { askBy, type Decide, refuseToGuess, takeSafest } from './question.ts';
import { readColumns } from './read-columns.ts';
import { type AddOptions, readAddOptions } from './read-options.ts';
import { writeBlock } from './write-block.ts';

/** Where a command runs: a shell, or a test. */
export type Terminal = {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Asks whoever is at the terminal; absent if nobody is. */
  readonly ask?: (text: string) => Promise<string>;
  /** Characters of a line. */
  readonly columns?: number | undefined;
};

/** A folder of blocks, if none is named: the checkout's. */
export type AddPlace = { readonly blocks: string };

/** What `try` does with a block that was written to a folder of its own, until it is stopped. */
export type Serve = (blocks: string, name: string) => Promise<void>;

/** Exit codes. `refused`: the line or the file must change. */
const EXIT = { done: 0, refused: 1 } as const;

/** `blockyard add`: makes a block of a file. Returns the exit code. */
export function runAdd(
  args: readonly string[],
  terminal: Terminal,
  place: AddPlace,
): Promise<number> {
  return runOnFile('add', args, terminal, async (opened, draft, options) => {
    const blocks = path.resolve(options.blocks ?? place.blocks);
    const { blockFile, dataFile } = await writeBlock(blocks, opened, draft);
    const shown = (file: string) => path.relative(process.cwd(), file) || '.';
    terminal.out(`Written: ${shown(blockFile)}, ${shown(dataFile)}`);
    const into = options.blocks === undefined ? '' : ` --blocks ${quoted(options.blocks)}`;
    terminal.out(
      `The same again: npx blockyard add ${quoted(options.file as string)}${optionsOf(draft.wishes)}${into}`,
    );
    terminal.out('Say where the data come from and on what terms: "sources" and "licenses" there.');
    terminal.out(`Start, or start again: the block is /api_v2/blocks/${draft.name}`);
  });
}

/** `blockyard try`: serves a file as a block, and writes nothing but to a temporary folder. */
export function runTry(args: readonly string[], terminal: Terminal, serve: Serve): Promise<number> {
  return runOnFile('try', args, terminal, async (opened, draft) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-try-'));
    try {
      await writeBlock(folder, opened, draft);
      await serve(folder, draft.name);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function runOnFile(
  command: 'add' | 'try',
  args: readonly string[],
  terminal: Terminal,
  then: (opened: OpenedFile, draft: Draft, options: AddOptions) => Promise<void>,
): Promise<number> {
  const { out, err } = terminal;
  const options = readAddOptions(args);
  const { file, faults, isHelp } = options;
  if (isHelp && faults.length === 0) {
    out(usageOf(command));
    return EXIT.done;
  }
  if (faults.length > 0 || file === undefined) {
    for (const fault of [...faults, ...(file === undefined ? [usageOf(command)] : [])]) err(fault);
    return EXIT.refused;
  }
  const downloads = await mkdtemp(path.join(os.tmpdir(), 'blockyard-'));
  try {
    const local = /^https?:/i.test(file) ? await download(file, downloads, terminal) : file;
    const decide = decideBy(options, terminal);
    const opened = await openFile(local, options.wishes, decide);
    const read = await readColumns(opened, err);
    const draft = withSource(await draftBlock(opened, read, decide), file);
    for (const line of describeDraft(draft, terminal.columns)) out(line);
    out('');
    await then(opened, draft, options);
    return EXIT.done;
  } catch (error) {
    if (!isForUser(error)) throw error;
    err((error as Error).message);
    return EXIT.refused;
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

/** Whether an error says in a line what whoever called can do. */
function isForUser(error: unknown): boolean {
  return error instanceof SeedError || error instanceof FetchError || error instanceof AddRefusal;
}

function decideBy({ isYes }: AddOptions, { ask }: Terminal): Decide {
  if (isYes) return takeSafest;
  return ask === undefined ? refuseToGuess : askBy(ask);
}

/** Fetches a file into a folder. Returns its path there. */
async function download(address: string, folder: string, { err }: Terminal): Promise<string> {
  const fetched = await fetchFile(address, { to: path.join(folder, 'download') });
  if (fetched.unchanged) throw new AddRefusal(`${address} answered that it has not changed`);
  if (!fetched.isEndKnown) {
    err('The server does not say where the file ends: see whether its last rows are there.');
  }
  const file = path.join(folder, fetched.fileName);
  await rename(fetched.file, file);
  return file;
}

/** The same draft with the address that its file came from. */
function withSource(draft: Draft, given: string): Draft {
  if (!/^https?:/i.test(given)) return draft;
  const { block } = draft;
  const [source] = block.sources;
  return {
    ...draft,
    block: { ...block, sources: [{ title: source?.title ?? given, path: given }] },
  };
}

function usageOf(command: 'add' | 'try'): string {
  const does =
    command === 'add'
      ? 'Makes a block of a file, and says what it decided.'
      : 'Serves a file as a block until Ctrl-C, and writes nothing.';
  return `npx blockyard ${command} FILE
${does}

  FILE                 CSV, TSV, JSON, NDJSON, GeoJSON, .xlsx or Parquet; a path or an https address
  --name NAME          the block's name; made of the file's if not given
  --encoding NAME      such as windows-1252; found by the bytes if not given
  --delimiter SIGN     , ; tab or |
  --header yes|no      whether the first row names the columns
  --sheet NAME         of an Excel file
  --dates dmy|mdy      how 3/4/2020 is meant, where no date settles it
  --decimal .|,        how 1,234 is meant, where no number settles it
  --type COLUMN=TYPE   text, integer, number, date, datetime, boolean, link, phone; may be repeated
  --blocks FOLDER      where functions/ and seed-data/ are; the checkout if not given
  --yes                takes the safer of two readings and asks nothing`;
}
