import { parseArgs } from 'node:util';
import { unknownOption } from './read-options.ts';
import { EXIT, type Terminal } from './terminal.ts';

/** A parsed line of a command that takes names and files, and the folder of the blocks. */
export type BlockOptions = {
  readonly isHelp: boolean;
  readonly words: readonly string[];
  readonly blocks?: string;
  /** What is wrong with the line, a sentence each. */
  readonly faults: readonly string[];
};

/** Parses the words behind `check` or `refresh`. */
export function readBlockOptions(
  args: readonly string[],
  { least, most }: { readonly least: number; readonly most: number },
): BlockOptions {
  const options = {
    blocks: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const words: string[] = [];
  const faults: string[] = [];
  let isHelp = false;
  let blocks: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') isHelp = true;
    else if (token.name !== 'blocks') {
      faults.push(unknownOption(token.rawName, Object.keys(options)));
    } else if (!token.value?.trim()) faults.push('--blocks needs a value.');
    else if (blocks !== undefined) faults.push('--blocks is given twice.');
    else blocks = token.value;
  }
  if (!isHelp && (words.length < least || words.length > most)) {
    const expected = least === most ? String(most) : `at most ${most}`;
    faults.push(`These are ${words.length} words; expected ${expected}.`);
  }
  return { isHelp, words, ...(blocks === undefined ? {} : { blocks }), faults };
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
  for (const fault of [...faults, usage]) err(fault);
  return EXIT.refused;
}
