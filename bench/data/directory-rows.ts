import type { Row } from '../../src/values/field-type.ts';
import { oneOf, type Random, wholeNumber } from './seeded-random.ts';

/**
 * Rows in the directory block's shape. Some columns have few distinct texts (a category, a state),
 * some about one a row (a phone number). One house number in ten is missing.
 */
export function directoryRows(count: number, random: Random): Row[] {
  return Array.from({ length: count }, () => directoryRow(random));
}

function directoryRow(random: Random): Row {
  const zip = 11201 + Math.floor(38 * random() ** 2);
  const isNumbered = random() < 0.9;
  const house = wholeNumber(random, 1, 999);
  const street = `${oneOf(random, STREETS)} ${oneOf(random, ['st', 'ave', 'pl'])}`;
  const city = random() < 0.85 ? 'brooklyn' : oneOf(random, ['new york', 'queens', 'bronx']);
  return {
    business: `${oneOf(random, WORDS)} ${oneOf(random, WORDS)} ${oneOf(random, ['inc', 'llc', 'corp', 'and sons'])}`,
    category: oneOf(random, CATEGORIES),
    city_state: `${city}, ny`,
    location_1_city: city,
    location_1_location: isNumbered ? `${house} ${street}` : street,
    location_1_state: 'ny',
    location_1_zip: String(zip),
    phone_number: `${oneOf(random, ['718', '347', '646'])}${wholeNumber(random, 2000000, 9999999)}`,
    type_of_business: oneOf(random, TYPES),
    parsed_address: isNumbered ? house : null,
    zip_code: zip,
    latitude: Math.round((40.57 + 0.17 * random()) * 1e6) / 1e6,
    longitude: Math.round((-74.04 + 0.18 * random()) * 1e6) / 1e6,
  };
}

const CATEGORIES = ['food and drink', 'retail', 'services', 'home repair', 'transport', 'leisure'];
const TYPES =
  'amusement arcade|auction house|bingo|booting company|cabaret|car wash|catering|debt collector|dealer in products|electronics store|employment agency|games of chance|garage|gas station|general vendor|home improvement contractor|laundries|laundry jobber|locksmith|newsstand|parking lot|pawnbroker|pedicab business|pool or billiard room|process serving agency|scale dealer|scrap metal processor|secondhand dealer|sidewalk cafe|sightseeing bus|special sale|stoop line stand|storage warehouse|ticket seller|tobacco retail dealer|tow truck company'.split(
    '|',
  );
const STREETS =
  'atlantic baltic beard bond bowne butler carroll clinton coffey columbia conover court degraw delevan dikeman douglass hamilton henry hicks hoyt huntington luquer nelson nevins president sackett smith summit union van brunt warren wolcott wyckoff'.split(
    ' ',
  );
const WORDS =
  'abilene anchor apple arrow aurora autumn bell birch blue bridge broad cedar central chapel city clover coral corner crown delta dove eagle east elm fern first five flag garden gate gold grand green hart high hill island ivory jade junction key king lake lark laurel liberty light lion little maple market metro mill moon north oak ocean olive orchard park pearl pine plaza prime quick red ridge river rose royal sea silver south star stone sun swift third union valley vine west white willow'.split(
    ' ',
  );
