import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PATHS, type Service, startService } from '../support/service.ts';

const CENSUS = 'census-neighborhoods';
const DIRECTORY = 'business-directory';

describe.each(PATHS)('searches of several fields, on the %s path', (_, cacheBytes) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(cacheBytes);
  });
  afterAll(() => service.close());

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

  test('a block has only those that its fields allow', async () => {
    expect(await faults({ _q: 'coral' }, 'rgb-to-color-name')).toMatchObject([
      { code: 'unknown-parameter', parameter: '_q' },
      ...['R', 'G', 'B'].map((parameter) => ({ code: 'missing-parameter', parameter })),
    ]);
    expect(await rows(CENSUS, { _q: 'park heights', _limit: 1 })).toHaveLength(1);
  });
});
