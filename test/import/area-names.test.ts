import { describe, expect, test } from '@jest/globals';
import { areasIn } from '../../src/figure/earth/outlines.ts';
import { areaFinder, US_STATES } from '../../src/recipe/area-names.ts';
import { COUNTRY_CODES } from '../../src/recipe/country-names.ts';

describe('a country', () => {
  test.each([
    ['CD', 'DR Congo', 'Congo, Dem. Rep.', 'Dem. Rep. Congo', 'Congo (Kinshasa)', 'COD', '180'],
    ['CG', 'Congo', 'Republic of the Congo', 'Congo, Rep.', 'Congo-Brazzaville', 'cog', '178'],
    ['GE', 'Georgia', 'georgia ', 'GEO', 'GE', '268', 'Georgien'],
    ['CI', "Cote d'Ivoire", 'Côte d’Ivoire', 'Ivory Coast', 'CIV'],
    ['US', 'United States', 'The United States of America', 'U.S.A.', 'USA', 'us', '840'],
    ['AF', 'Afghanistan', 'AFG', '004', '4'],
    ['KR', 'Korea, Rep.', 'South Korea', 'Republic of Korea'],
    ['KP', "Korea, Dem. People's Rep.", 'North Korea'],
    ['BA', 'Bosnia and Herzegovina', 'Bosnia & Herzegovina', 'Bosnia and Herz.'],
    ['DE', 'Deutschland', 'Alemania', 'Germany'],
    ['Kosovo', 'Kosovo', 'XK', 'XKX'],
  ])('%s is found by its names and codes', async (area, ...names) => {
    const find = await areaFinder('countries');
    expect(names.map((name) => [name, find(name)])).toEqual(names.map((name) => [name, area]));
  });

  test('is not found by a name of two, by a part of its name, or by what is none', async () => {
    const find = await areaFinder('countries');
    const others = [
      'Korea',
      'Virgin Islands',
      'Germ',
      'World',
      'Europe',
      'ZZ',
      '999',
      '0',
      '1',
      '',
      'The',
      'Saint',
      'of the',
    ];
    expect(others.filter((name) => find(name) !== undefined)).toEqual([]);
  });

  test('is found in the language of the data', async () => {
    expect((await areaFinder('countries'))('Allemagne')).toBeUndefined();
    expect((await areaFinder('countries', 'fr'))('Allemagne')).toBe('DE');
  });

  test('has one area for each of its two codes, and its English name is no other’s', async () => {
    const find = await areaFinder('countries');
    const english = new Intl.DisplayNames(['en'], { type: 'region' });
    for (const [two, three] of COUNTRY_CODES) {
      expect([two, find(two), find(three), find(english.of(two) ?? '')]).toEqual([
        two,
        two,
        two,
        two,
      ]);
    }
    expect(COUNTRY_CODES).toHaveLength(249);
  });

  test('of the outlines is found by the name that these have', async () => {
    const find = await areaFinder('countries');
    // These belong to others, and have no code.
    const none = ['Indian Ocean Ter.', 'Siachen Glacier', 'Ashmore and Cartier Is.'];
    const names = areasIn('near').map(({ name }) => name);
    expect(names.filter((name) => find(name) !== name)).toEqual(
      names.filter((name) => none.includes(name)),
    );
  });
});

describe('a US state', () => {
  test('is found by its name, its postal code and its number, which may lack a zero', async () => {
    const find = await areaFinder('us-states');
    for (const { name, postal, fips } of US_STATES) {
      const names = [name, name.toUpperCase(), postal, fips, `${Number(fips)}`, `0400000US${fips}`];
      expect(names.map((one) => find(one))).toEqual(names.map(() => name));
    }
    expect(find('Georgia')).toBe('Georgia');
    expect(find('Washington, D.C.')).toBe('District of Columbia');
    expect(find('Virgin Islands')).toBe('United States Virgin Islands');
    expect(['03', '99', '001', 'Calif', 'Washingtonia', 'USA'].map((one) => find(one))).toEqual(
      Array(6).fill(undefined),
    );
  });

  test('has the name of its outline', () => {
    const names = US_STATES.map(({ name }) => name).sort();
    expect(
      areasIn('states')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
  });
});

describe('a US county', () => {
  test('is found by its number, and by its name with its state', async () => {
    const find = await areaFinder('us-counties');
    const asked = [
      ['01001', '01001'],
      ['1001', '01001'],
      ['0500000US01001', '01001'],
      ['Autauga County, Alabama', '01001'],
      ['autauga, AL', '01001'],
      ['Orleans Parish, Louisiana', '22071'],
      ['St. Louis County, MO', '29189'],
      ['St. Louis city, MO', '29510'],
      ['Baltimore County, Maryland', '24005'],
      ['Baltimore city, Maryland', '24510'],
      ['James City County, Virginia', '51095'],
      ['Carson City, NV', '32510'],
    ] as const;
    expect(asked.map(([name]) => [name, find(name)])).toEqual(asked.map((one) => [...one]));
  });

  test('is not found by a name that two have, or that has no state', async () => {
    const find = await areaFinder('us-counties');
    const none = [
      'Baltimore, MD',
      'St. Louis, Missouri',
      'Washington County',
      '01',
      '99999',
      '101',
    ];
    expect(none.map((name) => find(name))).toEqual(none.map(() => undefined));
    expect(find('Washington County', 'Maryland')).toBe('24043');
    expect(find('Los Angeles County', 'Maryland')).toBeUndefined();
  });
});
