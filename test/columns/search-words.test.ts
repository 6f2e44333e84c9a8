import { expect, test } from '@jest/globals';
import { oneOf, seededRandom } from '../../bench/data/seeded-random.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { ColumnRows } from '../../src/columns/column-rows.ts';
import { ColumnStore } from '../../src/columns/column-store.ts';
import { memorySource } from '../../src/columns/memory-rows.ts';
import { matches, type WordsCondition } from '../../src/query/predicate.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { keyRow } from '../support/key-row.ts';
import { packColumns } from '../support/pack-columns.ts';

const FIELDS: readonly Field[] = [
  { type: 'text', name: 'street', title: 'Street' },
  { type: 'phone', name: 'phone', title: 'Phone' },
];
const scheduler = new Scheduler();
const random = seededRandom(5);
const digit = () => String(Math.floor(random() * 10));
const rows: Row[] = Array.from({ length: 5000 }, (_, i) => ({
  street: `${oneOf(random, ['Elm', 'Oak', 'Éclair'])} street ${i % 700}`,
  phone: random() < 0.1 ? null : `718-${digit()}${digit()}4-7581`,
}));
const packed = packColumns(FIELDS, rows, 2000);

const predicate: readonly [WordsCondition] = [
  {
    test: 'words',
    parameters: ['_q'],
    fields: [
      { name: 'street', byDigits: false },
      { name: 'phone', byDigits: true },
    ],
    words: ['str', '7183', 'e'],
  },
];
const query = { predicate, limit: rows.length, fields: ['street'] };
const expected = rows.flatMap((row, i) => (matches(predicate, keyRow(FIELDS, row)) ? [i] : []));

function searched(cacheBytes = Number.POSITIVE_INFINITY) {
  const cache = new ColumnCache(cacheBytes);
  const { rows: _, ...source } = memorySource(FIELDS, packed);
  const store = new ColumnStore({
    rows: rows.length,
    rowsPerChunk: 2000,
    rowBytes: 100,
    source,
    cache,
    unavailable: (cause) => cause,
  });
  const columns = new ColumnRows(store, FIELDS);
  const ask = async (budget = ampleBudget(scheduler)) => {
    const { positions } = await columns.read(query, budget);
    return Array.from(positions ?? []);
  };
  return { cache, ask };
}

test('texts are indexed by the second search for words, phone numbers by the first, and that counts', async () => {
  const { cache, ask } = searched();
  const held: number[] = [];
  for (let asked = 0; asked < 4; asked++) {
    expect(await ask()).toEqual(expected);
    held.push(cache.byteLength);
  }
  const ofTexts = packed.rows * 'elm street 123'.length;
  // Three words of a text take two bytes for its code and one for their place.
  expect((held[1] as number) - (held[0] as number)).toBeGreaterThan(3 * 3 * packed.rows * 0.5);
  expect((held[1] as number) - (held[0] as number)).toBeLessThan(2 * ofTexts);
  expect(held[2]).toBe(held[1]);
  expect(held[3]).toBe(held[1]);
});

test.each([60_000, 200_000])('words are found within a cache of %i bytes', async (cacheBytes) => {
  const { cache, ask } = searched(cacheBytes);
  for (let asked = 0; asked < 3; asked++) {
    expect(await ask()).toEqual(expected);
    expect(cache.byteLength).toBeLessThanOrEqual(cacheBytes);
  }
});

test('searches for words at once wait for each other, though one of them ends', async () => {
  const { ask } = searched();
  const answers = await Promise.allSettled([
    ask(),
    ask(new Budget(scheduler, Number.POSITIVE_INFINITY, 0)),
    ask(),
    ...Array.from({ length: 20 }, () => ask()),
  ]);
  for (const [i, answer] of answers.entries()) {
    if (i !== 1) expect(answer).toEqual({ status: 'fulfilled', value: expected });
  }
});
