import type { Language } from '../languages/language.ts';
import { haversine, metresOf } from '../values/places.ts';
import type { Ground, Place } from './ground.ts';
import { asWritten, numberWords } from './numbers.ts';
import type { Question } from './question.ts';
import { cutName } from './shape.ts';
import { sentence, type Words } from './words.ts';

/** What is said of places on a map and outside of it. */

/** A place in words: `40.68° N, 73.99° W`. */
export function placeText([longitude, latitude]: Place, language: Language, decimals = 4): string {
  const north = degreesText(latitude, 'latitude', decimals, language);
  return `${north}, ${degreesText(longitude, 'longitude', decimals, language)}`;
}

/** Degrees and their side of the earth: `73.99° W`. */
export function degreesText(
  degrees: number,
  side: keyof typeof SIDES,
  decimals: number,
  language: Language,
): string {
  const number = Math.abs(degrees).toFixed(decimals);
  const [plus, less] = SIDES[side];
  const isLess = degrees < 0 && Number(number) !== 0;
  return language.say(isLess ? less : plus, { degrees: asWritten(number, language) });
}

const SIDES = {
  latitude: ['{degrees}° N', '{degrees}° S'],
  longitude: ['{degrees}° E', '{degrees}° W'],
} as const;

/** What is read aloud of a map: its greatest squares or areas, or its first places. */
export const MOST_ALOUD = 3;
const MOST_PLACES_ALOUD = 5;

/** Longer names are cut. */
const LONGEST = 60;

/** The greatest marks of a map with their numbers, for those who do not see it. */
export function greatestAloud(
  marks: readonly { readonly name: string; readonly text: string }[],
  { say }: Language,
): string | undefined {
  if (marks.length === 0) return undefined;
  const list = marks
    .slice(0, MOST_ALOUD)
    .map(({ name, text }) => `${cutName(name, LONGEST)}: ${text}`);
  return say('The most: {list}.', { list: list.join('; ') });
}

/** The first places of a map by their names. */
export function placesAloud(names: readonly string[], { say }: Language): string | undefined {
  if (names.length === 0) return undefined;
  const first = names.slice(0, MOST_PLACES_ALOUD).map((name) => cutName(name, LONGEST));
  const more = names.length - first.length;
  const list = first.join(', ');
  return say('Places: {list}.', {
    list: more === 0 ? list : say('{first} and {count} more', { first: list, count: more }),
  });
}

export function distanceText(metres: number, language: Language): string {
  const { short } = numberWords({ language, field: { name: '', type: 'number' }, values: [] });
  if (metres < 1000) return `${Math.round(metres)} m`;
  const km = metres / 1000;
  return `${km < FAR ? short(km) : language.number(Math.round(km))} km`;
}

/** From here on, kilometres are written out. */
const FAR = 10_000;

type Named = { readonly name: string; readonly place: Place };

/**
 * Which of the places outside of a block's own map is the farthest: it may be an error of the source.
 * Where a part was asked for, any place may be outside. No word is bold: a list of blocks quotes the
 * first sentence that has one, and this one is not what a map shows.
 */
export function farthestSentence(
  { frame, here, known: { language } }: Question,
  { box: [west, south, east, north] }: Ground,
  outside: readonly Named[],
): Words[] {
  if (frame !== undefined || here !== undefined || outside.length === 0) return [];
  const middle: Place = [(west + east) / 2, (south + north) / 2];
  const farthest = outside
    .map(({ name, place }) => ({ name, metres: metresOf(haversine(place, middle)) }))
    .reduce((most, one) => (one.metres > most.metres ? one : most));
  return [
    sentence(language, 'The farthest, {name}, is {distance} from its middle.', {
      name: cutName(farthest.name, LONGEST),
      distance: distanceText(farthest.metres, language),
    }),
  ];
}
