import { DELIMITERS, type Delimiter } from '../block/declaration.ts';
import { readLine } from '../channels/terminal/command-line.ts';
import type { TotalsWish } from '../files/find-header.ts';
import { BLOCK_NAME } from '../import/block-file-schema.ts';
import { nearName } from '../text/near-name.ts';
import { FIELD_TYPES, type FieldTypeName } from '../values/field-types.ts';

/** A parsed line of `blockyard add` or `try`. */
export type AddOptions = {
  readonly isHelp: boolean;
  readonly file?: string;
  readonly wishes: AddChoices;
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

/** Parses the words behind `add` or `try`. */
export function readAddOptions(command: 'add' | 'try', args: readonly string[]): AddOptions {
  const types = new Map<string, FieldTypeName>();
  const named = [...TEXTS, ...Object.keys(CHOICES)].filter(
    (name) => name !== 'port' || command === 'try',
  );
  const options = {
    ...Object.fromEntries(named.map((name) => [name, 'text' as const])),
    type: (value: string) => addType(types, value),
    ...({ yes: 'flag', help: 'flag' } as const),
  };
  const isBlank = (value: string) => value.trim() === '' && value !== '\t';
  const line = readLine(args, options, { isBlank });
  const { words: files, flags, texts: given } = line;
  const faults = [...line.faults];
  if (files.length > 1) faults.push(`One file at a time; these are ${files.length}.`);
  const chosen = Object.entries(CHOICES).flatMap(([option, values]) => {
    const value = given[option];
    if (value === undefined) return [];
    const wish = option === 'short-rows' ? 'shortRows' : option;
    if (Object.hasOwn(values, value)) return [[wish, values[value as keyof typeof values]]];
    const known = Object.keys(values).filter((one) => !/[\t\\]/.test(one));
    faults.push(`--${option} is ${JSON.stringify(value)}; expected one of ${known.join(' ')}`);
    return [];
  });
  const { blocks, port, ...texts } = Object.fromEntries(
    TEXTS.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { [name in (typeof TEXTS)[number]]?: string };
  const [file] = files;
  const isHelp = flags.has('help');
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
    isYes: flags.has('yes'),
    ...(blocks === undefined ? {} : { blocks }),
    ...(port === undefined ? {} : { port: Number(port) }),
    faults,
  };
}

/** Takes a column and its type; returns what is wrong with them. */
function addType(types: Map<string, FieldTypeName>, value: string): string | undefined {
  const at = value.lastIndexOf('=');
  const type = value.slice(at + 1);
  if (at < 1) return '--type needs a column and its type, such as --type permit_no=text';
  if (!Object.hasOwn(FIELD_TYPES, type)) {
    const known = Object.keys(FIELD_TYPES);
    const near = nearName(type, known);
    const fix = near === undefined ? `expected one of ${known.join(' ')}` : `did you mean ${near}?`;
    return `--type ${value}: there is no type ${JSON.stringify(type)}; ${fix}`;
  }
  types.set(value.slice(0, at), type as FieldTypeName);
  return undefined;
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

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** What a person says of a file, so that it need not be asked. */
export type AddChoices = {
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
