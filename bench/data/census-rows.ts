import type { Row } from '../../src/values/field-type.ts';
import { oneOf, type Random, wholeNumber } from './seeded-random.ts';

/**
 * Rows in the census block's shape: a name (1,024 different ones at most) and 39 numbers that hang
 * together as real ones do. Persons in dormitories are null in four rows of five.
 */
export function censusRows(count: number, random: Random): Row[] {
  return Array.from({ length: count }, (_, position) => censusRow(position, random));
}

function censusRow(position: number, random: Random): Row {
  const people = Math.round(-Math.log(1 - random()) * 4000) + 20;
  const part = (whole: number, share: number) => Math.round(whole * share * (0.4 + 1.2 * random()));
  const households = part(people, 0.4) + 1;
  const units = households + part(households, 0.15);
  const owned = part(households, 0.5);
  const acres = hundredths(people / (2 + 40 * random()) + 1);
  return {
    neighborhood_1: `${oneOf(random, FIRST)} ${oneOf(random, SECOND)}`,
    under_5: part(people, 0.07),
    _5_to_17: part(people, 0.15),
    _18_24: part(people, 0.12),
    _25_34: part(people, 0.16),
    _35_44: part(people, 0.13),
    _45_54: part(people, 0.14),
    _55_64: part(people, 0.11),
    _65: part(people, 0.12),
    total_population: people,
    white_population: part(people, 0.3),
    black_population: part(people, 0.6),
    asian_population: part(people, 0.03),
    other_population: part(people, 0.04),
    hispanic_population: part(people, 0.05),
    gq_pop: part(people, 0.04),
    persons_in_dorms: random() < 0.8 ? null : part(people, 0.02),
    households,
    persons_per_hh: hundredths(people / households),
    single_person_hh: part(households, 0.35),
    nonfamily_hhs: part(households, 0.45),
    roommates: part(households, 0.1),
    families_w_o_kids: part(households, 0.3),
    families_w_related_kids: part(households, 0.25),
    married_w_o_kids: part(households, 0.13),
    married_w_related_kids: part(households, 0.1),
    s_women_w_related_kids: part(households, 0.12),
    unmarried_men_w_o_kids: part(households, 0.04),
    unmarried_women_w_o_kids: part(households, 0.1),
    total_units: units,
    owner_occupied_units: owned,
    renter_occupied_units: Math.max(0, households - owned),
    vacant_units: units - households,
    unit_density: hundredths(units / acres),
    centerpoint_x: millionths(-76.71 + 0.18 * random()),
    centerpoint_y: millionths(39.2 + 0.17 * random()),
    land_area_in_acres: acres,
    land_area_in_square_miles: millionths(acres / 640),
    persons_per_acre: hundredths(people / acres),
    neighborhood_2: position + 1 - wholeNumber(random, 0, 1),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

function millionths(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const FIRST =
  'abell allen ashburton beechfield bolton brooklyn canton carroll cedar cherry cross curtis druid eastern fells forest glen greek hampden harbor harlem highland irvington lauraville midtown morrell oliver patterson reservoir seton upton washington'.split(
    ' ',
  );
const SECOND =
  'avenue bay bridge center common corner court crossing dale east farm field gardens gate grove heights hill hollow junction landing manor meadow mills north park place point ridge south square village west'.split(
    ' ',
  );
