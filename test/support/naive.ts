import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import type { PointFields } from '../../src/values/places.ts';

/** Section 2 of the contract read naively, sharing no code with the product: the oracle. */
export type NaiveQuery = {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sort?: NaiveSort;
  readonly geometry?: PointFields | undefined;
};

export type NaiveSort = { field: string; descending: boolean; second?: NaiveSort };

/** The order that a `_sort` asks for. */
export function naiveSort(text: unknown): NaiveSort | undefined {
  if (typeof text !== 'string') return undefined;
  const [first = '', second] = text.split(',');
  const by = { field: first.replace(/^-/, ''), descending: first.startsWith('-') };
  const behind = naiveSort(second);
  return behind === undefined ? by : { ...by, second: behind };
}

/** Arguments as they are once read: `_sort` is a list. */
export function asRead(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { _sort: sort } = values;
  return typeof sort === 'string' ? { ...values, _sort: sort.split(',') } : { ...values };
}

/** What a row must pass: by the value of one field alone, or by more of the row. */
export type NaiveTest = {
  readonly field?: string;
  /** Of which one suffices, each all of its tests. */
  readonly alternatives?: readonly (readonly NaiveTest[])[];
  readonly passes: (row: Row) => boolean;
};

/** The positions of all rows that match, in order. */
export function naiveRows(
  fields: readonly Field[],
  rows: readonly Row[],
  query: NaiveQuery,
): number[] {
  const tests = naiveTests(fields, query);
  const { arguments: given, sort } = query;
  const found = rows.flatMap((row, i) => (tests.every(({ passes }) => passes(row)) ? [i] : []));
  if (sort === undefined && given._near !== undefined) {
    const far = (i: number) => distanceOf(rows[i] as Row, given._near, query.geometry) as number;
    return found.sort((a, b) => far(a) - far(b) || a - b);
  }
  // A sort is stable, so the second order is the first to be made.
  for (const by of sort === undefined ? [] : [sort.second, sort]) {
    const field = fields.find(({ name }) => name === by?.field);
    if (by === undefined || field === undefined) continue;
    const keys = new Map(found.map((i) => [i, naiveKey(field, rows[i] as Row)]));
    found.sort((a, b) => {
      const [x, y] = [keys.get(a) ?? null, keys.get(b) ?? null];
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      return (by.descending ? -1 : 1) * inOrder(x, y);
    });
  }
  return found;
}

/** All that a query asks of a row. */
export function naiveTests(fields: readonly Field[], query: NaiveQuery): readonly NaiveTest[] {
  const { arguments: given, geometry } = query;
  const alternatives = alternativesOf(given).map((one) => naiveTests(fields, { arguments: one }));
  const asked = ({ name }: Field) =>
    [name, `${name}_min`, `${name}_max`, `_not.${name}`].some((one) => given[one] !== undefined) ||
    [given._empty, given._filled].flat().includes(name);
  return [
    ...fields.filter(asked).map((field) => ({ field: field.name, passes: passerOf(field, given) })),
    ...(given._q === undefined ? [] : wordTests(fields, given._q)),
    ...(alternatives.length === 0 ? [] : [oneOfThem(alternatives)]),
    ...(given._bbox === undefined
      ? []
      : [{ passes: (row: Row) => isInBox(row, given._bbox, geometry) }]),
    ...(given._near === undefined
      ? []
      : [{ passes: (row: Row) => isWithin(row, given, geometry) }]),
  ];
}

/** What a row is ordered by; null comes last. */
export function naiveKey(field: Field, row: Row): Exclude<Value, null> | null {
  const raw = row[field.name] ?? null;
  if (typeof raw !== 'string') return raw;
  return field.type === 'datetime' ? milliseconds(raw) : compared(field, raw) || null;
}

/** Numbers by value, texts by the bytes of their UTF-8. */
export function inOrder(x: Exclude<Value, null>, y: Exclude<Value, null>): number {
  if (x === y) return 0;
  if (typeof x !== 'string') return Number(x) < Number(y) ? -1 : 1;
  return Buffer.compare(Buffer.from(x), Buffer.from(y as string));
}

type RawArguments = Readonly<Record<string, unknown>>;

/** What is sent is read once, not for each row. */
function passerOf(field: Field, given: RawArguments): (row: Row) => boolean {
  const { name, type } = field;
  const isAsked = (option: string) => ((given[option] ?? []) as string[]).includes(name);
  const [isEmpty, isFilled] = [isAsked('_empty'), isAsked('_filled')];
  const [wanted, not] = [given[name], given[`_not.${name}`]];
  const [min, max] = [given[`${name}_min`], given[`${name}_max`]];
  const isWanted = wanted === undefined ? undefined : anyOf(field, wanted);
  const isUnwanted = not === undefined ? undefined : anyOf(field, not);
  const isBounded = min !== undefined || max !== undefined;
  return (row) => {
    const value = row[name] ?? null;
    if (isEmpty || isFilled) {
      const hasValue = type === 'text' ? naiveFold(String(value ?? '')) !== '' : value !== null;
      if (hasValue ? isEmpty : isFilled) return false;
    }
    if (value === null) return isWanted === undefined && !isBounded;
    if (isUnwanted?.(value) || isWanted?.(value) === false) return false;
    return (
      (min === undefined || isAtLeast(field, value, min)) &&
      (max === undefined || isAtMost(field, value, max))
    );
  };
}

function oneOfThem(alternatives: readonly (readonly NaiveTest[])[]): NaiveTest {
  return {
    alternatives,
    passes: (row) => alternatives.some((tests) => tests.every(({ passes }) => passes(row))),
  };
}

/** The filters of each number. */
function alternativesOf(given: RawArguments): RawArguments[] {
  const all: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(given)) {
    const [, number = '', own = ''] = /^_or\.(\d)\.(.*)$/.exec(name) ?? [];
    if (number !== '') all[number] = { ...all[number], [own]: value };
  }
  return Object.values(all);
}

/** In metres; undefined if the row has no place. By the haversine formula, on a sphere. */
export function distanceOf(
  row: Row,
  near: unknown,
  geometry: PointFields | undefined,
): number | undefined {
  const [lon, lat] = [row[geometry?.longitude ?? ''], row[geometry?.latitude ?? '']];
  if (typeof lon !== 'number' || typeof lat !== 'number') return undefined;
  if (Math.abs(lon) > 180 || Math.abs(lat) > 90) return undefined;
  const [fromLon = 0, fromLat = 0] = String(near).split(',').map(Number);
  const radians = Math.PI / 180;
  const a = Math.sin(((lat - fromLat) * radians) / 2);
  // Around the back of the earth, each goes to the 180th meridian, which has two names.
  const [front, back] = [Math.abs(lon - fromLon), 180 - Math.abs(lon) + (180 - Math.abs(fromLon))];
  const b = Math.sin((Math.min(front, front > 180 ? back : front) * radians) / 2);
  // At a pole all longitudes are the same place, but π/2 is rounded.
  const cosine = (degrees: number) => (Math.abs(degrees) === 90 ? 0 : Math.cos(degrees * radians));
  const h = a * a + cosine(fromLat) * cosine(lat) * (b * b);
  return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

const UNITS: Readonly<Record<string, number>> = { m: 1, km: 1000, mi: 1609.344, ft: 0.3048 };

function isWithin(row: Row, given: RawArguments, geometry: PointFields | undefined): boolean {
  const far = distanceOf(row, given._near, geometry);
  const [, number = 'Infinity', unit = 'm'] = /^([\d.]+)(\w+)$/.exec(String(given._within)) ?? [];
  return far !== undefined && far <= Number(number) * (UNITS[unit] as number);
}

/** Walks east from the west until it meets the longitude. */
function isInBox(row: Row, box: unknown, geometry: PointFields | undefined): boolean {
  if (geometry === undefined) return false;
  const [west = 0, south = 0, east = 0, north = 0] = String(box).split(',').map(Number);
  const [lon, lat] = [row[geometry.longitude], row[geometry.latitude]];
  if (typeof lon !== 'number' || typeof lat !== 'number' || Math.abs(lon) > 180) return false;
  const isBetween = (lon: number) =>
    west > east ? !(lon > east && lon < west) : !(lon < west) && !(lon > east);
  const isThere = isBetween(lon) || (Math.abs(lon) === 180 && isBetween(-lon));
  return isThere && south <= lat && lat <= north;
}

/** That each word begins one of the row's, in whatever field. */
function wordTests(fields: readonly Field[], asked: unknown): readonly NaiveTest[] {
  const read = fields.filter(
    ({ type, filterable }) => TEXTS.includes(type) && filterable !== false,
  );
  return words(String(asked))
    .filter((word) => word !== '')
    .map((word) =>
      oneOfThem(
        read.map((field) => [
          {
            field: field.name,
            passes: (row) =>
              wordsOf(field, String(row[field.name] ?? '')).some((one) => one.startsWith(word)),
          },
        ]),
      ),
    );
}

function wordsOf(field: Field, text: string): readonly string[] {
  if (field.type !== 'phone') return words(text);
  const known = WORDS_OF_PHONES.get(text);
  if (known !== undefined) return known;
  const digits = naiveFold(text).replace(/[^0-9]/g, '');
  const found = [...words(text), digits, compared(field, text)];
  WORDS_OF_PHONES.set(text, found);
  return found;
}

function words(text: string): readonly string[] {
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  const found = naiveFold(text).split(/[^\p{L}\p{M}\p{N}]+/u);
  WORDS.set(text, found);
  return found;
}

const TEXTS = ['text', 'phone', 'link'];

function anyOf(field: Field, wanted: unknown): (value: Value) => boolean {
  const tests = [wanted].flat().map((one) => equals(field, one));
  return (value) => tests.some((isEqual) => isEqual(value));
}

function equals(field: Field, wanted: unknown): (value: Value) => boolean {
  if (field.type === 'date' || field.type === 'datetime') {
    return (value) => isAtLeast(field, value, wanted) && isAtMost(field, value, wanted);
  }
  if (typeof wanted !== 'string') return (value) => value === wanted;
  const passes = textTest(field, wanted);
  return (value) => passes(String(value));
}

/** A date's text has the order of its dates; a part of one is as long as it is exact. */
function isAtLeast(field: Field, value: Value, min: unknown): boolean {
  if (field.type !== 'date' && field.type !== 'datetime')
    return (value as number) >= (min as number);
  const text = String(min);
  if (!text.includes(':')) return String(value).slice(0, text.length) >= text;
  return milliseconds(String(value)) >= milliseconds(text);
}

function isAtMost(field: Field, value: Value, max: unknown): boolean {
  if (field.type !== 'date' && field.type !== 'datetime')
    return (value as number) <= (max as number);
  const text = String(max);
  if (!text.includes(':')) return String(value).slice(0, text.length) <= text;
  // A minute, a second, or what a fraction of one is of.
  const [, , second, fraction] = /T\d\d:(\d\d)(:\d\d)?(\.\d+)?/.exec(text) ?? [];
  const step = fraction !== undefined ? 1000 / 10 ** (fraction.length - 1) : second ? 1000 : 60_000;
  return milliseconds(String(value)) < milliseconds(text) + step;
}

function milliseconds(text: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

function textTest(field: Field, wanted: string): (stored: string) => boolean {
  const isDigits = field.type === 'phone';
  const pieces = wanted
    .split(/(\\\*|\*)/)
    .map((piece) =>
      piece === '\\*' ? { literal: '*' } : piece === '*' ? null : { literal: piece },
    );
  const text = pieces.map((piece) => (piece === null ? '\u{f0000}' : piece.literal)).join('');
  if (!pieces.includes(null)) {
    const own = compared(field, text);
    return (stored) => compared(field, stored) === own;
  }
  const folded = isDigits ? naiveFold(text).replace(/[^0-9\u{f0000}]/gu, '') : naiveFold(text);
  const source = folded
    .split('\u{f0000}')
    .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`^${source.join('[^]*')}$`, 'u');
  return (stored) => {
    const target = isDigits ? naiveFold(stored).replace(/[^0-9]/g, '') : naiveFold(stored);
    return target !== '' && pattern.test(target);
  };
}

export function compared(field: Field, text: string): string {
  const folded = naiveFold(text);
  if (field.type !== 'phone') return folded;
  const digits = folded.replace(/[^0-9]/g, '');
  return /^1[0-9]{10}$/.test(digits) ? digits.slice(1) : digits;
}

/** What was made of each text: most are read again by the next query. */
const FOLDED = new Map<string, string>();
const WORDS = new Map<string, readonly string[]>();
const WORDS_OF_PHONES = new Map<string, readonly string[]>();

function naiveFold(text: string): string {
  const known = FOLDED.get(text);
  if (known !== undefined) return known;
  const folded = foldAnew(text);
  FOLDED.set(text, folded);
  return folded;
}

/** For the letters that the tests use: accents go, case goes, ß is ss, ł is l. */
function foldAnew(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b\u00ad]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ς', 'σ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
