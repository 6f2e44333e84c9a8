import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readLine } from '../channels/terminal/command-line.ts';
import { FetchError } from '../files/fetch-address.ts';
import { type FetchedFile, type FetchOptions, fetchFile } from '../files/fetch-file.ts';
import { SeedError } from '../files/source-table.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedDataset } from '../import/load-blocks.ts';
import type { Publication } from '../portals/publication.ts';
import { firstFew, numberText } from '../text/wording.ts';
import type { AddChoices } from './options.ts';

/** Why a command does nothing, in lines for whoever called it. */
export class AddRefusal extends Error {}

/** Something of a file that can be read in several ways. */
export type Question = {
  /** What is not sure, with the place in the file. */
  readonly text: string;
  /** The ways to read it, the safest first: `--yes` takes that. */
  readonly readings: readonly AnswerOf[];
  /** Set if `--yes` does not answer it, since each reading loses something. */
  readonly needsAnswer?: true;
};

type AnswerOf = {
  /** How it would then be read. */
  readonly label: string;
  /** The options that say so on the command line. */
  readonly option: string;
  /** The wishes with this one. */
  readonly wish: (wishes: AddChoices) => AddChoices;
};

/** Decides open questions: a person at a terminal, or the safer readings. */
export type Decide = (questions: readonly Question[], wishes: AddChoices) => Promise<AddChoices>;

/** Takes the safest reading of each question. Throws an AddRefusal if one has none. */
export const takeSafest: Decide = async (questions, wishes) => {
  const open = questions.filter(({ needsAnswer }) => needsAnswer);
  if (open.length > 0) throw new OpenQuestions(open);
  return questions.reduce((all, { readings }) => readings[0]?.wish(all) ?? all, wishes);
};

/** Where nobody can be asked: the options that answer each question. */
class OpenQuestions extends AddRefusal {
  constructor(questions: readonly Question[]) {
    const end = questions.some(({ needsAnswer }) => needsAnswer)
      ? '--yes is no answer to that.'
      : '--yes takes the first of each.';
    super(`${few(questions.map(withOptions), '\n', 'questions')}\n${end}`);
  }
}

/** A question with the options that answer it, a line each. */
export function withOptions({ text, readings }: Question): string {
  return [text, ...readings.map(({ label, option }) => `  ${option}   ${label}`)].join('\n');
}

/**
 * Columns that a question of `add` names, and questions that it lists. The others are counted; a
 * file may have thousands.
 */
const MOST_NAMED = 10;

/** The first of some texts, and how many there are beyond them. */
export function few(texts: readonly string[], between: string, noun: string): string {
  return firstFew(
    texts,
    MOST_NAMED,
    (more) => `${between}… and ${numberText(more)} more ${noun}`,
    between,
  );
}

export const refuseToGuess: Decide = async (questions) => {
  throw new OpenQuestions(questions);
};

/** How often a person may give an answer that is none of the choices. */
const MOST_TRIES = 5;

/** Asks a person; the answer is undefined at the end of what is typed. */
type Ask = (text: string) => Promise<string | undefined>;

/** Asks a person, who answers with a number, or yes. Throws an AddRefusal if no answer comes. */
export function askBy(ask: Ask): Decide {
  return async (questions, wishes) => {
    let all = wishes;
    for (const question of questions) all = (await answerTo(question, ask)).wish(all);
    return all;
  };
}

async function answerTo({ text, readings }: Question, ask: Ask): Promise<AnswerOf> {
  const [only, ...others] = readings;
  if (only !== undefined && others.length === 0) {
    if (await isAgreed(ask, `\n${text}\nIs that so: ${only.label}?`)) return only;
    throw new AddRefusal('Nothing was written: no other reading is known; an option may name it.');
  }
  const choices = readings.map(({ label }, i) => `  ${i + 1}  ${label}\n`).join('');
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await ask(`\n${text}\n${choices}1 to ${readings.length}: `);
    if (answer === undefined) break;
    const reading = readings[Number(answer.trim() || Number.NaN) - 1];
    if (reading !== undefined) return reading;
  }
  throw new AddRefusal('Nothing was written: the question has no answer.');
}

/** Asks for a yes; all else is a no, also the end of what is typed. */
export async function isAgreed(ask: Ask, text: string): Promise<boolean> {
  return /^y(es)?$/i.test(((await ask(`${text} [y/N] `)) ?? '').trim());
}

/** Where a command runs: a shell, or a test. */
export type Terminal = {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Asks whoever is at the terminal; absent if nobody is. */
  readonly ask?: Ask;
  /** Characters of a line. */
  readonly columns?: number | undefined;
};

/** A folder of blocks, if none is named, and how far fetches go: the checkout's, and the public internet. */
export type Place = {
  readonly blocks: string;
  /** Keeps what was imported for the next start, which then need not import it again. */
  readonly keep?: Keep;
  /** What portals are told of the service. */
  readonly publication?: Publication;
  readonly fetching?: Pick<FetchOptions, 'reach' | 'resolve' | 'ca'>;
};

export type Keep = (
  blocks: string,
  block: LoadedDataset,
  imported: ImportedDataset,
) => Promise<void>;

/** Exit codes. `refused`: the line, or where the file should be; `unfit`: the file's content. */
export const EXIT = { done: 0, refused: 1, unfit: 3 } as const;

/** Whether an error says in a line what whoever called can do. */
export function isForUser(error: unknown): error is Error {
  return error instanceof SeedError || error instanceof FetchError || error instanceof AddRefusal;
}

export function isAddress(file: string): boolean {
  return /^https?:/i.test(file);
}

/**
 * Runs a command with a temporary folder, after it has removed what a killed one left there and in
 * the folder of the blocks; prints what is refused. Returns the exit code.
 */
export async function runAside(
  { err }: Pick<Terminal, 'err'>,
  blocks: string | undefined,
  run: (folder: string) => Promise<number>,
): Promise<number> {
  await removeLeftBehind(blocks);
  try {
    return await inTemporaryFolder(run);
  } catch (error) {
    if (!isForUser(error)) throw error;
    err(error.message);
    return EXIT.refused;
  }
}

/** A fetched file, in a folder under the name that its server gives it. */
type Download = FetchedFile & { readonly path: string };

/** Fetches a file into a folder. Returns nothing if it is still what `earlier` says. */
export async function download(
  address: string,
  folder: string,
  { err }: Terminal,
  { fetching }: Pick<Place, 'fetching'>,
  earlier: FetchOptions['earlier'] = {},
): Promise<Download | undefined> {
  const to = path.join(folder, 'download');
  const fetched = await fetchFile(address, { ...fetching, to, earlier });
  if (fetched.unchanged) return undefined;
  if (!fetched.isEndKnown) {
    err('The server does not say where the file ends: see whether its last rows are there.');
  }
  const file = path.join(folder, fetched.fileName);
  await rename(to, file);
  return { ...fetched, path: file };
}

/** A parsed line of a command that takes names and files, and the folder of the blocks. */
type BlockOptions = {
  readonly isHelp: boolean;
  readonly words: readonly string[];
  readonly blocks?: string;
  /** The other options of the command. */
  readonly texts: Readonly<Record<string, string>>;
  /** What is wrong with the line, a sentence each. */
  readonly faults: readonly string[];
};

/** Parses the words behind `census`, `check` or `refresh`; `more` are options with a text. */
export function readBlockOptions(
  args: readonly string[],
  { least, most, more = [] }: { least: number; most: number; more?: readonly string[] },
): BlockOptions {
  const named = Object.fromEntries([...more, 'blocks'].map((name) => [name, 'text' as const]));
  const line = readLine(args, { ...named, help: 'flag' });
  const { words } = line;
  const isHelp = line.flags.has('help');
  const faults = [...line.faults];
  if (!isHelp && (words.length < least || words.length > most)) {
    const expected = least === most ? String(most) : `at most ${most}`;
    faults.push(`These are ${words.length} words; expected ${expected}.`);
  }
  const { blocks, ...texts } = line.texts;
  return { isHelp, words, ...(blocks === undefined ? {} : { blocks }), texts, faults };
}

/** Answers a line that asks for help, or that is faulty; nothing if it is to be run. */
export function answerLine(
  { isHelp, faults }: Pick<BlockOptions, 'isHelp' | 'faults'>,
  usage: string,
  { out, err }: Terminal,
): number | undefined {
  if (isHelp && faults.length === 0) {
    out(usage);
    return EXIT.done;
  }
  if (faults.length === 0) return undefined;
  const [form] = usage.split('\n');
  err(`${faults.join(' ')} Usage: ${form}; --help says more.`);
  return EXIT.refused;
}

/**
 * What a command writes on its way is in folders of its own: temporary ones, and a draft in the
 * folder of the blocks. Their names tell whose they are, so that what a killed one left is known.
 */

/** Runs with a temporary folder, which goes at the end of the run, or of the process. */
export function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  return removedAtEnd(mkdtempSync(path.join(os.tmpdir(), `blockyard-${owner()}-`)), run);
}

/**
 * Runs with a folder for a block's draft, likewise. It is in the folder of the blocks, so that what
 * is renamed into place is neither copied nor cut off half way.
 */
export function inDraftFolder<T>(
  blocks: string,
  name: string,
  run: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = path.join(blocks, `.${name}.${owner()}.draft`);
  mkdirSync(draft, { recursive: true });
  return removedAtEnd(draft, run);
}

// A process that is told to end runs no `finally`; what it does at its exit is synchronous.
async function removedAtEnd<T>(folder: string, run: (folder: string) => Promise<T>): Promise<T> {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await run(folder);
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the folders of this user's processes that have ended on this machine without doing so. */
export async function removeLeftBehind(blocks?: string): Promise<void> {
  await removeThoseOf(os.tmpdir(), /^blockyard-(\d+)-([0-9a-f]{8})-\w{6}$/);
  if (blocks !== undefined)
    await removeThoseOf(blocks, /^\.[a-z0-9-]+\.(\d+)-([0-9a-f]{8})\.draft$/);
}

async function removeThoseOf(folder: string, named: RegExp): Promise<void> {
  const here = machine();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, its] = named.exec(name) ?? [];
    if (its !== here || isRunning(Number(pid))) continue;
    const left = path.join(folder, name);
    const found = await lstat(left).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    // One that cannot be removed is no reason to do nothing else.
    await rm(left, { recursive: true, force: true }).catch(() => {});
  }
}

function owner(): string {
  return `${process.pid}-${machine()}`;
}

/** Where a process's id is its own: the machine, and on Linux the container. */
function machine(): string {
  let container = '';
  try {
    container = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: the machine has one list of processes.
  }
  return createHash('sha256').update(`${os.hostname()} ${container}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Otherwise it is somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
