import { parseArgs } from 'node:util';
import { unknownOption } from './read-options.ts';
import { EXIT, type Terminal } from './terminal.ts';

/** A parsed line of a command that takes names and files, and the folder of the blocks. */
export type BlockOptions = {
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
  const named = [...more, 'blocks'];
  const options = {
    ...Object.fromEntries(named.map((name) => [name, { type: 'string' as const }])),
    help: { type: 'boolean' as const, short: 'h' },
  };
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const words: string[] = [];
  const faults: string[] = [];
  let isHelp = false;
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (name === 'help') isHelp = true;
    else if (!named.includes(name)) faults.push(unknownOption(rawName, Object.keys(options)));
    else if (!value?.trim()) faults.push(`--${name} needs a value.`);
    else if (given.has(name)) faults.push(`--${name} is given twice.`);
    else given.set(name, value);
  }
  if (!isHelp && (words.length < least || words.length > most)) {
    const expected = least === most ? String(most) : `at most ${most}`;
    faults.push(`These are ${words.length} words; expected ${expected}.`);
  }
  const { blocks, ...texts } = Object.fromEntries(given);
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
