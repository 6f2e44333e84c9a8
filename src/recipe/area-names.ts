import type { AreaKind } from '../block/manifest.ts';
import { fold } from '../text/fold.ts';
import { COUNTRY_CODES, OTHER_NAMES } from './country-names.ts';

/**
 * Which area a value names. A name or a code is the whole value, folded; what two areas are called
 * names none of them.
 */

/**
 * Returns the area that a value names, as the outlines call it. Undefined if it is none, or two.
 * `within` is the US state of counties whose names have none beside them.
 */
export type AreaFinder = (value: string, within?: string) => string | undefined;

/** A kind of areas in words, of one and of several. */
export const NOUNS_OF_AREA: Readonly<Record<AreaKind, readonly [one: string, several: string]>> = {
  'us-states': ['a US state', 'US states'],
  'us-counties': ['a US county', 'US counties'],
  countries: ['a country', 'countries'],
};

/** Words of names that some writers leave out. */
const FILLING = /\b(?:the|of|and)\b|&/g;

/** What is compared of a name: its letters and digits. `St.` is `Saint`. */
function keyOf(name: string): string {
  const folded = fold(name);
  // AND is Andorra's code, and ST that of São Tomé.
  const isCode = folded.length <= MOST_OF_CODE;
  const words = isCode ? folded : folded.replace(FILLING, ' ').replace(/\bst\b/g, 'saint');
  return words.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Codes have at most this many letters. */
export const MOST_OF_CODE = 3;

/** Names with their areas. What names two areas names none. */
class NameIndex {
  readonly #areas = new Map<string, string | undefined>();

  add(name: string, area: string): void {
    const key = keyOf(name);
    const known = this.#areas.has(key) ? this.#areas.get(key) : area;
    this.#areas.set(key, known === area ? area : undefined);
  }

  /** Adds a name that gives way to those that are there. */
  addUnlessTaken(name: string, area: string): void {
    const key = keyOf(name);
    if (!this.#areas.has(key)) this.#areas.set(key, area);
  }

  find(name: string): string | undefined {
    const key = keyOf(name);
    return key === '' ? undefined : this.#areas.get(key);
  }
}

/** Each US state and territory: its postal code, its code of FIPS 5-2, its name. */
const STATES =
  'AL01Alabama|AK02Alaska|AZ04Arizona|AR05Arkansas|CA06California|CO08Colorado|CT09Connecticut|DE10Delaware|DC11District of Columbia|FL12Florida|GA13Georgia|HI15Hawaii|ID16Idaho|IL17Illinois|IN18Indiana|IA19Iowa|KS20Kansas|KY21Kentucky|LA22Louisiana|ME23Maine|MD24Maryland|MA25Massachusetts|MI26Michigan|MN27Minnesota|MS28Mississippi|MO29Missouri|MT30Montana|NE31Nebraska|NV32Nevada|NH33New Hampshire|NJ34New Jersey|NM35New Mexico|NY36New York|NC37North Carolina|ND38North Dakota|OH39Ohio|OK40Oklahoma|OR41Oregon|PA42Pennsylvania|RI44Rhode Island|SC45South Carolina|SD46South Dakota|TN47Tennessee|TX48Texas|UT49Utah|VT50Vermont|VA51Virginia|WA53Washington|WV54West Virginia|WI55Wisconsin|WY56Wyoming|AS60American Samoa|GU66Guam|MP69Commonwealth of the Northern Mariana Islands|PR72Puerto Rico|VI78United States Virgin Islands';

type State = { readonly postal: string; readonly fips: string; readonly name: string };

export const US_STATES: readonly State[] = STATES.split('|').map((text) => {
  return { postal: text.slice(0, 2), fips: text.slice(2, 4), name: text.slice(4) };
});

const NAMES_OF_STATES: Readonly<Record<string, readonly string[]>> = {
  'District of Columbia': ['Washington DC', 'Washington, D.C.', 'D.C.'],
  'Commonwealth of the Northern Mariana Islands': ['Northern Mariana Islands'],
  'United States Virgin Islands': ['US Virgin Islands', 'U.S. Virgin Islands', 'Virgin Islands'],
};

/** A code of digits, which may lack its leading zeros; with the Census Bureau's prefix, or without. */
function codeOf(value: string, digits: number): string | undefined {
  const code = /^(?:\d{7}US)?(\d+)$/.exec(value.trim())?.[1];
  if (code === undefined || code.length > digits) return undefined;
  // More than one zero is never lost of a code: 1 of 01, 1001 of 01001.
  return code.length < digits - (digits === 3 ? 2 : 1) ? undefined : code.padStart(digits, '0');
}

function stateFinder(): AreaFinder {
  const index = new NameIndex();
  const byFips = new Map(US_STATES.map(({ fips, name }) => [fips, name]));
  for (const { postal, name } of US_STATES) {
    for (const one of [name, postal, ...(NAMES_OF_STATES[name] ?? [])]) index.add(one, name);
  }
  return (value) => {
    const code = codeOf(value, 2);
    return code === undefined ? index.find(value) : byFips.get(code);
  };
}

/** Languages whose names of countries are known; that of a block is too. */
const LANGUAGES = ['en', 'de', 'es'];

function countryFinder(lang: string | undefined): AreaFinder {
  const index = new NameIndex();
  const byNumber = new Map<string, string>();
  for (const [area, names] of Object.entries(OTHER_NAMES)) {
    for (const name of names) index.add(name, area);
  }
  const namesOf = [...LANGUAGES, ...(lang === undefined ? [] : [lang])].flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' }),
    ),
  );
  for (const [two, three] of COUNTRY_CODES) {
    index.add(two, two);
    index.add(three, two);
  }
  // A code comes first: RU is Russia, and in Spanish short for the United Kingdom.
  for (const [two] of COUNTRY_CODES) {
    for (const names of namesOf) index.addUnlessTaken(names.of(two) ?? two, two);
  }
  // Intl knows countries by their numbers too.
  for (let number = 1; number < 1000; number++) {
    const digits = String(number).padStart(3, '0');
    const two = new Intl.Locale(`und-${digits}`).region ?? '';
    if (COUNTRY_CODES.some(([one]) => one === two)) byNumber.set(digits, two);
  }
  return (value) => {
    const code = codeOf(value, 3);
    return code === undefined ? index.find(value) : byNumber.get(code);
  };
}

/** Counties, and what states without counties have. */
const COUNTY =
  /^(.{1,80}?)\s+(?:county|parish|borough|census area|municipality|municipio|city and borough)$/i;

/** Cities that are in no county have these numbers in their states. */
const FIRST_CITY = 510;

/** A county as the outlines have it: its code of FIPS 6-4, and its name without `County`. */
export type County = { readonly fips: string; readonly name: string };

function countyFinder(counties: readonly County[]): AreaFinder {
  const byFips = new Set(counties.map(({ fips }) => fips));
  const findState = stateFinder();
  const fipsOf = new Map(US_STATES.map(({ name, fips }) => [name, fips]));
  const byState = new Map<string, NameIndex>();
  for (const { fips, name } of counties) {
    const state = fips.slice(0, 2);
    const index = byState.get(state) ?? new NameIndex();
    byState.set(state, index);
    const isCity = Number(fips.slice(2)) >= FIRST_CITY;
    index.add(name, fips);
    index.add(`${name} ${isCity ? 'city' : 'county'}`, fips);
  }
  const inState = (name: string, state: string | undefined) => {
    const index = byState.get(fipsOf.get(state ?? '') ?? '');
    if (index === undefined) return undefined;
    const county = COUNTY.exec(name)?.[1];
    return index.find(county === undefined ? name : `${county} county`);
  };
  return (value, within) => {
    const code = codeOf(value, 5);
    if (code !== undefined) return byFips.has(code) ? code : undefined;
    const comma = value.lastIndexOf(',');
    if (comma > 0) {
      return inState(value.slice(0, comma).trim(), findState(value.slice(comma + 1)));
    }
    return within === undefined ? undefined : inState(value.trim(), findState(within));
  };
}

/** `lang` is the language of the data, in which countries may be named. */
export async function areaFinder(kind: AreaKind, lang?: string): Promise<AreaFinder> {
  if (kind === 'us-states') return stateFinder();
  if (kind === 'countries') return countryFinder(lang);
  const { countyNames } = await import('../figure/earth/counties.ts');
  return countyFinder(countyNames());
}
