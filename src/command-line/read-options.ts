import { nearName } from '../core/near-name.ts';

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

const OPTIONS = ['--url', '--key', '--format', '--help'] as const;

/** Reads options wherever they stand; behind `--` everything is the line. */
export function readOptions(args: readonly string[]): CommandLine {
  const line: string[] = [];
  const faults: string[] = [];
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
    else {
      const isKnown = OPTIONS.some((name) => name === option);
      const next = args[i + 1];
      // Of what follows an option that is not known, nobody can say what it is.
      const takesNext = inline === undefined && isKnown && next?.startsWith('--') !== true;
      if (takesNext) i++;
      const value = inline ?? (takesNext ? next : undefined);
      if (!isKnown) faults.push(unknown(option));
      else if (values.has(option)) faults.push(`${option} is given twice.`);
      // A blank one is a script's variable that is not set.
      else if (!value?.trim()) faults.push(`${option} needs a value.`);
      else values.set(option, value);
    }
  }
  const [url, key, format] = OPTIONS.map((name) => values.get(name));
  return {
    isHelp: values.has('--help'),
    ...(url === undefined ? {} : { url }),
    ...(key === undefined ? {} : { key }),
    ...(format === undefined ? {} : { format }),
    line,
    faults,
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
