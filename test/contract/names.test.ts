import { describe, expect, test } from '@jest/globals';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  type Fault = {
    code: string;
    parameter: string;
    pointer?: string;
    suggestion?: string;
    allowed?: string[];
  };
  const faultsOf = (body: { errors: Fault[] }) =>
    body.errors.map(({ parameter, suggestion }) => [parameter, suggestion]);
  const DIRECTORY = '/api_v2/blocks/business-directory';

  describe('unknown names in a body', () => {
    test.each([
      ['catgory', 'category'],
      ['CATEGORY', 'category'],
      ['caetgory', 'category'],
      ['cat', 'category'],
      ['parsed_adress', 'parsed_address'],
      ['_not.categry', '_not.category'],
      ['_limt', '_limit'],
      ['limit', '_limit'],
      ['zip_code_mim', 'zip_code_min'],
      ['category[]', 'category'],
    ])('%s: did you mean %s?', async (name, suggestion) => {
      const { status, body } = await service.post('business-directory', { [name]: 'x' });
      expect(status).toBe(400);
      expect(body.errors[0]).toMatchObject({
        code: 'unknown-parameter',
        parameter: name,
        suggestion,
      });
      expect(body.errors[0].detail).toContain(suggestion);
    });

    test.each(['colour', 'zz', 'location_1', '__proto__', 'constructor', 'toString', ''])(
      '%s: no name is near, all are listed',
      async (name) => {
        const { body } = await service.post('business-directory', `{${JSON.stringify(name)}: 1}`);
        expect(body.errors[0].suggestion).toBeUndefined();
        expect(body.errors[0].allowed).toEqual(expect.arrayContaining(['category', '_limit']));
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      },
    );

    test('are all named at once, fifty at most', async () => {
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`stranger_${i}`, i]));
      const { body } = await service.post('business-directory', many);
      expect(body.errors).toHaveLength(50);
      expect(body._errors).toHaveLength(50);
    });

    test('list the names that there are once an answer, and those of each other list once', async () => {
      const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`stranger_${i}`, i]));
      const { body } = await service.post('business-directory', many);
      const [first, second, ...others] = body.errors as (Fault & { detail: string })[];
      expect(first?.allowed).toEqual(expect.arrayContaining(['category', '_limit']));
      expect(first?.detail).toBe(
        'stranger_0 is not a parameter of this block. Its parameters are listed in allowed.',
      );
      expect(second?.detail).toBe('stranger_1 is not a parameter of this block.');
      expect([second, ...others].filter((fault) => fault?.allowed !== undefined)).toEqual([]);

      const given = { _fields: ['xx', 'yy', 'categry'], _sort: 'xx', xx: 1, yy: 2 };
      const mixed = (await service.post('business-directory', given)).body.errors as Fault[];
      expect(
        mixed.map(({ parameter, pointer, allowed, suggestion }) => [
          pointer ?? parameter,
          allowed !== undefined,
          suggestion,
        ]),
      ).toEqual([
        ['#/xx', true, undefined],
        ['#/yy', false, undefined],
        ['#/_sort', true, undefined],
        ['#/_fields/0', true, undefined],
        ['#/_fields/1', false, undefined],
        ['#/_fields/2', false, 'category'],
      ]);
      const text = JSON.stringify(mixed);
      expect(text.match(/expected one of/g)).toHaveLength(2);
    });

    test('a pointer is escaped as JSON Pointer and URI say', async () => {
      const { body } = await service.post('business-directory', { 'a/b~c é': 1 });
      expect(body.errors[0].pointer).toBe('#/a~1b~0c%20%C3%A9');
    });

    test('the old clients’ own members pass unused', async () => {
      const sent = { _blockspring_spec: true, _blockspring_x: 1, api_key: 'k', category: 'retail' };
      const { status, body } = await service.post('business-directory', sent);
      expect([status, body.params.total, body._warnings]).toEqual([200, 61, []]);
    });
  });

  describe('lenient handling', () => {
    const sent = { category: 'retail', colour: 'red', catgory: 'services' };
    const warned = ['colour', 'catgory'];

    test.each<
      [string, object, { query?: string; headers?: Record<string, string> }, string | null]
    >([
      ['by option', { ...sent, _handling: 'lenient' }, {}, null],
      ['by option in the query', sent, { query: '?_handling=LENIENT' }, null],
      [
        'by Prefer',
        sent,
        { headers: { prefer: 'return=minimal, handling=lenient' } },
        'handling=lenient',
      ],
      ['by a CloudEvents header', sent, { headers: { 'ce-specversion': '1.0' } }, null],
      ['by a CloudEvents id', sent, { headers: { 'ce-id': '1' } }, null],
      [
        'by a CloudEvents type',
        sent,
        { headers: { 'content-type': 'application/cloudevents+json' } },
        null,
      ],
    ])('%s: ignores and names them', async (_, body, more, applied) => {
      const answer = await service.post('business-directory', body, more);
      expect([answer.status, answer.body.params.total]).toEqual([200, 61]);
      expect(answer.body._warnings.map((w: { parameter: string }) => w.parameter)).toEqual(warned);
      expect(answer.headers.get('preference-applied')).toBe(applied);
    });

    test('_handling wins over Prefer, and Prefer over an event’s mark', async () => {
      const strict = await service.post(
        'business-directory',
        { ...sent, _handling: 'strict' },
        { headers: { prefer: 'handling=lenient' } },
      );
      const event = await service.post('business-directory', sent, {
        headers: { 'ce-id': '1', prefer: 'handling=strict' },
      });
      expect([strict.status, event.status]).toEqual([400, 400]);
    });

    test('a request with unknown names and no parameter is refused all the same', async () => {
      for (const body of [
        { colour: 1, _handling: 'lenient' },
        { colour: 1, category: '', _handling: 'lenient', _limit: 3 },
      ]) {
        const answer = await service.post('business-directory', body);
        expect([answer.status, faultsOf(answer.body)]).toEqual([400, [['colour', undefined]]]);
      }
      const saved = await service.post(
        'business-directory',
        { colour: 1, _handling: 'lenient' },
        { query: '?category=retail' },
      );
      expect(saved.status).toBe(200);
    });

    test('an unknown handling is a fault', async () => {
      const { body } = await service.post('business-directory', { _handling: 'lenien' });
      expect(faultsOf(body)).toEqual([['_handling', 'lenient']]);
    });
  });

  describe('unknown names in a query', () => {
    test.each([
      '?catgory=retail',
      '?_limt=5',
      '?catgory=',
      '?category=retail&Category=x',
      '?catgory=x&_handling=lenient',
    ])('near a known one: %s is refused, on GET and on POST', async (query) => {
      for (const answer of [
        await service.get(DIRECTORY + query),
        await service.post('business-directory', { business: 'x' }, { query }),
      ]) {
        expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'unknown-parameter']);
        expect(answer.body.errors[0]).not.toHaveProperty('pointer');
      }
    });

    test('R, G and B have no near strangers, but for case', async () => {
      const near = await service.get('/api_v2/blocks/rgb-to-color-name?r=1&G=2&B=3');
      const stranger = await service.get('/api_v2/blocks/rgb-to-color-name?R=1&G=2&B=3&x=4');
      expect(faultsOf(near.body)).toEqual([
        ['r', 'R'],
        ['R', undefined],
      ]);
      expect(faultsOf(stranger.body)).toEqual([['x', undefined]]);
    });

    const FORMATS = ['json', 'csv', 'xlsx', 'ndjson', 'parquet', 'geojson'];

    test.each(FORMATS)(
      'strangers in a GET for %s are refused, not answered with more rows',
      async (format) => {
        for (const query of [
          'category=retail&colour=red',
          'colour=red',
          'colour=',
          'ref=x',
          'source=x',
        ]) {
          const answer = await service.get(`${DIRECTORY}?${query}&_format=${format}`);
          expect([query, answer.status, answer.body.errors[0].code]).toEqual([
            query,
            400,
            'unknown-parameter',
          ]);
          expect(answer.body.errors[0].allowed).toContain('category');
        }
      },
    );

    test('strangers alone in a GET are refused, and the remedy is said where it helps', async () => {
      const alone = await service.get(`${DIRECTORY}?colour=red`);
      expect([alone.status, alone.body.detail]).toEqual([
        400,
        'colour is not a parameter of this block. Its parameters are listed in allowed.',
      ]);
      const beside = await service.get(`${DIRECTORY}?category=retail&colour=red`);
      expect(beside.body.detail).toBe(
        'colour is not a parameter of this block. _handling=lenient ignores it. Its parameters are listed in allowed.',
      );
    });

    test.each(FORMATS)(
      'lenient handling of a GET for %s ignores strangers beside a parameter',
      async (format) => {
        const query = `category=retail&colour=red&_handling=lenient&_format=${format}`;
        const plain = await service.get(`${DIRECTORY}?category=retail&_format=${format}`);
        const answer = await service.get(`${DIRECTORY}?${query}`);
        expect([answer.status, answer.headers.get('x-total-count')]).toEqual([
          200,
          plain.headers.get('x-total-count'),
        ]);
        const preferred = await service.get(
          `${DIRECTORY}?category=retail&colour=red&_format=${format}`,
          {
            prefer: 'handling=lenient',
          },
        );
        expect(preferred.status).toBe(200);
        const alone = await service.get(
          `${DIRECTORY}?colour=red&_handling=lenient&_format=${format}`,
        );
        expect(alone.status).toBe(400);
      },
    );

    test("a webhook's mark does not make a GET lenient", async () => {
      const marked = { 'webhook-id': '1', 'ce-id': '1', 'ce-specversion': '1.0' };
      const refused = await service.get(`${DIRECTORY}?category=retail&colour=red`, marked);
      expect([refused.status, faultsOf(refused.body)]).toEqual([400, [['colour', undefined]]]);
    });

    test('strangers in the query of a POST are named where the answer has a place for it', async () => {
      const sent = { category: 'retail' };
      const named = await service.post('business-directory', sent, { query: '?theme=dark' });
      expect([named.body.params.total, named.body._warnings[0].parameter]).toEqual([61, 'theme']);
      const flat = await service.post('business-directory', sent, { query: '?theme=dark&cache=0' });
      expect(flat.body._warnings[0].parameter).toBe('theme');
      for (const format of FORMATS.slice(1)) {
        const query = `?theme=dark&_format=${format}`;
        const refused = await service.post('business-directory', sent, { query });
        expect([format, refused.status, faultsOf(refused.body)]).toEqual([
          format,
          400,
          [['theme', undefined]],
        ]);
        const lenient = await service.post('business-directory', sent, {
          query: `${query}&_handling=lenient`,
        });
        expect([format, lenient.status]).toEqual([format, 200]);
        const delivery = await service.post('business-directory', sent, {
          query,
          headers: { 'ce-id': '1' },
        });
        expect([format, delivery.status]).toEqual([format, 200]);
      }
    });

    test('what tools append passes unmentioned, alone too', async () => {
      const appended =
        'utm_source=a&utm_x=b&fbclid=c&gclid=d&gbraid=1&wbraid=1&dclid=1&msclkid=1&mc_cid=1&mc_eid=1&igshid=1&twclid=1&ttclid=1&yclid=1&_ga=1&_gl=1&_=1&expiry=&flatten=1&api_key=k';
      const { status, body } = await service.get(`${DIRECTORY}?category=retail&${appended}`);
      expect([status, body.params.total, body._warnings]).toEqual([200, 61, []]);
      const alone = await service.get(`${DIRECTORY}?${appended}`);
      expect([alone.status, alone.body.name]).toEqual([200, 'business-directory']);
      const file = await service.get(`${DIRECTORY}?category=retail&${appended}&_format=csv`);
      expect([file.status, file.headers.get('x-total-count')]).toEqual([200, '61']);
    });

    test('a POST with strangers and no parameter anywhere is refused', async () => {
      const refused = await service.post('business-directory', { _limit: 5 }, { query: '?foo=1' });
      const passed = await service.post('business-directory', '', {
        query: '?utm_source=1&cache=0',
      });
      expect([refused.status, faultsOf(refused.body)]).toEqual([400, [['foo', undefined]]]);
      expect(passed.status).toBe(200);
    });
  });

  describe('where a fault is', () => {
    test('a pointer into the body of a POST; none for the query, nor for a GET', async () => {
      const post = await service.post('rgb-to-color-name', { R: 'x' }, { query: '?G=y' });
      const get = await service.get('/api_v2/blocks/rgb-to-color-name?R=x');
      expect(post.body.errors.map((f: Fault) => [f.parameter, f.code, f.pointer])).toEqual([
        ['B', 'missing-parameter', '#/B'],
        ['R', 'not-a-number', '#/R'],
        ['G', 'not-a-number', undefined],
      ]);
      expect(get.body.errors.every((f: Fault) => f.pointer === undefined)).toBe(true);
      expect(get.body.errors).toHaveLength(3);
    });
  });
});
