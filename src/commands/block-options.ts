import { readLine } from '../channels/terminal/command-line.ts';
import { type Console, EXIT } from './console.ts';

/** The parsed command line of a command that takes names, files, and the folder of the blocks. */
type BlockOptions = {
  readonly isHelp: boolean;
  readonly words: readonly string[];
  readonly blocks?: string;
  /** The command's further options. */
  readonly texts: Readonly<Record<string, string>>;
  /** What is wrong with the line, one sentence each. */
  readonly faults: readonly string[];
};

/** Parses the words after `census`, `check` or `refresh`. `more` names options that take a text. */
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
  return { isHelp, words, blocks, texts, faults };
}

/**
 * Prints the help or the faults of a line, and returns the exit code. Undefined if the line should
 * run.
 */
export function answerLine(
  { isHelp, faults }: Pick<BlockOptions, 'isHelp' | 'faults'>,
  usage: string,
  { out, err }: Console,
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
