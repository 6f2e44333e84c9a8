import { datasetBlock } from '../../src/block/block.ts';
import type { Field } from '../../src/fields/field.ts';

const ages = counts('people', 'Age');
const people = counts('people', 'Population');
const households = counts('households', 'Households');
const units = counts('housing units', 'Housing');

/** 2010 census figures of neighborhoods, filtered by name and by ranges. */
export const block = datasetBlock({
  id: 'cd6056a831402cb2033fe1e711f72d98',
  name: 'census-neighborhoods',
  title: 'Census neighborhoods',
  description:
    'Neighborhoods of Baltimore by their 2010 census figures: people, ages, households, families, housing, land. Filter by name and by 39 ranges.',
  noun: 'neighborhoods',
  keyFields: [
    'neighborhood_1',
    'total_population',
    'persons_per_acre',
    '_25_34',
    'households',
    'persons_per_hh',
    'vacant_units',
  ],
  fields: [
    {
      type: 'text',
      name: 'neighborhood_1',
      title: 'Neighborhood',
      alias: 'name',
      main: true,
      indexed: true,
    },
    ages('under_5', 'Under 5 years'),
    ages('_5_to_17', '5 to 17 years'),
    ages('_18_24', '18 to 24 years'),
    ages('_25_34', '25 to 34 years'),
    ages('_35_44', '35 to 44 years'),
    ages('_45_54', '45 to 54 years'),
    ages('_55_64', '55 to 64 years'),
    ages('_65', '65 years and over'),
    { ...people('total_population', 'Population'), alias: 'population' },
    people('white_population', 'White population'),
    people('black_population', 'Black population'),
    people('asian_population', 'Asian population'),
    people('other_population', 'Population of other or several races'),
    people('hispanic_population', 'Hispanic population', 'Of any race.'),
    people('gq_pop', 'Population in group quarters'),
    people('persons_in_dorms', 'Persons in dormitories', 'Not in the source: null in every row.'),
    households('households', 'Households'),
    ratio('persons_per_hh', 'Persons per household', 'persons per household', 'Households'),
    households('single_person_hh', 'Single-person households'),
    households('nonfamily_hhs', 'Nonfamily households'),
    households('roommates', 'Nonfamily households of several persons'),
    households('families_w_o_kids', 'Families without own children'),
    households('families_w_related_kids', 'Families with own children'),
    households('married_w_o_kids', 'Married couples without own children'),
    households('married_w_related_kids', 'Married couples with own children'),
    households('s_women_w_related_kids', 'Women without husband, with own children'),
    households('unmarried_men_w_o_kids', 'Men without wife, without own children'),
    households('unmarried_women_w_o_kids', 'Women without husband, without own children'),
    units('total_units', 'Housing units'),
    units('owner_occupied_units', 'Owner-occupied units'),
    units('renter_occupied_units', 'Renter-occupied units'),
    units('vacant_units', 'Vacant units'),
    ratio('unit_density', 'Housing units per acre', 'housing units per acre of land', 'Housing'),
    ratio('centerpoint_x', 'Longitude of the centre', 'degrees east'),
    ratio('centerpoint_y', 'Latitude of the centre', 'degrees north'),
    ratio('land_area_in_acres', 'Land area in acres', 'acres'),
    ratio('land_area_in_square_miles', 'Land area in square miles', 'square miles'),
    {
      ...ratio('persons_per_acre', 'Persons per acre', 'persons per acre of land'),
      alias: 'density',
    },
    ratio('neighborhood_2', 'Neighborhood number', 'position in the list by name, from 1'),
  ],
  geometry: {
    kind: 'regions',
    region: 'neighborhood_1',
    longitude: 'centerpoint_x',
    latitude: 'centerpoint_y',
  },
  examples: [
    {
      title: 'Dense neighborhoods with many young adults',
      arguments: { persons_per_acre_min: 20, _25_34_min: 3000 },
    },
    { title: 'One neighborhood by name', arguments: { neighborhood_1: 'canton' } },
    {
      title: 'The five with the most vacant units',
      arguments: { _sort: '-vacant_units', _limit: 5, _fields: 'neighborhood_1,vacant_units' },
    },
  ],
});

function counts(unit: string, theme: string) {
  return (name: string, title: string, description?: string): Field => ({
    type: 'integer',
    name,
    title,
    unit,
    theme,
    ...(description === undefined ? {} : { description }),
  });
}

function ratio(name: string, title: string, unit: string, theme = 'Land and place'): Field {
  return { type: 'number', name, title, unit, theme };
}
