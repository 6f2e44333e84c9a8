import { describe, expect, test } from '@jest/globals';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { RECORDED } from './recorded-requests.ts';

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  describe.each(RECORDED)('$client', ({ query, type, body, flat }) => {
    const call = (block: string, values: Record<string, string | number>) =>
      service.post(block, body(values), { query, headers: { 'content-type': type } });

    test('gets its answer in the form that it parses', async () => {
      const {
        status,
        body: answer,
        headers,
      } = await call('rgb-to-color-name', { R: 255, G: 127, B: 80 });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('content-encoding')).toBe(null);
      expect(answer._errors).toEqual([]);
      expect(flat ? answer.name : answer.params.name).toBe('Coral');
      expect(answer._blockspring_spec).toBe(flat ? true : undefined);
      expect(answer).not.toHaveProperty('_warnings.0');
    });

    test('gets rows, and all of them for no parameters', async () => {
      const some = (
        await call('0866afd3c60942887af15dc945ab76fc', {
          category: 'retail',
          parsed_address_min: 100,
        })
      ).body;
      const all = (await call('cd6056a831402cb2033fe1e711f72d98', {})).body;
      const expected = await service.post('business-directory', {
        category: 'retail',
        parsed_address_min: 100,
      });
      expect((flat ? some : some.params).results).toEqual(expected.body.params.results);
      expect((flat ? all : all.params).results).toHaveLength(56);
    });

    test('gets a refusal where it looks for one', async () => {
      const { status, body: answer } = await call('rgb-to-color-name', { R: 'x', G: 1, B: 300 });
      expect(status).toBe(flat ? 200 : 400);
      expect(answer._errors).toHaveLength(2);
      for (const { title, message } of answer._errors) {
        expect(title).toMatch(/./);
        expect(message === null || typeof message === 'string').toBe(true);
      }
      if (flat) expect(Object.keys(answer)).toEqual(['_blockspring_spec', '_errors']);
      const unknown = await call('nope', {});
      expect([unknown.status, unknown.body._errors.length]).toEqual([404, 1]);
    });
  });
});
