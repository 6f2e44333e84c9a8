import { numberCell, textCell } from '../../src/importer/cells.ts';
import type { MadeRows } from '../../src/importer/dataset-source.ts';
import type { CsvRow } from '../../src/readers/read-csv.ts';
import { SeedError } from '../../src/readers/seed-error.ts';
import { compareCodePoints } from '../../src/text/code-point-order.ts';
import { fold } from '../../src/text/fold.ts';
import { assertIdentities, type Figures } from './identities.ts';

/** Square metres in an international acre, and in a square mile (640 of them). */
const SQUARE_METRES_PER_ACRE = 4046.8564224;
const SQUARE_METRES_PER_SQUARE_MILE = 2589988.110336;

/** The columns of 2010 SF1 (table DP-1 and G001) to sum, each under its own name. */
const SUMMED = [
  'total_population',
  ...['under_5', '5_to_17', '18_24', '25_34', '35_44', '45_54', '55_64', '65_plus'],
  ...['white_population', 'black_population', 'native_american_population'],
  ...['asian_population', 'pacific_islander_population', 'other_race_population'],
  ...['two_or_more_races_population', 'hispanic_population', 'pop_in_households', 'gq_pop'],
  ...['persons_in_dorms', 'households', 'single_person_hh', 'nonfamily_hhs', 'roommates'],
  ...['families', 'families_w_own_kids', 'families_w_o_own_kids', 'married_w_own_kids'],
  ...['married_w_o_own_kids', 'unmarried_men_w_o_own_kids', 's_women_w_own_kids'],
  ...['unmarried_women_w_o_own_kids', 'total_units', 'owner_occupied_units'],
  ...['renter_occupied_units', 'vacant_units', 'land_area_m2'],
];

/**
 * Compiles neighborhoods from their tracts: counts are sums, ratios are ratios of sums, and the
 * centre is the mean of the tracts' centres weighted by land. A sum with a null is null.
 */
export function toRows(tracts: readonly CsvRow[], file: string): MadeRows {
  const areas = new Map<string, Figures[]>();
  for (const tract of tracts) {
    const name = textCell(tract, 'neighborhood', file);
    if (name === null) {
      throw new SeedError(file, 'blank', { line: tract.line, column: 'neighborhood' });
    }
    const figures = readTract(tract, file);
    assertIdentities(figures, (reason) => new SeedError(file, reason, { line: tract.line }));
    areas.set(name, [...(areas.get(name) ?? []), figures]);
  }
  const names = [...areas.keys()].sort((a, b) => compareCodePoints(fold(a), fold(b)));
  return {
    rows: names.map((name, i) => {
      const figures = sumTracts(areas.get(name) as Figures[]);
      assertIdentities(figures, (reason) => new SeedError(file, `${name}: ${reason}`));
      return { neighborhood_1: name, ...fieldsOf(figures), neighborhood_2: i + 1 };
    }),
    notes: [`${names.length} neighborhoods compiled from ${tracts.length} tracts`],
  };
}

function readTract(tract: CsvRow, file: string): Figures {
  const columns = [...SUMMED, 'centerpoint_x', 'centerpoint_y'];
  return Object.fromEntries(columns.map((column) => [column, numberCell(tract, column, file)]));
}

function sumTracts(tracts: readonly Figures[]): Figures {
  const sum = (value: (tract: Figures) => number | null) =>
    tracts.map(value).reduce((a, b) => (a === null || b === null ? null : a + b));
  const weighted = (column: string) => sum((tract) => times(tract[column], tract.land_area_m2));
  const sums = Object.fromEntries(SUMMED.map((column) => [column, sum((t) => t[column] ?? null)]));
  return {
    ...sums,
    centerpoint_x: over(weighted('centerpoint_x'), sums.land_area_m2),
    centerpoint_y: over(weighted('centerpoint_y'), sums.land_area_m2),
  };
}

/** The block's fields, in its order. */
function fieldsOf(figures: Figures): Figures {
  const value = (column: string) => figures[column] ?? null;
  const acres = over(value('land_area_m2'), SQUARE_METRES_PER_ACRE);
  return {
    under_5: value('under_5'),
    _5_to_17: value('5_to_17'),
    _18_24: value('18_24'),
    _25_34: value('25_34'),
    _35_44: value('35_44'),
    _45_54: value('45_54'),
    _55_64: value('55_64'),
    _65: value('65_plus'),
    total_population: value('total_population'),
    white_population: value('white_population'),
    black_population: value('black_population'),
    asian_population: value('asian_population'),
    other_population: [
      'native_american_population',
      'pacific_islander_population',
      'other_race_population',
      'two_or_more_races_population',
    ]
      .map(value)
      .reduce((a, b) => (a === null || b === null ? null : a + b)),
    hispanic_population: value('hispanic_population'),
    gq_pop: value('gq_pop'),
    persons_in_dorms: value('persons_in_dorms'),
    households: value('households'),
    persons_per_hh: over(value('pop_in_households'), value('households')),
    single_person_hh: value('single_person_hh'),
    nonfamily_hhs: value('nonfamily_hhs'),
    roommates: value('roommates'),
    families_w_o_kids: value('families_w_o_own_kids'),
    families_w_related_kids: value('families_w_own_kids'),
    married_w_o_kids: value('married_w_o_own_kids'),
    married_w_related_kids: value('married_w_own_kids'),
    s_women_w_related_kids: value('s_women_w_own_kids'),
    unmarried_men_w_o_kids: value('unmarried_men_w_o_own_kids'),
    unmarried_women_w_o_kids: value('unmarried_women_w_o_own_kids'),
    total_units: value('total_units'),
    owner_occupied_units: value('owner_occupied_units'),
    renter_occupied_units: value('renter_occupied_units'),
    vacant_units: value('vacant_units'),
    unit_density: over(value('total_units'), acres),
    centerpoint_x: value('centerpoint_x'),
    centerpoint_y: value('centerpoint_y'),
    land_area_in_acres: acres,
    land_area_in_square_miles: over(value('land_area_m2'), SQUARE_METRES_PER_SQUARE_MILE),
    persons_per_acre: over(value('total_population'), acres),
  };
}

function over(dividend: number | null | undefined, divisor: number | null | undefined) {
  return dividend == null || divisor == null || divisor === 0 ? null : dividend / divisor;
}

function times(a: number | null | undefined, b: number | null | undefined): number | null {
  return a == null || b == null ? null : a * b;
}
