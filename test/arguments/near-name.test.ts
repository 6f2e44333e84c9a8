import { describe, expect, test } from '@jest/globals';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import type { Problem } from '../../src/problem/errors.ts';
import { nearName } from '../../src/text/near-name.ts';
import { ampleBudget } from '../support/ample.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';

const { block: census } = await shippedBlock('census-neighborhoods');
const { block: directory } = await shippedBlock('business-directory');

const KNOWN = ['R', 'G', 'list', 'category', 'city_state', 'location_1_city', 'location_1_zip'];

test.each<[string, string | undefined, string]>([
  ['r', 'R', 'the same but for case'],
  ['CATEGORY', 'category', 'the same but for case'],
  ['catgory', 'category', 'an edit of eight letters'],
  ['kattegory', 'category', 'two edits of nine letters'],
  ['kattegorie', undefined, 'four edits of ten letters'],
  ['lit', 'list', 'an edit of four letters'],
  ['lsit', 'list', 'two neighbours that changed places'],
  ['lots', undefined, 'two edits of four letters'],
  ['cate', 'category', 'it begins one'],
  ['listing', 'list', 'one begins it'],
  ['location', undefined, 'it begins two'],
  ['location_1_xip', 'location_1_zip', 'nearer to one than to the other'],
  ['location_1_xit', undefined, 'equally near to two'],
  ['location_1_', undefined, 'it begins two, one of them by fewer letters'],
  ['x', undefined, 'one letter'],
  ['_list', 'list', 'the same but for an underscore'],
  ['g_', undefined, 'one letter and more'],
  ['ca', undefined, 'two letters begin nothing'],
  ['colour', undefined, 'another word'],
  ['', undefined, 'no word'],
])('%s: %s (%s)', (name, expected, _why) => {
  expect(nearName(name, KNOWN)).toBe(expected);
});

describe("an unknown name among a block's own words", () => {
  const suggested = (block: typeof census, name: string) => {
    try {
      const given = { query: {}, body: { [name]: '1' }, isPost: true, isWebhook: false };
      readArgumentsOf(block)(given, ampleBudget());
    } catch (error) {
      const [fault] = (error as Problem).faults;
      return {
        suggestion: fault?.suggestion,
        meant: /Did you mean (.*)\?/.exec(fault?.detail ?? '')?.[1],
      };
    }
    return undefined;
  };

  test.each([
    ['nighborhood', 'neighborhood_1', 'neighborhood_1'],
    ['vacant_unit', 'vacant_units', 'vacant_units'],
    ['vacant_units_lte', 'vacant_units', 'vacant_units'],
    ['max_vacant_units', 'vacant_units', 'vacant_units'],
    ['vacant_unit_max', 'vacant_units_max', 'vacant_units_max'],
    ['totl_population', 'total_population', 'total_population'],
    ['_not.vacant_unit', '_not.vacant_units', '_not.vacant_units'],
    ['not.vacant_units', '_not.vacant_units', '_not.vacant_units'],
    ['_not.vacant_units_min', '_not.vacant_units', '_not.vacant_units'],
    ['populaton', undefined, undefined],
    ['population', undefined, undefined],
    ['married', undefined, undefined],
    ['_limti', '_limit', '_limit'],
  ])('of the census, %s: %s', (name, suggestion, meant) => {
    expect(suggested(census, name)).toEqual({ suggestion, meant });
  });

  test.each([
    ['catgory', 'category'],
    ['Phone', 'phone_number'],
    ['location', undefined],
    ['zip', 'zip_code'],
    ['categories', 'category'],
    ['latitude', undefined],
  ])('of the directory, %s: %s', (name, suggestion) => {
    expect(suggested(directory, name)?.suggestion).toBe(suggestion);
  });
});
