import { readLine } from '../channels/terminal/command-line.ts';
import { rangesText, readRanges } from '../files/leave-out.ts';
import { BLOCK_NAME } from '../import/block-file-schema.ts';
import { LANGUAGE_TAG } from '../languages/names.ts';
import { andGiven, type Given } from '../recipe/given.ts';
import { nearName } from '../text/near-name.ts';
import { FIELD_TYPES, type FieldTypeName } from '../values/field-types.ts';
import { isTimeZone } from '../values/time-zone.ts';
import { isCounter, timeParser } from '../values/written-time.ts';

/** The parsed command line of `blockyard add` or `try`. */
export type AddOptions = {
  readonly isHelp: boolean;
  readonly file?: string;
  readonly given: Given;
  /** Whether to take the safest reading without a question. */
  readonly isYes: boolean;
  /** The folder of the blocks. */
  readonly blocks?: string;
  /** The port at which `try` serves the block. */
  readonly port?: number;
  /** What is wrong with the line, one sentence each. */
  readonly faults: readonly string[];
};

/** An option that says how to read a file. */
type ChoiceOption = {
  /** The name of its value in the usage, and what the option is for. */
  readonly usage: readonly [value: string, text: string];
  /** Set if the line may have it several times, for several columns. */
  readonly isRepeated?: true;
  /** Parses the value. Returns a fault as a clause that follows the option's name. */
  readonly read: (value: string) => Given | string;
  /** The values of this option by which a line would give the same. */
  readonly values: (given: Given) => readonly string[];
};

type Key<T> = {
  [key in keyof Given]-?: T extends Given[key] ? key : never;
}[keyof Given];

/** Makes an option that takes a text, if it passes the test. */
function text(
  key: Key<string>,
  usage: ChoiceOption['usage'],
  isFit: (value: string) => boolean = () => true,
  expected = '',
): ChoiceOption {
  return {
    usage,
    read: (value) => (isFit(value) ? { [key]: value } : unlike(value, expected)),
    values: ({ [key]: value }) => (value === undefined ? [] : [String(value)]),
  };
}

/** Makes an option that takes one of a few words. */
function oneOf(
  key: keyof Given,
  usage: ChoiceOption['usage'],
  values: Readonly<Record<string, unknown>>,
): ChoiceOption {
  return {
    usage,
    read: (value) =>
      Object.hasOwn(values, value)
        ? { [key]: values[value] }
        : unlike(value, `one of ${Object.keys(values).join(' ')}`),
    values: ({ [key]: chosen }) =>
      chosen === undefined ? [] : Object.keys(values).filter((word) => values[word] === chosen),
  };
}

/** Makes an option that takes one character, or a word for it. */
function sign(
  key: 'delimiter' | 'quoteChar',
  usage: ChoiceOption['usage'],
  words: Readonly<Record<string, string | null>>,
): ChoiceOption {
  return {
    usage,
    read: (value) => {
      const isWord = Object.hasOwn(words, value);
      const named = isWord ? words[value] : value;
      if (!isWord && !/^[^\p{L}\p{N}\n\r]$/u.test(named as string)) {
        return unlike(value, `one sign, or ${Object.keys(words).join(' ')}`);
      }
      return { [key]: named };
    },
    values: ({ [key]: chosen }) => {
      if (chosen === undefined) return [];
      const isShown = chosen !== null && chosen.trim() !== '';
      return [isShown ? chosen : (Object.keys(words).find((word) => words[word] === chosen) ?? '')];
    },
  };
}

/** A clause about a value that an option does not take. */
function unlike(value: string, expected: string): string {
  return `is ${JSON.stringify(value)}; expected ${expected}`;
}

const A_NAME = 'lower-case letters and digits, with single hyphens between.';

/** All options that say how to read a file, in the order of the usage. */
const CHOICES: Readonly<Record<string, ChoiceOption>> = {
  name: text(
    'name',
    ['NAME', "the block's name; made of the file's if not given"],
    (name) => BLOCK_NAME.test(name),
    A_NAME,
  ),
  title: text('title', ['TEXT', 'a short title']),
  description: text('description', ['TEXT', 'what a row is, in a sentence']),
  source: text('source', ['TEXT', 'who publishes the data, or their https address']),
  license: text('license', ['TEXT', 'such as CC-BY-4.0, or an https address']),
  updated: text(
    'updated',
    ['DATE', 'the day or month the data are of, such as 2026-11'],
    isDay,
    'a date such as 2026-11-23 or 2026-11',
  ),
  lang: text(
    'lang',
    ['TAG', 'the language of the titles and the data, such as de'],
    (tag) => LANGUAGE_TAG.test(tag),
    'one such as de or es-MX',
  ),
  key: text('key', ['COLUMNS', 'what identifies a row, with commas between; or none']),
  main: text('main', ['COLUMN', 'what names a row']),
  file: text('innerPath', ['NAME', 'the one that is meant in a zip archive of several']),
  encoding: text(
    'encoding',
    ['NAME', 'such as windows-1252; found by the bytes if not given'],
    isEncoding,
    'one such as windows-1252.',
  ),
  'bad-bytes': oneOf(
    'badBytes',
    ['replace', 'reads bytes that are no text as \ufffd, and leaves out zero bytes'],
    { replace: 'replace' },
  ),
  delimiter: sign('delimiter', ['SIGN', 'between cells: , ; tab | or another'], {
    tab: '\t',
    '\\t': '\t',
    comma: ',',
    semicolon: ';',
    bar: '|',
    '||': '||',
    space: ' ',
  }),
  quote: sign('quoteChar', ['SIGN', 'around cells; none if quotes are signs like others'], {
    none: null,
    double: '"',
    single: "'",
  }),
  header: oneOf('header', ['yes|no', 'whether the first row names the columns'], {
    yes: true,
    no: false,
  }),
  'header-rows': oneOf('headerRows', ['N', 'how many rows the header has: 1, 2 or 3'], {
    1: 1,
    2: 2,
    3: 3,
  }),
  'header-line': {
    usage: ['N', 'the line where the header begins, in a sheet the row'],
    read: (value) =>
      /^[1-9]\d{0,8}$/.test(value)
        ? { headerLine: Number(value) }
        : unlike(value, 'a number from 1'),
    values: ({ headerLine }) => (headerLine === undefined ? [] : [String(headerLine)]),
  },
  'short-rows': oneOf('shortRows', ['blank', 'the cells that a row lacks at its end are blank'], {
    blank: true,
  }),
  'odd-cells': oneOf(
    'oddCells',
    ['blank', 'cells that are not of the type that --type names are blank'],
    { blank: 'blank' },
  ),
  'bad-rows': oneOf(
    'badRows',
    ['mend|skip|stop', 'rows that cannot be read: mends what is sure, or leaves all out'],
    { mend: 'mend', skip: 'skip', stop: 'stop' },
  ),
  totals: oneOf(
    'totals',
    ['end|keep|drop', 'rows that are called a total; end leaves out what adds up there'],
    { end: 'end', keep: 'keep', drop: 'drop' },
  ),
  'leave-out': {
    usage: ['ROWS', 'lines that are no data, in a sheet rows: 18 or 3..5 or -3..'],
    read: (value) => {
      const leaveOut = readRanges(value);
      const expected = 'lines such as 18, 3..5, 18.. or -3.., with commas between';
      return leaveOut === undefined ? unlike(value, expected) : { leaveOut };
    },
    values: ({ leaveOut }) => (leaveOut === undefined ? [] : [rangesText(leaveOut)]),
  },
  table: {
    usage: ['N', 'which table it is if blank lines part several, or all as one'],
    read: (value) =>
      /^(?:[1-9]\d{0,3}|all)$/.test(value)
        ? { table: value === 'all' ? value : Number(value) }
        : unlike(value, 'a number from 1, or all'),
    values: ({ table }) => (table === undefined ? [] : [String(table)]),
  },
  sheet: text('sheet', ['NAME', 'of an Excel file']),
  property: text('property', ['NAME', 'the list of rows in a JSON file, such as result.records']),
  'axis-order': oneOf(
    'axisOrder',
    ['lat-lon|lon-lat', 'which is first in the positions of a GeoJSON file'],
    { 'lat-lon': 'lat-lon', 'lon-lat': 'lon-lat' },
  ),
  places: text('places', [
    'COLUMN',
    "whose cells are places: 47.37, 8.54 or 47\u00b022'N 8\u00b032'E or EWKB",
  ]),
  dates: oneOf('dates', ['dmy|mdy', 'how 3/4/2020 is meant, where no date settles it'], {
    dmy: 'dmy',
    mdy: 'mdy',
  }),
  calendar: oneOf(
    'calendar',
    ['NAME', 'of dates in years such as 2563: buddhist, persian, islamic or gregorian'],
    { buddhist: 'buddhist', persian: 'persian', islamic: 'islamic', gregorian: 'gregorian' },
  ),
  decimal: oneOf('decimal', ['.|,', 'how 1,234 is meant, where no number settles it'], {
    '.': '.',
    ',': ',',
  }),
  zone: text(
    'zone',
    ['NAME', 'whose days times with an offset have, such as Europe/Berlin'],
    isTimeZone,
    'one such as Europe/Berlin.',
  ),
  type: {
    isRepeated: true,
    usage: ['COLUMN=TYPE', `${Object.keys(FIELD_TYPES).join(', ')}; may be repeated`],
    read: readType,
    values: ({ types = new Map() }) => [...types].map(([column, type]) => `${column}=${type}`),
  },
  format: {
    isRepeated: true,
    usage: ['COLUMN=PATTERN', 'how its dates or times are written: %Y-%m, %d.%m.%Y %H:%M, %s'],
    read: readFormat,
    values: ({ formats = new Map() }) =>
      [...formats].map(([column, format]) => `${column}=${format}`),
  },
  nothing: {
    isRepeated: true,
    usage: ['COLUMN=WORD', 'a word that means nothing there; COLUMN= if known ones are values'],
    read: readNothing,
    values: ({ nothing = new Map() }) =>
      [...nothing].flatMap(([column, words]) => words.map((word: string) => `${column}=${word}`)),
  },
};

/** The usage of these options, a line each. */
export const CHOICES_USAGE = Object.entries(CHOICES)
  .map(
    ([
      option,
      {
        usage: [value, text],
      },
    ]) => `  ${`--${option} ${value}`.padEnd(20)} ${text}`,
  )
  .join('\n');

/** The options and values that decide the same without a question. */
export function wordsOf(given: Given): readonly (readonly [option: string, value: string])[] {
  return Object.entries(CHOICES).flatMap(([option, { values }]) =>
    values(given).map((value) => [`--${option}`, value] as const),
  );
}

/** Parses the words after `add` or `try`. */
export function readAddOptions(command: 'add' | 'try', args: readonly string[]): AddOptions {
  let given: Given = {};
  const taken = new Set<string>();
  const take = (option: string) => (value: string) => {
    if (CHOICES[option]?.isRepeated !== true && taken.size === taken.add(option).size) {
      return `--${option} is given twice.`;
    }
    const read = CHOICES[option]?.read(value) as Given | string;
    if (typeof read === 'string') return `--${option} ${read}`;
    given = andGiven(given, read);
    return undefined;
  };
  const options = {
    ...Object.fromEntries(Object.keys(CHOICES).map((option) => [option, take(option)])),
    blocks: 'text' as const,
    ...(command === 'try' ? { port: 'text' as const } : {}),
    yes: 'flag' as const,
    help: 'flag' as const,
  };
  const isBlank = (value: string) => value.trim() === '' && !/^[\t ]$/.test(value);
  const line = readLine(args, options, { isBlank });
  const { words: files, flags, texts } = line;
  const faults = [...line.faults];
  if (files.length > 1) faults.push(`One file at a time; these are ${files.length}.`);
  const { blocks, port } = texts;
  const [file] = files;
  const isHelp = flags.has('help');
  if (file === undefined && !isHelp) faults.push('Which file?');
  if (port !== undefined && !isPort(port)) faults.push(badPort('--port', port));
  return {
    isHelp,
    given,
    isYes: flags.has('yes'),
    faults,
    file,
    blocks,
    port: port === undefined ? undefined : Number(port),
  };
}

/** Parses a column and its type, or says what is wrong with them. */
function readType(value: string): Given | string {
  const at = value.lastIndexOf('=');
  const type = value.slice(at + 1);
  if (at < 1) return 'needs a column and its type, such as --type permit_no=text';
  if (!Object.hasOwn(FIELD_TYPES, type)) {
    const known = Object.keys(FIELD_TYPES);
    const near = nearName(type, known);
    const fix = near === undefined ? `expected one of ${known.join(' ')}` : `did you mean ${near}?`;
    return `${value}: there is no type ${JSON.stringify(type)}; ${fix}`;
  }
  return { types: new Map([[value.slice(0, at), type as FieldTypeName]]) };
}

function readFormat(value: string): Given | string {
  const at = value.indexOf('=');
  const format = value.slice(at + 1);
  if (at < 1 || format.trim() === '')
    return 'needs a column and a pattern, such as --format month=%Y-%m';
  try {
    timeParser(format);
  } catch (error) {
    return `${value}: ${(error as Error).message}`;
  }
  if (!isCounter(format) && !/%[YyG]/.test(format)) {
    return `${value}: a pattern has a year, %Y or %y, or is one of %s, %Q and excel`;
  }
  if (format.includes('%G') !== format.includes('%V')) {
    return `${value}: weeks are %V in years of %G, such as %G-W%V, which may cut a year of %Y`;
  }
  if (format.includes('%I') && !format.includes('%p')) {
    return `${value}: %I is an hour of twelve, which needs %p; %H is one of 24`;
  }
  return { formats: new Map([[value.slice(0, at), format]]) };
}

function readNothing(value: string): Given | string {
  const at = value.indexOf('=');
  if (at < 1) return 'needs a column and a word, such as --nothing score=missing';
  return { nothing: new Map([[value.slice(0, at), [value.slice(at + 1).trim()]]]) };
}

/** Whether a text is a port's number, or 0 for any free one. */
export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** A sentence about a text that is no port. `from` says where the text is from. */
export function badPort(from: string, text: string): string {
  return `${from} ${unlike(text, 'a number from 0 to 65535.')}`;
}

/** A sentence about a name that no block can have. */
export function badName(name: string): string {
  return `--name ${unlike(name, A_NAME)}`;
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** Whether a text is a day, a month or a year in ISO 8601. */
export function isDay(text: string): boolean {
  if (!/^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
