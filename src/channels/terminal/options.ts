import { parseArgs } from 'node:util';
import stringWidth from 'string-width';
import { nearName } from '../../text/near-name.ts';
import { inOneLine } from '../../text/wording.ts';
import { tokenize } from '../chat/tokenize.ts';
import type { Usage } from '../chat/usage.ts';
import { wrapped } from './draw-table.ts';
import { DEFAULT_URL } from './service.ts';

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

const OPTIONS = ['url', 'key', 'format', 'help'] as const;

/** Reads options anywhere in the arguments; everything after `--` belongs to the line. */
export function readOptions(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    // Only -h is a one-dash option: `-76.5` is text, so hide it here and take it from `args` later.
    args: args.map((arg) => (/^-[^-]/.test(arg) && arg !== '-h' ? '-' : arg)),
    // No option is declared to take a value, since what follows may be another option.
    options: { help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  });
  const line: string[] = [];
  const faults: string[] = [];
  const values: { [name in (typeof OPTIONS)[number]]?: string } = {};
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as (typeof tokens)[number];
    if (token.kind === 'positional') line.push(args[token.index] as string);
    if (token.kind !== 'option') continue;
    const option = OPTIONS.find((name) => name === token.name);
    // Whether an unknown option takes a value is unknown too, so what follows stays in the line.
    if (option === undefined) faults.push(unknown(`--${token.name}`));
    else if (option === 'help') values.help = '';
    else {
      const takesNext = !token.inlineValue && tokens[i + 1]?.kind === 'positional';
      if (takesNext) i++;
      const value = takesNext ? args[token.index + 1] : token.value;
      if (values[option] !== undefined) faults.push(`--${option} is given twice.`);
      // A blank value is most likely an unset variable of a script.
      else if (!value?.trim()) faults.push(`--${option} needs a value.`);
      else values[option] = value;
    }
  }
  const { help, ...settings } = values;
  return { isHelp: help !== undefined, ...settings, line, faults };
}

function unknown(option: string): string {
  const options = OPTIONS.map((name) => `--${name}`);
  const near = nearName(option, options);
  const fix =
    near === undefined
      ? `The options are ${options.join(', ')}; text that begins with -- goes behind --.`
      : `Did you mean ${near}?`;
  return `There is no option ${option}. ${fix}`;
}

/** What each command does; the first word behind `npx blockyard` is its name. */
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
