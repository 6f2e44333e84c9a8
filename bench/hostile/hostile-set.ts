import { type DatasetBlock, datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import { oneOf, type Random, seededRandom, wholeNumber } from '../data/seeded-random.ts';

/** Distinct values of each text column at most; the first has one for each row. */
const DISTINCT = [
  Number.POSITIVE_INFINITY,
  20_000,
  20_000,
  5000,
  1000,
  1000,
  200,
  50,
  20,
  5,
] as const;
const NUMBERS = 27;

const OPENED: Field = {
  type: 'datetime',
  name: 'opened',
  title: 'opened',
  timeZone: 'America/New_York',
};

/** What a publisher may well have, and what is dear to search: 40 columns, half of them texts. */
export const hostileBlock: DatasetBlock = datasetBlock({
  id: 'hostile-id',
  name: 'hostile',
  title: 'Large and public',
  description: 'Made rows, for a search for slow requests.',
  fields: [
    ...DISTINCT.map((_, i) => text(textName(i))),
    { ...text('phone'), type: 'phone' },
    ...Array.from({ length: NUMBERS }, (_, i) => range(`n${i}`)),
    range('longitude'),
    range('latitude'),
    OPENED,
  ],
  geometry: { kind: 'points', longitude: 'longitude', latitude: 'latitude' },
  examples: [],
});

/** A page of 1000 rows has 4 MB. */
export const longBlock: DatasetBlock = datasetBlock({
  id: 'long-id',
  name: 'long',
  title: 'Long texts',
  description: 'Made rows, each a long text.',
  fields: [text('body')],
  examples: [],
});

export function longRows(count: number): Row[] {
  const random = seededRandom(12);
  return Array.from({ length: count }, () => ({ body: letters(random, 4000) }));
}

function text(name: string): Field {
  return { type: 'text', name, title: name };
}

function range(name: string): Field {
  return { type: 'number', name, title: name };
}

function textName(i: number): string {
  return i === 0 ? 'name' : `t${i}`;
}

export function hostileRows(rows: number): Row[] {
  const random = seededRandom(11);
  const words = Array.from({ length: 4000 }, () => letters(random, wholeNumber(random, 2, 12)));
  const phrase = () =>
    Array.from({ length: wholeNumber(random, 1, 5) }, () => oneOf(random, words)).join(' ');
  const values = DISTINCT.map((count) =>
    Array.from({ length: Math.min(count, rows) }, (_, i) =>
      i % 50 === 0 ? `Ströme ${phrase()}` : `${phrase()} ${i}`,
    ),
  );
  return Array.from({ length: rows }, (_, row) => ({
    ...Object.fromEntries(
      values.map((list, i) => [
        textName(i),
        list[i === 0 ? row : wholeNumber(random, 0, list.length - 1)] as string,
      ]),
    ),
    phone: `(718) ${wholeNumber(random, 100, 999)}-${wholeNumber(random, 1000, 9999)}`,
    ...Object.fromEntries(
      Array.from({ length: NUMBERS }, (_, i) => [
        `n${i}`,
        random() < 0.02
          ? null
          : wholeNumber(random, 0, 10 ** ((i % 6) + 1)) / (i % 3 === 0 ? 7 : 1),
      ]),
    ),
    longitude: -74 + random(),
    latitude: 40 + random(),
    opened: typeOf(OPENED).readCell(new Date(2e12 * random()).toISOString(), OPENED) as string,
  }));
}

function letters(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + wholeNumber(random, 0, 25))).join(
    '',
  );
}
