import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { seedTable, tableName } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import type { ReadClient } from '../../src/dynamodb/read-client.ts';
import { matches, predicateOf } from '../../src/query/predicate.ts';
import { type Dataset, queryOf, runQuery } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { asRead, type NaiveSort, naiveRows, naiveSort } from '../support/naive.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { PATHS } from '../support/service.ts';
import { startStore, type TestStore } from '../support/start-store.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const places = datasetBlock({
  id: 'places',
  name: 'places',
  title: 'Places',
  description: 'For tests.',
  examples: [],
  fields: [
    { type: 'text', name: 'street', title: 'Street' },
    { type: 'text', name: 'type', title: 'Type', indexed: true },
    { type: 'phone', name: 'phone', title: 'Phone', indexed: true },
    { type: 'number', name: 'number', title: 'Number' },
    { type: 'number', name: 'share', title: 'Share' },
    { type: 'number', name: 'latitude', title: 'Latitude', filterable: false },
  ],
});

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

// Few values, so that rows meet predicates, and every kind of letter that folding is about.
const streets = [
  'Court St',
  'COURT  ST',
  'Cöurt St',
  'Straße',
  'STRASSE',
  'a*b',
  'a\\b',
  '100% – “x”',
  '😀',
  'ﬀ',
  'x',
];
const types = ['Laundry', 'laundry', 'Retail', 'Café', 'Ｒｅｔａｉｌ'];
const phones = ['718-624-7581', '1 (718) 624-7581', '7186240000', '1234', '11', 'none'];
const numbers = [0, 1, -1, 2.5, 1e6, 0.1, -76.61, 1e-100, 1e100];
const or = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 4 });
const row: fc.Arbitrary<Row> = fc.record({
  street: or(streets),
  type: or(types),
  phone: or(phones),
  number: or(numbers),
  share: or(numbers),
  latitude: or([1, 2]),
});
const wildcards = [
  '*',
  'court*',
  '*st*',
  '*ss*',
  'a\\**',
  '*\\*b',
  '*0*',
  '* *',
  '*“x”',
  'r*l',
  '*a*a*',
];
const texts = (values: readonly string[], patterns: readonly string[]) => {
  const one = fc.constantFrom(...values, ...patterns);
  return fc.option(fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 12 })), {
    nil: undefined,
    freq: 2,
  });
};
const bound = fc.option(fc.constantFrom(...numbers, 1e200, -1e200, 1e-200, 0.3), {
  nil: undefined,
  freq: 1,
});
function textOfSort({ field, descending, second }: NaiveSort): string {
  const text = `${descending ? '-' : ''}${field}`;
  return second === undefined ? text : `${text},${textOfSort(second)}`;
}

type Asked = {
  readonly arguments: Record<string, unknown>;
  readonly sort: NaiveSort | undefined;
  readonly limit: number;
};

const query: fc.Arbitrary<Asked> = fc.record({
  arguments: fc
    .record({
      street: texts([...streets.map((s) => s.replace('*', '\\*')), 'court st'], wildcards),
      type: texts(types, wildcards.slice(0, 4)),
      phone: texts(phones.slice(0, -1), ['718*', '1*', '*0*', '1718*', '*(7581)']),
      number_min: bound,
      number_max: bound,
      share_min: bound,
    })
    .map(({ number_min: a, number_max: b, ...rest }) => ({
      ...rest,
      number_min: a !== undefined && b !== undefined ? Math.min(a, b) : a,
      number_max: a !== undefined && b !== undefined ? Math.max(a, b) : b,
    }))
    .map((given) => Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined))),
  sort: fc.option(
    fc.record({
      field: fc.constantFrom('street', 'type', 'number', 'share', 'latitude'),
      descending: fc.boolean(),
    }),
    { nil: undefined },
  ),
  limit: fc.integer({ min: 1, max: 40 }),
});

let dynamodb: TestStore;
let client: DynamoDBClient;
let reader: ReadClient;
beforeAll(async () => {
  dynamodb = await startStore();
  ({ client, reader } = dynamodb);
});
afterAll(async () => {
  await dynamodb.stop();
});

async function pages(dataset: Dataset, values: Record<string, unknown>) {
  const rows: Row[] = [];
  const positions: number[] = [];
  const totals = new Set<number>();
  let cursor: string | undefined;
  for (let page = 0; page < 500; page++) {
    const sent = cursor === undefined ? values : { ...values, _cursor: cursor };
    const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
    const output = await runQuery(dataset, queryOf(dataset, asRead(sent), budget), budget);
    if (output.kind !== 'rows') throw new Error('expected rows');
    rows.push(...listTexts(output.rows).map((text) => JSON.parse(text)));
    positions.push(...Array.from(output.positions ?? []));
    totals.add(output.total);
    if (output.next === null) return { rows, positions, totals };
    cursor = output.next;
  }
  throw new Error('The pages do not end.');
}

/** The calls that are answered from DynamoDB; the gate makes more. */
const STORED_CALLS = process.env.CHANNEL_CALLS === undefined ? 8 : 60;

/** Random calls of a dataset whose fields are of every type. */
const typedRows = sampleCells(90, 31).map(rowOf);
const typedQuery: fc.Arbitrary<Asked> = randomArguments(typedBlock, typedRows).map(
  ({ _limit = 40, _sort, _fields, ...given }) => ({
    arguments: given as Record<string, unknown>,
    sort: naiveSort(_sort),
    limit: _limit as number,
  }),
);

const sampled = (seed: number): Row[] =>
  fc.sample(fc.array(row, { minLength: 80, maxLength: 120 }), { numRuns: 1, seed })[0] as Row[];

// One dataset a seed: the random part that costs is the queries.
describe.each([
  // Chunks of a few rows, so that order and cursors cross many of them.
  { name: 'places', seed: 11, rowsPerChunk: 7, block: places, rows: sampled(11), query },
  // One chunk, as most datasets have.
  { name: 'places', seed: 47, rowsPerChunk: 2 ** 16, block: places, rows: sampled(47), query },
  ...[11, 40].map((rowsPerChunk) => ({
    ...{ name: 'every type', seed: 5, rowsPerChunk, block: typedBlock, rows: typedRows },
    query: typedQuery,
  })),
])(
  '$name, seed $seed, in chunks of $rowsPerChunk rows',
  ({ seed, rowsPerChunk, block, rows, query }) => {
    const imported = makeDataset(block, rows, SOURCE, { rowsPerChunk });
    const datasets = new Map<string, Dataset>();

    beforeAll(async () => {
      await seedTable(client, imported);
      const { manifest } = imported;
      const table = { client: reader, name: tableName(manifest), block, manifest };
      for (const [path, cacheBytes] of PATHS) {
        const store = datasetStore(table, new ColumnCache(cacheBytes));
        datasets.set(path, { block, manifest, store });
      }
    });

    test('the predicate over rows is the naive reading', () => {
      fc.assert(
        fc.property(query, ({ arguments: given }) => {
          const predicate = predicateOf(block, given, ampleBudget());
          const found = [...imported.rows].flatMap((r, i) => (matches(predicate, r) ? [i] : []));
          expect(found).toEqual(naiveRows(block.fields, rows, { arguments: given }));
        }),
        { seed, numRuns: 200 },
      );
    });

    test.each(PATHS)('%s gives the naive rows, each once, in order, at any limit', async (path) => {
      await fc.assert(
        fc.asyncProperty(query, async ({ arguments: given, sort, limit }) => {
          const values = {
            ...given,
            _limit: limit,
            ...(sort === undefined ? {} : { _sort: textOfSort(sort) }),
          };
          const found = await pages(datasets.get(path) as Dataset, values);
          const expected = naiveRows(block.fields, rows, {
            arguments: given,
            ...(sort === undefined ? {} : { sort }),
          });
          expect(found.rows).toEqual(expected.map((i) => rows[i]));
          expect(found.positions).toEqual(expected);
          expect([...found.totals]).toEqual([expected.length]);
        }),
        { seed, numRuns: path === 'memory' ? 100 : STORED_CALLS },
      );
    });
  },
);
