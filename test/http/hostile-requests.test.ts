import { describe, expect, jest, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { localService } from '../../src/local/local-server.ts';
import { RUN_STEPS } from '../../src/work/budget.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { readParquet } from '../support/read-parquet.ts';
import { requestOf } from '../support/request-of.ts';

/** A block that a publisher may well have: 20,000 names, no two the same. */
const ROWS = 20_000;
const block = datasetBlock({
  id: 'large-id',
  name: 'large',
  title: 'Large',
  description: 'Made by a test.',
  fields: [
    { type: 'text', name: 'name', title: 'Name' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'phone', name: 'phone', title: 'Phone' },
    { type: 'number', name: 'number', title: 'Number' },
  ],
  examples: [],
});
const dataset = makeDataset(
  block,
  Array.from({ length: ROWS }, (_, i) => ({
    name: `${['Bakery', 'Grocery', 'Laundry'][i % 3]} of street ${i}`,
    kind: ['food', 'services', 'retail'][i % 3] as string,
    phone: `(718) 555-${String(i).padStart(5, '0')}`,
    number: i,
  })),
  { title: 't', publisher: 'p', license: 'l', date: '2026' },
);
const runs: RunRecord[] = [];
const request = requestOf(
  localService(
    [
      serveDataset({
        block,
        manifest: dataset.manifest,
        store: memoryRows(block.fields, dataset.rows),
      }),
    ],
    { ...SETTINGS, record: (run) => runs.push(run) },
  ),
);

const ADDRESS = '/api_v2/blocks/large';
async function post(body: unknown) {
  const init = { method: 'POST', body: JSON.stringify(body) };
  const response = await request(ADDRESS, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const texts = (length: number, make: (i: number) => string) =>
  Array.from({ length }, (_, i) => make(i));
const stepsOfLastRun = () => runs.at(-1)?.steps as number;

describe('hints never hold up an answer', () => {
  test('a typo gets its suggestion where there are few values', async () => {
    const { body } = await post({ kind: 'retial' });
    expect(body.params.help[0]).toMatchObject({ alone: 0, nearest: ['retail'] });
  });

  test('a list of 100 texts that match nothing is no typo: no value is compared with each', async () => {
    const { status, body } = await post({ name: texts(100, (i) => `qwertyuiopasdfg${i}`) });
    expect([status, body.params.total]).toEqual([200, 0]);
    expect(body.params.help[0]).toMatchObject({ parameters: ['name'], alone: 0, without: ROWS });
    expect(stepsOfLastRun()).toBeLessThan(RUN_STEPS / 20);
  });

  test('what is not counted is null, and no guess', async () => {
    const { body } = await post({
      name: texts(20, (i) => `*qwertyuiop${i}*`),
      kind: texts(100, (i) => `nothing ${i}`),
      phone: '999',
      number: 5.5,
    });
    for (const help of body.params.help) {
      for (const member of ['alone', 'without', 'containing']) {
        expect([null, expect.any(Number)]).toContainEqual(help[member]);
      }
      expect(help.nearest.length).toBeLessThanOrEqual(3);
    }
    expect(body.params.help.some(({ without }: { without: unknown }) => without === null)).toBe(
      true,
    );
  });
});

describe('a request that asks for too much work', () => {
  test('is a 400 that names the costliest argument, before the work is done', async () => {
    const { status, body } = await post({
      kind: 'food',
      name: texts(100, (i) => `*${i}*a*b*c*d*e*f*`),
      number_min: 1,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'too-much-work',
      errors: [{ code: 'too-much-work', parameter: 'name', pointer: '#/name' }],
    });
    expect(body.detail).toContain('name asks for the most: give fewer values there');
  });

  test('one that asks for a fair part of it is answered', async () => {
    const { status, body } = await post({ name: texts(20, (i) => `*of street ${i}`) });
    expect([status, body.params.total]).toEqual([200, 20]);
  });

  test('a long list of bad members is refused with a place for each', async () => {
    // Each place was once found by reading the whole list anew: 5 s for this one.
    const phone = texts(100, () => 'ﷺ'.repeat(256)).map((one, i) => (i % 2 ? { one } : one));
    const { status, body } = await post({ phone, number_min: 'x' });
    expect(status).toBe(400);
    expect(body.errors[1]).toMatchObject({ code: 'not-text', pointer: '#/phone/1' });
  });
});

test('a page is not made of more than an address can hold', async () => {
  const name = texts(100, (i) => `${'x'.repeat(200)}${i}`);
  const init = { method: 'POST', body: JSON.stringify({ name, _format: 'html' }) };
  const response = await request(ADDRESS, init);
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text).toContain('The arguments are too long for a page');
  expect(text).not.toContain('xxxxxxxx');
});

describe('a list as long as a body', () => {
  const long = Array.from({ length: 100_000 }, () => 1);

  test('is refused by its length, whatever is in it', async () => {
    for (const name of ['name', 'phone', '_fields', 'number_min', '_limit']) {
      const { status, body } = await post({ [name]: long });
      expect([status, body.errors.length]).toEqual([400, 1]);
    }
  });

  test('is looked at no further for each parameter that is picked from it', async () => {
    const picks = ['name', 'kind', 'phone', '_fields'].map((name) => `_map.${name}=/a`).join('&');
    const init = { method: 'POST', body: JSON.stringify({ a: long }) };
    const response = await request(`${ADDRESS}?${picks}`, init);
    const { errors } = JSON.parse(await response.text());
    expect(errors.map(({ code }: { code: string }) => code)).toEqual(
      new Array(4).fill('list-too-long'),
    );
  });
});

test('texts that are dear to fold are counted by what they become', async () => {
  const dear = texts(40, (i) => 'ﷺ'.repeat(250) + i);
  expect((await post({ name: dear })).status).toBe(200);
  const { status, body } = await post({ name: dear, kind: dear });
  expect([status, body.code]).toEqual([400, 'too-much-work']);
});

test('a choice as long as a body is not brought to a normal form, which takes seconds', async () => {
  // Each mark of the second kind moves before all of the first: the time grows with the square.
  const marks = `a${'\u0301'.repeat(60_000)}${'\u0316'.repeat(60_000)}`;
  const brought: number[] = [];
  const { normalize } = String.prototype;
  jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
    brought.push(this.length);
    return normalize.call(this, form);
  });
  try {
    for (const name of ['_fields', '_empty', '_sort', '_handling']) {
      const { status, body } = await post({ [name]: marks });
      expect([status, body.errors[0].code]).toEqual([400, 'not-a-choice']);
    }
  } finally {
    jest.restoreAllMocks();
  }
  expect(Math.max(0, ...brought)).toBeLessThan(10_000);
});

test('a name as long as a body is not sent back', async () => {
  const init = { method: 'POST', body: JSON.stringify({ ['é'.repeat(100_000)]: 1 }) };
  const text = await (await request(ADDRESS, init)).text();
  expect(JSON.parse(text).errors[0].code).toBe('unknown-parameter');
  expect(text.length).toBeLessThan(2000);
});

test('a URL of many pointers that find nothing suggests for the first ones alone', async () => {
  const pointers = Array.from({ length: 100 }, (_, i) => `_map.name=/street${i}`).join('&');
  const init = { method: 'POST', body: JSON.stringify({ street: 'x', name: 'y' }) };
  const response = await request(`${ADDRESS}?${pointers}`, init);
  const { errors } = JSON.parse(await response.text());
  const suggested = errors.filter(
    (fault: { suggestion?: string }) => fault.suggestion === '/street',
  );
  expect([response.status, errors.length, suggested.length]).toEqual([400, 50, 10]);
});

test('while a long request works, others are answered', async () => {
  const order: string[] = [];
  const long = post({ name: texts(26, (i) => `*e*${'abcdefghijklmnopqrstuvwxyz'[i]}*q*`) }).then(
    ({ status }) => order.push(`long ${status}`),
  );
  const short = async () => {
    const { status } = await post({ kind: 'food', _limit: 1 });
    order.push(`short ${status}`);
  };
  for (let i = 0; i < 3; i++) await short();
  await long;
  expect(order).toEqual(['short 200', 'short 200', 'short 200', 'long 200']);
});

describe('a format that has no place for a next page is whole', () => {
  const get = async (query: string) => {
    const response = await request(`${ADDRESS}?${query}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test.each(['csv', 'ndjson'])('%s of more than a page, without _limit', async (format) => {
    const { status, headers, text } = await get(`_format=${format}&number_max=1000&_fields=number`);
    expect([status, headers.get('x-total-count'), headers.get('link')]).toEqual([
      200,
      '1001',
      null,
    ]);
    const lines = text.trim().split(/\r?\n/);
    const numbers =
      format === 'csv' ? lines.slice(1).map(Number) : lines.map((line) => JSON.parse(line).number);
    expect(numbers).toEqual(Array.from({ length: 1001 }, (_, i) => i));
  });

  test('Parquet of more than a page', async () => {
    const response = await request(`${ADDRESS}?_format=parquet&number_max=2999`);
    const { rows } = await readParquet(new Uint8Array(await response.arrayBuffer()));
    expect(rows).toEqual([...dataset.rows].slice(0, 3000).map(({ values }) => values));
    expect(runs.at(-1)).toMatchObject({ status: 200, rows: 3000 });
  });

  test('by Accept too, for a POST, with every row of the dataset', async () => {
    const headers = { accept: 'text/csv', 'content-type': 'application/json' };
    const response = await request(ADDRESS, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(200);
    const lines = (await response.text()).trim().split('\r\n');
    expect([lines.length, new Set(lines).size]).toEqual([ROWS + 1, ROWS + 1]);
    expect(runs.at(-1)).toMatchObject({ status: 200, rows: ROWS });
  });

  test('sorted', async () => {
    const { text } = await get('_format=csv&number_max=15000&_fields=number&_sort=-number');
    const numbers = text.trim().split('\r\n').slice(1).map(Number);
    expect(numbers).toEqual(Array.from({ length: 15_001 }, (_, i) => 15_000 - i));
  });

  test('exactly a page is whole', async () => {
    const { status, text, headers } = await get('_format=csv&number_max=999');
    expect([status, text.trim().split('\r\n').length, headers.get('link')]).toEqual([
      200,
      1001,
      null,
    ]);
  });

  test('with _limit they come in pages, and all of them', async () => {
    const numbers: string[] = [];
    let query = '?_format=csv&number_max=2500&_limit=1000&_fields=number';
    for (;;) {
      const { status, text, headers } = await get(query.slice(1));
      expect([status, headers.get('x-total-count')]).toEqual([200, '2501']);
      numbers.push(...text.trim().split('\r\n').slice(1));
      const next = /^<(\?[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      if (next === undefined) break;
      query = next;
    }
    expect(numbers).toEqual(texts(2501, String));
  });

  test('the rest behind a cursor is whole too', async () => {
    const first = await get('_format=csv&number_max=1500&_limit=1000');
    const cursor = /_cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    const rest = await get(`_format=csv&number_max=1500&_cursor=${cursor}`);
    expect([rest.status, rest.text.trim().split('\r\n').length]).toEqual([200, 502]);
  });

  test('a page offers all rows as files', async () => {
    const linksOf = async (query: string) => {
      const found = (await get(query)).text.matchAll(/href="([^"]*_format=\w+)">([^<]+)</g);
      return [...found].map(([, href, name]) => [name, href?.replaceAll('&amp;', '&')]);
    };
    for (const filter of ['number_min=19500', 'number_min=500']) {
      expect(await linksOf(`_format=html&_view=table&${filter}`)).toEqual([
        ['CSV', `?${filter}&_format=csv`],
        ['Excel', `?${filter}&_format=xlsx`],
        ['NDJSON', `?${filter}&_format=ndjson`],
        ['Parquet', `?${filter}&_format=parquet`],
        ['JSON', `?${filter}&_format=json`],
      ]);
    }
  });
});
