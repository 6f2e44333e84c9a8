import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  const BLOCKS = ['business-directory', 'census-neighborhoods', 'rgb-to-color-name'];
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const COLOR = { R: 255, G: 127, B: 80 };

  describe('the default form', () => {
    test('has results, count, total and next in params', async () => {
      const { body } = await service.post('business-directory', { business: 'abilene' });
      expect(Object.keys(body)).toEqual(['params', '_errors', '_warnings']);
      expect(Object.keys(body.params)).toEqual(['results', 'count', 'total', 'next']);
      expect(body._errors).toEqual([]);
    });

    test('is JSON in UTF-8, with a run id, timing and CORS', async () => {
      const { headers } = await service.post('rgb-to-color-name', COLOR);
      expect(headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/);
      expect(headers.get('x-run-id')).toMatch(UUID);
      expect(headers.get('server-timing')).toMatch(/^run;dur=[\d.]+, total;dur=[\d.]+$/);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('content-encoding')).toBe(null);
    });
  });

  describe('the flat form of the old clients', () => {
    test.each([
      'cache=false',
      'cache=False',
      '%63ache=1',
      'cache=TRUE',
      'cache=',
      'cache',
      'api_key=&cache=false&expiry=null',
    ])('%s asks for it', async (query) => {
      const { status, body } = await service.post('rgb-to-color-name', COLOR, {
        query: `?${query}`,
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ _blockspring_spec: true, _errors: [], name: 'Coral' });
      expect(body).not.toHaveProperty('params');
      expect(body).not.toHaveProperty('_warnings');
    });

    test('has the members of params at the top, and warnings only where there are any', async () => {
      const { body } = await service.post(
        'business-directory',
        { _limit: 1 },
        { query: '?cache=false' },
      );
      expect(Object.keys(body)).toEqual([
        '_blockspring_spec',
        '_errors',
        'results',
        'count',
        'total',
        'next',
        '_warnings',
      ]);
    });

    test('refuses input with 200, and two members', async () => {
      const refusals = [
        await service.post('rgb-to-color-name', { R: 1 }, { query: '?cache=false' }),
        await service.post('rgb-to-color-name', '{', { query: '?cache=false' }),
        await service.post('rgb-to-color-name', 'x', {
          query: '?cache=false',
          headers: { 'content-type': 'application/xml' },
        }),
        await service.post('rgb-to-color-name', ' '.repeat(262_145), { query: '?cache=false' }),
      ];
      for (const { status, body, headers } of refusals) {
        expect([status, Object.keys(body)]).toEqual([200, ['_blockspring_spec', '_errors']]);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(body._errors[0]).toEqual({
          title: expect.stringMatching(/./),
          message: expect.any(String),
        });
      }
      expect(refusals[0]?.body._errors).toHaveLength(2);
    });

    test('keeps the status of what is not input', async () => {
      const unknown = await service.post('nope', {}, { query: '?cache=false' });
      const method = await service.send('/api_v2/blocks/rgb-to-color-name?cache=false', {
        method: 'PUT',
      });
      expect([unknown.status, method.status]).toEqual([404, 405]);
      expect(Object.keys(unknown.body)).toEqual(['_blockspring_spec', '_errors']);
      expect(unknown.headers.get('access-control-allow-origin')).toBe('*');
    });
  });

  describe('a problem', () => {
    test('has the members of RFC 9457, and ours', async () => {
      const { status, headers, body } = await service.post('rgb-to-color-name', { R: 256, G: 1 });
      expect(status).toBe(400);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body).toEqual({
        type: 'docs/errors.md#invalid-arguments',
        title: 'The arguments are not valid',
        status: 400,
        detail: 'B is required: a whole number from 0 to 255. (and 1 more: see errors)',
        instance: `urn:uuid:${headers.get('x-run-id')}`,
        code: 'invalid-arguments',
        errors: [
          {
            code: 'missing-parameter',
            detail: 'B is required: a whole number from 0 to 255.',
            parameter: 'B',
            pointer: '#/B',
          },
          {
            code: 'out-of-range',
            detail: 'R is 256; expected a whole number from 0 to 255.',
            parameter: 'R',
            pointer: '#/R',
          },
        ],
        _errors: [
          { title: 'Missing parameter', message: 'B is required: a whole number from 0 to 255.' },
          { title: 'Out of range', message: 'R is 256; expected a whole number from 0 to 255.' },
        ],
      });
    });

    test('is timed like any answer', async () => {
      const { headers } = await service.post('rgb-to-color-name', {});
      expect(headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/);
    });

    test('an unknown block lists the known ones, and suggests', async () => {
      const { status, body } = await service.post('busines-directory', {});
      expect([status, body.code, body.errors[0].suggestion]).toEqual([
        404,
        'unknown-block',
        'business-directory',
      ]);
      expect(body.errors[0].allowed).toEqual(expect.arrayContaining(BLOCKS));
    });

    test.each(['PUT', 'DELETE', 'PATCH'])('%s is not taken', async (method) => {
      for (const path of ['business-directory', 'cd6056a831402cb2033fe1e711f72d98']) {
        const answer = await service.send(`/api_v2/blocks/${path}`, { method });
        expect([answer.status, answer.body.code]).toEqual([405, 'method-not-allowed']);
        expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
      }
      expect((await service.send('/api_v2/blocks', { method })).headers.get('allow')).toBe(
        'GET, HEAD, OPTIONS',
      );
    });

    test('another address is a 404 that says where the blocks are', async () => {
      for (const path of [
        '/nope',
        '/api_v2',
        '/api_v2/blocks/business-directory/more',
        '/api_v2/blocks/%ff',
      ]) {
        const { status, body } = await service.get(path);
        expect(status).toBe(404);
        expect(body.errors.length).toBe(1);
      }
    });
  });

  describe('CORS', () => {
    test.each(['https://example.org', 'null'])(
      'a preflight from %s is answered',
      async (origin) => {
        for (const path of [
          '/api_v2/blocks/business-directory',
          '/api_v2/blocks/nope',
          '/api_v2/blocks',
        ]) {
          const { status, headers } = await service.send(path, {
            method: 'OPTIONS',
            headers: {
              origin,
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'content-type, authorization',
            },
          });
          expect(status).toBe(204);
          expect(headers.get('access-control-allow-origin')).toBe('*');
          expect(headers.get('access-control-allow-headers')).toMatch(
            /content-type.*authorization/i,
          );
          expect(headers.get('access-control-allow-methods')).toContain('POST');
          expect(headers.get('x-run-id')).toMatch(UUID);
        }
      },
    );
  });

  describe('ETag', () => {
    const PATH = '/api_v2/blocks/business-directory';
    const etag = async (query: string) => (await service.get(PATH + query)).headers.get('etag');

    test('an unchanged answer is a 304 without a body', async () => {
      for (const path of [`${PATH}?category=retail`, PATH, '/api_v2/blocks']) {
        const first = await service.get(path);
        const tag = first.headers.get('etag') ?? '';
        expect(tag).toMatch(/^W\/"/);
        for (const sent of [tag, tag.replace('W/', ''), `"x", ${tag}`, '*']) {
          const again = await service.get(path, { 'if-none-match': sent });
          expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
          expect(again.headers.get('access-control-allow-origin')).toBe('*');
          expect(again.headers.get('x-run-id')).toMatch(UUID);
        }
        expect((await service.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
      }
    });

    test('is the same for what means the same, and differs with what the answer depends on', async () => {
      const tag = await etag('?category=retail');
      expect(await etag('?category=%20RETAIL&utm_source=x')).toBe(tag);
      const others = [
        '?category=services',
        '?category=retail&_limit=5',
        '?category=retail&cache=false',
        '?category=retail&_fields=business',
        '?category=retail&_sort=business',
        '?category=retail&foo=1',
      ];
      const tags = await Promise.all(others.map(etag));
      expect(new Set([tag, ...tags]).size).toBe(others.length + 1);
    });

    test('is not given with _explain, nor to a POST', async () => {
      expect(await etag('?category=retail&_explain=1')).toBe(null);
      expect((await service.post('business-directory', {})).headers.get('etag')).toBe(null);
    });
  });

  describe('the list and the descriptions', () => {
    test('GET /api_v2/blocks lists the blocks', async () => {
      for (const path of ['/api_v2/blocks', '/api_v2/blocks/', '/']) {
        const { body } = await service.get(path);
        expect(body.blocks.map(({ name }: { name: string }) => name)).toEqual(BLOCKS);
        expect(Object.keys(body.blocks[0])).toEqual(
          expect.arrayContaining(['id', 'name', 'title', 'description']),
        );
      }
    });

    test('a description has parameters with the range of the data', async () => {
      const { body } = await service.get('/api_v2/blocks/census-neighborhoods');
      expect(body.parameters).toHaveLength(126);
      const find = (name: string) => body.parameters.find((p: { name: string }) => p.name === name);
      expect(find('total_population_min')).toMatchObject({
        type: 'integer',
        field: 'total_population',
        op: 'min',
        unit: 'people',
        range: { min: expect.any(Number), max: expect.any(Number) },
        nulls: 0,
      });
      expect(find('persons_in_dorms_max')).toMatchObject({ nulls: 56 });
      expect(body.dataset).toMatchObject({
        rows: 56,
        publisher: 'US Census Bureau',
        date: '2010-04-01',
        version: expect.stringMatching(/^[0-9a-f]{20}$/),
      });
      const directory = (await service.get('/api_v2/blocks/business-directory')).body;
      expect(
        directory.parameters.find((p: { name: string }) => p.name === 'category'),
      ).toMatchObject({
        values: ['Food and Drink', 'Retail', 'Services'],
        examples: [['retail', 'food and drink']],
      });
    });

    test.each(BLOCKS)('the examples of %s run, and answers keep to its schemas', async (name) => {
      const { body } = await service.get(`/api_v2/blocks/${name}`);
      const ajv = new Ajv2020({ strict: false });
      const isInput = ajv.compile(body.input_schema);
      const isOutput = ajv.compile(body.output_schema);
      expect(body.examples.length).toBeGreaterThan(1);
      for (const { arguments: given } of body.examples) {
        const answer = await service.post(name, given);
        expect([answer.status, answer.body.params.count]).not.toEqual([200, 0]);
        expect(isOutput(answer.body.params)).toBe(true);
      }
      expect(isInput({ nope: 1 })).toBe(false);
    });
  });

  test('the schema of the input has one way to write an argument, and says that there are more', async () => {
    const { body } = await service.get('/api_v2/blocks/business-directory');
    const isInput = new Ajv2020({ strict: false }).compile(body.input_schema);
    const written = { parsed_address_max: 300, _fields: ['business', 'phone_number'] };
    const { params } = (await service.post('business-directory', written)).body;
    expect([isInput(written), params.count > 0]).toEqual([true, true]);
    for (const other of [
      { ...written, parsed_address_max: '3e2' },
      { ...written, _fields: 'business, phone_number' },
      { ...written, category: null },
      { ...written, '_not.category': '' },
    ]) {
      expect((await service.post('business-directory', other)).body.params).toEqual(params);
      expect([other, isInput(other)]).toEqual([other, false]);
    }
    expect(body.input_schema.description).toMatch(/others too: a number as decimal text.*openapi/);
  });

  describe('the colour block', () => {
    const name = async (body: object) =>
      (await service.post('rgb-to-color-name', body)).body.params;

    test('answers with the nearest name', async () => {
      expect(await name(COLOR)).toEqual({
        name: 'Coral',
        hex: '#ff7f50',
        rgb: [255, 127, 80],
        exact: true,
        distance: 0,
        list: 'bestof',
        alternatives: [],
      });
      const near = await name({ R: 18, G: 52, B: '86.0', list: 'CSS', alternatives: 3 });
      expect(near).toMatchObject({ name: 'midnightblue', exact: false, list: 'css' });
      expect(near.alternatives).toHaveLength(3);
      expect(near.alternatives.map((a: { name: string }) => a.name)).not.toContain(near.name);
      expect(near.distance).toBeLessThanOrEqual(near.alternatives[0].distance);
      expect(String(near.distance)).toMatch(/^\d+\.\d{1,6}$/);
    });

    test('gives a tie to the earlier name', async () => {
      expect((await name({ R: 0, G: 255, B: 255, list: 'css', alternatives: 1 })).name).toBe(
        'aqua',
      );
      expect((await name({ R: 128, G: 128, B: 128, list: 'css' })).name).toBe('gray');
    });

    test('refuses what is no channel, without clamping', async () => {
      for (const R of [-1, 256, 1.5, '12px', true, [1], 1e9]) {
        expect((await service.post('rgb-to-color-name', { ...COLOR, R })).status).toBe(400);
      }
      expect(
        (await service.post('rgb-to-color-name', { ...COLOR, list: 'fulll' })).body.errors[0]
          .suggestion,
      ).toBe('full');
      expect((await service.post('rgb-to-color-name', { ...COLOR, alternatives: 11 })).status).toBe(
        400,
      );
    });

    test('takes _fields and _explain, and warns of options for rows', async () => {
      const { body } = await service.post('rgb-to-color-name', {
        ...COLOR,
        _fields: 'hex,name',
        _explain: 'TRUE',
        _limit: 'x',
        _sort: 'y',
        _cursor: 'z',
      });
      expect(body.params).toEqual({ hex: '#ff7f50', name: 'Coral' });
      expect(body._explain).toMatchObject({ itemsRead: 0 });
      expect(body._warnings.map((w: { parameter: string }) => w.parameter)).toEqual([
        '_limit',
        '_cursor',
        '_sort',
      ]);
    });
  });
});
