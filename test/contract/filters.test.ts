import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PATHS, type Service, startService } from '../support/service.ts';

const CENSUS = 'census-neighborhoods';
const DIRECTORY = 'business-directory';

describe.each(PATHS)('filters that every field has, on the %s path', (_, cacheBytes) => {
  let service: Service;
  let all: { neighborhood_1: string; vacant_units: number }[];
  beforeAll(async () => {
    service = await startService(cacheBytes);
    all = (await service.post(CENSUS, {})).body.params.results;
  });
  afterAll(() => service.close());

  const names = async (given: unknown, query = '') => {
    const { status, body } = await service.post(CENSUS, given, { query });
    expect(status).toBe(200);
    return body.params.results.map((row: { neighborhood_1: string }) => row.neighborhood_1);
  };
  const faults = async (given: unknown, block = CENSUS) => {
    const { status, body } = await service.post(block, given);
    expect(status).toBe(400);
    return body.errors.map(({ code, parameter, pointer, suggestion }: Record<string, string>) => ({
      ...{ code, parameter, pointer },
      ...(suggestion === undefined ? {} : { suggestion }),
    }));
  };

  test('a number equals those that it is written as, and a list is any of them', async () => {
    const wanted = all.filter(({ vacant_units: units }) => [929, 327].includes(units));
    expect(wanted).toHaveLength(2);
    for (const list of [
      [929, 327],
      ['327.0', ' +929 '],
      ['9.29e2', null, 327],
    ]) {
      expect(await names({ vacant_units: list })).toEqual(wanted.map((row) => row.neighborhood_1));
    }
    expect(await names({ vacant_units: 929, vacant_units_min: 930 })).toEqual([]);
  });

  test('what is not is given within _not, by its own name, in a form and in a query', async () => {
    const others = all.filter(({ vacant_units: units }) => units !== 929);
    const wanted = others.map((row) => row.neighborhood_1);
    expect(await names({ _not: { vacant_units: 929 } })).toEqual(wanted);
    expect(await names({ '_not.vacant_units': '929' })).toEqual(wanted);
    expect(await names({ _sort: 'neighborhood_2' }, '?_not.vacant_units=929')).toEqual(wanted);
    const form = await service.send(`/api_v2/blocks/${CENSUS}`, {
      method: 'POST',
      body: new URLSearchParams({ '_not.vacant_units': '929' }),
    });
    expect(form.body.params.total).toBe(wanted.length);
  });

  test('a row without a value fails every filter but those that ask for that', async () => {
    const total = async (given: unknown) =>
      (await service.post(DIRECTORY, given)).body.params.total;
    const [without, rest] = [
      await total({ _empty: 'parsed_address' }),
      await total({ _filled: 'parsed_address' }),
    ];
    expect([without > 0, without + rest]).toEqual([true, 120]);
    expect(await total({ parsed_address_min: -1e9 })).toBe(rest);
    expect(await total({ _not: { parsed_address: -1 } })).toBe(120);
    expect(await total({ _not: { parsed_address: -1 }, _filled: ['parsed_address'] })).toBe(rest);
    expect(await total({ _empty: 'parsed_address,business' })).toBe(0);
  });

  test('a fault within _not is pointed at where it is', async () => {
    expect(await faults({ _not: { vacant_units: ['1', 'many'] } })).toEqual([
      { code: 'not-a-number', parameter: '_not.vacant_units', pointer: '#/_not/vacant_units/1' },
    ]);
    expect(await faults({ '_not.vacant_units': 'many' })).toEqual([
      { code: 'not-a-number', parameter: '_not.vacant_units', pointer: '#/_not.vacant_units' },
    ]);
    expect(await faults({ _not: { vacant_unit: 5 } })).toEqual([
      {
        ...{ code: 'unknown-parameter', parameter: '_not.vacant_unit' },
        ...{ pointer: '#/_not/vacant_unit', suggestion: '_not.vacant_units' },
      },
    ]);
  });

  test('a filter within _not that is not known is never passed over', async () => {
    const { status, body } = await service.get(
      `/api_v2/blocks/${CENSUS}?_not.nothing_like_it=5&_limit=1`,
    );
    expect([status, body.errors[0].code]).toEqual([400, 'unknown-parameter']);
  });

  test.each([5, 'vacant_units', ['vacant_units'], true])(
    '_not is an object, not %j',
    async (not) => {
      expect(await faults({ _not: not })).toEqual([
        { code: 'not-an-object', parameter: '_not', pointer: '#/_not' },
      ]);
    },
  );

  test('the same filter in two places is refused', async () => {
    expect(await faults({ _not: { vacant_units: 5 }, '_not.vacant_units': 6 })).toEqual([
      { code: 'not-one-value', parameter: '_not.vacant_units', pointer: '#/_not.vacant_units' },
    ]);
  });

  test('filters that exclude each other are refused, each pointed at', async () => {
    expect(await faults({ _empty: ['households'], households_max: 5 })).toEqual([
      { code: 'no-row-can-match', parameter: 'households_max', pointer: '#/households_max' },
      { code: 'no-row-can-match', parameter: '_empty', pointer: '#/_empty' },
    ]);
    expect(await faults({ _empty: 'households', _filled: 'vacant_units,households' })).toEqual([
      { code: 'no-row-can-match', parameter: '_filled', pointer: '#/_filled' },
      { code: 'no-row-can-match', parameter: '_empty', pointer: '#/_empty' },
    ]);
    // What is not may have no value.
    expect(await names({ _empty: 'persons_in_dorms', _not: { persons_in_dorms: 5 } })).toHaveLength(
      56,
    );
  });

  test('fields that are empty together are one filter, counted and dropped as one', async () => {
    const { body } = await service.post(CENSUS, {
      ...{ _empty: ['persons_in_dorms', 'gq_pop'], neighborhood_1: 'nowhere' },
    });
    const { help } = body.params;
    expect(help.map(({ parameters }: { parameters: string[] }) => parameters)).toEqual([
      ['neighborhood_1'],
      ['_empty'],
    ]);
    const alone = (await service.post(CENSUS, { _empty: 'persons_in_dorms,gq_pop' })).body.params;
    if (help[1].alone !== null) expect(help[1].alone).toBe(alone.total);
  });

  test('that a field has no value is warned of where a filter wants one', async () => {
    const titles = async (given: unknown) => {
      const { body } = await service.post(CENSUS, { ...(given as object), _limit: 1000 });
      return body._warnings.map(({ title }: { title: string }) => title);
    };
    expect(await titles({ persons_in_dorms_min: 0 })).toEqual(['Field without values']);
    expect(await titles({ _filled: 'persons_in_dorms' })).toEqual(['Field without values']);
    expect(await titles({ _empty: 'persons_in_dorms' })).toEqual([]);
    expect(await titles({ _not: { persons_in_dorms: 5 } })).toEqual([]);
    const _or = [{ neighborhood_1: 'canton' }, { persons_in_dorms_min: 0 }];
    expect((await service.post(CENSUS, { _or })).body).toMatchObject({
      params: { total: 1 },
      _warnings: [{ title: 'Field without values', parameter: '_or.2.persons_in_dorms_min' }],
    });
    expect(await titles({ _or: [{ _not: { persons_in_dorms: 5 } }] })).toEqual([]);
  });

  test.each([
    ['!vacant_units', '_not.vacant_units'],
    ['-vacant_units', '_not.vacant_units'],
    ['vacant_units!', '_not.vacant_units'],
    ['vacant_units_not', '_not.vacant_units'],
    ['vacant_units__ne', '_not.vacant_units'],
    ['not_vacant_unit', '_not.vacant_units'],
    ['_Not.vacant_units', '_not.vacant_units'],
    ['neighborhood_1_min', 'neighborhood_1'],
    ['neighborhood_1_lte', 'neighborhood_1'],
    ['vacant_units_mn', 'vacant_units_min'],
    ['_nott', undefined],
  ])('%s may have meant %s', async (name, suggestion) => {
    expect(await faults({ [name]: '5' })).toEqual([
      expect.objectContaining({
        code: 'unknown-parameter',
        ...(suggestion === undefined ? {} : { suggestion }),
      }),
    ]);
  });

  test('a page says them, drops each by a link, and keeps them in its form', async () => {
    const read = { Accept: 'text/html' };
    const { text } = await service.get(
      `/api_v2/blocks/${CENSUS}?_not.households=5&_empty=persons_in_dorms`,
      read,
    );
    const words = text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
    expect(words).toContain('Households is not 5');
    expect(words).toContain('Persons in dormitories has no value');
    expect(text).toContain('<input type="hidden" name="_not.households" value="5"/>');
    expect(text).toContain('<input type="hidden" name="_empty" value="persons_in_dorms"/>');
    expect(text).toContain(
      'href="?_empty=persons_in_dorms" aria-label="Drop: Households is not 5"',
    );
    const posted = await service.post(CENSUS, { _not: { households: 5 }, _format: 'html' });
    expect(posted.text).toContain('name="_not.households" value="5"');
    const refused = await service.get(`/api_v2/blocks/${CENSUS}?_not.households=many`, read);
    expect(refused.status).toBe(400);
    // There is no box that a link could lead to.
    expect(refused.text).not.toContain('href="#f-_not.households"');
  });

  test('a cursor goes on whatever the order of the arguments, and with _not in either form', async () => {
    const first = await service.post(CENSUS, {
      ...{ _not: { vacant_units: 929 }, households_min: 100, _filled: ['households'] },
      ...{ vacant_units_max: 5000, _limit: 20 },
    });
    const { next, total } = first.body.params;
    const second = await service.post(CENSUS, {
      ...{ _filled: 'households', vacant_units_max: '5e3', households_min: 100 },
      ...{ '_not.vacant_units': [929], _limit: 100, _cursor: next },
    });
    expect(second.status).toBe(200);
    if (total !== null) expect(second.body.params.results).toHaveLength(total - 20);
    const other = await service.post(CENSUS, { vacant_units: 929, _cursor: next });
    expect(other.body.errors[0].code).toBe('cursor-of-another-query');
  });
});
