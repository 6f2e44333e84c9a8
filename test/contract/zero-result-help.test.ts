import { describe, expect, test } from '@jest/globals';
import { PATHS } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

type Help = {
  parameters: string[];
  alone: number | null;
  without: number | null;
  empties: boolean | null;
  containing: number | null;
  nearest: string[];
  elsewhere?: { parameter: string; rows: number }[];
};

describe.each(PATHS)('where no row matches, on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);
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

  test('a text that another field has: which one, and how many rows it finds there', async () => {
    const found = await help('business-directory', {
      business: 'Retail',
      category: 'no such',
    });
    expect(found?.[0]).toMatchObject({
      parameters: ['business'],
      alone: 0,
      elsewhere: [{ parameter: 'category', rows: 61 }],
    });
    expect(found?.[1]).not.toHaveProperty('elsewhere');
    const inAlternative = { _or: [{ business: 'retail' }, { category: 'none' }] };
    expect((await help('business-directory', inAlternative))?.[1]?.elsewhere).toEqual([
      { parameter: '_or.1.category', rows: 61 },
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

  test('a filter within an alternative gets help by its own name, after all of them', async () => {
    const given = {
      _or: [{ category: 'retial', parsed_address_max: 400 }, { type_of_business: 'laundry' }],
      business: '*a*',
    };
    const total = async (some: object) =>
      (await service.post('business-directory', { ...some, _limit: 1 })).body.params.total;
    const { business } = given;
    const [found, ...others] = (await help('business-directory', given)) ?? [];
    expect(found).toMatchObject({ parameters: ['business'], without: 0 });
    const own = { empties: true, containing: 0, alone: 0 };
    const ofNumber = { parsed_address_max: 400 };
    expect(others).toEqual([
      {
        parameters: ['_or.1.category', '_or.1.parsed_address_max', '_or.2.type_of_business'],
        ...{ alone: 0, empties: true, containing: null, nearest: [] },
        without: await total({ business }),
      },
      {
        ...{ ...own, parameters: ['_or.1.category'], nearest: ['Retail'] },
        without: await total({ business, ...ofNumber }),
      },
      {
        ...{ parameters: ['_or.1.parsed_address_max'], alone: await total(ofNumber), without: 0 },
        ...{ empties: false, containing: null, nearest: [] },
      },
      {
        ...{ ...own, parameters: ['_or.2.type_of_business'], nearest: ['Laundries'] },
        without: 0,
      },
    ]);
    expect(others[1]?.without).toBeGreaterThan(0);
  });

  test('the only filter of the only alternative gets the help of a filter beside it', async () => {
    const asked = { type_of_business: 'laundry' };
    const [beside] = (await help('business-directory', asked)) ?? [];
    expect(await help('business-directory', { _or: [asked] })).toEqual([
      { ...beside, parameters: ['_or.1.type_of_business'] },
    ]);
    const within = { _or: [{ business: 'court' }, { type_of_business: 'laundry' }] };
    const starred = { _or: [{ business: '*court*' }, { type_of_business: 'laundry' }] };
    const { total } = (await service.post('business-directory', starred)).body.params;
    expect(total).toBeGreaterThan(0);
    const counted = await help('business-directory', within);
    expect(counted?.map(({ containing }) => containing)).toEqual([null, total, 0]);
    expect(counted?.map(({ without }) => without)).toEqual([120, 0, 0]);
  });

  test('the page says which filter of which alternative, and corrects it', async () => {
    const { text } = await service.get(
      '/api_v2/blocks/business-directory?_or.1.category=retial&_or.2.type_of_business=laundry&_format=html',
    );
    expect(text).toContain('Category is “retial”, or Type of business is “laundry”: 0 of 120');
    expect(text).toContain('<li>Category is “retial”: 0 of 120');
    expect(text).toMatch(
      /<a class="button" href="\?_or\.2\.type_of_business=laundry&amp;_or\.1\.category=Retail[^"]*">Retail<\/a>/,
    );
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
