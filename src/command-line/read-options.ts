import { parseArgs } from 'node:util';
import { nearName } from '../arguments/near-name.ts';

/** A command line, read: its options, and the line that is for a block. */
export type CommandLine = {
  readonly isHelp: boolean;
  readonly url?: string;
  readonly key?: string;
  readonly format?: string;
  readonly line: readonly string[];
  /** What is wrong with the options. */
  readonly faults: readonly string[];
};

const OPTIONS = ['url', 'key', 'format', 'help'] as const;

/** Reads options wherever they stand; behind `--` everything is the line. */
export function readOptions(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    // Of one dash only -h is an option: `-76.5` is text, which is taken from `args` again.
    args: args.map((arg) => (/^-[^-]/.test(arg) && arg !== '-h' ? '-' : arg)),
    // None is declared to take a value: what follows may be an option too.
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
    // Of what follows an option that is not known, nobody can say what it is.
    if (option === undefined) faults.push(unknown(`--${token.name}`));
    else if (option === 'help') values.help = '';
    else {
      const takesNext = !token.inlineValue && tokens[i + 1]?.kind === 'positional';
      if (takesNext) i++;
      const value = takesNext ? args[token.index + 1] : token.value;
      if (values[option] !== undefined) faults.push(`--${option} is given twice.`);
      // A blank one is a script's variable that is not set.
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
