import { describe, expect, test } from '@jest/globals';
import { suiteService } from '../support/suite-service.ts';

const service = suiteService();

const DIRECTORY = 'business-directory';
const CENSUS = 'census-neighborhoods';
const get = (block: string, query: string, headers = {}) =>
  service.get(`/api_v2/blocks/${block}?${query}`, headers);

describe('groups', () => {
  test.each([
    [
      'in a query, with commas',
      () => get(DIRECTORY, '_group=category&_measure=count,distinct:zip_code'),
    ],
    [
      'in a query, repeated',
      () => get(DIRECTORY, '_group=category&_measure=count&_measure=distinct:zip_code'),
    ],
    [
      'in JSON, as lists',
      () =>
        service.post(DIRECTORY, { _group: ['category'], _measure: ['count', 'distinct:zip_code'] }),
    ],
    [
      'in JSON, as texts, in any case',
      () => service.post(DIRECTORY, { _group: ' Category ', _measure: 'COUNT,Distinct:Zip_Code' }),
    ],
  ])('are asked for %s', async (_, ask) => {
    const { body } = await ask();
    expect(body.params).toEqual({
      results: [
        { category: 'Food and Drink', count: 20, distinct_zip_code: 1 },
        { category: 'Retail', count: 61, distinct_zip_code: 1 },
        { category: 'Services', count: 39, distinct_zip_code: 1 },
      ],
      ...{ count: 3, total: 3, next: null },
    });
  });

  test('are paged, sorted by any column, and cut to some of them', async () => {
    const query =
      '_group=category&_measure=count,avg:parsed_address&_sort=-count&_limit=2&_fields=count,category';
    const { body } = await get(DIRECTORY, query);
    expect(body.params.results).toEqual([
      { count: 61, category: 'Retail' },
      { count: 39, category: 'Services' },
    ]);
    expect(body._warnings[0].message).toContain('2 of 3 groups');
    const next = await get(DIRECTORY, `${query}&_cursor=${body.params.next}`);
    expect(next.body.params).toMatchObject({ results: [{ count: 20 }], next: null });
    const other = await get(DIRECTORY, `_group=type_of_business&_cursor=${body.params.next}`);
    expect(other.body.errors[0].code).toBe('cursor-of-another-query');
  });

  test('of a missing value are a group of their own, and measures leave it out', async () => {
    const query =
      '_group=parsed_address.1000&_measure=count,count:parsed_address,sum:parsed_address';
    const { body } = await get(DIRECTORY, query);
    const [some, none] = body.params.results;
    expect(none).toEqual({
      parsed_address_1000: null,
      count: 120 - some.count,
      count_parsed_address: 0,
      sum_parsed_address: null,
    });
    expect(some.count).toBe(some.count_parsed_address);
  });

  test('without fields to group by are one, of all rows that match, even of none', async () => {
    const of = async (query: string) =>
      (await get(CENSUS, `_measure=count,sum:total_population,min:under_5&${query}`)).body.params;
    expect((await of('')).results).toEqual([
      { count: 56, sum_total_population: 620_961, min_under_5: expect.any(Number) },
    ]);
    const none = await of('neighborhood_1=nowhere');
    expect(none.results).toEqual([{ count: 0, sum_total_population: null, min_under_5: null }]);
    expect(none.help[0]).toMatchObject({ parameters: ['neighborhood_1'], alone: 0 });
  });

  test('have every format but GeoJSON, unless they are areas', async () => {
    const csv = await get(DIRECTORY, '_group=category&_format=csv');
    expect(csv.text).toBe('category,count\r\nFood and Drink,20\r\nRetail,61\r\nServices,39\r\n');
    expect(csv.headers.get('x-total-count')).toBe('3');
    const old = await get(DIRECTORY, '_group=category&cache=false');
    expect(old.body).toMatchObject({ _blockspring_spec: true, results: [{ count: 20 }, {}, {}] });
    const page = await get(DIRECTORY, '_group=category&_sort=business', { accept: 'text/html' });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('All 120 businesses')]);
    const geojson = await get(DIRECTORY, '_group=category&_format=geojson');
    expect([geojson.status, geojson.body.errors[0].code]).toEqual([
      400,
      'option-of-another-format',
    ]);
  });

  test('of regions are GeoJSON: each with the shape of its rows', async () => {
    type Features = { features: { geometry: object; properties: Record<string, unknown> }[] };
    const read = async (query: string) =>
      (await get(CENSUS, `${query}&_format=geojson`)).body as unknown as Features;
    const rows = await read('_fields=neighborhood_1,vacant_units');
    const shapes = new Map(
      rows.features.map(({ geometry, properties }) => [properties.neighborhood_1, geometry]),
    );
    const { features } = await read('_group=neighborhood_1&_measure=sum:vacant_units');
    expect(features).toHaveLength(56);
    for (const { geometry, properties } of features) {
      expect(geometry).toEqual(shapes.get(properties.neighborhood_1));
    }
    // A centre is known of a row alone.
    const { status, body } = await get(
      CENSUS,
      '_group=neighborhood_1&_geometry=point&_format=geojson',
    );
    expect([status, body.errors[0].code, body.errors[0].parameter]).toEqual([
      400,
      'option-of-another-question',
      '_geometry',
    ]);
  });

  test.each([
    ['_group=a', 'not-a-choice', '_group is "a"'],
    ['_group=Category.month', 'not-a-choice', '_group is "Category.month"'],
    ['_group=parsed_address.0', 'not-a-choice', 'parsed_address.0'],
    ['_group=business.10', 'not-a-choice', 'business.10'],
    ['_group=business,category,zip_code,phone_number', 'list-too-long', 'at most 3'],
    ['_measure=sum:business', 'not-a-choice', 'sum:business'],
    ['_measure=count,min:category', 'not-a-choice', 'min:category'],
    [
      `_measure=${['business', 'category', 'zip_code', 'city_state', 'latitude', 'longitude', 'phone_number', 'type_of_business', 'parsed_address'].map((name) => `distinct:${name}`)}`,
      'list-too-long',
      'at most 8',
    ],
    [
      '_group=category&_sort=business',
      'not-a-choice',
      '_sort is "business"; expected one of category, -category, count, -count',
    ],
    ['_group=category&_fields=count,business', 'not-a-choice', '_fields is "business"'],
    ['_sort=count', 'not-a-choice', '_sort is "count"'],
    ['_facets=category&_format=csv', 'option-of-another-format', '_facets is for JSON and pages'],
  ])('%s is refused with what was wrong', async (query, code, detail) => {
    const { status, body } = await get(DIRECTORY, query);
    expect([status, body.errors[0].code]).toEqual([400, code]);
    expect(body.errors[0].detail).toContain(detail);
  });
});

test('facets are beside rows and beside groups, each under all filters but its own', async () => {
  const counts = {
    values: [
      { value: 'Retail', count: 61 },
      { value: 'Services', count: 39 },
      { value: 'Food and Drink', count: 20 },
    ],
    others: 0,
    empty: 0,
  };
  for (const query of [
    'category=retail&_facets=category',
    'category=retail&_group=zip_code&_facets=category',
  ]) {
    const { body } = await get(DIRECTORY, query);
    expect(body.params.facets).toEqual({ category: counts });
  }
  const { body } = await get(DIRECTORY, '_facets=business');
  const { values, others, empty } = body.params.facets.business;
  expect(values).toHaveLength(30);
  expect(
    values.reduce((sum: number, { count }: { count: number }) => sum + count, others + empty),
  ).toBe(120);
});
