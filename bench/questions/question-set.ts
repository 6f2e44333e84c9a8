import { type DatasetBlock, datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import { oneOf, seededRandom, wholeNumber } from '../data/seeded-random.ts';

/** Requests of a city, as many have them: what, where, when, and what it cost. */
const FIELDS: readonly Field[] = [
  { type: 'integer', name: 'number', title: 'Number' },
  ...['category', 'status', 'borough', 'kind', 'agency', 'district', 'name', 'street'].map(
    (name): Field => ({ type: 'text', name, title: name }),
  ),
  { type: 'integer', name: 'units', title: 'Units' },
  { type: 'number', name: 'amount', title: 'Amount' },
  { type: 'datetime', name: 'created', title: 'Created', timeZone: 'America/New_York' },
  { type: 'number', name: 'longitude', title: 'Longitude' },
  { type: 'number', name: 'latitude', title: 'Latitude' },
];

export const questionBlock: DatasetBlock = datasetBlock({
  id: 'questions-id',
  name: 'questions',
  title: 'Requests',
  description: 'Made rows, to ask questions of.',
  fields: FIELDS,
  geometry: { kind: 'points', longitude: 'longitude', latitude: 'latitude' },
  examples: [],
});

const CREATED = FIELDS.find(({ name }) => name === 'created') as Field;
const FROM = Date.parse('2015-01-01T00:00:00Z');
const YEARS_10 = 3652 * 86_400_000;

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${String(i).padStart(4, '0')}`);
const CATEGORIES = named('category', 5);
const STATUSES = named('status', 4);
const BOROUGHS = named('borough', 5);
const KINDS = named('kind', 35);
const AGENCIES = named('agency', 12);
const DISTRICTS = named('district', 1280);

/** Lower-case ASCII, so that every engine compares it alike. */
const WORDS = (() => {
  const random = seededRandom(3);
  return Array.from({ length: 4000 }, () =>
    Array.from({ length: wholeNumber(random, 3, 9) }, () =>
      String.fromCharCode(97 + Math.floor(26 * random() ** 2)),
    ).join(''),
  );
})();

/** The rows, one after another, so that memory does not hold them. */
export function* questionRows(count: number): Generator<Row> {
  const random = seededRandom(count);
  for (let number = 0; number < count; number++) {
    const at = new Date(FROM + Math.floor(random() * YEARS_10)).toISOString();
    yield {
      number,
      category: oneOf(random, CATEGORIES),
      status: STATUSES[Math.floor(4 * random() ** 2)] as string,
      borough: oneOf(random, BOROUGHS),
      kind: KINDS[Math.floor(35 * random() ** 2)] as string,
      agency: oneOf(random, AGENCIES),
      district: oneOf(random, DISTRICTS),
      name: `${oneOf(random, WORDS)} ${oneOf(random, WORDS)}`,
      street: `${wholeNumber(random, 1, 999)} ${oneOf(random, WORDS)} street`,
      units: wholeNumber(random, 0, 9),
      amount: random() < 0.05 ? null : wholeNumber(random, 0, 1_000_000) / 100,
      created: typeOf(CREATED).readCell(at, CREATED) as string,
      longitude: Math.round((-74.2 + 0.5 * random()) * 1e6) / 1e6,
      latitude: Math.round((40.5 + 0.4 * random()) * 1e6) / 1e6,
    };
  }
}
