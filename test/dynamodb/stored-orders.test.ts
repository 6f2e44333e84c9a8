import { expect, test } from '@jest/globals';
import { oneOf, seededRandom } from '../../bench/data/seeded-random.ts';
import { datasetBlock } from '../../src/block/block.ts';
import { checkColumns } from '../../src/dynamodb/check-table.ts';
import { type Item, SHARD } from '../../src/dynamodb/item.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { tableColumns } from '../../src/dynamodb/read-columns.ts';
import { nearConditions, searchedFields } from '../../src/query/predicate.ts';
import type { Query } from '../../src/query/row-store.ts';
import type { Field } from '../../src/values/field-types.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { ampleBudget } from '../support/ample.ts';
import { datasetItems, makeDataset } from '../support/datasets.ts';
import { noFaults } from '../trust/fault-plan.ts';
import { ModelTable, modelHandler } from '../trust/model-dynamodb.ts';
import { storeOf } from '../trust/trust-service.ts';

const FIELDS: readonly Field[] = [
  { type: 'number', name: 'longitude', title: 'Longitude' },
  { type: 'number', name: 'latitude', title: 'Latitude' },
  { type: 'text', name: 'name', title: 'Name' },
  { type: 'text', name: 'street', title: 'Street' },
];
const block = datasetBlock({
  id: 'shops-id',
  name: 'shops',
  title: 'Shops',
  description: 'Made by a test.',
  fields: FIELDS,
  geometry: { kind: 'points', longitude: 'longitude', latitude: 'latitude' },
  examples: [],
});
const random = seededRandom(11);
const WORDS = Array.from({ length: 900 }, (_, i) => `${i.toString(36)}word`);
const ROWS = Array.from({ length: 18_000 }, () => ({
  longitude: Math.round(random() * 1e6) / 1e6,
  latitude: Math.round(random() * 1e6) / 1e6,
  name: `${oneOf(random, WORDS)} ${oneOf(random, WORDS)}`,
  street: `${oneOf(random, WORDS)} street`,
}));
const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const dataset = makeDataset(block, ROWS, SOURCE, { rowsPerChunk: 1500 });
const { manifest } = dataset;
const items = [...datasetItems(dataset)];

/** What a table had before places and words were stored in their orders. */
const EARLIER = items
  .filter((item) => item[SHARD]?.S?.startsWith('column/~') !== true)
  .map((item): Item => {
    if (item.directory?.S === undefined) return item;
    const { places: _, words: __, codes: ___, ...directory } = JSON.parse(item.directory.S);
    return { ...item, directory: { S: JSON.stringify(directory) } };
  });

const tableOf = (some: readonly Item[]) => new ModelTable('shops', some);
const read = async (some: readonly Item[], query: Query) => {
  const set = { block, manifest, rows: [], table: tableOf(some) };
  const { store } = storeOf(set, {});
  const { rows, total, positions = [], usage } = await store.read(query, ampleBudget());
  return { answer: [listTexts(rows), total, Array.from(positions)], usage };
};

const near = { at: [0.3, 0.6] as const, longitude: 'longitude', latitude: 'latitude' };
test.each<[string, Query]>([
  [
    'the nearest rows',
    { predicate: nearConditions(near), near, limit: 5, fields: ['longitude', 'latitude'] },
  ],
  [
    'words',
    {
      predicate: [
        {
          test: 'words',
          parameters: ['_q'],
          fields: searchedFields(FIELDS),
          words: ['stre', '3'],
        },
      ],
      limit: 5,
      fields: ['longitude'],
    },
  ],
])(
  'a table finds %s by fewer read units than an earlier table, which finds the same',
  async (_, query) => {
    const [now, earlier] = [await read(items, query), await read(EARLIER, query)];
    expect(now.answer).toEqual(earlier.answer);
    expect(now.answer[0]).toHaveLength(5);
    expect(now.usage.capacityUnits).toBeLessThan(earlier.usage.capacityUnits);
  },
);

/** Tries nothing twice. */
const ONCE = { mostTries: 1, isPassing: () => false, signal: new AbortController().signal };

test.each(['column/~position/3/0', 'column/~gap', 'column/~word/2/0', 'column/name~code/0/0'])(
  'a new version is refused while its table lacks %s',
  async (shard) => {
    const handler = modelHandler({
      table: tableOf(items.filter((item) => item[SHARD]?.S !== shard)),
      other: tableOf([]),
      plan: noFaults(),
    });
    const client = new ReadClient({ requestHandler: handler as never });
    const source = tableColumns({ client, name: 'shops', fields: FIELDS, manifest });
    const columns = { source, fields: FIELDS.map(({ name }) => name), rows: manifest.rows };
    await expect(checkColumns(columns, ONCE)).rejects.toThrow(`The table has no item ${shard} `);
  },
);
