import type { BlockFile, FileField } from '../block/block-file.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';

/** A field of a neighborhood: the tracts' column that it sums, or what it makes of the sums. */
type NeighborhoodField = {
  readonly field: Field;
  readonly of: string | ((sums: Figures) => number | null);
};

/** Square metres in an international acre, and in a square mile (640 of them). */
const SQUARE_METRES_PER_ACRE = 4046.8564224;
const SQUARE_METRES_PER_SQUARE_MILE = 2589988.110336;

const NAME_FIELD: Field = {
  type: 'text',
  name: 'neighborhood_1',
  title: 'Neighborhood',
  alias: 'name',
  main: true,
  indexed: true,
};

const counted =
  (theme: string, unit: string) =>
  (name: string, title: string, of: NeighborhoodField['of'] = name, more: Partial<Field> = {}) => ({
    field: { type: 'integer' as const, name, title, unit, theme, ...more },
    of,
  });
const age = counted('Age', 'people');
const people = counted('Population', 'people');
const households = counted('Households', 'households');
const units = counted('Housing', 'housing units');

const measured =
  (theme: string) =>
  (
    name: string,
    title: string,
    unit: string,
    of: (sums: Figures) => number | null,
    more: Partial<Field> = {},
  ) => ({ field: { type: 'number' as const, name, title, unit, theme, ...more }, of });
const place = measured('Land and place');

const acres = (sums: Figures) => over(sums.land_area_m2, SQUARE_METRES_PER_ACRE);

/** The figures of a neighborhood, between its name and its number, in the order of the block. */
export const FIGURE_FIELDS: readonly NeighborhoodField[] = [
  age('under_5', 'Under 5 years'),
  age('_5_to_17', '5 to 17 years', '5_to_17'),
  age('_18_24', '18 to 24 years', '18_24'),
  age('_25_34', '25 to 34 years', '25_34'),
  age('_35_44', '35 to 44 years', '35_44'),
  age('_45_54', '45 to 54 years', '45_54'),
  age('_55_64', '55 to 64 years', '55_64'),
  age('_65', '65 years and over', '65_plus'),
  people('total_population', 'Population', 'total_population', { alias: 'population' }),
  people('white_population', 'White population'),
  people('black_population', 'Black population'),
  people('asian_population', 'Asian population'),
  people('other_population', 'Population of other or several races', (sums) =>
    [
      sums.native_american_population,
      sums.pacific_islander_population,
      sums.other_race_population,
      sums.two_or_more_races_population,
    ].reduce<number | null>((a, b) => (a === null || b == null ? null : a + b), 0),
  ),
  people('hispanic_population', 'Hispanic population', 'hispanic_population', {
    description: 'Of any race.',
  }),
  people('gq_pop', 'Population in group quarters'),
  people('persons_in_dorms', 'Persons in dormitories'),
  households('households', 'Households'),
  measured('Households')(
    'persons_per_hh',
    'Persons per household',
    'persons per household',
    (sums) => over(sums.pop_in_households, sums.households),
  ),
  households('single_person_hh', 'Single-person households'),
  households('nonfamily_hhs', 'Nonfamily households'),
  households('roommates', 'Nonfamily households of several persons'),
  households('families_w_o_kids', 'Families without own children', 'families_w_o_own_kids'),
  households('families_w_related_kids', 'Families with own children', 'families_w_own_kids'),
  households('married_w_o_kids', 'Married couples without own children', 'married_w_o_own_kids'),
  households('married_w_related_kids', 'Married couples with own children', 'married_w_own_kids'),
  households(
    's_women_w_related_kids',
    'Women without husband, with own children',
    's_women_w_own_kids',
  ),
  households(
    'unmarried_men_w_o_kids',
    'Men without wife, without own children',
    'unmarried_men_w_o_own_kids',
  ),
  households(
    'unmarried_women_w_o_kids',
    'Women without husband, without own children',
    'unmarried_women_w_o_own_kids',
  ),
  units('total_units', 'Housing units'),
  units('owner_occupied_units', 'Owner-occupied units'),
  units('renter_occupied_units', 'Renter-occupied units'),
  units('vacant_units', 'Vacant units'),
  measured('Housing')(
    'unit_density',
    'Housing units per acre',
    'housing units per acre of land',
    (sums) => over(sums.total_units, acres(sums)),
  ),
  place('centerpoint_x', 'Longitude of the centre', 'degrees east', (sums) =>
    over(sums.land_times_x, sums.land_area_m2),
  ),
  place('centerpoint_y', 'Latitude of the centre', 'degrees north', (sums) =>
    over(sums.land_times_y, sums.land_area_m2),
  ),
  place('land_area_in_acres', 'Land area in acres', 'acres', acres),
  place('land_area_in_square_miles', 'Land area in square miles', 'square miles', (sums) =>
    over(sums.land_area_m2, SQUARE_METRES_PER_SQUARE_MILE),
  ),
  place(
    'persons_per_acre',
    'Persons per acre',
    'persons per acre of land',
    (sums) => over(sums.total_population, acres(sums)),
    { alias: 'density' },
  ),
];

const NUMBER_FIELD: Field = {
  type: 'number',
  name: 'neighborhood_2',
  title: 'Neighborhood number',
  unit: 'position in the list by name, from 1',
  theme: 'Land and place',
};

/** The fields that a page shows first. */
const KEY_FIELDS = [
  'neighborhood_1',
  'total_population',
  'persons_per_acre',
  '_25_34',
  'households',
  'persons_per_hh',
  'vacant_units',
];

/** A ratio; null if one of both is not known, or the divisor is 0. */
function over(dividend: number | null | undefined, divisor: number | null | undefined) {
  return dividend == null || divisor == null || divisor === 0 ? null : dividend / divisor;
}

/** What a block of neighborhoods is called, and the files that it is compiled from. */
type Made = { readonly title: string; readonly from: readonly string[] };

/** The block of a city's compiled neighborhoods, whose file has a column for each field. */
export function neighborhoodsBlock(
  rows: readonly Row[],
  file: string,
  { title, from }: Made,
): BlockFile {
  const figures = FIGURE_FIELDS.map(({ field }) => field);
  const largest = rows.toSorted((a, b) => Number(b.total_population) - Number(a.total_population));
  const middle = largest[largest.length >> 1]?.total_population ?? 0;
  return {
    title,
    description: `${title} by their census figures: people, ages, households, families, housing, land.`,
    noun: 'neighborhoods',
    file,
    rows: rows.length,
    sources: from.map((name) => ({ title: name, changes: COMPILED })),
    keyFields: KEY_FIELDS,
    fields: [NAME_FIELD, ...figures, NUMBER_FIELD].map((field) => withLack(field, rows)),
    primaryKey: NAME_FIELD.name,
    geometry: { kind: 'points', longitude: 'centerpoint_x', latitude: 'centerpoint_y' },
    examples: [
      {
        title: 'The five with the most vacant units',
        arguments: { _sort: '-vacant_units', _limit: 5, _fields: 'neighborhood_1,vacant_units' },
      },
      {
        title: 'The one with the most people',
        // A star would stand for any text.
        arguments: { neighborhood_1: String(largest[0]?.neighborhood_1).replaceAll('*', '\\*') },
      },
      { title: 'The larger half', arguments: { total_population_min: middle as number } },
    ],
  };
}

const COMPILED =
  'Tracts joined to neighborhoods: counts are sums, ratios are ratios of sums, centres are weighted by land.';

/** A figure that no tract has is told, since a column of blanks looks like an error. */
function withLack(field: FileField, rows: readonly Row[]): FileField {
  const isLacking = rows.every((row) => row[field.name] === null);
  return isLacking ? { ...field, description: 'Not in the source: null in every row.' } : field;
}

/** Figures of one area by column; null if the source has none. */
export type Figures = Readonly<Record<string, number | null>>;

const AGES = ['under_5', '5_to_17', '18_24', '25_34', '35_44', '45_54', '55_64', '65_plus'];

/** Identities of every area's counts: the left is the sum of the right (2010 SF1, DP-1). */
const IDENTITIES: readonly (readonly [string, readonly string[]])[] = [
  ['households', ['families', 'nonfamily_hhs']],
  ['nonfamily_hhs', ['single_person_hh', 'roommates']],
  ['total_units', ['households', 'vacant_units']],
  ['households', ['owner_occupied_units', 'renter_occupied_units']],
  ['total_population', ['pop_in_households', 'gq_pop']],
  ['total_population', AGES],
];

/** Throws the Error from `failed` for the first identity that does not hold. */
export function assertIdentities(figures: Figures, failed: (reason: string) => Error): void {
  for (const [whole, parts] of IDENTITIES) {
    const values = parts.map((part) => figures[part] ?? null);
    const sum = values.reduce((a, b) => (a === null || b === null ? null : a + b));
    if (sum !== null && figures[whole] !== sum) {
      throw failed(`${whole} is ${figures[whole]}, but ${parts.join(' + ')} is ${sum}`);
    }
  }
}
