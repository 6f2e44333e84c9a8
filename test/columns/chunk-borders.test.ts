import { describe, expect, test } from '@jest/globals';
import { matches, type Predicate } from '../../src/query/predicate.ts';
import type { Query, RowStore } from '../../src/query/row-store.ts';
import { sortRows } from '../../src/query/sort-rows.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { keyRow } from '../support/key-row.ts';
import { memoryRows } from '../support/memory-rows.ts';

const FIELDS: readonly Field[] = [
  { type: 'text', name: 'name', title: 'Name' },
  { type: 'number', name: 'price', title: 'Price' },
  { type: 'integer', name: 'id', title: 'Id' },
];

/** Names in several spellings, few prices, and ids that ascend; some of the first two missing. */
function rowAt(position: number): Row {
  const mixed = Math.imul(position, 0x9e3779b1) >>> 8;
  const name = `${['shop', 'Shop', 'ŠHOP', '\u{1f600}', '\ue000'][mixed % 5]} ${mixed % 2503}`;
  return {
    name: mixed % 11 === 0 ? null : name,
    price: mixed % 7 === 0 ? null : (mixed % 401) / 100 - 1,
    id: position * 3,
  };
}

const some = (low: number, high: number, field = 'price'): Predicate => [
  { field, parameters: [field], test: 'ranges', anyOf: [[low, high]] },
];
const name = (...anyOf: string[][]): Predicate => [
  { field: 'name', parameters: ['name'], test: 'patterns', anyOf, byDigits: false },
];

const PREDICATES: Readonly<Record<string, Predicate>> = {
  'all rows': [],
  'rows of a price': some(0.5, 0.5),
  'the last rows': some(3 * (2 ** 12 - 3), Number.POSITIVE_INFINITY, 'id'),
  'rows of two names': name(['shop 17'], ['\u{1f600} 5']),
  'rows of names with a part': [...name(['', '99', '']), ...some(0, 2)],
  'rows without a name': [{ field: 'name', parameters: ['_empty'], test: 'empty' }],
  'rows of no such name': name(['nowhere']),
};

const SORTS: readonly (Query['sort'] | undefined)[] = [
  undefined,
  ...['name', 'price', 'id'].flatMap((field) => [
    { field, descending: false },
    { field, descending: true },
  ]),
];

/** More than any walk takes: one that goes in circles ends. */
const MOST_PAGES = 10;

/** All pages of a query, as one text, and the totals. */
async function walk(
  store: RowStore,
  { predicate, sort }: Pick<Query, 'predicate' | 'sort'>,
  limit: number,
) {
  const found: string[] = [];
  const totals = new Set<number>();
  let pages = 0;
  let after: number | undefined;
  do {
    const query: Query = {
      predicate,
      limit,
      ...(sort === undefined ? {} : { sort }),
      ...(after === undefined ? {} : { after }),
    };
    const page = await store.read(query, new Budget(new Scheduler(), 1e12, 60_000));
    found.push(...listTexts(page.rows));
    totals.add(page.total);
    after = page.last;
    pages++;
  } while (after !== undefined && pages <= MOST_PAGES);
  return { found, totals: [...totals], pages };
}

describe.each([
  { rows: 0, rowsPerChunk: 2 ** 12 },
  { rows: 1, rowsPerChunk: 2 ** 12 },
  { rows: 2 ** 12 - 1, rowsPerChunk: 2 ** 12 },
  { rows: 2 ** 12, rowsPerChunk: 2 ** 12 },
  { rows: 2 ** 12 + 1, rowsPerChunk: 2 ** 12 },
  { rows: 2 ** 15 + 1, rowsPerChunk: 2 ** 15 },
])('$rows rows in chunks of $rowsPerChunk', ({ rows: count, rowsPerChunk }) => {
  const rows = Array.from({ length: count }, (_, position) => ({
    ...keyRow(FIELDS, rowAt(position)),
    position,
  }));
  const texts = rows.map(({ values }) => JSON.stringify(values));
  const store = memoryRows(FIELDS, rows, { rowsPerChunk });

  test.each(Object.keys(PREDICATES))('%s, in every order, page by page', async (kind) => {
    const predicate = PREDICATES[kind] as Predicate;
    const found = rows.filter((row) => matches(predicate, row));
    for (const sort of SORTS) {
      const expected = sort === undefined ? found : sortRows(found, sort);
      // Three full pages and a rest, borders in the middle of a price's ties; one full page.
      const limits = [
        Math.ceil(found.length / 3.3),
        ...(sort?.field !== 'name' ? [found.length] : []),
      ];
      for (const limit of limits.map((rows) => Math.max(1, rows))) {
        const walked = await walk(store, { predicate, ...(sort && { sort }) }, limit);
        const pages = Math.max(1, Math.ceil(found.length / limit));
        expect([sort, walked.totals, walked.pages]).toEqual([sort, [expected.length], pages]);
        expect(walked.found.join('\n')).toBe(
          expected.map(({ position }) => texts[position]).join('\n'),
        );
      }
    }
  });
});
