import { describe, expect, test } from '@jest/globals';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

const CENSUS = 'census-neighborhoods';
const DIRECTORY = 'business-directory';

describe.each(PATHS)('searches of several fields, on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  const rows = async (block: string, given: unknown, query = '') => {
    const { status, body } = await service.post(block, given, { query });
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.params.results;
  };
  const faults = async (given: unknown, block = DIRECTORY, query = '') => {
    const { status, body } = await service.post(block, given, { query });
    expect(status).toBe(400);
    return body.errors;
  };

  describe('_q', () => {
    test('finds rows whose texts have all the words, each the beginning of one', async () => {
      const found = await rows(DIRECTORY, { _q: 'LAUNDR court' });
      expect(found.length).toBeGreaterThan(0);
      const all = await rows(DIRECTORY, {});
      const texts = (row: object) => Object.values(row).join(' ').toLowerCase();
      const wanted = all.filter((row: object) =>
        [/\blaundr/, /\bcourt/].every((word) => word.test(texts(row))),
      );
      expect(found).toEqual(wanted);
      expect(await rows(DIRECTORY, undefined, '?_q=court,%20laundr')).toEqual(wanted);
    });

    test('finds a phone number by its digits and as it is written', async () => {
      const [{ phone_number: phone }] = await rows(DIRECTORY, { _filled: 'phone_number' });
      const digits = phone.replace(/\D/g, '');
      for (const _q of [phone, digits, digits.slice(0, 8)]) {
        const found = await rows(DIRECTORY, { _q });
        expect(found.map((row: Record<string, string>) => row.phone_number)).toContain(phone);
      }
      expect(await rows(DIRECTORY, { _q: digits.slice(1) })).toEqual([]);
    });

    test('is refused without a word, and with too many', async () => {
      expect(await faults({ _q: '-- !' })).toMatchObject([
        { code: 'no-words', parameter: '_q', pointer: '#/_q' },
      ]);
      const many = Array.from({ length: 17 }, (_, i) => `w${i}`).join(' ');
      expect(await faults({ _q: many })).toMatchObject([{ code: 'list-too-long' }]);
      expect(await faults({ _q: 'x'.repeat(257) })).toMatchObject([{ code: 'text-too-long' }]);
    });

    test('helps if no row has the words', async () => {
      const { body } = await service.post(DIRECTORY, { _q: 'laundries zzz', category: 'retail' });
      expect(body.params.help).toMatchObject([
        { parameters: ['category'], empties: false },
        { parameters: ['_q'], alone: 0, empties: true },
      ]);
    });
  });

  describe('_bbox', () => {
    const inside = (row: { longitude: number | null; latitude: number | null }) =>
      row.longitude !== null &&
      row.latitude !== null &&
      row.longitude >= -73.995 &&
      row.longitude <= -73.99 &&
      row.latitude >= 40.675 &&
      row.latitude <= 40.685;

    test('finds rows in a box, as text and as a list, beside other filters', async () => {
      const wanted = (await rows(DIRECTORY, { category: 'retail' })).filter(inside);
      expect(wanted.length).toBeGreaterThan(2);
      const box = [-73.995, 40.675, -73.99, 40.685];
      for (const _bbox of [box, box.map(String), box.join(' , '), `+${box.join()}`.slice(1)]) {
        expect(await rows(DIRECTORY, { _bbox, category: 'retail' })).toEqual(wanted);
      }
      expect(await rows(DIRECTORY, undefined, `?category=retail&_bbox=${box}`)).toEqual(wanted);
    });

    test('counts a region by its centre', async () => {
      const all = await rows(CENSUS, {});
      const wanted = all.filter(
        (row: Record<string, number>) =>
          (row.centerpoint_x as number) >= -76.6 && (row.centerpoint_y as number) >= 39.3,
      );
      expect(wanted.length).toBeGreaterThan(2);
      expect(await rows(CENSUS, { _bbox: '-76.6,39.3,-76,40' })).toEqual(wanted);
    });

    test.each<[unknown, string, string | undefined]>([
      ['-74,40,-73', 'not-a-place', undefined],
      ['-74,40,-73,x', 'not-a-place', undefined],
      [[-74, 40, -73], 'not-a-place', undefined],
      [7, 'not-a-place', undefined],
      ['-74,40,-73,91', 'out-of-range', '40,-74,91,-73'],
      ['-190,40,-73,41', 'out-of-range', undefined],
      ['40,-94,41,-93', 'out-of-range', '-94,40,-93,41'],
      ['-74,41,-73,40', 'min-above-max', '-74,40,-73,41'],
    ])('%j is %s', async (_bbox, code, suggestion) => {
      const [fault, ...others] = await faults({ _bbox });
      expect(others).toEqual([]);
      expect([fault.code, fault.suggestion]).toEqual([code, suggestion]);
      expect([fault.parameter, fault.pointer]).toEqual(['_bbox', '#/_bbox']);
    });
  });

  describe('_near', () => {
    /** By the haversine formula, in metres. */
    const far = ([x1, y1]: number[], [x2, y2]: number[]) => {
      const [a, b, c, d] = [x1, y1, x2, y2].map((one) => ((one as number) * Math.PI) / 180);
      const [dx, dy] = [(c as number) - (a as number), (d as number) - (b as number)];
      const h =
        Math.sin(dy / 2) ** 2 +
        Math.cos(b as number) * Math.cos(d as number) * Math.sin(dx / 2) ** 2;
      return 2 * 6371008.8 * Math.asin(Math.sqrt(h));
    };
    const place = [-73.992, 40.68];
    type Place = { longitude: number; latitude: number };
    const nearest = async (given: object, most = Number.POSITIVE_INFINITY) =>
      (await rows(DIRECTORY, given))
        .filter((row: Place) => row.longitude !== null)
        .map((row: Place) => ({ row, metres: far([row.longitude, row.latitude], place) }))
        .filter(({ metres }: { metres: number }) => metres <= most)
        .sort((a: { metres: number }, b: { metres: number }) => a.metres - b.metres)
        .map(({ row, metres }: { row: Place; metres: number }) => ({
          ...row,
          _distance: Math.round(metres * 10) / 10,
        }));

    test('gives the rows that have a place, nearest first, with their distance', async () => {
      const wanted = await nearest({});
      const found = await rows(DIRECTORY, { _near: place });
      expect(found).toEqual(wanted);
      expect(Object.keys(found[0]).at(-1)).toBe('_distance');
      for (const [_within, most] of [
        ['500m', 500],
        ['0.5 KM', 500],
        ['1500ft', 457.2],
        ['0.2mi', 321.8688],
      ] as const) {
        const near = await nearest({ category: 'retail' }, most);
        expect(near.length).toBeGreaterThan(0);
        const given = { _near: '-73.992, 40.68', _within, category: 'retail' };
        expect(await rows(DIRECTORY, given)).toEqual(near);
      }
    });

    test('tells the distance in any order and with any fields, page by page', async () => {
      const given = { _near: place, _within: '400m', _fields: ['business'] };
      const wanted = (await nearest({}, 400)).map(
        ({ business, _distance }: Record<string, unknown>) => ({ business, _distance }),
      );
      expect(wanted.length).toBeGreaterThan(7);
      const found: object[] = [];
      let cursor: string | null = null;
      do {
        const { body }: { body: { params: { results: object[]; next: string | null } } } =
          await service.post(DIRECTORY, { ...given, _limit: 5, _cursor: cursor });
        found.push(...body.params.results);
        cursor = body.params.next;
      } while (cursor !== null);
      expect(found).toEqual(wanted);
      const sorted = await rows(DIRECTORY, { ...given, _sort: 'business' });
      const names = (all: { business: string }[]) => all.map(({ business }) => business).sort();
      expect(names(sorted)).toEqual(names(wanted as { business: string }[]));
      expect(sorted[0]).toEqual(
        wanted.find((row: object) => 'business' in row && row.business === sorted[0].business),
      );
    });

    test('is a column of CSV and a property of GeoJSON', async () => {
      const near = `?_near=${place}&_within=300m&_fields=business`;
      const csv = await service.send(`/api_v2/blocks/${DIRECTORY}${near}&_format=csv`, {});
      expect(csv.text.split('\r\n')[0]).toBe('business,_distance');
      const json = await service.send(`/api_v2/blocks/${DIRECTORY}${near}&_format=geojson`, {});
      expect(Object.keys(JSON.parse(json.text).features[0].properties)).toEqual([
        'business',
        '_distance',
      ]);
    });

    test('counts a region by its centre', async () => {
      const [first] = await rows(CENSUS, { _near: '-76.6,39.3' });
      const metres = far([first.centerpoint_x, first.centerpoint_y], [-76.6, 39.3]);
      expect(first._distance).toBe(Math.round(metres * 10) / 10);
    });

    test.each<[object, object]>([
      [{ _near: '40.68' }, { code: 'not-a-place' }],
      [{ _near: '40.68,-93.99' }, { code: 'out-of-range', suggestion: '-93.99,40.68' }],
      [{ _near: '-190,40' }, { code: 'out-of-range' }],
      [
        { _near: place, _within: '500' },
        { code: 'not-a-distance', suggestion: '500m' },
      ],
      [
        { _near: place, _within: 500 },
        { code: 'not-a-distance', suggestion: '500m' },
      ],
      [
        { _near: place, _within: '5 parsecs' },
        { code: 'not-a-distance', pointer: '#/_within' },
      ],
      [{ _within: '5km' }, { code: 'missing-parameter', parameter: '_near' }],
    ])('%j is refused', async (given, fault) => {
      expect(await faults(given)).toMatchObject([fault]);
    });

    test('suggests the swapped place if rows would be found there', async () => {
      const { body } = await service.post(DIRECTORY, { _near: '40.68,-73.992', _within: '1km' });
      expect(body.params.total).toBe(0);
      expect(body._warnings).toMatchObject([{ parameter: '_near' }]);
      expect(body._warnings[0].message).toContain('_near=-73.992,40.68');
    });

    test('a deep alternative and a name of underscores are refused at once', async () => {
      const deep = JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`);
      expect((await service.post(DIRECTORY, { _or: [deep] })).status).toBe(400);
      const underscores = { [`${'_'.repeat(90_000)}x`]: 1, category: 'retail' };
      expect((await service.post(DIRECTORY, underscores)).status).toBe(400);
    });

    test('who takes distances for a field is told what can be asked of them', async () => {
      const _near = '-73.99,40.68';
      const sorted = 'but rows cannot be sorted by it: _near without _sort has the nearest first';
      for (const _sort of ['_distance', '-_distance', ' -_DISTANCE']) {
        const [fault] = await faults({ _near, _sort });
        expect(fault).toMatchObject({ code: 'not-a-choice', parameter: '_sort' });
        expect(fault.detail).toContain(`_sort is "${_sort.trim()}", ${sorted}`);
      }
      const [fault] = await faults({ _near, _fields: 'business,_distance' });
      expect(fault.detail).toBe(
        '_fields is "_distance", which is no field: with _near each row has it, whatever _fields says.',
      );
      const [ofGroups] = await faults({ _near, _group: 'category', _sort: '_distance' });
      expect(ofGroups.detail).toContain('expected one of category, -category, count, -count');
    });

    test('suggests the swapped box too', async () => {
      const { body } = await service.post(DIRECTORY, { _bbox: '40.6,-74.1,40.7,-73.9' });
      expect(body.params.total).toBe(0);
      expect(body._warnings).toMatchObject([{ parameter: '_bbox' }]);
      const swapped = await service.post(DIRECTORY, { _bbox: '-74.1,40.6,-73.9,40.7' });
      expect(swapped.body.params.total).toBeGreaterThan(50);
      expect(body._warnings[0].message).toContain(`${swapped.body.params.total} rows match`);
    });

    test('takes numbers near 0 as programs write them', async () => {
      const written = [[1e-7, -2.5e-8], ['1e-7', '-2.5E-8'], `${1e-7},${-2.5e-8}`, [1e-300, 0]];
      for (const _near of written) {
        const { status, body } = await service.post(DIRECTORY, { _near, _limit: 1 });
        expect([_near, status]).toEqual([_near, 200]);
        expect(body.params.results[0]._distance).toBeGreaterThan(8e6);
      }
    });

    test('a list of another length is told so', async () => {
      const [fault] = await faults({ _near: [-73.99] });
      expect(fault.detail).toContain('a list of 1; expected 2 numbers');
    });
  });

  describe('_or', () => {
    const laundriesOr = (row: Record<string, unknown>) =>
      row.category === 'Retail' || row.type_of_business === 'Laundries';

    test('finds rows of any alternative, in JSON, a form and a query', async () => {
      const all = await rows(DIRECTORY, { _filled: 'phone_number' });
      const wanted = all.filter(laundriesOr);
      expect(wanted.length).toBeGreaterThan(3);
      const _or = [{ category: 'retail' }, { type_of_business: ['laundries'] }];
      expect(await rows(DIRECTORY, { _or, _filled: 'phone_number' })).toEqual(wanted);
      const blanks = [
        null,
        _or[0],
        { business: '', _not: { category: null } },
        '',
        _or[1],
        ' ',
        '',
      ];
      expect(await rows(DIRECTORY, { _or: blanks, _filled: 'phone_number' })).toEqual(wanted);
      const flat = '_or.1.category=retail&_or.2.type_of_business=laundries&_filled=phone_number';
      expect(await rows(DIRECTORY, undefined, `?${flat}`)).toEqual(wanted);
      expect(await rows(DIRECTORY, Object.fromEntries(new URLSearchParams(flat)))).toEqual(wanted);
      const gaps = flat.replace('_or.2', '_or.4').replace('_or.1', '_or.3');
      const { body } = await service.send(`/api_v2/blocks/${DIRECTORY}`, {
        method: 'POST',
        body: new URLSearchParams(`${gaps}&_or.1.category=&_or.2.category=+`),
      });
      expect(body.params.results).toEqual(wanted);
    });

    test('goes on from a cursor whatever the numbers of its alternatives, and their order', async () => {
      const at = async (query: string) =>
        service.get(`/api_v2/blocks/${DIRECTORY}?${query}&_fields=business&_limit=5`);
      const one = '_or.1.category=retail&_or.1.parsed_address_max=400&_or.2.business=*deli*';
      const { body } = await at(one);
      const cursor = `&_cursor=${body.params.next}`;
      const wanted = (await at(one + cursor)).body.params;
      expect(wanted.count).toBeGreaterThan(0);
      for (const numbers of ['21', '14', '43']) {
        const [first, second] = numbers;
        const other = one.replaceAll('_or.1', `_OR.${first}`).replace('_or.2', `_or.${second}`);
        const found = await at(other.replaceAll('_OR', '_or') + cursor);
        expect([numbers, found.body.params]).toEqual([numbers, wanted]);
      }
      for (const other of [
        one.replace('_or.2', '_or.1'),
        one.replace('_or.1', '_or.2'),
        one.replace('400', '401'),
        one.replace('_or.2.business', '_or.2._not.business'),
        one.replace('_or.2.', ''),
      ]) {
        const { errors } = (await at(other + cursor)).body;
        expect([other, errors?.[0].code]).toEqual([other, 'cursor-of-another-query']);
      }
    });

    test('is answered again where the numbers have changed, which help names', async () => {
      const at = (number: number, headers = {}) =>
        service.get(`/api_v2/blocks/${DIRECTORY}?_or.${number}.category=retial`, headers);
      const { headers } = await at(1);
      const known = { 'If-None-Match': headers.get('etag') as string };
      expect((await at(1, known)).status).toBe(304);
      const { status, body } = await at(2, known);
      expect(status).toBe(200);
      expect(body.params.help[0].parameters).toEqual(['_or.2.category']);
    });

    test('takes ranges and what is not, and one alternative is a filter', async () => {
      const all = await rows(CENSUS, {});
      const wanted = all.filter(
        ({ households: h, vacant_units: v }: Record<string, number>) =>
          ((h as number) >= 5000 && v !== 929) || ((v as number) >= 100 && (v as number) <= 110),
      );
      const _or = [
        { households_min: 5000, _not: { vacant_units: 929 } },
        { vacant_units_min: 100, vacant_units_max: '110' },
      ];
      expect(await rows(CENSUS, { _or })).toEqual(wanted);
      expect(wanted.length).toBeGreaterThan(2);
      expect(await rows(CENSUS, { _or: [{ households_min: 5000 }] })).toEqual(
        await rows(CENSUS, { households_min: 5000 }),
      );
    });

    test.each<[unknown, string, object]>([
      [5, '', { code: 'not-an-object', parameter: '_or', pointer: '#/_or' }],
      [{ category: 'retail' }, '', { code: 'not-an-object', parameter: '_or' }],
      [[{ category: 'x' }, 5], '', { code: 'not-an-object', parameter: '_or' }],
      // A list of blanks is no blank alternative.
      [[[null, null]], '', { code: 'not-an-object', parameter: '_or' }],
      [
        [{ category: 'x' }, { _not: {} }],
        '',
        { code: 'missing-parameter', parameter: '_or.2', pointer: '#/_or/1' },
      ],
      [Array(5).fill({ category: 'x' }), '', { code: 'list-too-long', parameter: '_or' }],
      [
        [{ catgory: 'x' }],
        '',
        {
          ...{ code: 'unknown-parameter', parameter: '_or.1.catgory' },
          ...{ suggestion: '_or.1.category', pointer: '#/_or/0/catgory' },
        },
      ],
      [
        [{ category: 'x' }, { _not: { catgory: 'x' } }],
        '',
        {
          ...{ parameter: '_or.2._not.catgory', suggestion: '_or.2._not.category' },
          pointer: '#/_or/1/_not/catgory',
        },
      ],
      [
        [{ category: 'x', _limit: 5 }],
        '',
        { code: 'unknown-parameter', parameter: '_or.1._limit', pointer: '#/_or/0/_limit' },
      ],
      [[{ _q: 'x' }], '', { code: 'unknown-parameter', parameter: '_or.1._q' }],
      [[{ _or: [{ category: 'x' }] }], '', { code: 'unknown-parameter', parameter: '_or.1._or' }],
      [
        [{ parsed_address: ['1', 'x'] }],
        '',
        { code: 'not-a-number', pointer: '#/_or/0/parsed_address/1' },
      ],
      [
        [null, { business: '' }, { _not: { category: 'x' }, '_not.category': 'y' }],
        '',
        { code: 'not-one-value', parameter: '_or.1._not.category' },
      ],
      [[null, { catgory: 'x' }], '', { parameter: '_or.1.catgory', pointer: '#/_or/1/catgory' }],
      [undefined, '?_or1.category=y', { suggestion: '_or.1.category' }],
      [undefined, '?OR.2._not.category=y', { suggestion: '_or.2._not.category' }],
      [[{ category: 'x' }], '?_or.1.category=y', { code: 'not-one-value', parameter: '_or' }],
      [undefined, '?_or.5.category=y', { code: 'unknown-parameter', parameter: '_or.5.category' }],
      [undefined, '?_or.1.nothing=y', { code: 'unknown-parameter', parameter: '_or.1.nothing' }],
    ])('%j with the query %s is refused', async (_or, query, fault) => {
      const found = await faults(_or === undefined ? undefined : { _or }, DIRECTORY, query);
      expect(found).toMatchObject([fault]);
    });

    test('points at both ends of a range that are the wrong way round', async () => {
      const _or = [{ category: 'x' }, { parsed_address_min: 5, parsed_address_max: 4 }];
      expect(await faults({ _or })).toMatchObject([
        { code: 'min-above-max', pointer: '#/_or/1/parsed_address_min' },
        { code: 'min-above-max', pointer: '#/_or/1/parsed_address_max' },
      ]);
    });

    test('is refused with an unknown filter even where unknown names are ignored', async () => {
      const given = { _handling: 'lenient', other: 1, _or: [{ category: 'x', other: 1 }] };
      expect(await faults(given)).toMatchObject([{ parameter: '_or.1.other' }]);
    });

    test('is a filter in help, before those in it, and one on the page, which keeps it', async () => {
      const query = '?_or.1.category=zzz&_or.2.business=yyy';
      const { body } = await service.post(DIRECTORY, undefined, { query });
      expect(body.params.help).toMatchObject([
        { parameters: ['_or.1.category', '_or.2.business'], alone: 0, empties: true },
        { parameters: ['_or.1.category'], alone: 0, without: 0, empties: true },
        { parameters: ['_or.2.business'], alone: 0, without: 0, empties: true },
      ]);
      const page = await service.send(`/api_v2/blocks/${DIRECTORY}${query}&_format=html`, {});
      expect(page.text).toContain('name="_or.2.business" value="yyy"');
    });
  });

  test('a block has only those that its fields allow', async () => {
    expect(await faults({ _q: 'coral' }, 'rgb-to-color-name')).toMatchObject([
      { code: 'unknown-parameter', parameter: '_q' },
      ...['R', 'G', 'B'].map((parameter) => ({ code: 'missing-parameter', parameter })),
    ]);
    expect(await rows(CENSUS, { _q: 'park heights', _limit: 1 })).toHaveLength(1);
  });

  test('an answer with the addresses of its rows has their distances too, and the fields asked for', async () => {
    const query = '_near=-73.99,40.68&_within=300m&_fields=business&_limit=1';
    const plain = await service.get(`/api_v2/blocks/business-directory?${query}`);
    const cited = await service.get(`/api_v2/blocks/business-directory?${query}`, {
      prefer: 'row-addresses',
    });
    expect(cited.body.params.results).toEqual(plain.body.params.results);
    expect(Object.keys(cited.body.params.results[0])).toEqual(['business', '_distance']);
    expect(cited.body.params.addresses).toHaveLength(1);
  });
});
