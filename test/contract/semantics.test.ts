import { describe, expect, test } from '@jest/globals';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  const total = async (block: string, body: unknown) => {
    const answer = await service.post(block, body);
    expect(answer.status).toBe(200);
    return answer.body.params.total;
  };
  const directory = (body: unknown) => total('business-directory', body);
  const census = (body: unknown) => total('census-neighborhoods', body);
  const faults = async (block: string, body: unknown) => {
    const answer = await service.post(block, body);
    expect(answer.status).toBe(400);
    return answer.body.errors.map(({ code, parameter, pointer, suggestion }: never) => [
      code,
      parameter,
      pointer,
      suggestion,
    ]);
  };

  describe('text', () => {
    test.each<[string, unknown, number]>([
      ['matches whatever its case', 'LAUNDRIES', 22],
      ['matches whatever the white space around it', '  laundries ', 22],
      ['matches in full width', 'ＬＡＵＮＤＲＩＥＳ', 22],
      ['matches with accents that the data lack', 'Läundriés', 22],
      ['matches with format characters in it', 'laun\u00addries\u200b', 22],
      ['matches a list: any of its members', ['laundries', 'stoop line stand', 'Laundries'], 35],
      ['drops the blank members of a list', ['', null, 'laundries', ' '], 22],
      ['does not match a part', 'laundr', 0],
      ['matches a part with a wildcard', 'laundr*', 22],
      ['matches in the middle', '*retail*', 28],
      ['matches several wildcards in order', 't*o*e*', 28],
      ['matches with a wildcard that stands for nothing', '*laundries*', 22],
      ['takes an escaped star literally', 'laundr\\*', 0],
      ['takes another backslash literally', 'laundries\\', 0],
      ['means not given where blank', ' \u200b', 120],
      ['means not given where the list is empty', [], 120],
      ['means not given where all members are blank', ['', null], 120],
      ['any text at all', '*', 120],
    ])('%s', async (_, type_of_business, expected) => {
      expect(await directory({ type_of_business })).toBe(expected);
    });

    test('compares an ampersand, quotes and dashes as they are meant', async () => {
      expect(await census({ neighborhood_1: 'patterson park north & east' })).toBe(1);
      expect(await census({ neighborhood_1: 'cross–country/cheswolde' })).toBe(1);
      expect(await census({ neighborhood_1: 'UNASSIGNED — JAIL' })).toBe(0);
      expect(await census({ neighborhood_1: 'unassigned −‐ jail' })).toBe(1);
    });

    test('takes a JSON number by its decimal text', async () => {
      expect(await directory({ location_1_zip: 11231 })).toBe(120);
      expect(await directory({ location_1_zip: 2 ** 53 - 1 })).toBe(0);
      // Beyond, JSON's readers round: another number may have been sent.
      expect(await faults('business-directory', { location_1_zip: 2 ** 53 })).toEqual([
        ['not-text', 'location_1_zip', '#/location_1_zip', undefined],
      ]);
    });

    test('compares phone numbers by their digits', async () => {
      const one = await directory({ phone_number: '718-624-7581' });
      expect(one).toBe(2);
      for (const phone_number of [
        7186247581,
        '(718) 624 7581',
        '+1 718.624.7581',
        '７１８6247581',
      ]) {
        expect(await directory({ phone_number })).toBe(one);
      }
      expect(await directory({ phone_number: '718624*' })).toBeGreaterThan(one);
      expect(await directory({ phone_number: '718*' })).toBe(
        await directory({ phone_number: '(718) *' }),
      );
      expect(await directory({ phone_number: '1718624*' })).toBe(0);
    });

    test('a row with no value fails every filter on it', async () => {
      expect(
        await directory({ phone_number: ['718*', '*1', '*2*', '2*', '3*', '6*', '9*', '*0*'] }),
      ).toBe(70);
      expect(await directory({ parsed_address_min: -1e300, parsed_address_max: 1e300 })).toBe(119);
      expect(await census({ persons_in_dorms_min: 0 })).toBe(0);
    });

    test('refuses what is not text', async () => {
      expect(await faults('business-directory', { category: true, business: { a: 1 } })).toEqual([
        ['not-text', 'business', '#/business', undefined],
        ['not-text', 'category', '#/category', undefined],
      ]);
      expect(await faults('business-directory', { category: ['a', ['b'], {}] })).toEqual([
        ['not-text', 'category', '#/category/1', undefined],
        ['not-text', 'category', '#/category/2', undefined],
      ]);
    });

    test('takes 256 code points and 10,000 members, and no more', async () => {
      expect(await directory({ category: '😀'.repeat(256) })).toBe(0);
      expect(await directory({ category: Array(10_000).fill('retail') })).toBe(61);
      expect(await faults('business-directory', { category: '😀'.repeat(257) })).toEqual([
        ['text-too-long', 'category', '#/category', undefined],
      ]);
      expect(
        await faults('business-directory', { category: Array(10_001).fill('').concat('a') }),
      ).toEqual([['list-too-long', 'category', '#/category', undefined]]);
    });

    test('refuses a phone number without a digit', async () => {
      expect(await faults('business-directory', { phone_number: ['none', '718*'] })).toEqual([
        ['no-digits', 'phone_number', '#/phone_number/0', undefined],
      ]);
    });

    test('many stars against long text take no time', async () => {
      expect(await directory({ business: `${'*a'.repeat(120)}*` })).toBe(0);
    });
  });

  describe('numbers', () => {
    test.each<[unknown]>([[300], ['300'], [' 300 '], ['+3e2'], ['300.0'], ['.3E+3']])(
      'reads %j',
      async (parsed_address_min) => {
        expect(await directory({ parsed_address_min })).toBe(
          await directory({ parsed_address_min: 300 }),
        );
      },
    );

    test.each<[unknown, string, string | undefined]>([
      ['5,000', 'not-a-number', '5000'],
      ['5%', 'not-a-number', '5'],
      ['5.', 'not-a-number', '5'],
      ['$5', 'not-a-number', '5'],
      ['0x10', 'not-a-number', undefined],
      ['Infinity', 'not-a-number', undefined],
      ['1e999', 'not-a-number', undefined],
      ['five', 'not-a-number', undefined],
      [true, 'not-a-number', undefined],
      [{}, 'not-a-number', undefined],
      [[5], 'not-one-value', undefined],
      [['5', ''], 'not-one-value', undefined],
    ])('refuses %j', async (parsed_address_min, code, suggestion) => {
      expect(await faults('business-directory', { parsed_address_min })).toEqual([
        [code, 'parsed_address_min', '#/parsed_address_min', suggestion],
      ]);
    });

    test('refuses a number that JSON cannot hold', async () => {
      expect(await faults('business-directory', '{"zip_code_min": 1e999}')).toEqual([
        ['not-a-number', 'zip_code_min', '#/zip_code_min', undefined],
      ]);
    });

    test('ranges include both ends', async () => {
      expect(await directory({ parsed_address_min: 442, parsed_address_max: 442 })).toBeGreaterThan(
        0,
      );
      expect(await directory({ zip_code_min: 11231, zip_code_max: 11231 })).toBe(120);
      expect(await directory({ zip_code_max: 11230.999 })).toBe(0);
    });

    test('bounds that DynamoDB cannot hold are still bounds', async () => {
      expect(await census({ total_population_max: 1e200 })).toBe(56);
      expect(await census({ total_population_min: 1e-200 })).toBe(56);
      expect(await census({ total_population_min: 1e200 })).toBe(0);
    });

    test('a minimum above its maximum is a fault that points at both', async () => {
      expect(await faults('census-neighborhoods', { under_5_min: 5, under_5_max: '4.9' })).toEqual([
        ['min-above-max', 'under_5_min', '#/under_5_min', undefined],
        ['min-above-max', 'under_5_max', '#/under_5_max', undefined],
      ]);
    });

    test('a filter on a field without any value warns', async () => {
      const answer = await service.post('census-neighborhoods', { persons_in_dorms_max: 5 });
      expect(answer.body._warnings).toEqual([
        expect.objectContaining({ title: 'Field without values' }),
      ]);
    });
  });

  describe('paging', () => {
    test('gives every row once, in order, at any limit', async () => {
      const whole = await service.post('business-directory', { category: ['retail', 'services'] });
      for (const _limit of [7, 33, 100]) {
        const rows: unknown[] = [];
        let _cursor: string | undefined;
        do {
          const body = { category: ['retail', 'services'], _limit, _cursor };
          const { params, _warnings } = (await service.post('business-directory', body)).body;
          expect(params.results.length).toBe(params.count);
          expect(params.total).toBe(100);
          expect(_warnings.length).toBe(params.next === null ? 0 : 1);
          rows.push(...params.results);
          _cursor = params.next ?? undefined;
        } while (_cursor !== undefined);
        expect(rows).toEqual(whole.body.params.results);
      }
    });

    test('links to the next page, with the rest of the query', async () => {
      const first = await service.post(
        'census-neighborhoods',
        {},
        { query: '?_limit=5&_sort=-under_5&cache=x' },
      );
      const link = /^<(\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await service.post('census-neighborhoods', {}, { query: link });
      const both = await service.post('census-neighborhoods', { _limit: 10, _sort: '-under_5' });
      expect([...first.body.results, ...second.body.results]).toEqual(both.body.params.results);
    });

    test('sorts numbers, with null last both ways and ties in the order of the dataset', async () => {
      for (const [_sort, sign] of [
        ['parsed_address', 1],
        ['-parsed_address', -1],
      ] as const) {
        const { results } = (await service.post('business-directory', { _sort })).body.params;
        const numbers = results.map(({ parsed_address }: never) => parsed_address);
        expect(numbers.at(-1)).toBe(null);
        const sorted = [...numbers.slice(0, -1)].sort((a, b) => sign * (a - b));
        expect(numbers.slice(0, -1)).toEqual(sorted);
      }
      const all = (await service.post('business-directory', {})).body.params.results;
      const sorted = (await service.post('business-directory', { _sort: '-category' })).body.params
        .results;
      for (const category of ['Retail', 'Services', 'Food and Drink']) {
        const of = (rows: { category: string }[]) =>
          rows.filter((row) => row.category === category);
        expect(of(sorted)).toEqual(of(all));
      }
      expect(sorted[0].category).toBe('Services');
    });

    test('a sorted page goes on where the last one ended', async () => {
      const whole = (await service.post('business-directory', { _sort: '-phone_number' })).body
        .params.results;
      const rows: unknown[] = [];
      let _cursor: string | undefined;
      do {
        const body = { _sort: '-phone_number', _limit: 11, _cursor };
        const { params } = (await service.post('business-directory', body)).body;
        rows.push(...params.results);
        _cursor = params.next ?? undefined;
      } while (_cursor !== undefined);
      expect(rows).toEqual(whole);
    });

    test('refuses a damaged cursor, and one of another query', async () => {
      const { next } = (await service.post('business-directory', { _limit: 3 })).body.params;
      const other = (await service.post('census-neighborhoods', { _limit: 3 })).body.params.next;
      const expectCode = async (body: unknown, code: string) =>
        expect(await faults('business-directory', body)).toEqual([
          [code, '_cursor', '#/_cursor', undefined],
        ]);
      for (const _cursor of [
        'x',
        `${next}A`,
        next.slice(1),
        next.replace(/.$/, (c: string) => (c === 'A' ? 'B' : 'A')),
        `${next}=`,
        '😀',
      ]) {
        await expectCode({ _cursor }, 'invalid-cursor');
      }
      await expectCode({ _cursor: next, category: 'retail' }, 'cursor-of-another-query');
      await expectCode({ _cursor: next, _sort: 'category' }, 'cursor-of-another-query');
      await expectCode({ _cursor: other }, 'cursor-of-another-query');
    });

    test.each([[0], [1001], [1.5], ['ten'], [-1]])('refuses a limit of %j', async (_limit) => {
      expect((await service.post('business-directory', { _limit })).status).toBe(400);
    });
  });

  describe('fields', () => {
    test('a row has every field, null where there is no value', async () => {
      const { results } = (
        await service.post('business-directory', { location_1_location: 'governors island' })
      ).body.params;
      expect(results).toHaveLength(1);
      expect(Object.keys(results[0])).toHaveLength(13);
      expect(results[0]).toMatchObject({
        location_1_zip: '11231',
        zip_code: 11231,
        phone_number: null,
        parsed_address: null,
        latitude: 40.70627,
        longitude: -74.012909,
      });
    });

    test.each([['business,category'], [['business', 'category']], [' Business , CATEGORY,']])(
      'answers with those of %j alone',
      async (_fields) => {
        const { results } = (await service.post('business-directory', { _fields, _limit: 1 })).body
          .params;
        expect(results).toEqual([{ business: 'ABILENE', category: 'Food and Drink' }]);
      },
    );

    test('refuses an unknown one with the nearest', async () => {
      expect(await faults('business-directory', { _fields: ['bussiness', 'category'] })).toEqual([
        ['not-a-choice', '_fields', '#/_fields/0', 'business'],
      ]);
      expect(await faults('business-directory', { _sort: '-categry' })).toEqual([
        ['not-a-choice', '_sort', '#/_sort', '-category'],
      ]);
    });
  });

  test('an answer names its path and what it read', async () => {
    const explain = async (body: object) =>
      (await service.post('business-directory', { ...body, _explain: true })).body._explain;
    const byType = await explain({ type_of_business: 'laundries', category: 'services' });
    const all = await explain({ category: 'services' });
    if (cacheBytes > 0) {
      const again = await explain({ category: 'services' });
      expect(again).toEqual({
        ...{ path: 'columns', chunksRead: 0, itemsRead: 0 },
        ...{ capacityUnits: 0, usd: 0 },
      });
    } else {
      // A deployed table has its usual chunks, of which one holds all of these rows.
      const isDeployed = process.env.DEPLOYED_DYNAMODB_URL !== undefined;
      expect(byType).toMatchObject(
        isDeployed ? { path: 'columns' } : { path: 'index:type_of_business', itemsRead: 22 },
      );
      expect(all.path).toBe('columns');
      expect(all.chunksRead).toBeGreaterThan(0);
      expect(byType.capacityUnits).toBeGreaterThan(0);
      expect(all.usd).toBeCloseTo((all.capacityUnits * 0.125) / 1e6, 12);
    }
  });

  test('all faults are given at once', async () => {
    const body = {
      catgory: 'x',
      _cursor: 'damaged',
      parsed_address_min: 'abc',
      _limit: 0,
      zip_code_min: 2,
      zip_code_max: 1,
    };
    const found = await faults('business-directory', body);
    expect(found.map(([code, parameter]: string[]) => `${parameter}: ${code}`).sort()).toEqual([
      '_cursor: invalid-cursor',
      '_limit: out-of-range',
      'catgory: unknown-parameter',
      'parsed_address_min: not-a-number',
      'zip_code_max: min-above-max',
      'zip_code_min: min-above-max',
    ]);
  });
});
