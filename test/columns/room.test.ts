import { expect, test } from '@jest/globals';
import { seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { ColumnRows } from '../../src/columns/column-rows.ts';
import { ColumnStore } from '../../src/columns/column-store.ts';
import { memorySource } from '../../src/columns/memory-rows.ts';
import type { Query } from '../../src/query/row-store.ts';
import type { Field } from '../../src/values/field-types.ts';
import { ampleBudget } from '../support/ample.ts';
import { packColumns } from '../support/pack-columns.ts';

const fields: readonly Field[] = ['searched', 'sorted', 'shown'].map((name) => ({
  type: 'number',
  name,
  title: name,
}));
const rowsPerChunk = 2000;
const chunks = 4;
/** Codes of two bytes. */
const columnBytes = chunks * rowsPerChunk * 2;
const random = seededRandom(1);
const rows = Array.from({ length: chunks * rowsPerChunk }, () =>
  Object.fromEntries(fields.map(({ name }) => [name, wholeNumber(random, 0, 5000)])),
);
const packed = packColumns(fields, rows, rowsPerChunk);

const query: Query = {
  predicate: [{ test: 'ranges', field: 'searched', anyOf: [[0, 2500]], parameters: ['searched'] }],
  sort: { field: 'sorted', descending: false },
  limit: 10,
  fields: ['shown'],
};

/** What is read of each column by a query that was asked before, and what is then in memory. */
async function readsOf(cacheBytes: number) {
  const cache = new ColumnCache(cacheBytes);
  const { rows: _, ...source } = memorySource(fields, packed);
  let reads: Record<string, number> = {};
  const store = new ColumnStore({
    rows: rows.length,
    rowsPerChunk,
    rowBytes: 100,
    source: {
      ...source,
      chunk: (field, ...more) => {
        reads[field] = (reads[field] ?? 0) + 1;
        return source.chunk(field, ...more);
      },
    },
    cache,
    unavailable: (cause) => cause,
  });
  const columns = new ColumnRows(store, fields);
  for (let asked = 0; asked < 3; asked++) {
    reads = {};
    await columns.read(query, ampleBudget());
    expect(cache.byteLength).toBeLessThanOrEqual(cacheBytes);
  }
  return reads;
}

test('nothing is read again where all that a query needs fits in half of the memory', async () => {
  expect(await readsOf(6.6 * columnBytes)).toEqual({});
});

test('what a query searches, sorts by and shows has half of the memory together: a column that stays is not driven out by the others', async () => {
  const { searched, sorted } = await readsOf(2.6 * columnBytes);
  expect([searched, sorted]).toEqual([undefined, chunks]);
});
