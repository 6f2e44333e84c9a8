import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { SETTINGS } from '../support/ample.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { wardAt } from '../support/ward-squares.ts';
import { OwnBlocks } from './own-blocks.ts';

/** Files whose columns name areas: what `add` proposes, what `check` refuses, and the page. */

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});

const csv = (head: string, rows: readonly string[]) => `${[head, ...rows].join('\n')}\n`;

async function proposed(name: string, content: string) {
  const { code, out, err } = await blocks.run('add', await blocks.file(`${name}.csv`, content));
  expect(err).toBe('');
  expect(code).toBe(0);
  return { boundaries: blocks.blockFile(name).boundaries, out };
}

/** The page of a block that was added. */
async function page(name: string, query: string): Promise<string> {
  const { block, imported } = await blocks.imported(name);
  const { manifest, profile, rows } = imported;
  const served = serveDataset(
    { block, manifest, store: memoryRows(block.fields, rows) },
    { profile: () => profile },
  );
  const request = requestOf(serviceOf(blockRoutes(served), SETTINGS));
  return (await request(`/api_v2/blocks/${name}?_format=html${query}`)).text();
}

const STATES = ['Georgia', 'Florida', 'Alabama', 'Texas'];

describe('a column of names or codes of areas', () => {
  test.each([
    ['states', 'State,Rate', STATES.map((state, i) => `${state},${i}.5`), 'us-states', 'state'],
    ['postal', 'State,Rate', ['GA,1.5', 'CA,2.5', 'DE,3.5', 'AL,4.5'], 'us-states', 'state'],
    ['nations', 'Country,Rate', ['GA,1.5', 'CA,2.5', 'DE,3.5', 'AL,4.5'], 'countries', 'country'],
    [
      'fips',
      'FIPS,Rate',
      ['01001,1.5', '01003,2.5', '06037,9.5', '48201,3'],
      'us-counties',
      'fips',
    ],
    [
      'lost',
      'county fips,Rate',
      ['1001,1.5', '1003,2.5', '6037,9.5'],
      'us-counties',
      'county_fips',
    ],
    [
      'lands',
      'place,Rate',
      ['DR Congo,1.5', 'Georgia,2.5', 'Viet Nam,3.5', '"Korea, Rep.",4'],
      'countries',
      'place',
    ],
    [
      'with-state',
      'place,Rate',
      [
        '"Autauga County, Alabama",1',
        '"Los Angeles County, California",2',
        '"Orleans Parish, LA",3.5',
      ],
      'us-counties',
      'place',
    ],
  ])('of %s is proposed without a question', async (name, head, rows, areas, field) => {
    const { boundaries } = await proposed(name, csv(head, rows));
    expect(boundaries).toEqual({ areas, field });
  });

  test('of counties without a state is of the one state that has them', async () => {
    const names = ['Allegany', 'Garrett', 'Washington', 'Frederick'].map((one) => `${one} County`);
    const rows = names.map((name, i) => `${name},${i}.5`);
    const { boundaries, out } = await proposed('maryland', csv('County,Rate', rows));
    expect(boundaries).toEqual({ areas: 'us-counties', field: 'county', within: 'Maryland' });
    expect(out).toContain('county names US counties of Maryland, which a map shows');
  });

  test.each([
    ['codes-of-two', 'code,Rate', ['GA,1.5', 'CA,2.5', 'DE,3.5', 'AL,4.5']],
    ['languages', 'lang,Rate', ['de,1.5', 'es,2.5', 'fr,3.5', 'it,3']],
    ['numbers', 'step,Rate', ['1,1.5', '2,2.5', '4,3.5', '5,1']],
    ['many-washingtons', 'County,Rate', ['Washington,1.5', 'Lincoln,2.5', 'Franklin,3.5']],
    ['few', 'State,Rate', ['Texas,1.5', 'Ohio,2.5']],
  ])('that may be something else is not: %s', async (name, head, rows) => {
    const { boundaries, out } = await proposed(name, csv(head, rows));
    expect(boundaries).toBeUndefined();
    if (name === 'codes-of-two') {
      expect(out).toContain('code has names of us-states and of countries alike');
    }
  });

  test('says which values have no area, with their rows', async () => {
    const rows = [...STATES, 'Puerto Rico', 'Elsewhere', 'Elsewhere'].map(
      (name, i) => `${name},${i}.5`,
    );
    const { out } = await proposed('unfound', csv('State,Rate', rows));
    const said = 'state: 2 of 6 values, in 3 rows, name no area of the map of US states';
    expect(out).toContain(`${said}: "Elsewhere" (2), "Puerto Rico" (1)`);
    const next = await blocks.file('next.csv', csv('State,Rate', rows));
    expect((await blocks.run('check', 'unfound', next)).out).toContain(`Look: ${said}`);
  });

  test('of a next file that names none of them is refused by check', async () => {
    await proposed(
      'next-states',
      csv(
        'State,Rate',
        STATES.map((state, i) => `${state},${i}.5`),
      ),
    );
    const next = await blocks.file(
      'next.csv',
      csv('State,Rate', ['Bayern,1.5', 'Texas,2', 'Wien,3']),
    );
    const { code, err } = await blocks.run('check', 'next-states', next);
    expect(code).not.toBe(0);
    expect(err).toContain(
      '"boundaries": 1 of 3 values of state name a US state; expected at least half. "Bayern", "Wien": none',
    );
  });
});

describe('the page of a block whose field names areas', () => {
  test('has a map that leads from each area to its rows, and tells what is not on it', async () => {
    const rows = ['Georgia,4', 'Georgia,6', 'Texas,9', 'Ohio,1', 'Puerto Rico,7', ',3'];
    await proposed('page', csv('State,Rate', rows));
    const html = await page('page', '&_view=map&_group=state&_measure=avg:rate');
    expect(html).toContain('<title>Georgia: 5</title>');
    expect(html).toContain('<title>Alaska: no number</title>');
    expect(html.match(/<path class="area s\d"/g)).toHaveLength(3);
    expect(html.match(/<path class="area bare"/g)).toHaveLength(48);
    expect(html).toMatch(/<a href="\?[^"]*state=Texas[^"]*" tabindex="-1"><title>Texas: 9/);
    expect(html).toContain('“Puerto Rico”');
    expect(html).toContain('States: US Census Bureau. Alaska at a third of its size');
  });

  test('adds up two names of an area where that means something, and else does not shade it', async () => {
    await proposed('twice', csv('State,Sales', ['Georgia,4', 'GA,6', 'Texas,9', 'Ohio,1', 'TX,']));
    const sums = await page('twice', '&_view=map&_group=state&_measure=sum:sales');
    expect(sums).toContain('<title>Georgia: 10</title>');
    expect(sums).toContain('<title>Texas: 9</title>');
    const averages = await page('twice', '&_view=map&_group=state&_measure=avg:sales');
    expect(averages).toContain('Not shaded, since several names mean it: Georgia.');
    expect(averages).toContain('<title>Georgia: no number</title>');
    expect(averages).toContain('<title>Texas: 9</title>');
  });

  test('opens its map with the areas, without a question', async () => {
    expect(await page('page', '&_view=map')).toContain('<title>Georgia: ');
    expect(await page('page', '')).toMatch(/<a href="\?_view=map">Map/);
  });

  test('draws counties of all states as one shape a shade', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${1001 + 2 * (i % 20)},${i}`);
    await proposed('counties', csv('fips,Rate', [...rows, '06037,50', '6039,51']));
    const html = await page('counties', '&_view=map');
    expect(html.match(/<path class="area s\d fine"/g)?.length).toBeLessThanOrEqual(5);
    expect(html).toContain('>Autauga, AL</a>');
    expect(html).toContain('Counties: US Census Bureau. Alaska at a third of its size');
  });
});

describe('areas of the publisher', () => {
  const square = (x: number, name: string) => ({
    type: 'Feature',
    properties: { name },
    geometry: wardAt(x),
  });

  test('are those of a file that a field names, whatever the case', async () => {
    await proposed('wards', csv('Ward,Sales', ['NORTH,1', 'north,2', 'South,4', 'Nowhere,8']));
    const features = [square(0, 'North'), square(1, 'South'), square(2, 'East')];
    const areas = JSON.stringify({ type: 'FeatureCollection', features });
    await writeFile(`${blocks.folder}/seed-data/wards.geojson`, areas);
    const boundaries = { file: 'wards.geojson', property: 'name', field: 'ward' };
    const file = {
      ...blocks.blockFile('wards'),
      boundaries: { ...boundaries, sources: [{ title: 'A' }] },
    };
    await writeFile(blocks.pathOf('wards'), JSON.stringify(file));
    const sums = await page('wards', '&_view=map&_group=ward&_measure=sum:sales');
    expect(sums).toContain('<title>North: 3</title>');
    expect(sums).toContain('<title>South: 4</title>');
    expect(sums).toContain('<title>East: no number</title>');
    expect(sums).toContain('“Nowhere” (1 of the rows) is not on the map.');
  });
});
