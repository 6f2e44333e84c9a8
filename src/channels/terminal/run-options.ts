import stringWidth from 'string-width';
import { inOneLine } from '../../text/wording.ts';
import { tokenize } from '../chat/tokenize.ts';
import type { Usage } from '../chat/usage.ts';
import { readLine } from './command-line.ts';
import { wrapped } from './draw-table.ts';
import { DEFAULT_URL } from './service-at.ts';

/** A parsed command line: its options, and the line for a block. */
type CommandLine = {
  readonly isHelp: boolean;
  readonly url?: string;
  readonly key?: string;
  readonly format?: string;
  readonly line: readonly string[];
  /** The faults of the options. */
  readonly faults: readonly string[];
};

/** Reads options anywhere in the arguments; everything after `--` belongs to the line. */
export function readOptions(args: readonly string[]): CommandLine {
  const options = { url: 'text', key: 'text', format: 'text', help: 'flag' } as const;
  const { words, flags, texts, faults } = readLine(args, options, {
    hasDashedWords: true,
    orElse: (known) =>
      `The options are ${known.join(', ')}; text that begins with -- goes behind --.`,
  });
  return { isHelp: flags.has('help'), ...texts, line: words, faults };
}

/** What each command does; the word after `npx blockyard` is its name. */
const USES = [
  { command: 'npx blockyard run', meaning: 'the blocks of the service, with an example each' },
  { command: 'npx blockyard run BLOCK help', meaning: 'what a block takes' },
  { command: 'npx blockyard start', meaning: 'serves the blocks of this folder on this machine' },
  { command: 'npx blockyard deploy', meaning: 'serves them in your AWS account' },
  { command: 'npx blockyard destroy', meaning: 'removes them from there' },
  { command: 'npx blockyard add FILE', meaning: 'makes a block of a file; --help says more' },
  { command: 'npx blockyard try FILE', meaning: 'serves a file as a block, and writes nothing' },
  { command: 'npx blockyard check BLOCK FILE', meaning: "whether a block's next file fits" },
  { command: 'npx blockyard refresh [BLOCK]', meaning: 'fetches the next file of a block' },
  { command: 'npx blockyard census TRACTS GROUPS', meaning: "makes a city's neighborhoods" },
];

/** The names of all commands. */
export const COMMANDS = USES.map(({ command }) => command.split(' ')[2] as string);

/** How to use the command line, without asking a service, wrapped for a terminal's width. */
export function commandLineUsage(columns?: number): string {
  const options = [
    { command: '--url URL', meaning: `the service; else BLOCKYARD_URL, else ${DEFAULT_URL}` },
    { command: '--key KEY', meaning: 'a key, where it asks for one; else BLOCKYARD_KEY' },
    {
      command: '--format FORMAT',
      meaning: "json, csv, parquet …: the service's own answer, unchanged",
    },
    { command: '--debug', meaning: 'where an error comes from' },
    { command: '--help', meaning: 'this' },
  ];
  return [
    ...wrapped('npx blockyard run BLOCK [TEXT] [NAME:VALUE …]', columns),
    '',
    ...twoColumns(USES, columns),
    '',
    ...twoColumns(options, columns),
    '',
    ...wrapped('docs/command-line.md has the grammar.', columns),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Help as lines for a terminal; not wrapped if no width is known. */
export function usageText({ title, lines }: Usage, columns?: number): string {
  const shown = lines.map(({ command, meaning, isWhole }) => ({
    command: isWhole ? `npx blockyard run ${wordsOf(command)}` : wordsOf(command),
    meaning: inOneLine(meaning),
  }));
  const all = [...wrapped(inOneLine(title), columns), '', ...twoColumns(shown, columns)];
  return all.map((line) => `${line}\n`).join('');
}

function wordsOf(command: string): string {
  return shellLine(inOneLine(command));
}

type Row = { readonly command: string; readonly meaning: string };

/** A longer command gets its own line. */
const WIDEST = 40;
const INDENT = 2;
const GAP = 2;
/** If there is less room beside the commands, their meanings go below them. */
const LEAST = 24;

/** Commands with their meanings beside them, or below them in a narrow terminal. */
function twoColumns(rows: readonly Row[], columns = Number.POSITIVE_INFINITY): string[] {
  const widths = rows.map(({ command }) => stringWidth(command));
  const width = Math.max(...widths.filter((one) => one <= WIDEST), 0);
  const isNarrow = columns - INDENT - width - GAP < LEAST;
  const indent = isNarrow ? 2 * INDENT : INDENT + width + GAP;
  return rows.flatMap(({ command, meaning }, i) => {
    const [first = '', ...others] = wrapped(meaning, columns - indent).map(
      (line) => ' '.repeat(indent) + line,
    );
    const isBeside = !isNarrow && (widths[i] as number) <= width;
    return isBeside
      ? [' '.repeat(INDENT) + command + first.slice(INDENT + stringWidth(command)), ...others]
      : [...commandLines(command, columns), first, ...others];
  });
}

/** Breaks a command into lines in such a way that it can be pasted into a shell. */
function commandLines(command: string, columns: number): string[] {
  const continued = ' \\';
  const lines = wrapped(command, columns - 2 * INDENT - continued.length);
  return lines.map((line, i) => {
    const indent = ' '.repeat(i === 0 ? INDENT : 2 * INDENT);
    return indent + line + (i < lines.length - 1 ? continued : '');
  });
}

/** A chat line as it is written in a shell, with a shell's quotes. */
function shellLine(line: string): string {
  return shellWords(line).map(quoted).join(' ');
}

/** A chat line as a shell's arguments, which `tokensOf` reads as the same tokens. */
export function shellWords(line: string): string[] {
  return tokenize(line).map(({ name, sign, value }) =>
    name === undefined ? value : `${name}${sign}${value}`,
  );
}

/** A word quoted, if needed, so that a shell passes it on unchanged. */
function quoted(word: string): string {
  if (/^[\w:.,/@%+-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
