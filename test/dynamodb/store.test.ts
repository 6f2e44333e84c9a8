import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { seedTable, tableName } from '../../src/dynamodb/client.ts';
import { directoryIn, directoryKey, partKey } from '../../src/dynamodb/column-items.ts';
import { datasetStore, type Table } from '../../src/dynamodb/dataset-store.ts';
import { ID, type Item, SHARD } from '../../src/dynamodb/item.ts';
import { ReadClient, type TableReads } from '../../src/dynamodb/read-client.ts';
import type { ServiceSettings } from '../../src/http/answer.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { queryOf } from '../../src/query/run.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget, SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { requestOf } from '../support/request-of.ts';
import { PATHS } from '../support/service.ts';
import { startStore, type TestStore } from '../support/start-store.ts';

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
const budget = () => ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);

let dynamodb: TestStore;
let client: DynamoDBClient;
let reader: ReadClient;
let table: Table;
beforeAll(async () => {
  dynamodb = await startStore();
  ({ client, reader } = dynamodb);
  // Several chunks, so that an index is worth a look.
  const imported = makeDataset(block, ROWS, SOURCE, { rowsPerChunk: 100 });
  await seedTable(client, imported);
  const { manifest } = imported;
  table = { client: reader, name: tableName(manifest), block, manifest };
});
afterAll(async () => {
  await dynamodb.stop();
});

const queryFor = (values: Record<string, unknown>, { manifest } = table) =>
  queryOf({ block, manifest }, values, budget());

const uncached = (one = table) => datasetStore(one, new ColumnCache(0));
const cached = (one = table) => datasetStore(one, new ColumnCache(DEFAULT_CACHE_BYTES));

/** The client, but for the time in which every request fails. */
function clientThatFailsWhile(isBroken: () => boolean): TableReads {
  const refuse = () => Promise.reject(new Error('x'));
  return {
    query: (...asked) => (isBroken() ? refuse() : reader.query(...asked)),
    batchGetItem: (...asked) => (isBroken() ? refuse() : reader.batchGetItem(...asked)),
  };
}

describe('reading', () => {
  test('an index reads the items of its keys and no others', async () => {
    const page = await uncached().read(queryFor({ color: ['red', 'blue'] }), budget());
    expect(page).toMatchObject({ path: 'index:color', total: 240, usage: { itemsRead: 240 } });
    expect(listTexts(page.rows).map((row) => JSON.parse(row).size)).toEqual(
      ROWS.filter(({ color }) => color === 'red' || color === 'blue').map(({ size }) => size),
    );
  });

  test('columns read what a query touches, once', async () => {
    const store = cached();
    const first = await store.read(queryFor({ size_min: 590, _fields: ['size'] }), budget());
    // The directory, and the chunk whose greatest size is enough.
    expect(first).toMatchObject({ path: 'columns', total: 10, usage: { itemsRead: 2 } });
    const again = await store.read(queryFor({ size_min: 580, _fields: ['size'] }), budget());
    expect(again).toMatchObject({ path: 'columns', total: 20, usage: { itemsRead: 0 } });
  });

  test('an index is not asked for what the columns in memory tell', async () => {
    const store = cached();
    await store.read(queryFor({ color: ['r*'] }), budget());
    expect(await store.read(queryFor({ color: ['red'] }), budget())).toMatchObject({
      path: 'columns',
      total: 120,
    });
  });

  test('runs at the same time share what they read', async () => {
    const store = cached();
    const pages = await Promise.all(
      Array.from({ length: 5 }, () => store.read(queryFor({ size_max: 3 }), budget())),
    );
    const items = pages.reduce((sum, { usage }) => sum + usage.itemsRead, 0);
    const [page] = pages;
    const alone = await cached().read(queryFor({ size_max: 3 }), budget());
    expect(page?.total).toBe(4);
    expect(items).toBe(alone.usage.itemsRead);
  });
});

describe('an answer over 4 MB', () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({
    name: `${i}`.padEnd(50_000, 'é'),
    color: null,
    size: i,
  }));
  const dataset = makeDataset(block, rows, SOURCE);
  const { manifest } = dataset;
  beforeAll(() => seedTable(client, dataset));

  test.each(PATHS)('is cut on the %s path, and goes on', async (_, cacheBytes) => {
    const one = { client: reader, name: tableName(manifest), block, manifest };
    const store = datasetStore(one, new ColumnCache(cacheBytes));
    const sizes: number[] = [];
    let after: number | undefined;
    let pages = 0;
    do {
      const query = {
        ...queryOf({ block, manifest }, {}, budget()),
        ...(after === undefined ? {} : { after }),
      };
      const page = await store.read(query, budget());
      expect(Buffer.byteLength(listTexts(page.rows).join())).toBeLessThanOrEqual(
        4 * 2 ** 20 + page.rows.length,
      );
      sizes.push(...listTexts(page.rows).map((row) => JSON.parse(row).size));
      after = page.last;
      pages++;
    } while (after !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect(sizes).toEqual(rows.map(({ size }) => size));
  });
});

describe('a fault of the store', () => {
  const served = (faulty: TableReads, cacheBytes: number, more: Partial<ServiceSettings> = {}) => {
    const store = datasetStore({ ...table, client: faulty }, new ColumnCache(cacheBytes));
    const runs: RunRecord[] = [];
    const routes = blockRoutes(serveDataset({ block, manifest: table.manifest, store }));
    const request = requestOf(
      serviceOf(routes, { ...SETTINGS, ...more, record: (run) => runs.push(run) }),
    );
    return { runs, get: (query: string) => request(`/api_v2/blocks/things?${query}`) };
  };
  /** A client whose request handler fails each time as told. */
  const failing = (handle: (attempt: number) => Promise<unknown>) => {
    let attempt = 0;
    const requestHandler = { handle: () => handle(attempt++) as never, destroy() {} };
    return new ReadClient({ requestHandler });
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
  const found = () => {
    const Items = [{ [ID]: { S: '000000000' }, color: { S: 'red' }, 'color~key': { S: 'red' } }];
    return answer(200, { Items, Count: 1, ScannedCount: 1 });
  };

  const faults: [string, () => TableReads][] = [
    ['is always throttled', () => failing(async () => throttled())],
    ['is not there', () => new ReadClient({ endpoint: 'http://127.0.0.1:9' })],
    ['never answers', () => failing(() => new Promise(() => {}))],
    [
      'has lost the table',
      () =>
        failing(async () =>
          answer(400, { __type: 'ResourceNotFoundException', message: 'SECRET' }),
        ),
    ],
    ['finds nothing', () => failing(async () => answer(200, { Items: [], Responses: {} }))],
    ['answers with what is no answer', () => failing(async () => answer(500, { SECRET: 1 }))],
  ];
  test.each(faults)('%s: 503 with Retry-After and a run id, never a hang', async (_, faulty) => {
    // Two filters ask for two columns, and neither failure may go unheeded: that ends the process.
    const queries = ['color=red', 'color=r*&name=t*', 'size_min=3&_sort=name', ''];
    await Promise.all(
      queries.map(async (query) => {
        // The clock stands still: only reads take time, and no run is late for another reason.
        const { get, runs } = served(faulty(), 0, { runWithinMs: 1500, now: () => 0 });
        const response = await get(`_limit=1&${query}`);
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
      }),
    );
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
      failing(async (attempt) => (attempt < 2 ? throttled() : found())),
      0,
    );
    const response = await get('color=red');
    expect(response.status).toBe(200);
  });

  test('a load that failed is begun anew by the next request', async () => {
    let broken = true;
    const flaky = clientThatFailsWhile(() => broken);
    const { get } = served(flaky, DEFAULT_CACHE_BYTES);
    expect((await get('color=r*')).status).toBe(503);
    broken = false;
    expect((await get('color=r*')).status).toBe(200);
  });
});

describe('a page of an index is refused if', () => {
  const copy = (item?: Item): Item => structuredClone(item) as Item;
  test.each<[string, (items: Item[]) => { Items?: unknown; Count?: unknown } | undefined]>([
    ['its items are no list', () => ({ Items: 'x', Count: '1' })],
    ['it counts more items than it has', (items) => ({ Items: items.slice(1) })],
    ['an item is there twice', (items) => ({ Items: [...items, copy(items.at(-1))], Count: 121 })],
    ['its items are not in order', (items) => ({ Items: items.reverse() })],
    ['an item has no position', (items) => void delete items[0]?.[ID]],
    [
      'a position is no number',
      (items) => void Object.assign(items[0] ?? {}, { [ID]: { S: '1' } }),
    ],
    [
      'a position is beyond the last row',
      (items) => void Object.assign(items.at(-1) ?? {}, { [ID]: { S: '000000600' } }),
    ],
    [
      'an item has another key',
      (items) => void Object.assign(items[0] ?? {}, { 'color~key': { S: 'blue' } }),
    ],
    ['a text is a number', (items) => void Object.assign(items[0] ?? {}, { name: { N: '1' } })],
    ['a number is a text', (items) => void Object.assign(items[0] ?? {}, { size: { S: '1' } })],
    ['a number is none', (items) => void Object.assign(items[0] ?? {}, { size: { N: 'x' } })],
  ])('%s', async (_, change) => {
    const query: TableReads['query'] = async (...asked) => {
      const page = await reader.query(...asked);
      return { ...page, ...change(page.Items as Item[]) } as typeof page;
    };
    const store = uncached({ ...table, client: { ...clientThatFailsWhile(() => false), query } });
    await expect(store.read(queryFor({ color: ['red'] }), budget())).rejects.toMatchObject({
      code: 'store-unavailable',
    });
  });
});

describe('a table that is not whole', () => {
  let made = 0;
  const damaged = async (change: (item: Item) => Item | undefined, key: Item) => {
    const rows = ROWS.slice(0, 30 + made++);
    const dataset = makeDataset(block, rows, SOURCE, { rowsPerChunk: 10 });
    const { manifest, items } = dataset;
    await seedTable(client, dataset);
    const name = tableName(manifest);
    const whole = items.find(
      (item) => item[SHARD]?.S === key[SHARD]?.S && item[ID]?.S === key[ID]?.S,
    );
    const changed = change(whole as Item);
    if (changed === undefined)
      await client.send(new DeleteItemCommand({ TableName: name, Key: key }));
    else await client.send(new PutItemCommand({ TableName: name, Item: changed }));
    return { client: reader, name, block, manifest };
  };
  const withFlippedBit = (item: Item): Item => {
    const B = Buffer.from(item.data?.B as Uint8Array);
    B.writeUInt8(B.readUInt8(2) ^ 4, 2);
    return { ...item, data: { B } };
  };

  const withoutLastChunk = (item: Item): Item => {
    const { chunks } = directoryIn(item);
    return { ...item, directory: { S: JSON.stringify({ chunks: chunks.slice(0, -1) }) } };
  };

  test.each<[string, (item: Item) => Item | undefined, Item]>([
    ['a directory is missing', () => undefined, directoryKey('size')],
    ['a directory is of fewer rows', withoutLastChunk, directoryKey('size')],
    ['a chunk is missing', () => undefined, partKey('size', 1, 0)],
    ['a chunk has a bit flipped', withFlippedBit, partKey('size', 1, 0)],
    [
      'a chunk is empty',
      (item) => ({ ...item, data: { B: Buffer.alloc(0) } }),
      partKey('size', 1, 0),
    ],
  ])('for %s: a 503 for what needs it, and an answer for what does not', async (_, change, key) => {
    const one = await damaged(change, key);
    for (const store of [cached(one), uncached(one)]) {
      const read = (values: Record<string, unknown>) => store.read(queryFor(values, one), budget());
      await expect(read({ size_min: 15 })).rejects.toMatchObject({ code: 'store-unavailable' });
      await expect(read({ _sort: ['size'] })).rejects.toMatchObject({ code: 'store-unavailable' });
      const page = await read({ name: ['thing 1'], _fields: ['name'] });
      expect(listTexts(page.rows)).toEqual(['{"name":"thing 1"}']);
    }
  });
});
