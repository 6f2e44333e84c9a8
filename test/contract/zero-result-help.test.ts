import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PATHS, type Service, startService } from '../support/service.ts';

type Help = {
  parameters: string[];
  alone: number | null;
  without: number | null;
  empties: boolean | null;
  containing: number | null;
  nearest: string[];
};

describe.each(PATHS)('where no row matches, on the %s path', (_, cacheBytes) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(cacheBytes);
  });
  afterAll(() => service.close());
  const help = async (block: string, given: object): Promise<Help[] | undefined> => {
    const { status, body } = await service.post(block, given);
    expect(status).toBe(200);
    return body.params.help;
  };

  test('a row that matches, or a page behind the last one, needs no help', async () => {
    expect(await help('business-directory', { category: 'retail' })).toBeUndefined();
    expect(await help('business-directory', {})).toBeUndefined();
  });

  test('one filter: it matches nothing, without it there is everything', async () => {
    expect(await help('business-directory', { type_of_business: 'laundry' })).toEqual([
      {
        parameters: ['type_of_business'],
        alone: 0,
        without: 120,
        empties: true,
        containing: 0,
        nearest: ['Laundries'],
      },
    ]);
  });

  test('several: what each matches by itself, and what is left without it', async () => {
    const given = { type_of_business: 'laundries', category: 'retail', parsed_address_max: 400 };
    const found = await help('business-directory', given);
    const { post } = service;
    const total = async (some: object) =>
      (await post('business-directory', { ...some, _limit: 1 })).body.params.total;
    const { type_of_business, category, parsed_address_max } = given;
    const naive = [
      [{ category }, { type_of_business, parsed_address_max }],
      [{ type_of_business }, { category, parsed_address_max }],
      [{ parsed_address_max }, { category, type_of_business }],
    ] as const;
    const wanted = await Promise.all(
      naive.map(async ([own, others]) => {
        const [alone, without] = [await total(own), await total(others)];
        return {
          parameters: Object.keys(own),
          alone: alone,
          without: without,
          empties: alone === 0 || without > 0,
          containing: null,
          nearest: [],
        };
      }),
    );
    expect(found).toEqual(wanted);
    expect(wanted.filter(({ empties }) => empties).length).toBeGreaterThan(0);
  });

  test('a range outside the data is known to match nothing, on every path', async () => {
    const found = await help('census-neighborhoods', {
      total_population_min: 1e6,
      total_population_max: 2e6,
      neighborhood_1: 'canton',
    });
    expect(found?.[1]).toMatchObject({
      parameters: ['total_population_min', 'total_population_max'],
      alone: 0,
      empties: true,
    });
    expect(found?.[0]).toMatchObject({
      parameters: ['neighborhood_1'],
      alone: 1,
    });
  });

  test('a text within others: as many rows as it finds with a star on both sides', async () => {
    const given = { business: 'court', category: 'Retail' };
    const { post } = service;
    const starred = await post('business-directory', { ...given, business: '*court*' });
    expect(starred.body.params.total).toBeGreaterThan(0);
    expect((await help('business-directory', given))?.map(({ containing }) => containing)).toEqual([
      starred.body.params.total,
      null,
    ]);
    for (const [other, containing] of [
      [{ category: 'zzz' }, 0],
      [{ category: '*zzz*' }, null],
      [{ phone_number: '71' }, null],
    ] as const) {
      expect(await help('business-directory', other)).toMatchObject([{ containing }]);
    }
  });

  test('the nearest values, the likeliest first; none for what is like nothing', async () => {
    const nearest = async (neighborhood_1: string) =>
      (await help('census-neighborhoods', { neighborhood_1 }))?.[0]?.nearest;
    expect(await nearest('cantn')).toEqual(['Canton']);
    expect(await nearest('fels point')).toEqual(['Fells Point']);
    expect(await nearest('highlandtwn')).toEqual(['Highlandtown', 'Orangeville/East Highlandtown']);
    expect(await nearest('zzzzzzzz')).toEqual([]);
  });

  test('the old form has it beside the rows', async () => {
    const { body } = await service.post(
      'business-directory',
      { category: 'nothing' },
      { query: '?cache=false' },
    );
    expect(body.help).toHaveLength(1);
    expect(body.results).toEqual([]);
  });
});
