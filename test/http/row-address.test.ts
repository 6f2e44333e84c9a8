import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { belowRoot, rowReference } from '../../src/block/addresses.ts';
import { datasetBlock } from '../../src/block/block.ts';
import { rowSegment } from '../../src/block/row-key.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { apiGatewayHandler } from '../../src/lambda/api-gateway-handler.ts';
import { localServer } from '../../src/local/local-server.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { SETTINGS } from '../support/ample.ts';
import { anyCharacter } from '../support/any-character.ts';
import { makeDataset } from '../support/datasets.ts';
import { hostileDataset } from '../support/hostile-dataset.ts';
import { requestOf } from '../support/request-of.ts';
import { TYPED_FIELDS, typedBlock } from '../support/typed-block.ts';

const NAME: Field = { type: 'text', name: 'name', title: 'Name', indexed: true };
const KIND: Field = { type: 'text', name: 'kind', title: 'Kind' };
const SEATS: Field = { type: 'number', name: 'seats', title: 'Seats' };
const OPENED: Field = { type: 'date', name: 'opened', title: 'Opened' };

/** A dataset of these rows, with a primary key, or with none. */
function datasetOf(fields: readonly Field[], primaryKey: readonly string[], rows: readonly Row[]) {
  const block = datasetBlock({
    id: 'keyed-id',
    name: 'keyed',
    title: 'Keyed',
    description: 'Made by a test.',
    fields,
    examples: [],
    ...(primaryKey.length === 0 ? {} : { primaryKey }),
  });
  const { manifest, columns } = makeDataset(block, rows, { title: 'Made by a test' });
  const served = serveDataset({ block, manifest, store: packedRows(fields, columns) });
  const addressOf = (row: Row, position: number) =>
    `/${belowRoot(rowReference(block.name, rowSegment(block, manifest, row, position)))}`;
  return { served, manifest, addressOf };
}

const keyed = (names: readonly string[]) =>
  datasetOf(
    [NAME],
    ['name'],
    names.map((name) => ({ name })),
  );

const askOf = ({ served }: Pick<ReturnType<typeof datasetOf>, 'served'>) =>
  requestOf(serviceOf(blockRoutes(served), SETTINGS));

/** The texts that a path, a proxy or a comparison may take for something else. */
const TEXTS = [
  '.',
  '..',
  '...',
  'a/b',
  '/',
  'a%2Fb',
  '%',
  '%25',
  '~2F',
  '~',
  '~-',
  'a\\b',
  'a?b#c',
  'a,b',
  ',',
  ' a ',
  'a+b',
  'a\tb\nc',
  'Canton',
  'CANTON',
  'canton',
  'Łódź',
  'Łódź'.normalize('NFD'),
  '-',
  '\u200b',
  '\u200b\u200b',
  'a*',
  'a\\*',
  'it\'s (a) "key"!',
  '東京'.repeat(200),
  'long '.repeat(200),
  '<script>',
  'x;y=1',
  '\u0085',
  '\ufeffa',
];

/** The event of API Gateway for a path; some of its parts come decoded, once or more often. */
const recorded: APIGatewayProxyEvent = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../lambda/events/get-description.json'), 'utf8'),
);
function eventAt(
  address: string,
  decode: (text: string) => string,
  stage = '',
): APIGatewayProxyEvent {
  const folder = '/api_v2/blocks/keyed/';
  return {
    ...recorded,
    path: decode(address),
    resource: `${folder}{proxy+}`,
    pathParameters: { proxy: decodeURIComponent(address.slice(folder.length)) },
    multiValueQueryStringParameters: null,
    queryStringParameters: null,
    headers: {},
    multiValueHeaders: {},
    requestContext: { ...recorded.requestContext, stage: 'prod', path: `${stage}${address}` },
  };
}

const DECODING = {
  'as it was sent': (text: string) => text,
  'decoded once': decodeURIComponent,
  'decoded twice': (text: string) => decodeURIComponent(decodeURIComponent(text)),
};

describe('a row is answered at its address', () => {
  const dataset = keyed(TEXTS);
  const { served, addressOf } = dataset;
  const rows = TEXTS.map((name, position) => ({
    row: { name },
    address: addressOf({ name }, position),
  }));

  test('by the local server, as it is sent and as a browser writes it', async () => {
    const server = localServer([served], SETTINGS).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const raw = async (address: string) => {
      const [answer] = await once(httpRequest({ port, path: address }).end(), 'response');
      let text = '';
      for await (const piece of answer) text += piece;
      return JSON.parse(text).params?.row;
    };
    try {
      for (const { row, address } of rows) {
        expect([address, await raw(address)]).toEqual([address, row]);
        const { href } = new URL(address, `http://127.0.0.1:${port}`);
        expect((await (await fetch(href)).json()).params).toMatchObject({ row, address: href });
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test.each(Object.entries(DECODING))('by a function, its path %s', async (_, decode) => {
    const handler = apiGatewayHandler(blockRoutes(served), SETTINGS);
    for (const stage of ['', '/prod']) {
      for (const { row, address } of rows) {
        const { statusCode, body } = await handler(eventAt(address, decode, stage));
        expect([address, statusCode, JSON.parse(body).params?.row]).toEqual([address, 200, row]);
      }
    }
  });

  test.each([
    ['one text', ['name']],
    ['several fields', ['name', 'kind', 'seats', 'opened']],
    ['no key', []],
  ])('whatever its values, with %s', async (_, primaryKey) => {
    const text = fc.oneof(
      fc.constantFrom(...TEXTS),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    );
    const row = fc.record({
      name: text.filter((one) => one !== ''),
      kind: text.filter((one) => one !== ''),
      seats: fc.oneof(
        fc.double({ min: -1e100, max: 1e100, noNaN: true }).filter((x) => Math.abs(x) > 1e-100),
        fc.integer(),
      ),
      opened: fc.constantFrom('0001-01-01', '1969-12-31', '2020-02-29'),
    });
    const keyOf = (one: Row) => JSON.stringify((primaryKey as string[]).map((name) => one[name]));
    const all = fc.uniqueArray(row, {
      minLength: 1,
      maxLength: 30,
      ...(primaryKey.length === 0 ? {} : { selector: keyOf }),
    });
    const property = fc.asyncProperty(all, async (found) => {
      const fields = [NAME, KIND, SEATS, OPENED];
      const dataset = datasetOf(
        fields,
        primaryKey as string[],
        found.map((one) => ({ ...one, seats: one.seats + 0 })),
      );
      const ask = askOf(dataset);
      for (const [position, one] of found.entries()) {
        const wanted = { ...one, seats: one.seats + 0 };
        const answer = await ask(dataset.addressOf(wanted, position));
        expect((await answer.json()).params?.row).toEqual(wanted);
      }
    });
    await fc.assert(property, { seed: 4, numRuns: 40 });
  });

  test('with a key of each type', async () => {
    const { manifest, columns } = hostileDataset;
    const store = packedRows(typedBlock.fields, columns);
    for (const { name } of TYPED_FIELDS) {
      const block = { ...typedBlock, primaryKey: [name] };
      const ask = askOf({ served: serveDataset({ block, manifest, store }) });
      const listed = await ask('/api_v2/blocks/typed?_fields=&_limit=1000');
      for (const row of (await listed.json()).params.results.slice(-12)) {
        if (row[name] === null) continue;
        const segment = rowSegment(block, manifest, row, 0);
        const { params } = await (await ask(`/api_v2/blocks/typed/rows/${segment}`)).json();
        // Rows of this dataset may share a value: then the first that has it is meant.
        expect([segment, params.row[name]]).toEqual([segment, row[name]]);
      }
    }
  });
});

describe('no other row is ever answered', () => {
  const refusedAt = async (dataset: ReturnType<typeof datasetOf>, segment: string) => {
    const answer = await askOf(dataset)(`/api_v2/blocks/keyed/rows/${segment}`);
    const { code, detail, errors } = await answer.json();
    return { status: answer.status, code, detail, suggestion: errors?.[0]?.suggestion };
  };

  test.each(['canton', 'C%C3%A1nton', 'Canton~20'])(
    'at %s, which only folds to the key of a row',
    async (segment) => {
      const found = await refusedAt(keyed(['Mount Vernon', 'Canton']), segment);
      expect(found).toMatchObject({ status: 404, code: 'unknown-row', suggestion: 'Canton' });
      expect(found.detail).toMatch(/Did you mean Canton\?$/);
    },
  );

  test.each(['Can*', '*', 'Cantonese', '', '~', `${'x'.repeat(6000)}`])(
    'at %s',
    async (segment) => {
      const { status, suggestion } = await refusedAt(keyed(['Canton']), segment);
      expect([status, suggestion]).toEqual([404, undefined]);
    },
  );

  test('at a number written in another way', async () => {
    const dataset = datasetOf([SEATS, NAME], ['seats'], [{ seats: 7, name: 'a' }]);
    expect((await askOf(dataset)('/api_v2/blocks/keyed/rows/7')).status).toBe(200);
    expect(await refusedAt(dataset, '7.0')).toMatchObject({ status: 404, suggestion: '7' });
    expect(await refusedAt(dataset, 'seven')).toMatchObject({ status: 404 });
  });

  test('at a key with too few or too many parts', async () => {
    const dataset = datasetOf([NAME, KIND], ['name', 'kind'], [{ name: 'a,b', kind: 'c' }]);
    expect(dataset.addressOf({ name: 'a,b', kind: 'c' }, 0)).toMatch(/\/a~2Cb,c$/);
    for (const segment of ['a', 'a,b', 'a,b,c', 'a%2Cb,c']) {
      expect(await refusedAt(dataset, segment)).toMatchObject({ status: 404, code: 'unknown-row' });
    }
  });

  test('at a position of a version that is gone', async () => {
    const rows = [{ name: 'a' }, { name: 'b' }];
    const before = datasetOf([NAME], [], rows);
    const after = datasetOf([NAME], [], [...rows, { name: 'c' }]);
    const address = before.addressOf({ name: 'b' }, 1);
    expect((await askOf(before)(address)).status).toBe(200);
    const answer = await askOf(after)(address);
    expect(answer.status).toBe(410);
    const { code, detail } = await answer.json();
    expect(code).toBe('row-expired');
    expect(detail).toContain(after.manifest.version);
  });

  test('at a position that the dataset does not have, or that is none', async () => {
    const dataset = datasetOf([NAME], [], [{ name: 'a' }]);
    const { version } = dataset.manifest;
    for (const at of [
      `${version}-1`,
      `${version}-01`,
      `${version}--1`,
      `${version}-`,
      version,
      'a-0',
    ]) {
      expect(await refusedAt(dataset, at)).toMatchObject({ status: 404, code: 'unknown-row' });
    }
  });
});

describe('an answer with one row', () => {
  const dataset = keyed(['Canton']);
  const ask = askOf(dataset);
  const ROW = '/api_v2/blocks/keyed/rows/Canton';

  test('has the row, its address, its block and its version', async () => {
    const answer = await ask(ROW);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { version } = dataset.manifest;
    expect(await answer.json()).toEqual({
      params: {
        row: { name: 'Canton' },
        address: `http://localhost${ROW}`,
        block: 'keyed',
        version,
      },
      _errors: [],
      _warnings: [],
    });
  });

  test('is the same by the id of the block, and names the one address', async () => {
    const byId = await (await ask('/api_v2/blocks/keyed-id/rows/Canton/')).json();
    expect(byId).toEqual(await (await ask(ROW)).json());
  });

  test('is not sent again to whoever has it', async () => {
    const { headers } = await ask(ROW);
    expect(headers.get('cache-control')).toBe('no-cache');
    const known = { headers: { 'if-none-match': headers.get('etag') as string } };
    expect((await ask(ROW, known)).status).toBe(304);
    expect((await ask(`${ROW}?_fields=name`, known)).status).toBe(200);
  });

  test('takes the options that mean something for it', async () => {
    const { params, _explain } = await (await ask(`${ROW}?_fields=name&_explain=1`)).json();
    expect(params.row).toEqual({ name: 'Canton' });
    expect(_explain.path).toBe('columns');
    const refused = await ask(`${ROW}?_format=csv`);
    expect(refused.status).toBe(400);
    expect((await refused.json()).errors[0].allowed).toEqual(['json', 'html']);
  });

  test('is refused where a filter might not match the row', async () => {
    const filters = {
      name: 'Dundalk',
      '_not.name': 'Canton',
      '_or.1.name': 'Dundalk',
      _empty: 'name',
      _q: 'dundalk',
    };
    for (const [name, value] of Object.entries(filters)) {
      const refused = await ask(`${ROW}?${name}=${value}&_format=json`);
      expect([name, refused.status]).toEqual([name, 400]);
      // A page takes it for the question that led to the row, and says that it does not find it.
      const page = await ask(`${ROW}?${name}=${value}&_format=html`);
      expect([name, page.status]).toEqual([name, 200]);
      expect(await page.text()).toContain('<b>Not among these</b> 0 ');
    }
    const refused = await ask(`${ROW}?${new URLSearchParams({ ...filters, _format: 'csv' })}`);
    const { errors } = await refused.json();
    const found = errors.map(({ parameter }: { parameter: string }) => parameter);
    expect(found).toEqual([...Object.keys(filters), '_format']);
    expect(errors[0]).toEqual({
      code: 'unknown-parameter',
      detail:
        "name selects among rows, and this is the address of one row. Leave it out, or send it to the block's own address.",
      parameter: 'name',
    });
  });

  test('names the options of many rows that it did not use', async () => {
    const query = '_limit=3&_sort=name&_group=name&name=&_q=&_cursor=';
    const { params, _warnings } = await (await ask(`${ROW}?${query}`)).json();
    expect(params.row).toEqual({ name: 'Canton' });
    expect(
      _warnings.map(({ title, parameter }: Record<string, string>) => `${title}: ${parameter}`),
    ).toEqual(['Option not used: _limit', 'Option not used: _sort', 'Option not used: _group']);
    expect(_warnings[0].message).toBe(
      '_limit is for answers with several rows, and this is the address of one; it was not used.',
    );
  });

  test('is only read', async () => {
    const refused = await ask(ROW, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const head = await ask(ROW, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const preflight = await ask(ROW, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ]);
  });
});
