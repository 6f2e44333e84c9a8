import { describe, expect, test } from '@jest/globals';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { catalogRoutes } from '../../src/http/catalog-routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { type Service, serviceOf } from '../../src/http/service.ts';
import { listBlock } from '../../src/portals/listed-block.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const { manifest, rows } = makeDataset(
  tinyBlock,
  [1, 2, 3].map((number) => ({ street: 'High Street', number })),
  { file: 'tiny.csv' } as never,
);
const runs: RunRecord[] = [];
const settings = { ...SETTINGS, record: (run: RunRecord) => runs.push(run) };
const ofStore = (store: RowStore) =>
  serviceOf(blockRoutes(serveDataset({ block: tinyBlock, manifest, store })), settings);
const ofBlock = ofStore(memoryRows(tinyBlock.fields, rows));
const broken = ofStore({
  read: () => {
    throw new RangeError('broken');
  },
  rest: () => {
    throw new RangeError('broken');
  },
  group: () => {
    throw new RangeError('broken');
  },
});
const catalog = serviceOf(
  catalogRoutes({ blocks: [listBlock(tinyBlock)], files: {}, texts: () => [] }),
  settings,
);

const TINY = '/api_v2/blocks/tiny';

/** What one request is recorded as; all of it but the run's id and how long it took. */
async function recordOf(service: Service, address: string, init: RequestInit = {}) {
  runs.length = 0;
  const response = await requestOf(service)(address, init);
  await response.text();
  expect(runs).toHaveLength(1);
  const { runId, durationMs, ...run } = runs[0] as RunRecord;
  expect(runId).toBe(response.headers.get('x-run-id'));
  expect(response.headers.get('server-timing')).toContain(`total;dur=${durationMs.toFixed(2)}`);
  return run;
}

const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
const resident = {
  path: 'columns',
  chunksRead: 0,
  itemsRead: 0,
  capacityUnits: 0,
  steps: expect.any(Number),
};
const refused = (...faults: string[]) => ({ code: 'invalid-arguments', faults });

describe('every answer of a block is recorded once', () => {
  const cases: [string, string, RequestInit, object][] = [
    ['a page of rows', '', post({ _limit: 2 }), { status: 200, rows: 2, ...resident }],
    ['no rows', '', post({ street: 'x' }), { status: 200, rows: 0, ...resident }],
    ['a GET with a query', '?number_min=2', {}, { status: 200, rows: 2, ...resident }],
    ['HEAD', '?number_min=2', { method: 'HEAD' }, { status: 200, rows: 2, ...resident }],
    ['a description', '', {}, { status: 200 }],
    ['what has not changed', '', { headers: { 'if-none-match': '*' } }, { status: 304 }],
    ['a run unchanged', '?street=x', { headers: { 'if-none-match': '*' } }, { status: 304 }],
    [
      'a refusal, with each code of its faults',
      '',
      post({ number_min: 'x', number_max: 'y', _limit: -1 }),
      { status: 400, ...refused('not-a-number', 'out-of-range') },
    ],
    [
      'a refusal in the flat form',
      '?cache&_limit=0',
      {},
      { status: 200, ...refused('out-of-range') },
    ],
    [
      'a body that cannot be read, without the cause, which quotes it',
      '',
      { method: 'POST', body: '{"secret' },
      { status: 400, code: 'invalid-json' },
    ],
    ['a method', '', { method: 'PUT' }, { status: 405, code: 'method-not-allowed' }],
    ['an invented method', '', { method: 'SECRET' }, { status: 405, code: 'method-not-allowed' }],
    ['an address that is not the block', 's', {}, { status: 404, code: 'not-found' }],
  ];

  test.each(cases)('%s', async (_, more, init, expected) => {
    const { method = 'GET' } = init;
    const { code } = expected as { code?: string };
    expect(await recordOf(ofBlock, TINY + more, init)).toEqual({
      block: 'tiny',
      method: method === 'SECRET' ? 'other' : method,
      ...(code === undefined ? {} : { faults: [code] }),
      ...expected,
    });
  });

  test.each(['', '?cache'])('what breaks has its cause (%j)', async (query) => {
    expect(await recordOf(broken, TINY + query, post({}))).toEqual({
      ...{ block: 'tiny', method: 'POST', status: 500 },
      ...{ code: 'internal-error', faults: ['internal-error'] },
      cause: new RangeError('broken'),
    });
  });
});

describe('every answer of the catalogue is recorded once, without a block', () => {
  test.each([
    ['/', 200, undefined],
    ['/api_v2/blocks', 200, undefined],
    ['/api_v2/blocks/tini', 404, 'unknown-block'],
    ['/elsewhere', 404, 'not-found'],
  ])('%s: %i', async (address, status, code) => {
    expect(await recordOf(catalog, address)).toEqual({
      ...{ block: null, method: 'GET', status },
      ...(code === undefined ? {} : { code, faults: [code] }),
    });
  });
});

test.each([ofBlock, catalog])('a preflight is not recorded', async (service) => {
  runs.length = 0;
  expect((await requestOf(service)(TINY, { method: 'OPTIONS' })).status).toBe(204);
  expect(runs).toEqual([]);
});

describe('what is below an address, and not there, is refused as by the catalogue', () => {
  const TOLD = ['x-run-id', 'server-timing'];

  test.each([
    ['GET', {}],
    ['HEAD', {}],
    ['POST', {}],
    ['DELETE', {}],
    ['OPTIONS', {}],
    ['OPTIONS', { 'webhook-request-origin': 'example.org' }],
    ['GET', { accept: 'text/html' }],
    ['GET', { accept: 'text/html' }, ''],
    ['HEAD', { accept: 'text/html' }, '?api_key=some&_lang=de'],
    ['POST', { accept: 'text/html' }, ''],
    ['GET', { authorization: 'Bearer none' }],
  ])('%s %j %s', async (method, headers, query = '?cache') => {
    const answerOf = async (service: Service) => {
      const answer = await requestOf(service)(`${TINY}/more/of-it${query}`, { method, headers });
      const text = (await answer.text()).replace(answer.headers.get('x-run-id') ?? '', '<run>');
      const told = [...answer.headers].filter(([name]) => !TOLD.includes(name));
      return { status: answer.status, told, text };
    };
    const below = await answerOf(ofBlock);
    const elsewhere = await answerOf(catalog);
    expect(below).toEqual(elsewhere);
    expect(below.status).toBe(method === 'OPTIONS' ? 204 : 404);
    const isPage = method !== 'POST' && query !== '?cache';
    expect(Object.fromEntries(below.told)['content-type'] ?? '').toMatch(
      isPage ? /html/ : /^$|json/,
    );
    if (isPage && method === 'GET') expect(below.text).toContain('href="../../../../?"');
  });
});
