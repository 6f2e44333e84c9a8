import { expect, test } from '@jest/globals';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { Budget } from '../../src/query/budget.ts';
import type { QueryPlan } from '../../src/query/query-plan.ts';
import { NOTHING_READ } from '../../src/query/row-store.ts';
import { cacheKeyOfRows, planRows, readRows } from '../../src/query/run-dataset.ts';
import { residentStore } from '../../src/resident/resident-store.ts';
import { tinyBlock as block } from '../support/tiny-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const { manifest, rows } = makeDataset(block, [{ street: 'Main St', number: 1 }], SOURCE);
const store = residentStore(block.fields, rows);

const cacheKeyOf = (values: Record<string, unknown>, residentBytes: number) => {
  const dataset = { block, manifest, store, residentBytes };
  return cacheKeyOfRows(dataset, planRows(dataset, values, new Budget()));
};

test('what an answer depends on has the way it was found: another may not count all rows', () => {
  const values = { number_min: 1 };
  expect(cacheKeyOf(values, 0)).not.toBe(cacheKeyOf(values, Number.POSITIVE_INFINITY));
  expect(cacheKeyOf(values, 0)).toBe(cacheKeyOf({ ...values }, 0));
});

test.each([
  [
    'a large dataset that is still being loaded',
    { bytes: 9 * 2 ** 20, ready: false },
    {},
    'shards',
  ],
  [
    'one that is looked up in an index',
    { bytes: 9 * 2 ** 20, ready: false },
    { street: 'x' },
    'index',
  ],
  ['a large dataset that is loaded', { bytes: 9 * 2 ** 20, ready: true }, {}, 'resident'],
  ['a small one, whose load is soon done', { bytes: 8 * 2 ** 20, ready: false }, {}, 'resident'],
  ['a sort', { bytes: 9 * 2 ** 20, ready: false }, { _sort: 'number' }, 'resident'],
])('%s: %j, %j is answered by the path %s', async (_, { bytes, ready }, values, path) => {
  const paths: string[] = [];
  const read = async (plan: QueryPlan) => {
    paths.push(plan.path);
    return { rows: [], total: 0, usage: NOTHING_READ };
  };
  const dataset = {
    block,
    manifest: { ...manifest, bytes },
    residentBytes: Number.POSITIVE_INFINITY,
    store: { read },
    isReady: () => ready,
  };
  await readRows(dataset, planRows(dataset, values, new Budget()), new Budget());
  expect(paths).toEqual([path]);
});
