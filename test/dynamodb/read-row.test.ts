import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { rowSegment } from '../../src/block/row-key.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { readRow } from '../../src/query/read-row.ts';
import { ampleBudget } from '../support/ample.ts';
import { datasetItems, makeDataset } from '../support/datasets.ts';
import { noFaults } from '../trust/fault-plan.ts';
import { ModelTable, modelHandler } from '../trust/model-dynamodb.ts';

const NAMES = ['Canton', 'CANTON', 'canton', '-', '\u200b', '\u200b\u200b', 'a*', '東'.repeat(55)];
const rows = NAMES.map((name, i) => ({ name, kind: `kind ${i % 3}` }));

/** A row is found by an index if the key has one, otherwise by its chunk, which memory may not hold. */
test.each([
  ['an index', true, ['name'], 0],
  ['columns that are read each time', false, ['name'], 0],
  ['columns in memory', false, ['kind', 'name'], DEFAULT_CACHE_BYTES],
  ['its position', true, [], 0],
])('a row is read by %s', async (way, indexed, primaryKey, cacheBytes) => {
  const block = datasetBlock({
    id: 'named-id',
    name: 'named',
    title: 'Named',
    description: 'Made by a test.',
    fields: [
      { type: 'text', name: 'name', title: 'Name', indexed },
      { type: 'text', name: 'kind', title: 'Kind' },
    ],
    examples: [],
    ...(primaryKey.length === 0 ? {} : { primaryKey }),
  });
  const imported = makeDataset(block, rows, { title: 't' }, { rowsPerChunk: 3 });
  const { manifest } = imported;
  const table = new ModelTable('named', [...datasetItems(imported)]);
  const handler = modelHandler({ table, other: table, plan: noFaults() });
  const client = new ReadClient({ requestHandler: handler as never });
  const cache = new ColumnCache(cacheBytes);
  const store = datasetStore({ client, name: table.name, block, manifest }, cache);
  for (const [position, row] of rows.entries()) {
    const segment = rowSegment(block, manifest, row, position);
    const found = await readRow({ block, manifest, store }, segment, ampleBudget());
    expect([segment, found.row, found.segment]).toEqual([segment, row, segment]);
    // A text that folds to nothing is in no index.
    const byIndex = way === 'an index' && !row.name.startsWith('\u200b');
    expect(found.output.explain.path).toBe(byIndex ? 'index:name' : 'columns');
  }
});
