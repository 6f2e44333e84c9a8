import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from './serving.ts';

/**
 * Trips of a made service, random questions about them, and a plain reading of both: it shares no code
 * with the product. The numbers are the same in each run of a seed.
 */
const block = datasetBlock({
  ...{ id: 'trips', name: 'trips', title: 'Trips', description: 'Made.', noun: 'trips' },
  examples: [],
  fields: [
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'text', name: 'town', title: 'Town' },
    { type: 'integer', name: 'riders', title: 'Riders' },
    { type: 'number', name: 'km', title: 'Length' },
  ],
});

/** The same numbers in each run, from 0 to below 1 (mulberry32, by Tommy Ettinger). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomNumbers(54);
export const below = (count: number) => Math.floor(count * random());
export const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;

const KINDS = ['bus', 'tram', 'boat', 'lift'];
const TOWNS = Array.from({ length: 15 }, (_, i) => `Town ${'abcdefghijklmno'[i]}`);
export const trips = Array.from({ length: 900 }, () => ({
  day: new Date(Date.UTC(2021, 0, 1 + below(900))).toISOString().slice(0, 10),
  kind: oneOf(KINDS),
  town: oneOf(TOWNS),
  riders: below(4) === 0 ? null : below(5000),
  km: below(9) === 0 ? null : Number((90 * random()).toFixed(2)),
}));
export type Trip = (typeof trips)[number];
export const { request } = serve(block, trips as Row[]);

export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** How rows are grouped, by what a page calls the groups. */
export const GROUPS: Readonly<Record<string, (row: Trip) => string>> = {
  'day.year': ({ day }) => day.slice(0, 4),
  'day.month': ({ day }) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`,
  'day.quarter': ({ day }) => `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}`,
  'day.weekday': ({ day }) => WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7] as string,
  'day.weekend': ({ day }) => (new Date(day).getUTCDay() % 6 === 0 ? 'Sat, Sun' : 'Mon–Fri'),
  kind: ({ kind }) => kind,
  town: ({ town }) => town,
};

const numbersIn = (some: readonly Trip[], field: 'riders' | 'km') =>
  some.flatMap((row) => row[field] ?? []).sort((a, b) => a - b);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const NOTHING = Number.NaN;

export const MEASURES: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  sum,
  avg: (numbers) => sum(numbers) / numbers.length,
  min: (numbers) => numbers[0] ?? NOTHING,
  max: (numbers) => numbers.at(-1) ?? NOTHING,
  median: (numbers) => {
    const middle = numbers.length / 2;
    const at = (index: number) => numbers[index] ?? NOTHING;
    return middle % 1 === 0 ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
  },
};

export function measured(text: string, some: readonly Trip[]): number {
  const [of = '', field] = text.split(':');
  if (of === 'count') return some.length;
  const numbers = numbersIn(some, field as 'riders' | 'km');
  return numbers.length === 0 ? NOTHING : (MEASURES[of]?.(numbers) ?? NOTHING);
}

type Asked = { query: [string, string][]; keeps: (row: Trip) => boolean };

export function randomFilter(which: number): Asked {
  switch (which) {
    case 0: {
      const kind = oneOf(KINDS);
      return { query: [['kind', kind]], keeps: (row) => row.kind === kind };
    }
    case 1: {
      const least = below(4000);
      return {
        query: [['riders_min', String(least)]],
        keeps: ({ riders }) => riders !== null && riders >= least,
      };
    }
    case 2: {
      const year = String(2021 + below(2));
      return { query: [['day', year]], keeps: ({ day }) => day.startsWith(year) };
    }
    case 3: {
      const towns = TOWNS.slice(below(7), 7 + below(7));
      return {
        query: towns.map((town) => ['_not.town', town]),
        keeps: ({ town }) => !towns.includes(town),
      };
    }
    default:
      return { query: [], keeps: () => true };
  }
}

const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&[a-z]+;/g, '')
    .replace(/\*$/, '')
    .trim();

export type Cell = { readonly row: string; readonly column: string; readonly text: string };

/** The cells of the tables of numbers on a page: of bars, of a heat table, or below a figure. */
export function cellsIn(html: string): Cell[] {
  const tables = [...html.matchAll(/<table[^>]*>(.*?)<\/table>/gs)].map(([, table = '']) => table);
  return tables.flatMap((table) => {
    const cellsOf = (row: string) =>
      [...row.matchAll(/<t[hd]([^>]*)>(.*?)<\/t[hd]>/gs)]
        .filter(([, attributes = '']) => !attributes.includes('aria-hidden'))
        .map(([, , cell = '']) => textOf(cell));
    const rows = [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) => row);
    // Bars side by side have a head for the rows of each group.
    if (table.includes('scope="rowgroup"')) {
      let group = '';
      return rows.slice(1).flatMap((row) => {
        const cells = cellsOf(row);
        if (row.includes('scope="rowgroup"')) group = cells.shift() ?? '';
        const [column = '', ...texts] = cells;
        return texts.map((text) => ({ row: group, column, text }));
      });
    }
    const [head = [], ...body] = rows.map(cellsOf);
    return body.flatMap(([row = '', ...cells]) =>
      cells.map((text, i) => ({ row, column: head[i + 1] ?? '', text })),
    );
  });
}

/** Whether a page writes a number: rounded to the digits that it shows, `4.30M` or `−0.5`. */
export function isWritten(text: string, number: number): boolean {
  const [, digits = '', unit = ''] = /^(−?[\d,.]+)([kMB]?)$/.exec(text) ?? [];
  if (digits === '') return false;
  const plain = digits.replace('−', '-').replaceAll(',', '');
  const size = { '': 1, k: 1e3, M: 1e6, B: 1e9 }[unit] ?? 1;
  const decimals = plain.split('.')[1]?.length ?? 0;
  // Three digits are shown, so large whole numbers may end in zeros that are not theirs.
  const half = Math.max(0.5 * 10 ** -decimals * size, unit === '' ? 0 : 0.005 * Math.abs(number));
  return Math.abs(Number(plain) * size - number) <= half * (1 + 1e-9) + 1e-9;
}
