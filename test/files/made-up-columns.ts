import type { Random } from '../tape/requests.ts';

/** What a cell means: a number, a text, a date, a time, or null for nothing. */
export type Right = number | string | null;

/** How a column's values are compared: an id may be read as a number if no digit is lost. */
export type Kind = 'number' | 'id' | 'text' | 'date' | 'month' | 'time' | 'absent';

/** A column that a naive writer fills: what its cells mean, and how they are written. */
export type ColumnPlan = {
  readonly kind: Kind;
  readonly headers: readonly string[];
  readonly draw: (row: number) => Right;
  readonly write: (value: Right) => string;
  /** Decimals of its sums, if a total has them. */
  readonly decimals?: number;
  /** Whether JSON, Excel and Parquet have numbers, not texts. */
  readonly isTyped?: boolean;
  /** How a row writes nothing, if by a word. */
  readonly nothing?: string;
  /** Words that the title has, and words that the title or the unit has. */
  readonly inTitle?: readonly string[];
  readonly inTitleOrUnit?: readonly string[];
  /** Set if the numbers are amounts, not names of things. */
  readonly isMeasure?: true;
  /** Set if only the header says what the cells are. */
  readonly needsHeader?: true;
  /** The number of a day as a sheet has it, if the cell is a date there. */
  readonly serial?: (value: Right) => number | undefined;
  /** The other column, if two belong together. */
  readonly beside?: ColumnPlan;
};

type Plan = (random: Random) => ColumnPlan;

/** A column that is easily read wrong, by what it is called here. */
export type Trap = readonly [feature: string, make: Plan];

export const plain = (value: Right) => (value === null ? '' : String(value));
export const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.below(10)).join('');

/** A number with so many decimals, and a sign between groups of three. */
function spelled(value: number, decimals: number, point: string, group: string): string {
  const [whole = '', rest] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return rest === undefined ? grouped : `${grouped}${point}${rest}`;
}

type Figures = {
  readonly headers?: readonly string[];
  readonly least?: number;
  readonly most: number;
  readonly decimals?: number;
  readonly negative?: number;
};

/** A column of figures, written by what makes a text of a number. */
export function figures(
  random: Random,
  { headers = AMOUNTS, least = 0, most, decimals = 0, negative = 0 }: Figures,
  write: (value: number) => string,
): ColumnPlan {
  const unit = 10 ** decimals;
  const draw = (row: number) => {
    // Of any size, as figures are, unless all are of one length; not 0, which has no sign.
    const to = least > 0 ? most : Math.ceil(most / 10 ** random.below(4));
    const size = least + random.below(Math.max(2, to - least) * unit) / unit + 1 / unit;
    const isNegative = negative > 0 && (row === 1 || random.chance(negative));
    return Number((isNegative ? -size : size).toFixed(decimals));
  };
  const text = (value: Right) => (value === null ? '' : write(value as number));
  return { kind: 'number', headers, draw, write: text, decimals };
}

/** Numbers that are written with one notation of what is below zero. */
function negatives(of: (size: string, value: number) => string, decimals = 2): Plan {
  return (random) => {
    const [point, group] = random.one([
      ['.', ''],
      ['.', ','],
      [',', '.'],
    ]) as [string, string];
    return figures(random, { most: 20_000, decimals, negative: 0.3 }, (value) => {
      const size = spelled(value, decimals, point, group);
      return value < 0 ? of(size, value) : size;
    });
  };
}

const minus = (value: number, size: string) => (value < 0 ? `-${size}` : size);

const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Ivy', 'Oak'];
const PLACES = ['Street', 'Lane', 'Hill', 'Park', 'Bridge', 'Mill', 'Station', 'Court'];
export const AMOUNTS = [
  'amount',
  'balance',
  'result',
  'change',
  'Betrag',
  'margin',
  'flow',
  'net value',
];
export const COUNTS = ['visitors', 'count', 'households', 'trips', 'Anzahl', 'cases', 'seats'];
const SIX_DIGITS = ['buses', 'enrolled', 'revenue', 'riders', 'water use', 'books lent', 'output'];
export const CODES = ['code', 'permit no', 'zip', 'case id', 'customer no', 'station id', 'PLZ'];
const INSTANTS = ['timestamp', 'created at', 'logged', 'time', 'updated', 'start time'];
export const DAYS = ['date', 'opened', 'day', 'Datum', 'delivered', 'born'];

/** Texts that are drawn elsewhere. */
export const TEXT = { kind: 'text', draw: () => '', write: plain } as const;

export const NAME: Plan = (random) => ({
  ...TEXT,
  headers: ['name', 'site', 'station', 'title'],
  draw: (row) => `${random.one(NAMES)} ${random.one(PLACES)} ${row + 1}`,
});

export const traps = (plans: Readonly<Record<string, Plan>>): readonly Trap[] =>
  Object.entries(plans);

export const PLAIN_NUMBERS = traps({
  'whole numbers': (random) => ({
    ...figures(random, { headers: COUNTS, most: 1_000_000 }, String),
    isTyped: true,
  }),
  'figures of six digits': (random) => ({
    ...figures(random, { headers: SIX_DIGITS, least: 100_000, most: 999_998 }, String),
    isTyped: true,
  }),
  'decimal point': (random) => ({
    ...figures(random, { most: 10_000, decimals: 1 + random.below(2), negative: 0.1 }, String),
    isTyped: true,
  }),
});

const SPELLED_NUMBERS = traps({
  'decimal comma': (random) =>
    figures(random, { most: 10_000, decimals: 2, negative: 0.1 }, (value) =>
      minus(value, spelled(value, 2, ',', '')),
    ),
  'groups, decimals': (random) => {
    const [point, group] = random.one(['.,', ',.', ', ', ".'"]).split('') as [string, string];
    return figures(random, { most: 5_000_000, decimals: 2 }, (value) =>
      spelled(value, 2, point, group),
    );
  },
  'groups, no decimals': (random) => {
    const group = random.one([',', '.', ' ']);
    return figures(random, { headers: COUNTS, most: 5_000_000 }, (value) =>
      spelled(value, 0, '', group),
    );
  },
  currency: (random) => {
    const write = random.one<(value: number) => string>([
      (value) => minus(value, `$${spelled(value, 2, '.', ',')}`),
      (value) => `${minus(value, spelled(value, 2, ',', '.'))} €`,
      (value) => `EUR ${minus(value, spelled(value, 2, '.', ''))}`,
      (value) => minus(value, `£${spelled(value, 2, '.', ',')}`),
      (value) => `CHF ${minus(value, spelled(value, 2, '.', "'"))}`,
    ]);
    return figures(random, { most: 50_000, decimals: 2, negative: 0.1 }, write);
  },
  'minus behind': negatives((size) => `${size}-`),
  'brackets below zero': negatives((size) => `(${size})`),
  '($5)': (random) =>
    figures(random, { most: 5000, negative: 0.3 }, (value) =>
      value < 0 ? `($${spelled(value, 0, '', ',')})` : `$${spelled(value, 0, '', ',')}`,
    ),
  'an apostrophe before': (random) =>
    figures(random, { most: 180, decimals: 2, negative: 0.5 }, (value) => `'${value.toFixed(2)}`),
});

/** Figures, whose sums a total has. */
export const NUMBERS = [...PLAIN_NUMBERS, ...SPELLED_NUMBERS];

/** The digit that makes a sum with weights 1 and 3 a multiple of ten (GS1). */
function gtin(random: Random): string {
  const first = `${random.one(['40', '50', '76', '90'])}${digits(random, 10)}`;
  const sum = [...first].reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${first}${(10 - (sum % 10)) % 10}`;
}

/** Nine digits that pass Luhn's test, as France's companies have them. */
function siren(random: Random): string {
  const first = `${1 + random.below(9)}${digits(random, 7)}`;
  const sum = [...first].reduce((all, digit, i) => {
    const twice = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${first}${(10 - (sum % 10)) % 10}`;
}

export function ids(
  headers: readonly string[],
  draw: ColumnPlan['draw'],
  write = plain,
): ColumnPlan {
  return { kind: 'id', headers, draw, write };
}

const withZeros = (random: Random) => {
  const length = 4 + random.below(4);
  return (row: number) =>
    `${row === 0 || random.chance(0.3) ? 0 : 1 + random.below(9)}${digits(random, length - 1)}`;
};

/** Ids, and other columns that have no sum. */
export const IDS = traps({
  'brackets in every cell': (random) => {
    const headers = ['se', 'std. error', 'standard error', 'SE'];
    const { decimals: _, ...errors } = figures(
      random,
      { headers, most: 1, decimals: 3 },
      (value) => `(${value.toFixed(3)})`,
    );
    return errors;
  },

  'ids of one length': (random) => {
    const length = 4 + random.below(5);
    const draw = () => `${1 + random.below(9)}${digits(random, length - 1)}`;
    return { ...ids(CODES, draw), isTyped: random.chance(0.5) };
  },
  'ids with leading zeros': (random) => ids(CODES, withZeros(random)),
  'GTIN-13': (random) => ({
    ...ids(['gtin', 'ean', 'barcode', 'article'], () => gtin(random)),
    isTyped: random.chance(0.5),
  }),
  'SIREN in groups': (random) =>
    ids(
      ['siren', 'company', 'SIREN'],
      () => siren(random),
      (value) => plain(value).replace(/\B(?=(\d{3})+$)/g, ' '),
    ),
  '="00123"': (random) => ids(CODES, withZeros(random), (value) => `="${plain(value)}"`),
  'versions 1.4 and 1.40': (random) => ({
    kind: 'text',
    headers: ['version', 'release', 'firmware'],
    draw: (row) =>
      row < 2
        ? `1.4${'0'.repeat(row)}`
        : `${1 + random.below(3)}.${random.below(12)}${random.chance(0.2) ? '0' : ''}`,
    write: plain,
  }),
  '9999 for nothing': (random) => ({
    kind: 'absent',
    headers: COUNTS,
    draw: (row) => (row === 2 || random.chance(0.1) ? null : 1 + random.below(400)),
    write: (value) => String(value ?? 9999),
    isTyped: true,
  }),
});

/** A time between 2000 and 2024, in so many milliseconds. */
export const moment = (random: Random, step = 1000) =>
  Math.floor((946_684_800_000 + random.below(24 * 365 * 86_400) * 1000) / step) * step;
export const isoOf = (at: number) => new Date(at).toISOString().replace(/\.000Z$/, '');

/** Times by how they are written; `draw` gives them in ISO 8601. */
function times(random: Random, write: ColumnPlan['write'], end = '', step = 1000): ColumnPlan {
  const draw = () => `${isoOf(moment(random, step))}${end}`;
  return { kind: 'time', headers: INSTANTS, draw, write: (value) => (value && write(value)) || '' };
}

function fractions(random: Random, count: number): ColumnPlan {
  const [between, end] = [random.one(['T', ' ']), random.one(['', 'Z'])];
  const plan = times(random, (value) => plain(value).replace('T', between));
  // Not ending in 0, so that no digit is one that nobody would miss.
  const rest = () => `${digits(random, count - 1)}${1 + random.below(9)}`;
  return { ...plan, draw: (row) => `${plan.draw(row)}.${rest()}${end}` };
}

function epoch(random: Random, unit: number): ColumnPlan {
  const plan = times(random, (value) => String(Date.parse(plain(value)) / unit), 'Z');
  return { ...plan, isTyped: true };
}

export function days(random: Random, write: (year: string, month: string, day: string) => string) {
  const draw = () => isoOf(moment(random)).slice(0, 10);
  const text = (value: Right) =>
    value === null ? '' : write(...(plain(value).split('-') as [string, string, string]));
  return { kind: 'date', headers: DAYS, draw, write: text } as const;
}

export const TIMES = traps({
  'ISO times': (random) => times(random, plain),
  microseconds: (random) => fractions(random, 6),
  nanoseconds: (random) => fractions(random, 9),
  '… UTC': (random) =>
    times(random, (value) => plain(value).replace('T', ' ').replace('Z', ' UTC'), 'Z'),
  'RFC 2822': (random) =>
    times(random, (value) => new Date(plain(value)).toUTCString().replace('GMT', '+0000'), 'Z'),
  '24:00': (random) => ({
    ...times(random, (value) => {
      const isMidnight = plain(value).endsWith('T00:00:00');
      const before = isoOf(Date.parse(`${value}Z`) - (isMidnight ? 86_400_000 : 0));
      return `${before.slice(0, 10)} ${isMidnight ? '24:00' : before.slice(11, 16)}`;
    }),
    draw: (row) => {
      const hours = isoOf(moment(random, 3_600_000));
      return row === 1 ? `${hours.slice(0, 10)}T00:00:00` : hours;
    },
  }),
  'epoch seconds': (random) => epoch(random, 1000),
  'epoch milliseconds': (random) => epoch(random, 1),
  'months 2016-01': (random) => ({
    kind: 'month',
    headers: ['month', 'period', 'Monat'],
    draw: () => isoOf(moment(random)).slice(0, 7),
    write: plain,
  }),
  'ISO dates': (random) => days(random, (year, month, day) => `${year}-${month}-${day}`),
  'dates, day first': (random) => {
    const sign = random.one(['/', '.', '-']);
    return days(random, (year, month, day) => [day, month, year].join(sign));
  },
  'dates, month first': (random) =>
    days(random, (year, month, day) => [month, day, year].join('/')),
  'dates without zeros': (random) =>
    days(random, (year, month, day) => `${Number(day)}.${Number(month)}.${year}`),
});
