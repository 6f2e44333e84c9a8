import { csvOf } from '../../src/formats/csv.ts';

/** Figures of a tract of a city that does not exist, for each of its hundreds of people. */
const PER_HUNDRED = {
  total_population: 100,
  ...{ under_5: 5, '5_to_17': 15, '18_24': 20, '25_34': 20 },
  ...{ '35_44': 15, '45_54': 10, '55_64': 10, '65_plus': 5 },
  ...{ white_population: 40, black_population: 30, native_american_population: 1 },
  ...{ asian_population: 10, pacific_islander_population: 2, other_race_population: 7 },
  ...{ two_or_more_races_population: 10, hispanic_population: 25 },
  ...{ pop_in_households: 90, gq_pop: 10, persons_in_dorms: 4 },
  ...{ households: 40, families: 22, nonfamily_hhs: 18, single_person_hh: 12, roommates: 6 },
  ...{ families_w_own_kids: 10, families_w_o_own_kids: 12, married_w_own_kids: 6 },
  ...{ married_w_o_own_kids: 9, unmarried_men_w_o_own_kids: 1, s_women_w_own_kids: 3 },
  ...{ unmarried_women_w_o_own_kids: 2 },
  ...{ total_units: 50, owner_occupied_units: 15, renter_occupied_units: 25, vacant_units: 10 },
};

type Tract = Record<string, string | number>;

function tract(geoid: string, hundreds: number, land: number, x: number, y: number): Tract {
  const counts = Object.entries(PER_HUNDRED).map(([column, count]) => [column, count * hundreds]);
  const place = { land_area_m2: land, centerpoint_x: x, centerpoint_y: y };
  return { geoid, ...Object.fromEntries(counts), ...place };
}

const nobody = Object.fromEntries(Object.keys(PER_HUNDRED).map((column) => [column, 0]));

/** Old Town has the first two tracts. Riverside has no land, and the jail no household. */
export const SPRINGFIELD: readonly Tract[] = [
  tract('01001020100', 1, 2_000_000, -86.5, 32.5),
  tract('01001020200', 3, 1_000_000, -86.2, 32.2),
  { ...tract('01001020300', 2, 0, -86.1, 32.1), hispanic_population: '' },
  {
    ...nobody,
    ...{
      geoid: '01001020400',
      total_population: 50,
      gq_pop: 50,
      '25_34': 50,
      white_population: 50,
    },
    ...{ land_area_m2: 500_000, centerpoint_x: -86, centerpoint_y: 32 },
  },
];

/** The city's file of tracts. */
export function tractsCsv(tracts: readonly Tract[] = SPRINGFIELD): string {
  return csvOf(Object.keys(SPRINGFIELD[0] as Tract), tracts);
}
