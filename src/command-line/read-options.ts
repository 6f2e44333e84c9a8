import { nearName } from '../core/near-name.ts';

/** A command line, read: its options, and the line that is for a block. */
export type CommandLine = {
  readonly isHelp: boolean;
  readonly url?: string;
  readonly key?: string;
  readonly format?: string;
  readonly line: readonly string[];
};

const OPTIONS = ['--url', '--key', '--format', '--help'] as const;

/** Reads options wherever they stand; behind `--` everything is the line. Or says what is wrong. */
export function readOptions(args: readonly string[]): CommandLine | { readonly fault: string } {
  const line: string[] = [];
  const values = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      line.push(...args.slice(i + 1));
      break;
    }
    const [, option = '', inline] = /^(--[^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (arg === '-h' || option === '--help') values.set('--help', '');
    else if (option === '') line.push(arg);
    else if (!OPTIONS.some((name) => name === option)) return { fault: unknown(option) };
    else if (values.has(option)) return { fault: `${option} is given twice.` };
    else {
      const value = inline ?? args[++i];
      const isOption = inline === undefined && value?.startsWith('--');
      // A blank one is a script's variable that is not set.
      if (!value?.trim() || isOption) return { fault: `${option} needs a value.` };
      values.set(option, value);
    }
  }
  const [url, key, format] = OPTIONS.map((name) => values.get(name));
  return {
    isHelp: values.has('--help'),
    ...(url === undefined ? {} : { url }),
    ...(key === undefined ? {} : { key }),
    ...(format === undefined ? {} : { format }),
    line,
  };
}

function unknown(option: string): string {
  const near = nearName(option, OPTIONS);
  const fix =
    near === undefined
      ? `The options are ${OPTIONS.join(', ')}; text that begins with -- goes behind --.`
      : `Did you mean ${near}?`;
  return `There is no option ${option}. ${fix}`;
}
