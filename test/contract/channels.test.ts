import { describe, expect, test } from '@jest/globals';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

const DIRECTORY = '/api_v2/blocks/business-directory';
const CENSUS = '/api_v2/blocks/census-neighborhoods';

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  const businesses = (body: { params: { results: { business: string }[] } }) =>
    body.params.results.map(({ business }) => business);

  test.each([
    ['{"category":"retail","category":""}'],
    ['{"category":"retail","category":"services"}'],
    ['{"category":"retail","c\\u0061tegory":"retail"}'],
  ])('%s is refused: which is meant cannot be told', async (text) => {
    const { status, body } = await service.post('business-directory', text);
    expect([status, body.code]).toEqual([400, 'invalid-json']);
    expect(body.detail).toContain('"category" twice');
  });

  test.each([
    ['{"location_1_zip":12345678901234567890}', 'not-text'],
    ['{"zip_code_min":"9007199254740993"}', 'not-a-number'],
    ['{"zip_code_min":"1e-400"}', 'not-a-number'],
  ])('%s is refused: it would be read as another number', async (given, code) => {
    const { status, body } = await service.post('business-directory', given);
    expect([status, body.errors[0].code]).toEqual([400, code]);
  });

  describe('every channel gives the same answer', () => {
    const wanted = { type_of_business: ['laundries', 'stoop line stand'], parsed_address_min: 300 };
    const form =
      'type_of_business=laundries&type_of_business=stoop+line+stand&parsed_address_min=300';
    const multipart = (boundary: string) =>
      `${[
        ['type_of_business', 'laundries'],
        ['type_of_business', 'stoop line stand'],
        ['parsed_address_min', '300'],
      ]
        .map(
          ([name, value]) =>
            `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .join('')}--${boundary}--\r\n`;
    const channels: [string, RequestInit, string?][] = [
      ['JSON', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(wanted) }],
      [
        'JSON with a byte order mark',
        {
          headers: { 'content-type': 'application/json' },
          body: `\ufeff${JSON.stringify(wanted)}`,
        },
      ],
      [
        'JSON of a vendor type',
        {
          headers: { 'content-type': 'application/vnd.x+json; charset=UTF-8' },
          body: JSON.stringify(wanted),
        },
      ],
      [
        'JSON sent as text',
        { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(wanted) },
      ],
      ['JSON with no type', { headers: { 'content-type': '' }, body: JSON.stringify(wanted) }],
      ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form }],
      [
        'JSON sent as a form, as curl -d does',
        {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: JSON.stringify(wanted),
        },
      ],
      [
        'a form with name[]',
        {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: form.replaceAll('type_of_business=', 'type_of_business[]='),
        },
      ],
      [
        'multipart',
        {
          headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
          body: multipart('xyz'),
        },
      ],
      ['the query of a POST', { body: '' }, `?${form}`],
      [
        'a query of its own',
        { headers: { 'content-type': 'application/json' }, body: '{"parsed_address_min":"9999"}' },
        `?${form}`,
      ],
    ];

    test.each(channels)('%s', async (_, init, query = '') => {
      const expected = await service.post('business-directory', wanted);
      expect(expected.body.params.count).toBeGreaterThan(3);
      const answer = await service.send(DIRECTORY + query, { method: 'POST', ...init });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(expected.text);
    });

    test('GET', async () => {
      const expected = await service.post('business-directory', wanted);
      const answer = await service.get(`${DIRECTORY}?${form}`);
      expect(answer.text).toBe(expected.text);
    });

    test('a file part is its text', async () => {
      const body = new FormData();
      body.set('business', new Blob(['\ufeffabilene'], { type: 'text/plain' }), 'name.txt');
      const answer = await service.send(DIRECTORY, { method: 'POST', body });
      expect(businesses(answer.body)).toEqual(['ABILENE']);
    });
  });

  describe('no arguments', () => {
    test.each([
      ['an empty body', ''],
      ['{}', '{}'],
      ['[]', '[]'],
      ['white space', ' \n'],
      ['a byte order mark alone', '\ufeff'],
    ])('%s is the first page of everything', async (_, body) => {
      const answer = await service.post('business-directory', body);
      expect(answer.status).toBe(200);
      expect(answer.body.params).toMatchObject({ count: 120, total: 120, next: null });
    });

    test('an empty query and a trailing slash are fine', async () => {
      const answer = await service.post('business-directory', '', { query: '?' });
      const slash = await service.send(`${DIRECTORY}/`, { method: 'POST' });
      expect(answer.body.params.count).toBe(120);
      expect(slash.body.params.count).toBe(120);
    });

    test('the id and the name are one address', async () => {
      const byId = await service.post('0866afd3c60942887af15dc945ab76fc', { category: 'retail' });
      const byName = await service.post('business-directory', { category: 'retail' });
      expect(byId.text).toBe(byName.text);
    });
  });

  describe('bodies that are refused', () => {
    const cases: [
      string,
      Record<string, string>,
      string | Uint8Array<ArrayBuffer>,
      number,
      string,
    ][] = [
      ['a list', { 'content-type': 'application/json' }, '[1]', 400, 'invalid-json'],
      ['a number', { 'content-type': 'application/json' }, '5', 400, 'invalid-json'],
      ['null', { 'content-type': 'application/json' }, 'null', 400, 'invalid-json'],
      ['cut JSON', { 'content-type': 'application/json' }, '{"a":', 400, 'invalid-json'],
      ['a form with no type', { 'content-type': '' }, 'category=retail', 400, 'invalid-json'],
      ['XML', { 'content-type': 'application/xml' }, '<a/>', 415, 'unsupported-media-type'],
      [
        'Latin-1 by its charset',
        { 'content-type': 'application/json; charset=iso-8859-1' },
        '{}',
        415,
        'unsupported-media-type',
      ],
      [
        'a body that says it is not compressed',
        { 'content-encoding': ' Identity', 'content-type': 'application/json' },
        '{"nothing":1}',
        400,
        'invalid-arguments',
      ],
      [
        'a compressed body',
        { 'content-encoding': 'gzip' },
        'x',
        415,
        'unsupported-content-encoding',
      ],
      [
        'bytes that are not UTF-8',
        { 'content-type': 'application/json' },
        new Uint8Array([0x7b, 0xff, 0x7d]),
        400,
        'invalid-encoding',
      ],
      [
        'percent-encoded bytes that are not UTF-8',
        { 'content-type': 'application/x-www-form-urlencoded' },
        'category=%ff',
        400,
        'invalid-encoding',
      ],
      [
        'multipart with bytes that are not UTF-8',
        { 'content-type': 'multipart/form-data; boundary=x' },
        new Uint8Array([0x2d, 0x2d, 0x78, 0xff]),
        400,
        'invalid-encoding',
      ],
      [
        'multipart without a boundary',
        { 'content-type': 'multipart/form-data' },
        '--x\r\n',
        400,
        'invalid-form',
      ],
      [
        'multipart cut short',
        { 'content-type': 'multipart/form-data; boundary=x' },
        '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
        400,
        'invalid-form',
      ],
      [
        'over 262,144 bytes',
        { 'content-type': 'application/json' },
        `{"business":"${'x'.repeat(262_144)}"}`,
        413,
        'body-too-large',
      ],
    ];
    test.each(cases)('%s', async (_, headers, body, status, code) => {
      const answer = await service.send(DIRECTORY, { method: 'POST', headers, body });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    });

    test('a body of 262,144 bytes is read', async () => {
      const empty = '{"business":""}';
      const body = empty.replace('""', `"${' '.repeat(262_144 - empty.length)}"`);
      expect((await service.post('business-directory', body)).status).toBe(200);
      expect((await service.post('business-directory', `${body} `)).status).toBe(413);
    });

    test.each([
      ['nested as deep as a body can be', '['.repeat(131_072) + ']'.repeat(131_072)],
      ['of many names', `{${Array.from({ length: 20_000 }, (_, i) => `"n${i}":1`).join()}}`],
      ['a number that is mostly white space', `{"zip_code_min":"1${' '.repeat(250_000)}x"}`],
      ['a choice of 250,000 letters', `{"_handling":"${'é'.repeat(120_000)}"}`],
      ['a list of 60,000 members', `{"category":[${'"a",'.repeat(60_000)}"b"]}`],
    ])('a hostile body is refused: %s', async (_, body) => {
      expect((await service.post('business-directory', body)).status).toBe(400);
    });

    test('a chunked body over the bound is refused as it comes', async () => {
      const chunk = new Uint8Array(65_536).fill(0x20);
      const body = new ReadableStream({
        start(controller) {
          for (let i = 0; i < 5; i++) controller.enqueue(chunk);
          controller.close();
        },
      });
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
      expect((await service.send(DIRECTORY, init)).status).toBe(413);
    });

    test('a percent sign in a form that begins no byte stands for itself', async () => {
      const answer = await service.send(DIRECTORY, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'business=100%25+or+5%+more%zz',
      });
      expect(answer.body.params.total).toBe(0);
    });
  });

  describe('the query', () => {
    test('wins over the body, but for blanks', async () => {
      const body = { category: 'services' };
      const wins = await service.post('business-directory', body, { query: '?category=retail' });
      const blank = await service.post('business-directory', body, { query: '?category=' });
      expect(wins.body.params.total).toBe(61);
      expect(blank.body.params.total).toBe(39);
    });

    test.each([
      ['bytes', '%ff'],
      ['the replacement character', '%EF%BF%BD'],
    ])('a value that holds U+FFFD once decoded is refused: %s', async (_, value) => {
      const answer = await service.get(`${DIRECTORY}?category=${value}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid-encoding']);
      expect(answer.body.errors[0].parameter).toBe('category');
    });

    test('the order of names does not matter', async () => {
      const a = await service.get(`${CENSUS}?under_5_min=500&_limit=3&_sort=-under_5`);
      const b = await service.get(`${CENSUS}?_sort=-under_5&_limit=3&under_5_min=500`);
      expect(a.text).toBe(b.text);
      expect(a.headers.get('etag')).toBe(b.headers.get('etag'));
    });
  });

  describe('GET', () => {
    test('with a blank parameter runs the block', async () => {
      const answer = await service.get(`${DIRECTORY}?category=`);
      expect(answer.body.params.count).toBe(120);
    });

    test('with an option runs the block', async () => {
      const answer = await service.get(`${DIRECTORY}?_limit=2`);
      expect(answer.body.params.count).toBe(2);
    });

    test('without a name of ours describes the block', async () => {
      const plain = await service.get(DIRECTORY);
      const stranger = await service.get(`${DIRECTORY}?utm_source=x&cache=false`);
      expect(plain.body.name).toBe('business-directory');
      expect(stranger.body.name).toBe('business-directory');
    });

    test('HEAD is GET without the body', async () => {
      const get = await service.get(`${DIRECTORY}?category=retail`);
      const head = await service.send(`${DIRECTORY}?category=retail`, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
      expect((await service.send(DIRECTORY, { method: 'HEAD' })).status).toBe(200);
    });
  });
});
