import { parseArgs } from 'node:util';
import { DELIMITERS, type Delimiter } from '../block/declaration.ts';
import type { TotalsWish } from '../files/find-header.ts';
import { BLOCK_NAME } from '../import/block-file-schema.ts';
import { nearName } from '../text/near-name.ts';
import { FIELD_TYPES, type FieldTypeName } from '../values/field-types.ts';

/** A parsed line of `blockyard add` or `try`. */
export type AddOptions = {
  readonly isHelp: boolean;
  readonly file?: string;
  readonly wishes: Wishes;
  /** Whether to take the safer of two readings without asking. */
  readonly isYes: boolean;
  /** The folder of the blocks. */
  readonly blocks?: string;
  /** Where `try` serves the block. */
  readonly port?: number;
  /** What is wrong with the line, a sentence each. */
  readonly faults: readonly string[];
};

const TEXTS = ['name', 'encoding', 'sheet', 'property', 'blocks', 'port'] as const;

/** Options with a few values, by what a shell passes on. */
const CHOICES = {
  delimiter: {
    ...Object.fromEntries(DELIMITERS.map((sign) => [sign, sign])),
    ...{ comma: ',', semicolon: ';', tab: '\t', '\\t': '\t', bar: '|' },
  } as Readonly<Record<string, Delimiter>>,
  header: { yes: true, no: false },
  'short-rows': { blank: true },
  totals: { keep: 'keep', drop: 'drop' },
  dates: { dmy: 'dmy', mdy: 'mdy' },
  decimal: { '.': '.', ',': ',' },
} as const;

const OPTIONS = [...TEXTS, ...Object.keys(CHOICES), 'type', 'yes', 'help'];
const FLAGS = new Set(['yes', 'help']);

/** Parses the words behind `add` or `try`. */
export function readAddOptions(command: 'add' | 'try', args: readonly string[]): AddOptions {
  const options = command === 'try' ? OPTIONS : OPTIONS.filter((name) => name !== 'port');
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      options.map((name) => [
        name,
        FLAGS.has(name)
          ? { type: 'boolean' as const, short: name[0] as string }
          : { type: 'string' as const },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const files: string[] = [];
  const faults: string[] = [];
  const given = new Map<string, string>();
  const types = new Map<string, FieldTypeName>();
  for (const token of tokens) {
    if (token.kind === 'positional') files.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!options.includes(name)) faults.push(unknownOption(rawName, options));
    else if (FLAGS.has(name)) given.set(name, '');
    else if (!value?.trim() && value !== '\t') faults.push(`--${name} needs a value.`);
    else if (name === 'type') addType(types, value, faults);
    else if (given.has(name)) faults.push(`--${name} is given twice.`);
    else given.set(name, value);
  }
  if (files.length > 1) faults.push(`One file at a time; these are ${files.length}.`);
  const chosen = Object.entries(CHOICES).flatMap(([option, values]) => {
    const value = given.get(option);
    if (value === undefined) return [];
    const wish = option === 'short-rows' ? 'shortRows' : option;
    if (Object.hasOwn(values, value)) return [[wish, values[value as keyof typeof values]]];
    const known = Object.keys(values).filter((one) => !/[\t\\]/.test(one));
    faults.push(`--${option} is ${JSON.stringify(value)}; expected one of ${known.join(' ')}`);
    return [];
  });
  const { blocks, port, ...texts } = Object.fromEntries(
    TEXTS.flatMap((name) => {
      const value = given.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { [name in (typeof TEXTS)[number]]?: string };
  const [file] = files;
  const isHelp = given.has('help');
  if (file === undefined && !isHelp) faults.push('Which file?');
  const { name, encoding } = texts;
  if (name !== undefined && !BLOCK_NAME.test(name)) faults.push(badName(name));
  if (encoding !== undefined && !isEncoding(encoding)) {
    faults.push(`--encoding is ${JSON.stringify(encoding)}; expected one such as windows-1252.`);
  }
  if (port !== undefined && !isPort(port)) faults.push(badPort('--port', port));
  return {
    isHelp,
    ...(file === undefined ? {} : { file }),
    wishes: { ...texts, ...Object.fromEntries(chosen), types },
    isYes: given.has('yes'),
    ...(blocks === undefined ? {} : { blocks }),
    ...(port === undefined ? {} : { port: Number(port) }),
    faults,
  };
}

function addType(types: Map<string, FieldTypeName>, value: string, faults: string[]): void {
  const at = value.lastIndexOf('=');
  const type = value.slice(at + 1);
  if (at < 1) {
    faults.push('--type needs a column and its type, such as --type permit_no=text');
  } else if (!Object.hasOwn(FIELD_TYPES, type)) {
    const known = Object.keys(FIELD_TYPES);
    const near = nearName(type, known);
    const fix = near === undefined ? `expected one of ${known.join(' ')}` : `did you mean ${near}?`;
    faults.push(`--type ${value}: there is no type ${JSON.stringify(type)}; ${fix}`);
  } else types.set(value.slice(0, at), type as FieldTypeName);
}

/** Whether a text is the number of a port, or 0 for a free one. */
export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** A sentence about a text that is none, and where it is from. */
export function badPort(from: string, text: string): string {
  return `${from} is ${JSON.stringify(text)}; expected a number from 0 to 65535.`;
}

/** A sentence about a name that no block can have. */
export function badName(name: string): string {
  return `--name is ${JSON.stringify(name)}; expected lower-case letters and digits, with single hyphens between.`;
}

/** A sentence about an option that is none of these. */
export function unknownOption(option: string, known: readonly string[]): string {
  const options = known.map((name) => `--${name}`);
  const near = nearName(option, options);
  const fix = near === undefined ? `The options are ${options.join(' ')}` : `Did you mean ${near}?`;
  return `There is no option ${option}. ${fix}`;
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** What a person says of a file, so that it need not be asked. */
export type Wishes = {
  /** The block's name. */
  readonly name?: string;
  readonly encoding?: string;
  readonly delimiter?: Delimiter;
  readonly header?: boolean;
  /** Whether the cells that a row lacks at its end are blank. */
  readonly shortRows?: true;
  readonly totals?: TotalsWish;
  readonly sheet?: string;
  /** The way to the list of rows in a JSON document. */
  readonly property?: string;
  /** The order of a day and a month in `3/4/2020`. */
  readonly dates?: 'dmy' | 'mdy';
  /** The character before decimals. */
  readonly decimal?: '.' | ',';
  /** Types by the columns' names or headers. */
  readonly types: ReadonlyMap<string, FieldTypeName>;
};
