import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { dynamodbStore, queryInputs, type Table } from '../../src/dynamodb/dynamodb-store.ts';
import { seedTable, tableName } from '../../src/dynamodb/seed-table.ts';
import { ID, idOf, SHARD, shardKey } from '../../src/dynamodb/table-shape.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/served-block.ts';
import { serviceOf } from '../../src/http/service.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { Problem } from '../../src/problem/errors.ts';
import { Budget } from '../../src/query/budget.ts';
import { decodeCursor, encodeCursor } from '../../src/query/cursor.ts';
import { fingerprintOf, type Query, queryOf } from '../../src/query/query.ts';
import { type IndexPlan, MOST_PAGES, planQuery } from '../../src/query/query-plan.ts';
import { textsOf } from '../../src/query/row-texts.ts';
import { requestOf } from '../support/request-of.ts';

const block = datasetBlock({
  id: 'things',
  name: 'things',
  title: 'Things',
  description: 'For tests.',
  examples: [],
  fields: [
    { type: 'text', name: 'name', title: 'Name' },
    { type: 'text', name: 'color', title: 'Colour', indexed: true },
    { type: 'number', name: 'size', title: 'Size' },
  ],
});
const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const ROWS = Array.from({ length: 600 }, (_, i) => ({
  name: `thing ${i}`,
  color: ['red', 'green', 'blue', 'grey', null][i % 5] as string | null,
  size: i,
}));
const budget = () => new Budget(Number.POSITIVE_INFINITY, 10_000);

let embedded: EmbeddedDynamodb;
let client: DynamoDBClient;
let table: Table;
beforeAll(async () => {
  embedded = await startEmbeddedDynamodb();
  client = createClient({ endpoint: embedded.endpoint });
  // 60 shards: more than one request may read.
  const imported = makeDataset(block, ROWS, SOURCE, { shardBytes: 900 });
  await seedTable(client, {
    manifest: imported.manifest,
    fields: block.fields,
    items: imported.items,
  });
  table = { client, name: tableName(imported.manifest), block, manifest: imported.manifest };
});
afterAll(async () => {
  client.destroy();
  await embedded.stop();
});

const plan = (values: Record<string, unknown>) =>
  planQuery(queryOf(block, table.manifest, values, budget()), block, table.manifest, 0);

/** The client, but for the time in which every request fails. */
function clientThatFailsWhile(isBroken: () => boolean): DynamoDBClient {
  const { send } = client;
  return Object.assign(Object.create(client), {
    send: (...args: unknown[]) =>
      isBroken()
        ? Promise.reject(new Error('x'))
        : (send as (...a: unknown[]) => unknown).apply(client, args),
  }) as DynamoDBClient;
}

describe('the plan', () => {
  test('is the index for equality and short lists, else the shards', () => {
    expect(plan({ color: 'RED' })).toMatchObject({
      path: 'index',
      field: 'color',
      keys: ['red'],
      filter: [],
    });
    expect(plan({ color: ['red', 'blue'], size_min: 5 })).toMatchObject({
      path: 'index',
      keys: ['red', 'blue'],
      filter: [{ field: 'size' }],
    });
    for (const values of [{}, { color: 'r*' }, { name: 'x' }, { color: 'abcdefghi'.split('') }]) {
      expect(plan(values)).toMatchObject({ path: 'shards' });
    }
  });

  test('is memory for what fits the bound', () => {
    const query = queryOf(block, table.manifest, {}, budget());
    expect(planQuery(query, block, table.manifest, table.manifest.bytes).path).toBe('resident');
    expect(planQuery(query, block, table.manifest, table.manifest.bytes - 1).path).toBe('shards');
  });

  test('takes the more selective of two indexes', () => {
    const two = datasetBlock({
      ...block,
      fields: [
        ...block.fields.slice(1),
        { type: 'text', name: 'name', title: 'Name', indexed: true },
      ],
    });
    const { manifest } = makeDataset(two, ROWS, SOURCE);
    const query = queryOf(two, manifest, { color: 'red', name: 'thing 5' }, budget());
    expect(planQuery(query, two, manifest, 0)).toMatchObject({ path: 'index', field: 'name' });
  });

  test('refuses a sort that would have to read too much', () => {
    expect(() => plan({ _sort: 'size' })).toThrow(
      expect.objectContaining({
        code: 'invalid-arguments',
        faults: [expect.objectContaining({ code: 'sort-not-available' })],
      }),
    );
    expect(plan({ _sort: 'size', color: 'red' })).toMatchObject({ path: 'index', readsAll: true });
  });

  test('begins at the shard behind the cursor', () => {
    const query: Query = { ...queryOf(block, table.manifest, {}, budget()), after: 299 };
    const later = planQuery(query, block, table.manifest, 0);
    const [first, second] = queryInputs(table, later as never);
    expect(first?.ExpressionAttributeValues).toMatchObject({
      ':partition': { S: shardKey(Math.floor(300 / table.manifest.rowsPerShard)) },
      ':after': { S: idOf(299) },
    });
    expect(second?.KeyConditionExpression).not.toContain(':after');
  });

  test('never filters on the keys of what it queries', () => {
    for (const values of [{ color: 'red', size_min: 1 }, { color: 'r*' }]) {
      for (const input of queryInputs(table, plan(values) as never)) {
        const key = input.ExpressionAttributeNames?.['#partition'] as string;
        const filtered = Object.entries(input.ExpressionAttributeNames ?? {})
          .filter(([name]) => input.FilterExpression?.includes(name))
          .map(([, attribute]) => attribute);
        expect(filtered).not.toContain(key);
        expect(filtered).not.toContain(ID);
      }
    }
  });
});

describe('reading', () => {
  test('an index reads the items of its keys and no others', async () => {
    const page = await dynamodbStore(table).read(plan({ color: ['red', 'blue'] }), budget());
    expect(page.usage.itemsRead).toBe(240);
    expect(textsOf(page.rows).map((row) => JSON.parse(row).size)).toEqual(
      ROWS.filter(({ color }) => color === 'red' || color === 'blue').map(({ size }) => size),
    );
  });

  test('keys of an index are merged into one order, over many pages of each', async () => {
    const found: number[] = [];
    let after: number | undefined;
    do {
      const query = {
        ...queryOf(block, table.manifest, { color: ['grey', 'red', 'blue'], _limit: 7 }, budget()),
        ...(after === undefined ? {} : { after }),
      };
      const chosen = planQuery(query, block, table.manifest, 0) as IndexPlan;
      // Not to be finished: each key is then read a few items at a time.
      const page = await dynamodbStore(table).read({ ...chosen, readsAll: false }, budget());
      found.push(...textsOf(page.rows).map((row) => JSON.parse(row).size));
      after = page.last;
    } while (after !== undefined);
    const wanted = ROWS.filter(({ color }) => ['grey', 'red', 'blue'].includes(color ?? ''));
    expect(found).toEqual(wanted.map(({ size }) => size));
  });

  test('a small page reads little more than it gives', async () => {
    const page = await dynamodbStore(table).read(plan({ _limit: 5 }), budget());
    expect(page.usage.itemsRead).toBeLessThanOrEqual(2 * table.manifest.rowsPerShard);
    expect(page.rows).toHaveLength(5);
  });

  const whole = (p: never) => p;
  const unfiltered = (p: object) => ({ ...p, filter: [] }) as never;

  test.each<[string, (p: never) => never, string, RegExp]>([
    ['rows in every shard', whole, '*9', /9$/],
    ['rows in every shard, its filter taken away', unfiltered, '*9', /9$/],
    // Whole pages then hold nothing that matches: they lead on all the same.
    ['a row in the last shard alone', whole, '*599', /599$/],
    ['rows in the first and the last', whole, 'thing 5*', /^thing 5/],
    ['a row in the last shard alone, its filter taken away', unfiltered, '*599', /599$/],
    ['no row at all', whole, '*x*', /x/],
  ])(
    'a request for %s reads a bounded number of pages, and they end',
    async (_, change, name, matching) => {
      const mostItems = MOST_PAGES * table.manifest.rowsPerShard;
      const found: unknown[] = [];
      let after: number | undefined;
      let requests = 0;
      for (;;) {
        const query = {
          ...queryOf(block, table.manifest, { name, _limit: 1000 }, budget()),
          ...(after === undefined ? {} : { after }),
        };
        const page = await dynamodbStore(table).read(
          change(planQuery(query, block, table.manifest, 0) as never),
          budget(),
        );
        expect(page.usage.itemsRead).toBeLessThanOrEqual(mostItems);
        found.push(...textsOf(page.rows).map((row) => JSON.parse(row).name));
        requests++;
        if (page.last === undefined) break;
        expect(page.last).toBeGreaterThan(after ?? -1);
        // What is handed out must be taken back.
        const fingerprint = fingerprintOf(block, query);
        const cursor = encodeCursor(page.last, fingerprint, table.manifest.version);
        expect(decodeCursor(cursor, fingerprint, table.manifest)).toBe(page.last);
        after = page.last;
      }
      expect(requests).toBeGreaterThan(2);
      expect(found).toEqual(ROWS.map((row) => row.name).filter((one) => matching.test(one)));
    },
  );
});

describe('an answer over 4 MB', () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({
    name: `${i}`.padEnd(50_000, 'é'),
    color: null,
    size: i,
  }));
  const { manifest, items } = makeDataset(block, rows, SOURCE);
  beforeAll(() => seedTable(client, { manifest, fields: block.fields, items }));

  test.each([
    ['DynamoDB', 0],
    ['resident', Number.POSITIVE_INFINITY],
  ])('is cut by %s, and goes on', async (_, residentBytes) => {
    const store = datasetStore({ client, name: tableName(manifest), block, manifest });
    const sizes: number[] = [];
    let after: number | undefined;
    let pages = 0;
    do {
      const query = {
        ...queryOf(block, manifest, {}, budget()),
        ...(after === undefined ? {} : { after }),
      };
      const page = await store.read(planQuery(query, block, manifest, residentBytes), budget());
      expect(Buffer.byteLength(textsOf(page.rows).join())).toBeLessThanOrEqual(
        4 * 2 ** 20 + page.rows.length,
      );
      sizes.push(...textsOf(page.rows).map((row) => JSON.parse(row).size));
      after = page.last;
      pages++;
    } while (after !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect(sizes).toEqual(rows.map(({ size }) => size));
  });
});

describe('a fault of the store', () => {
  const served = (faulty: DynamoDBClient, residentBytes: number) => {
    const store = datasetStore({ ...table, client: faulty });
    const runs: RunRecord[] = [];
    const routes = blockRoutes(
      serveDataset({ block, manifest: table.manifest, residentBytes, store }),
    );
    const request = requestOf(serviceOf(routes, { build: 'x', record: (run) => runs.push(run) }));
    return { runs, get: (query: string) => request(`/api_v2/blocks/things?${query}`) };
  };
  /** A request handler as the SDK takes it, which fails each time as told. */
  const failing = (handle: (attempt: number) => Promise<unknown>) => {
    let attempt = 0;
    return createClient({ requestHandler: { handle: () => handle(attempt++), destroy() {} } });
  };
  const answer = (statusCode: number, body: object) => ({
    response: {
      statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: new Blob([JSON.stringify(body)]).stream(),
    },
  });
  const throttled = () =>
    answer(400, {
      __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
      message: 'SECRET',
    });
  const empty = () => answer(200, { Items: [], Count: 0, ScannedCount: 0 });

  const faults: [string, () => DynamoDBClient][] = [
    ['is always throttled', () => failing(async () => throttled())],
    ['is not there', () => createClient({ endpoint: 'http://127.0.0.1:9' })],
    ['never answers', () => failing(() => new Promise(() => {}))],
    [
      'has lost the table',
      () =>
        failing(async () =>
          answer(400, { __type: 'ResourceNotFoundException', message: 'SECRET' }),
        ),
    ],
    ['answers with what is no answer', () => failing(async () => answer(500, { SECRET: 1 }))],
  ];
  test.each(faults)('%s: 503 with Retry-After and a run id, never a hang', async (_, faulty) => {
    for (const residentBytes of [0, Number.POSITIVE_INFINITY]) {
      const { get, runs } = served(faulty(), residentBytes);
      const response = await get('color=red');
      const text = await response.text();
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(JSON.parse(text)).toMatchObject({
        code: 'store-unavailable',
        instance: `urn:uuid:${response.headers.get('x-run-id')}`,
      });
      expect(text).not.toMatch(/SECRET|127\.0\.0\.1|things-/);
      expect(runs).toEqual([
        expect.objectContaining({
          block: 'things',
          status: 503,
          code: 'store-unavailable',
          cause: expect.anything(),
        }),
      ]);
    }
  });

  test('a request that the store finds invalid is a fault of ours', async () => {
    const { get } = served(
      failing(async () => answer(400, { __type: 'ValidationException', message: 'SECRET' })),
      0,
    );
    const response = await get('color=red');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('SECRET');
  });

  test('throttled twice, then answered: the caller notices nothing', async () => {
    const { get } = served(
      failing(async (attempt) => (attempt < 2 ? throttled() : empty())),
      0,
    );
    const response = await get('color=red');
    expect(response.status).toBe(200);
  });

  test('a load that failed is begun anew by the next request', async () => {
    let broken = true;
    const flaky = clientThatFailsWhile(() => broken);
    const { get } = served(flaky, Number.POSITIVE_INFINITY);
    expect((await get('color=red')).status).toBe(503);
    broken = false;
    expect((await get('color=red')).status).toBe(200);
  });

  test('asking whether the rows are in memory begins to load them, and anew where that failed', async () => {
    let broken = true;
    const flaky = clientThatFailsWhile(() => broken);
    const store = datasetStore({ ...table, client: flaky });
    expect(store.isReady()).toBe(false);
    await expect(store.load()).rejects.toBeInstanceOf(Problem);
    broken = false;
    expect(store.isReady()).toBe(false);
    await store.load();
    expect(store.isReady()).toBe(true);
  });
});

describe('all rows', () => {
  const page = (after?: number) => {
    const query: Query = { ...queryOf(block, table.manifest, { _limit: 7 }, budget()) };
    const at = after === undefined ? query : { ...query, after };
    return dynamodbStore(table).read(planQuery(at, block, table.manifest, 0), budget());
  };

  test('are counted without reading them', async () => {
    const first = await page();
    expect(first).toMatchObject({ total: 600, last: 6 });
    expect(first.rows).toHaveLength(7);
    // The rest of the first shard, and one that is read ahead.
    expect(first.usage.itemsRead).toBeLessThanOrEqual(20);
    expect(await page(594)).toMatchObject({ total: 600, rows: { length: 5 } });
    expect(await page(594)).not.toHaveProperty('last');
  });

  test.each([
    [3, undefined],
    [8, undefined],
    [300, 295],
    [599, 594],
  ])('without row %i are a 503, and not one row less', async (missing, after) => {
    const shard = Math.floor(missing / table.manifest.rowsPerShard);
    const Key = { [SHARD]: { S: shardKey(shard) }, [ID]: { S: idOf(missing) } };
    const deleted = await client.send(
      new DeleteItemCommand({ TableName: table.name, Key, ReturnValues: 'ALL_OLD' }),
    );
    try {
      const read = page(after);
      // Row 8 is behind the first page, and is not looked for.
      if (missing === 8) await expect(read).resolves.toMatchObject({ rows: { length: 7 } });
      else await expect(read).rejects.toMatchObject({ code: 'store-unavailable' });
    } finally {
      await client.send(new PutItemCommand({ TableName: table.name, Item: deleted.Attributes }));
    }
  });
});

describe('a table that is not whole', () => {
  test.each([
    ['the middle', 20, 50],
    ['the end', 50, 51],
  ])('for want of a row in %s: a 503 on every path that can tell', async (_, missing, count) => {
    const { manifest, items } = makeDataset(block, ROWS.slice(0, count), SOURCE);
    await seedTable(client, { manifest, fields: block.fields, items });
    const name = tableName(manifest);
    const Key = { [SHARD]: { S: shardKey(0) }, [ID]: { S: idOf(missing) } };
    await client.send(new DeleteItemCommand({ TableName: name, Key }));
    const store = datasetStore({ client, name, block, manifest });
    for (const residentBytes of [0, Number.POSITIVE_INFINITY]) {
      const query = queryOf(block, manifest, { name: 'thing 1' }, budget());
      const read = store.read(planQuery(query, block, manifest, residentBytes), budget());
      await expect(read).rejects.toBeInstanceOf(Problem);
      await expect(read).rejects.toMatchObject({ code: 'store-unavailable' });
    }
  });
});
