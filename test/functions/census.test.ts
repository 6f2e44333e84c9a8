import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { toRows } from '../../functions/census-neighborhoods/rows.ts';
import { openCsv, readCsvRows } from '../../src/files/csv/named-rows.ts';
import type { Row } from '../../src/values/field-type.ts';
import { type ImportedDataset, importDataset } from '../support/datasets.ts';
import { ROOT } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';

type Published = Readonly<Record<string, string>>;

const { block, dataset } = await shippedBlock('census-neighborhoods');
const SEED_DATA = path.join(ROOT, 'seed-data');
const published = parse(
  readFileSync(path.join(ROOT, 'test/fixtures/baltimore_2010_sf1_neighborhoods.csv')),
  { columns: true },
) as Published[];

/** The published column of each field whose name is another there. */
const COLUMNS: Readonly<Record<string, string>> = {
  neighborhood_1: 'neighborhood',
  _5_to_17: '5_to_17',
  _18_24: '18_24',
  _25_34: '25_34',
  _35_44: '35_44',
  _45_54: '45_54',
  _55_64: '55_64',
  _65: '65_plus',
  families_w_o_kids: 'families_w_o_own_kids',
  families_w_related_kids: 'families_w_own_kids',
  married_w_o_kids: 'married_w_o_own_kids',
  married_w_related_kids: 'married_w_own_kids',
  s_women_w_related_kids: 's_women_w_own_kids',
  unmarried_men_w_o_kids: 'unmarried_men_w_o_own_kids',
  unmarried_women_w_o_kids: 'unmarried_women_w_o_own_kids',
};

/** Fields that the published table has no column for, and what they are made from there. */
const MADE: Readonly<Record<string, (area: Published, position: number) => number>> = {
  other_population: (area) =>
    [
      'native_american_population',
      'pacific_islander_population',
      'other_race_population',
      'two_or_more_races_population',
    ].reduce((sum, column) => sum + Number(area[column]), 0),
  land_area_in_square_miles: (area) => Number(area.land_area_m2) / 2589988.110336,
  neighborhood_2: (_, position) => position + 1,
};

let imported: ImportedDataset;
let rows: Row[];
beforeAll(async () => {
  imported = await importDataset(block, dataset, SEED_DATA);
  rows = Array.from(imported.rows, ({ values }) => values);
});

test('the neighborhoods are those of the published table, by name, numbered from 1', () => {
  const names = rows.map((row) => row.neighborhood_1 as string);
  expect(names).toHaveLength(56);
  expect([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))).toEqual(names);
  expect([...names].sort()).toEqual(published.map((area) => area.neighborhood).sort());
  expect(rows.map((row) => row.neighborhood_2)).toEqual(names.map((_, i) => i + 1));
});

describe('every cell equals the published table, at its decimals', () => {
  test.each(block.fields.map(({ name }) => name))('%s', (name) => {
    const byName = new Map(published.map((area) => [area.neighborhood, area]));
    for (const [position, row] of rows.entries()) {
      const area = byName.get(row.neighborhood_1 as string) as Published;
      const made = MADE[name];
      const cell = made === undefined ? area[COLUMNS[name] ?? name] : String(made(area, position));
      expect([
        area.neighborhood,
        agrees(name, (row[name] ?? null) as number | string | null, cell as string),
      ]).toEqual([area.neighborhood, true]);
    }
  });

  function agrees(name: string, value: string | number | null, cell: string): boolean {
    if (cell === '') return value === null;
    if (typeof value !== 'number') return value === cell;
    const decimals = cell.split('.')[1]?.length ?? 0;
    if (decimals === 0 || MADE[name] !== undefined) return Math.abs(value - Number(cell)) < 1e-9;
    // A coordinate may be one off in the last decimal; all else is the table's once rounded.
    const off = name.startsWith('centerpoint_') ? 1 : 0.5;
    return Math.abs(value - Number(cell)) <= off * 10 ** -decimals + 1e-9;
  }
});

test.each([
  ['total_population', '620961'],
  ['households', '249903'],
  ['total_units', '296685'],
  ['land_area_in_square_miles', '80.94'],
])("the neighborhoods' %s add up to the city's %s", (name, expected) => {
  const sum = rows.reduce((total, row) => total + (row[name] as number), 0);
  expect(sum.toFixed(expected.split('.')[1]?.length ?? 0)).toBe(expected);
});

test('figures are held unrounded', () => {
  const canton = rows.find((row) => row.neighborhood_1 === 'Canton') as Row;
  const { total_population: people, land_area_in_acres: acres } = canton as Record<string, number>;
  expect(canton.persons_per_acre).toBe((people as number) / (acres as number));
  expect(String(canton.persons_per_acre).length).toBeGreaterThan(8);
});

test('what the source does not have is null in every row, never 0', () => {
  expect(rows.map((row) => row.persons_in_dorms)).toEqual(rows.map(() => null));
  expect(imported.manifest.fields.persons_in_dorms).toEqual({ nulls: 56, distinct: 0, bytes: 0 });
});

test('a ratio whose denominator is 0 is null, and its numerator stays', () => {
  const jail = rows.find((row) => row.neighborhood_1 === 'Unassigned -- Jail');
  expect(jail).toMatchObject({
    households: 0,
    persons_per_hh: null,
    total_population: 5237,
    unit_density: 0,
  });
  expect(rows.filter((row) => row.persons_per_hh === null)).toHaveLength(1);
});

describe('from tracts of our own', () => {
  const csv = readFileSync(path.join(SEED_DATA, dataset.file), 'utf8').split('\n');
  const [header = ''] = csv;
  const columns = header.split(',');
  const { length } = columns;

  /** A line with some of its cells changed. */
  const changed = (line: string, cells: Record<string, string | number>) => {
    const values = line.split(',');
    expect(values).toHaveLength(length);
    for (const [column, value] of Object.entries(cells)) {
      values[columns.indexOf(column)] = String(value);
    }
    return values.join(',');
  };
  const compile = async (...lines: string[]) => {
    const bytes = Buffer.from([header, ...lines].join('\n'));
    return toRows(await readCsvRows(await openCsv(() => [bytes], 'f.csv')), 'f.csv');
  };
  const tract = changed(csv[1] as string, { neighborhood: 'A' });

  test('the file has tracts as they are read here', async () => {
    expect(columns).toContain('neighborhood');
    expect((await compile(tract)).rows).toHaveLength(1);
  });

  test('no land: what is per acre is null, and so is the centre', async () => {
    const [row] = (await compile(changed(tract, { land_area_m2: 0 }))).rows;
    expect(row).toMatchObject({
      land_area_in_acres: 0,
      persons_per_acre: null,
      unit_density: null,
      centerpoint_x: null,
      centerpoint_y: null,
    });
  });

  test('ratios are ratios of sums, and the centre is weighted by land', async () => {
    const near = changed(tract, { land_area_m2: 3_000_000, centerpoint_x: -76, centerpoint_y: 39 });
    const far = changed(tract, { land_area_m2: 1_000_000, centerpoint_x: -78, centerpoint_y: 41 });
    const [row] = (await compile(near, far)).rows as [Record<string, number>];
    expect(row.centerpoint_x).toBeCloseTo(-76.5, 12);
    expect(row.centerpoint_y).toBeCloseTo(39.5, 12);
    expect(row.total_population).toBe(2 * 3022);
    expect(row.persons_per_acre).toBeCloseTo((2 * 3022) / (4_000_000 / 4046.8564224), 12);
  });

  test('a sum over what is not known is not known', async () => {
    const [row] = (await compile(tract, changed(tract, { hispanic_population: '' }))).rows;
    expect(row?.hispanic_population).toBeNull();
  });

  test('names are ordered by their folded text', async () => {
    const names = ['b', 'Éa', 'C', 'eb', 'A'];
    const { rows: areas, notes } = await compile(
      ...names.map((neighborhood) => changed(tract, { neighborhood })),
    );
    expect(areas.map((row) => row.neighborhood_1)).toEqual(['A', 'b', 'C', 'Éa', 'eb']);
    expect(notes).toEqual(['5 neighborhoods compiled from 5 tracts']);
  });

  test.each([
    ['households', 'families', 'households is 1530, but families + nonfamily_hhs is 1531'],
    ['people', 'under_5', /^f\.csv, line 3: total_population is 3022, but under_5 \+ .* is 3023$/],
    ['units', 'vacant_units', 'total_units is 1728, but households + vacant_units is 1729'],
    ['owners', 'owner_occupied_units', 'households is 1530, but owner_occupied_units + renter'],
    [
      'group quarters',
      'gq_pop',
      'total_population is 3022, but pop_in_households + gq_pop is 3023',
    ],
    ['roommates', 'roommates', 'nonfamily_hhs is 1010, but single_person_hh + roommates is 1011'],
  ])('an identity that does not hold names its line: %s', async (_, column, expected) => {
    const value = Number(tract.split(',')[columns.indexOf(column)]);
    const broken = changed(tract, { [column]: value + 1 });
    await expect(compile(tract, broken)).rejects.toThrow(expected);
    await expect(compile(tract, broken)).rejects.toThrow(/^f\.csv, line 3: /);
  });

  test('a blank name and a text for a number name their line and column', async () => {
    await expect(compile(tract, changed(tract, { neighborhood: ' ' }))).rejects.toThrow(
      'f.csv, line 3, column neighborhood: blank',
    );
    await expect(compile(tract, changed(tract, { households: 'n/a' }))).rejects.toThrow(
      'f.csv, line 3, column households: "n/a" is not a number',
    );
  });
});
