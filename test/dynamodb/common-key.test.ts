import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { queryOf } from '../../src/query/run.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { ampleBudget } from '../support/ample.ts';
import { datasetItems, makeDataset } from '../support/datasets.ts';
import { noFaults } from '../trust/fault-plan.ts';
import { ModelTable, modelHandler } from '../trust/model-dynamodb.ts';

const block = datasetBlock({
  id: 'shops-id',
  name: 'shops',
  title: 'Shops',
  description: 'Made by a test.',
  fields: [
    { type: 'text', name: 'kind', title: 'Kind', indexed: true },
    { type: 'text', name: 'code', title: 'Code', indexed: true },
    { type: 'text', name: 'about', title: 'About' },
  ],
  examples: [{ title: 'Laundries', arguments: { kind: 'laundry' } }],
});
const rows = Array.from({ length: 900 }, (_, i) => ({
  kind: i % 2 === 0 ? 'laundry' : `kind ${i}`,
  code: `code ${i}`,
  about: String(i).repeat(150),
}));
const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const imported = makeDataset(block, rows, source, { rowsPerChunk: 400 });
const { manifest } = imported;
const table = new ModelTable('shops', [...datasetItems(imported)]);

/** Asks for some rows again and again; which way each time, and what it read. */
async function askedOften(values: Record<string, unknown>, cacheBytes: number) {
  const handler = modelHandler({ table, other: table, plan: noFaults() });
  const client = new ReadClient({ requestHandler: handler as never });
  const store = datasetStore(
    { client, name: table.name, block, manifest },
    new ColumnCache(cacheBytes),
  );
  const pages = [];
  for (let asked = 0; asked < 5; asked++) {
    const budget = ampleBudget();
    pages.push(await store.read(queryOf({ block, manifest }, values, budget), budget));
  }
  expect(new Set(pages.map((page) => listTexts(page.rows).join())).size).toBe(1);
  return pages.map(({ path, usage }) => [path, usage.capacityUnits > 0]);
}

test('a common key that is asked for often is found by columns, which then are in memory', async () => {
  const [first, ...others] = await askedOften({ kind: 'laundry', _limit: 20 }, DEFAULT_CACHE_BYTES);
  expect(first).toEqual(['index:kind', true]);
  expect(others).toEqual([
    ['columns', true],
    ['columns', false],
    ['columns', false],
    ['columns', false],
  ]);
});

test.each([
  ['a key of few rows', { code: 'code 7' }, 'code', DEFAULT_CACHE_BYTES],
  ['a common key, without room for the columns', { kind: 'laundry', _limit: 20 }, 'kind', 20_000],
])('%s is looked up each time', async (_, values, field, cacheBytes) => {
  const found = await askedOften(values, cacheBytes);
  expect(found).toEqual(Array(5).fill([`index:${field}`, true]));
});
