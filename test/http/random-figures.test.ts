import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

/**
 * Pages of 200 random questions, whose numbers are computed again by a plain reading of the rows: it
 * shares no code with the product.
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
const below = (count: number) => Math.floor(count * random());
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;

const KINDS = ['bus', 'tram', 'boat', 'lift'];
const TOWNS = Array.from({ length: 15 }, (_, i) => `Town ${'abcdefghijklmno'[i]}`);
const rows = Array.from({ length: 900 }, () => ({
  day: new Date(Date.UTC(2021, 0, 1 + below(900))).toISOString().slice(0, 10),
  kind: oneOf(KINDS),
  town: oneOf(TOWNS),
  riders: below(4) === 0 ? null : below(5000),
  km: below(9) === 0 ? null : Number((90 * random()).toFixed(2)),
}));
type Trip = (typeof rows)[number];
const { request } = serve(block, rows as Row[]);

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** How rows are grouped, by what a page calls the groups. */
const GROUPS: Readonly<Record<string, (row: Trip) => string>> = {
  'day.year': ({ day }) => day.slice(0, 4),
  'day.month': ({ day }) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`,
  'day.quarter': ({ day }) => `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}`,
  'day.weekday': ({ day }) => WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7] as string,
  kind: ({ kind }) => kind,
  town: ({ town }) => town,
};

const numbersIn = (some: readonly Trip[], field: 'riders' | 'km') =>
  some.flatMap((row) => row[field] ?? []).sort((a, b) => a - b);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const NOTHING = Number.NaN;

const MEASURES: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
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

function measured(text: string, some: readonly Trip[]): number {
  const [of = '', field] = text.split(':');
  if (of === 'count') return some.length;
  const numbers = numbersIn(some, field as 'riders' | 'km');
  return numbers.length === 0 ? NOTHING : (MEASURES[of]?.(numbers) ?? NOTHING);
}

type Asked = { query: [string, string][]; keeps: (row: Trip) => boolean };

function randomFilter(which: number): Asked {
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

type Cell = { readonly row: string; readonly column: string; readonly text: string };

/** The cells of the tables of numbers on a page: of bars, of a heat table, or below a figure. */
function cellsIn(html: string): Cell[] {
  const tables = [...html.matchAll(/<table([^>]*)>(.*?)<\/table>/gs)];
  return tables.flatMap(([, look = '', table = '']) => {
    if (look.includes('grouped')) return cellsOfGroups(table);
    const cellsOf = (row: string) =>
      [...row.matchAll(/<t[hd]([^>]*)>(.*?)<\/t[hd]>/gs)]
        .filter(([, attributes = '']) => !attributes.includes('aria-hidden'))
        .map(([, , cell = '']) => textOf(cell));
    const [head = [], ...body] = [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      cellsOf(row),
    );
    return body.flatMap(([row = '', ...cells]) =>
      cells.map((text, i) => ({ row, column: head[i + 1] ?? '', text })),
    );
  });
}

/** Bars side by side: a body for each group, whose name is before its first bar. */
function cellsOfGroups(table: string): Cell[] {
  return [...table.matchAll(/<tbody>(.*?)<\/tbody>/gs)].flatMap(([, body = '']) => {
    const [, row = ''] = /<th scope="rowgroup"[^>]*>(.*?)<\/th>/s.exec(body) ?? [];
    return [...body.matchAll(/<th scope="row">(.*?)<\/th><td class="n">(.*?)<\/td>/gs)].map(
      ([, column = '', text = '']) => ({
        row: textOf(row),
        column: textOf(column),
        text: textOf(text),
      }),
    );
  });
}

/** Whether a page writes a number: rounded to the digits that it shows, `4.30M` or `−0.5`. */
function isWritten(text: string, number: number): boolean {
  const [, digits = '', unit = ''] = /^(−?[\d,.]+)([kMB]?)$/.exec(text) ?? [];
  if (digits === '') return false;
  const plain = digits.replace('−', '-').replaceAll(',', '');
  const size = { '': 1, k: 1e3, M: 1e6, B: 1e9 }[unit] ?? 1;
  const decimals = plain.split('.')[1]?.length ?? 0;
  // Three digits are shown, so large whole numbers may end in zeros that are not theirs.
  const half = Math.max(0.5 * 10 ** -decimals * size, unit === '' ? 0 : 0.005 * Math.abs(number));
  return Math.abs(Number(plain) * size - number) <= half * (1 + 1e-9) + 1e-9;
}

const OF_FIELDS = Object.keys(MEASURES).flatMap((of) => [`${of}:riders`, `${of}:km`]);

test('200 random figures have the numbers of a plain reading, each of them', async () => {
  let compared = 0;
  for (let i = 0; i < 200; i++) {
    const measure = oneOf(['count', ...OF_FIELDS]);
    const first = oneOf(Object.keys(GROUPS));
    const isOfDate = (text: string) => text.startsWith('day.');
    const seconds = Object.keys(GROUPS).filter(
      (text) => text !== first && !(isOfDate(text) && isOfDate(first)),
    );
    const second = below(3) === 0 ? oneOf(seconds) : undefined;
    const which = below(5);
    const filters = [randomFilter(which), randomFilter((which + 1 + below(4)) % 5)];
    const query = new URLSearchParams([
      ...[first, ...(second === undefined ? [] : [second])].map((one) => ['_group', one]),
      ...[
        ['_measure', measure],
        ['_view', 'chart'],
        ['_format', 'html'],
        ['_limit', '50'],
      ],
      ...filters.flatMap((filter) => filter.query),
    ]);
    const answer = await request(`/api_v2/blocks/trips?${query}`);
    expect([answer.status, `${query}`]).toEqual([200, `${query}`]);
    const html = await answer.text();
    const matching = rows.filter((row) => filters.every(({ keeps }) => keeps(row)));
    const [, state = ''] = /<p class="state">\s*<b>(.*?)<\/b>/s.exec(html) ?? [];
    if (state !== '') {
      const [, count = ''] = /([\d,]+)/.exec(state) ?? [];
      expect([`${query}`, Number(count.replaceAll(',', ''))]).toEqual([
        `${query}`,
        matching.length === 1 ? 1 : matching.length,
      ]);
    }
    const names = [first, ...(second === undefined ? [] : [second])];
    const groups = new Map<string, Trip[]>();
    for (const row of matching) {
      const key = JSON.stringify(names.map((name) => GROUPS[name]?.(row)));
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    // A line of one value is called by what is measured.
    const [areOne, areTwo] = [0, 1].map((side) => {
      return new Set([...groups.keys()].map((key) => JSON.parse(key)[side])).size < 2;
    });
    const cells = cellsIn(html);
    for (const [key, some] of groups) {
      const [one, two] = JSON.parse(key) as [string, string | undefined];
      const number = measured(measure, some);
      // In which of the two orders a figure has its groups is its own matter.
      const shown = cells.filter(
        ({ row, column }) =>
          (row === one && (areTwo || column === two)) ||
          (row === two && (areOne || column === one)),
      );
      const isThere = Number.isNaN(number)
        ? shown.every(({ text }) => /^(?:–|)$/.test(text) || two === undefined)
        : shown.some(({ text }) => isWritten(text, number));
      // A group that is one of many more stands in the whole table alone.
      if (shown.length === 0 && groups.size > 50) continue;
      expect([`${query}`, key, number, shown.map(({ text }) => text), isThere]).toEqual([
        `${query}`,
        key,
        number,
        expect.anything(),
        true,
      ]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(2000);
});
