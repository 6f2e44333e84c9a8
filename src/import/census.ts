import type { CsvRow } from '../files/csv/named-rows.ts';
import { SeedError } from '../files/source-table.ts';
import type { BlockFile, FileField } from '../recipe/recipe.ts';
import { compareCodePoints, fold } from '../text/fold.ts';
import { numberText, showCell } from '../text/wording.ts';
import { MOST_TEXT_LENGTH, type Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { numberCell, textCell } from './cells.ts';
import type { MadeRows } from './seed-files.ts';

/** A field of a neighborhood: the column of the tracts to sum, or a function of the sums. */
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

/** A neighborhood's figures, which stand between its name and its number, in the block's order. */
const FIGURE_FIELDS: readonly NeighborhoodField[] = [
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

/** A ratio. Null if either number is unknown or the divisor is 0. */
function over(dividend: number | null | undefined, divisor: number | null | undefined) {
  return dividend == null || divisor == null || divisor === 0 ? null : dividend / divisor;
}

/** The title of a block of neighborhoods, and the files that it is compiled from. */
type Made = { readonly title: string; readonly from: readonly string[] };

/** Makes the block of a city's neighborhoods. Its file has a column for each field. */
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
        // A star would match any text.
        arguments: { neighborhood_1: String(largest[0]?.neighborhood_1).replaceAll('*', '\\*') },
      },
      { title: 'The larger half', arguments: { total_population_min: middle as number } },
    ],
  };
}

const COMPILED =
  'Tracts joined to neighborhoods: counts are sums, ratios are ratios of sums, centres are weighted by land.';

/** Says so if no tract has a figure: a column of blanks would look like an error. */
function withLack(field: FileField, rows: readonly Row[]): FileField {
  const isLacking = rows.every((row) => row[field.name] === null);
  return isLacking ? { ...field, description: 'Not in the source: null in every row.' } : field;
}

/** An area's figures by column. Null if the source has none. */
type Figures = Readonly<Record<string, number | null>>;

const AGES = ['under_5', '5_to_17', '18_24', '25_34', '35_44', '45_54', '55_64', '65_plus'];

/** Identities that hold for every area: the left is the sum of the right (2010 SF1, DP-1). */
const IDENTITIES: readonly (readonly [string, readonly string[]])[] = [
  ['households', ['families', 'nonfamily_hhs']],
  ['nonfamily_hhs', ['single_person_hh', 'roommates']],
  ['total_units', ['households', 'vacant_units']],
  ['households', ['owner_occupied_units', 'renter_occupied_units']],
  ['total_population', ['pop_in_households', 'gq_pop']],
  ['total_population', AGES],
];

/** Throws the Error that `failed` makes for the first identity that does not hold. */
function assertIdentities(figures: Figures, failed: (reason: string) => Error): void {
  for (const [whole, parts] of IDENTITIES) {
    const values = parts.map((part) => figures[part] ?? null);
    const sum = values.reduce((a, b) => (a === null || b === null ? null : a + b));
    if (sum !== null && figures[whole] !== sum) {
      throw failed(`${whole} is ${figures[whole]}, but ${parts.join(' + ')} is ${sum}`);
    }
  }
}

/** The columns of a tract to sum: those of 2010 SF1 (tables DP-1 and G001), renamed. */
const SUMMED = [
  ...FIGURE_FIELDS.flatMap(({ of }) => (typeof of === 'string' ? [of] : [])),
  ...['native_american_population', 'pacific_islander_population', 'other_race_population'],
  ...['two_or_more_races_population', 'pop_in_households', 'families', 'land_area_m2'],
];

const CENTRE = ['centerpoint_x', 'centerpoint_y'];

/** The columns of figures in a file of tracts. */
export const TRACT_COLUMNS: readonly string[] = [...SUMMED, ...CENTRE];

/**
 * Compiles neighborhoods from their tracts: counts are sums, ratios are ratios of sums, and the
 * centre is the mean of the tracts' centres weighted by land. A sum with a null is null.
 */
export function compileNeighborhoods(
  tracts: readonly CsvRow[],
  file: string,
  nameOf: (tract: CsvRow) => string,
): MadeRows {
  const areas = new Map<string, Figures[]>();
  for (const tract of tracts) {
    const name = nameOf(tract);
    const figures = readTract(tract, file);
    assertIdentities(figures, (reason) => new SeedError(file, reason, { line: tract.line }));
    const others = areas.get(name);
    if (others === undefined) areas.set(name, [figures]);
    else others.push(figures);
  }
  const names = [...areas.keys()].sort((a, b) => compareCodePoints(fold(a), fold(b)));
  return {
    rows: names.map((name, i) => {
      const sums = sumTracts(areas.get(name) as Figures[]);
      assertIdentities(sums, (reason) => new SeedError(file, `${name}: ${reason}`));
      return { neighborhood_1: name, ...fieldsOf(sums), neighborhood_2: i + 1 };
    }),
    notes: [
      `${numberText(names.length)} neighborhoods compiled from ${numberText(tracts.length)} tracts`,
    ],
  };
}

function readTract(tract: CsvRow, file: string): Figures {
  const cells = TRACT_COLUMNS.map((column) => [column, numberCell(tract, column, file)]);
  const figures: Figures = Object.fromEntries(cells);
  return {
    ...figures,
    land_times_x: times(figures.centerpoint_x, figures.land_area_m2),
    land_times_y: times(figures.centerpoint_y, figures.land_area_m2),
  };
}

function sumTracts(tracts: readonly Figures[]): Figures {
  const sum = (column: string) =>
    tracts
      .map((tract) => tract[column] ?? null)
      .reduce((a, b) => (a === null || b === null ? null : a + b));
  const columns = [...SUMMED, 'land_times_x', 'land_times_y'];
  return Object.fromEntries(columns.map((column) => [column, sum(column)]));
}

function fieldsOf(sums: Figures): Row {
  return Object.fromEntries(
    FIGURE_FIELDS.map(({ field, of }) => [
      field.name,
      typeof of === 'string' ? (sums[of] ?? null) : of(sums),
    ]),
  );
}

function times(a: number | null | undefined, b: number | null | undefined): number | null {
  return a == null || b == null ? null : a * b;
}

/** The rows of a file, and its name in messages. */
export type RowsOf = { readonly file: string; readonly rows: readonly CsvRow[] };

/**
 * Joins tracts with their groups. Returns a function that gives a tract's neighborhood. Throws a
 * SeedError unless each tract has exactly one.
 */
export function groupTracts(tracts: RowsOf, groups: RowsOf): (tract: CsvRow) => string {
  const lines = linesOf(tracts);
  const grouped = linesOf(groups);
  const names = new Map<string, string>();
  const spellings = new Map<string, { readonly name: string; readonly line: number }>();
  for (const group of groups.rows) {
    const { line } = group;
    const [tract, name] = [needed(group, TRACT, groups), needed(group, 'neighborhood', groups)];
    if (!lines.has(tract)) {
      const reason = `${tracts.file} has no tract ${showCell(tract)}${fixOf(tract, lines)}`;
      throw new SeedError(groups.file, reason, { line, column: TRACT });
    }
    if (name.length > MOST_TEXT_LENGTH) {
      const reason = `over ${MOST_TEXT_LENGTH} characters, which nobody can ask for; shorten the name`;
      throw new SeedError(groups.file, reason, { line, column: 'neighborhood' });
    }
    const same = spellings.get(fold(name)) ?? { name, line };
    if (same.name !== name) {
      const reason = `${showCell(name)} is ${showCell(same.name)} in line ${same.line}; write both alike`;
      throw new SeedError(groups.file, reason, { line, column: 'neighborhood' });
    }
    spellings.set(fold(name), same);
    names.set(tract, name);
  }
  for (const [tract, line] of lines) {
    if (names.has(tract)) continue;
    const reason = `${groups.file} has no line for the tract ${showCell(tract)}; add it there with its neighborhood, or take the tract out here${fixOf(tract, grouped)}`;
    throw new SeedError(tracts.file, reason, { line, column: TRACT });
  }
  return (tract) => names.get(needed(tract, TRACT, tracts)) as string;
}

/** The column with a tract's number, in both files. */
const TRACT = 'geoid';

/** The line of each tract. A file may name a tract only once. */
function linesOf(from: RowsOf): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const row of from.rows) {
    const tract = needed(row, TRACT, from);
    const first = lines.get(tract);
    if (first !== undefined) {
      const reason = `the tract ${showCell(tract)} is in line ${first} already; keep one of the lines`;
      throw new SeedError(from.file, reason, { line: row.line, column: TRACT });
    }
    lines.set(tract, row.line);
  }
  return lines;
}

function needed(row: CsvRow, column: string, { file }: RowsOf): string {
  const text = textCell(row, column, file);
  if (text !== null) return text;
  throw new SeedError(file, 'blank', { line: row.line, column });
}

/**
 * Suggests a fix for an unknown tract. A spreadsheet drops the first of its 11 digits if that is 0.
 */
function fixOf(tract: string, known: ReadonlyMap<string, number>): string {
  const padded = tract.padStart(11, '0');
  const bare = tract.replace(/^0/, '');
  const other = [padded, bare].find((one) => one !== tract && known.has(one));
  if (other !== undefined) {
    return `; there is ${showCell(other)}: a spreadsheet has dropped the first 0, so make the column a text`;
  }
  if (!/^\d+(?:\.\d*)?E\+\d+$/i.test(tract)) return '';
  return '; a spreadsheet has rounded the number, so make the column a text and fill it anew';
}
