import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openCsv, readCsvRows } from '../../src/files/csv/named-rows.ts';
import type { Row } from '../../src/values/field-type.ts';
import { importDataset } from '../support/datasets.ts';
import { cleanUp } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { SPRINGFIELD, tractsCsv } from '../support/springfield.ts';
import { OwnBlocks } from './own-blocks.ts';

afterAll(cleanUp);

const GROUPS = `geoid,neighborhood
01001020100,Old Town
01001020200,Old Town
01001020300,Riverside
01001020400,"Jail, county"
`;

let own: OwnBlocks;
beforeEach(async () => {
  own = await OwnBlocks.inNewFolder();
});

const NAMED = ['--name', 'springfield'];

async function census(tracts: string, groups: string, ...options: string[]) {
  const files = [await own.file('tracts.csv', tracts), await own.file('groups.csv', groups)];
  return own.run('census', ...files, ...(options.length === 0 ? NAMED : options));
}

describe('a city whose sums are known', () => {
  let rows: Record<string, Row>;
  beforeAll(async () => {
    own = await OwnBlocks.inNewFolder();
    const { code, out, err } = await census(tractsCsv(), GROUPS);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('650 people, 240 households, 300 housing units, 1.35 square miles');
    expect(own.blockFile('springfield').title).toBe('Springfield');
    const all = await own.rows('springfield');
    rows = Object.fromEntries(all.map((row) => [row.neighborhood_1, row]));
    expect(Object.keys(rows)).toEqual(['Jail, county', 'Old Town', 'Riverside']);
  });

  test('counts are sums, ratios are ratios of sums, the centre is weighted by land', () => {
    const { 'Old Town': town = {} } = rows;
    expect(town).toMatchObject({
      ...{ total_population: 400, _25_34: 80, other_population: 80, hispanic_population: 100 },
      ...{ persons_in_dorms: 16, households: 160, married_w_o_kids: 36, vacant_units: 40 },
      ...{ persons_per_hh: 360 / 160, persons_per_acre: 400 / (3_000_000 / 4046.8564224) },
      ...{ unit_density: 200 / (3_000_000 / 4046.8564224), neighborhood_2: 2 },
      land_area_in_square_miles: 3_000_000 / 2589988.110336,
    });
    expect(town.centerpoint_x).toBeCloseTo((2 * -86.5 - 86.2) / 3, 12);
    expect(town.centerpoint_y).toBeCloseTo((2 * 32.5 + 32.2) / 3, 12);
  });

  test('a blank is null, never 0, and so is a ratio over nothing', () => {
    const { Riverside, 'Jail, county': jail } = rows;
    expect(Riverside).toMatchObject({
      ...{ total_population: 200, hispanic_population: null, land_area_in_acres: 0 },
      ...{ persons_per_acre: null, unit_density: null, centerpoint_x: null, centerpoint_y: null },
      persons_per_hh: 2.25,
    });
    expect(jail).toMatchObject({ households: 0, persons_per_hh: null, unit_density: 0 });
  });
});

test('a name with a star is asked for as it is', async () => {
  await census(tractsCsv(), GROUPS.replaceAll('Old Town', 'Old * Town'));
  const { examples } = own.blockFile('springfield');
  expect(examples[1]?.arguments).toEqual({ neighborhood_1: 'Old \\* Town' });
});

test("Baltimore's tracts, grouped by a second file, make the rows of the shipped block", async () => {
  const seedData = path.join(ROOT, 'seed-data');
  const { block, dataset } = await shippedBlock('census-neighborhoods');
  const bytes = await readFile(path.join(seedData, dataset.file));
  const tracts = await readCsvRows(await openCsv(() => [bytes], dataset.file));
  const groups = tracts.map(({ cells: { geoid, neighborhood } }) => `${geoid},"${neighborhood}"\n`);
  const { err } = await census(
    bytes.toString(),
    `geoid,neighborhood\n${groups.reverse().join('')}`,
    ...['--name', 'baltimore', '--title', 'Baltimore, by its neighborhoods'],
  );
  expect(err).toBe('');
  const shipped = await importDataset(block, dataset, seedData);
  expect(await own.rows('baltimore')).toEqual(Array.from(shipped.rows, ({ values }) => values));
  const { title, fields, keyFields } = own.blockFile('baltimore');
  expect(title).toBe('Baltimore, by its neighborhoods');
  expect({ fields, keyFields }).toEqual({ fields: block.fields, keyFields: block.keyFields });
});

describe('is refused with its line and a fix, and nothing is written', () => {
  test.each([
    [
      'a tract without a neighborhood',
      GROUPS.replace('01001020300,Riverside\n', ''),
      'tracts.csv, line 4, column geoid: groups.csv has no line for the tract "01001020300"; add it there with its neighborhood, or take the tract out here',
    ],
    [
      'a tract that there is not',
      GROUPS.replace('0300', '0309'),
      'groups.csv, line 4, column geoid: tracts.csv has no tract "01001020309"',
    ],
    [
      'a tract whose first 0 is lost',
      GROUPS.replaceAll('01001', '1001'),
      'groups.csv, line 2, column geoid: tracts.csv has no tract "1001020100"; there is "01001020100": a spreadsheet has dropped the first 0, so make the column a text',
    ],
    [
      'a tract that a spreadsheet has rounded',
      GROUPS.replace('01001020100', '1.001E+09'),
      'a spreadsheet has rounded the number, so make the column a text and fill it anew',
    ],
    [
      'a tract with two neighborhoods',
      `${GROUPS}01001020100,Riverside\n`,
      'groups.csv, line 6, column geoid: the tract "01001020100" is in line 2 already; keep one of the lines',
    ],
    [
      'a neighborhood in two spellings',
      GROUPS.replace('0200,Old Town', '0200,Old  town'),
      'groups.csv, line 3, column neighborhood: "Old  town" is "Old Town" in line 2; write both alike',
    ],
    [
      'a blank neighborhood',
      GROUPS.replace('Riverside', ''),
      'groups.csv, line 4, column neighborhood: blank',
    ],
    [
      'a name that is too long to ask for',
      GROUPS.replace('Riverside', 'R'.repeat(257)),
      'groups.csv, line 4, column neighborhood: over 256 characters',
    ],
    [
      'a column of another name',
      GROUPS.replace('neighborhood', 'area'),
      'groups.csv, line 1, column neighborhood: the header has no such column; it has geoid, area',
    ],
  ])('%s', async (_, groups, message) => {
    const { code, out, err } = await census(tractsCsv(), groups);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
    expect(own.content()).toEqual({});
  });

  const [first = {}] = SPRINGFIELD;
  test.each([
    [
      'a tract that comes twice',
      [...SPRINGFIELD, first],
      'tracts.csv, line 6, column geoid: the tr',
    ],
    [
      'figures that do not add up',
      [{ ...first, households: 41 }, ...SPRINGFIELD.slice(1)],
      'tracts.csv, line 2: households is 41, but families + nonfamily_hhs is 40',
    ],
  ])('%s', async (_, tracts, message) => {
    const { code, err } = await census(tractsCsv(tracts), GROUPS);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(own.content()).toEqual({});
  });

  test.each([
    ['no name', ['--title', 'Springfield'], '--name is missing'],
    ['a name that is no address', ['--name', 'Spring Field'], '--name is "Spring Field"; expected'],
    ['an option that there is not', [...NAMED, '--titel', 'x'], 'Did you mean --title?'],
  ])('%s', async (_, options, message) => {
    const { code, err } = await census(tractsCsv(), GROUPS, ...options);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  test('a name that is taken, and a file that there is not', async () => {
    await census(tractsCsv(), GROUPS);
    const before = own.content();
    expect((await census(tractsCsv(), GROUPS)).err).toContain('There is a block springfield in');
    const gone = await own.run('census', 'gone.csv', 'gone.csv', '--name', 'other');
    expect(gone.err).toMatch(/^gone\.csv: is missing in /);
    expect(own.content()).toEqual(before);
  });
});
