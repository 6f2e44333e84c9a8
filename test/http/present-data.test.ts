import { expect, test } from '@jest/globals';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import { MOST_GROUPS } from '../../src/block/grouping.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { MOST_AT_ONCE } from '../../src/work/scheduler.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const COUNT = 1500;
const { manifest, rows } = makeDataset(
  tinyBlock,
  Array.from({ length: COUNT }, (_, number) => ({ street: 'High Street', number })),
  { file: 'tiny.csv' } as never,
);
const store = memoryRows(tinyBlock.fields, rows);

/** All rows as lines, or in another format, from a store that loses those that `isLost` says. */
async function linesOf(isLost: (row: string) => boolean, query = '', format = 'ndjson') {
  const runs: RunRecord[] = [];
  const losing: RowStore = {
    read: (...asked) => store.read(...asked),
    group: (...asked) => store.group(...asked),
    async *rest(...asked) {
      for await (const batch of store.rest(...asked)) yield batch.filter((row) => !isLost(row));
    },
  };
  const routes = blockRoutes(serveDataset({ block: tinyBlock, manifest, store: losing }));
  const service = serviceOf(routes, { ...SETTINGS, record: (run) => runs.push(run) });
  const request = requestOf(service);
  const text = request(`/api_v2/blocks/tiny?_format=${format}${query}`).then((answer) =>
    answer.text(),
  );
  return { text, runs };
}

test.each(['ndjson', 'parquet'])('a whole %s that lacks a row breaks off', async (format) => {
  const { text, runs } = await linesOf((row) => row.includes(':777'), '', format);
  await expect(text).rejects.toThrow(`A whole result has ${COUNT - 1} rows; ${COUNT} match.`);
  expect(runs).toMatchObject([{ status: 200, code: 'internal-error', rows: COUNT - 1 }]);
});

test.each([
  ['ndjson', '', 0],
  ['csv', '&_sort=-number', 1],
])('a whole %s of groups computes them once: %s', async (format, sort, heading) => {
  let computed = 0;
  const counted: RowStore = {
    read: (...asked) => store.read(...asked),
    rest: (...asked) => store.rest(...asked),
    group: (...asked) => {
      computed++;
      return store.group(...asked);
    },
  };
  const routes = blockRoutes(serveDataset({ block: tinyBlock, manifest, store: counted }));
  const request = requestOf(serviceOf(routes, SETTINGS));
  const path = `/api_v2/blocks/tiny?_group=number${sort}`;
  const text = await (await request(`${path}&_format=${format}`)).text();
  expect(computed).toBe(1);
  const lines = text.trim().split(/\r?\n/);
  const numbers = lines.slice(heading).map((line) => Number(/\d+/.exec(line)?.[0]));
  const all = Array.from({ length: COUNT }, (_, number) => number);
  expect(numbers).toEqual(sort === '' ? all : all.reverse());
});

test('a file of more groups than are listed is refused unless it asks for some of them', async () => {
  const many = makeDataset(
    tinyBlock,
    Array.from({ length: MOST_GROUPS + 500 }, (_, number) => ({ street: 'High Street', number })),
    { file: 'tiny.csv' } as never,
  );
  const served = serveDataset({
    ...{ block: tinyBlock, manifest: many.manifest },
    store: memoryRows(tinyBlock.fields, many.rows),
  });
  const request = requestOf(serviceOf(blockRoutes(served), SETTINGS));
  const ask = (query: string) => request(`/api_v2/blocks/tiny?_group=number&${query}`);
  let cursor = '';
  for (let page = 0; page < 9; page++) {
    const answer = (await (await ask(`_limit=1000${cursor}`)).json()) as {
      params: { next: string };
    };
    cursor = `&_cursor=${answer.params.next}`;
  }
  for (const rest of ['', '&_sort=-number', cursor]) {
    const refused = await ask(`_format=csv${rest}`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [
        {
          code: 'too-many-groups',
          detail: expect.stringMatching(
            /^_group makes 10,500 groups, and a file of all has at most 10,000\. .*_limit=10/,
          ),
        },
      ],
    });
  }
  const lines = async (query: string) => (await (await ask(query)).text()).trim().split(/\r?\n/);
  expect(await lines('_format=csv&_sort=-number&_limit=1')).toEqual(['number,count', '10499,1']);
  expect(await lines('_format=csv&_having.number_min=500')).toHaveLength(1 + MOST_GROUPS);
  expect(await lines(`_format=csv&_limit=1000${cursor}`)).toHaveLength(1 + 1000);
});

test('one that begins behind a cursor has the rows behind it', async () => {
  const all = (await (await linesOf(() => false)).text).split('\n');
  expect(all).toHaveLength(COUNT + 1);
  const first = await requestOf(
    serviceOf(blockRoutes(serveDataset({ block: tinyBlock, manifest, store })), SETTINGS),
  )('/api_v2/blocks/tiny?_limit=100');
  const { params } = (await first.json()) as { params: { next: string } };
  const rest = await (await linesOf(() => false, `&_cursor=${params.next}`)).text;
  expect(rest.split('\n')).toEqual(all.slice(100));
});

test('Parquet files are written a few at once; the rest is asked to come again', async () => {
  const service = serviceOf(
    blockRoutes(serveDataset({ block: tinyBlock, manifest, store })),
    SETTINGS,
  );
  const bodies: AsyncIterator<unknown>[] = [];
  const fetching = requestOf(async (request) => {
    const answer = await service(request);
    if (answer.status !== 200) return answer;
    const body = (answer.body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    await body.next();
    bodies.push(body);
    return { ...answer, body: null };
  });
  const ask = () => fetching('/api_v2/blocks/tiny?_format=parquet');
  for (let i = 0; i < MOST_AT_ONCE.writeParquet; i++) expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.text()).toContain('16 Parquet files are being written');
  await Promise.all(bodies.map((body) => body.return?.()));
  expect((await ask()).status).toBe(200);
  await bodies.at(-1)?.return?.();
});

test('a Parquet file that would be too large is refused before any of it', async () => {
  const total = 60_000_000;
  const huge: RowStore = {
    rest: (...asked) => store.rest(...asked),
    group: (...asked) => store.group(...asked),
    read: async (...asked) => ({ ...(await store.read(...asked)), total }),
  };
  const service = serviceOf(
    blockRoutes(serveDataset({ block: tinyBlock, manifest, store: huge })),
    SETTINGS,
  );
  const ask = (query: string) => requestOf(service)(`/api_v2/blocks/tiny?_format=parquet${query}`);
  const refused = await ask('');
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    code: 'result-too-large',
    errors: [{ parameter: '_format' }],
    detail:
      '60,000,000 rows match, about 2.3 GB as JSON, and a Parquet file takes at most 2 GB. Filter for fewer rows, name the fields that you need in _fields, or take CSV (_format=csv), which has no such bound.',
  });
  // A page of it is none of its size.
  expect((await ask('&_limit=10')).status).toBe(200);
});

test('a whole file of 401 columns has all rows, few of which are read before it begins', async () => {
  const { manifest, rows } = makeDataset(wideBlock, wideRows(250), { title: 'Made' });
  const wide = memoryRows(wideBlock.fields, rows);
  const asked: number[] = [];
  const counted: RowStore = {
    read: (query, budget) => {
      asked.push(query.limit);
      return wide.read(query, budget);
    },
    rest: (...asked) => wide.rest(...asked),
    group: (...asked) => wide.group(...asked),
  };
  const routes = blockRoutes(serveDataset({ block: wideBlock, manifest, store: counted }));
  const request = requestOf(serviceOf(routes, SETTINGS));
  const lines = async (query: string) =>
    (await (await request(`/api_v2/blocks/wide?_format=csv${query}`)).text()).trim().split(/\r?\n/);
  const whole = await lines('');
  expect(whole).toHaveLength(1 + 250);
  expect(asked).toEqual([100]);
  expect(await lines('&_limit=1000')).toEqual(whole);
  expect(asked).toEqual([100, 1000]);
});
