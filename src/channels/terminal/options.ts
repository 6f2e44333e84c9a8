import { parseArgs } from 'node:util';
import { nearName } from '../../values/near-name.ts';

/** A parsed command line: its options, and the line for a block. */
export type CommandLine = {
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
