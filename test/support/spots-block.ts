import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';

/** Rows with places. */
export const spotsBlock = datasetBlock({
  id: 'spots-id',
  name: 'spots',
  title: 'Spots',
  description: 'Made by a test.',
  examples: [],
  fields: [
    { type: 'text', name: 'name', title: 'Name' },
    { type: 'text', name: 'kind', title: 'Kind', indexed: true },
    { type: 'phone', name: 'phone', title: 'Phone' },
    { type: 'integer', name: 'seats', title: 'Seats' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude', filterable: false },
  ],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

const or = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 6 });

/** Places close to each other, on both sides of the 180th meridian, at the poles, and some twice. */
const place = fc.oneof(
  fc.constantFrom<[number, number]>([180, 10], [-180, 10], [179.9995, 10], [-179.999, 10.0004]),
  fc.constantFrom<[number, number]>([0, 90], [120, 89.9999], [-60, 89.9999], [7, -90], [0, 0]),
  fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }))
    .map(([x, y]): [number, number] => [-73.99 + x / 5000, 40.68 + y / 5000]),
  fc.constantFrom<[number | null, number | null]>([null, null], [5, null], [null, 5]),
  // No places: their latitude or longitude does not exist.
  fc.constantFrom<[number, number]>([10, 95], [200, 10]),
);

const row: fc.Arbitrary<Row> = fc
  .record({
    name: or(['Café du Nord', 'Court St', 'Łódź-West', 'a*b', '中央 cafe', 'x']),
    kind: or(['Retail', 'Café', 'retail shop']),
    phone: or(['718-624-7581', '1 (718) 624-7581', '7186240000']),
    seats: or([0, 7, -3, 120]),
    place,
  })
  .map(({ place: [lon, lat], ...cells }) => ({ ...cells, lon, lat }));

export function sampleSpots(count: number, seed: number): Row[] {
  return fc.sample(row, { numRuns: count, seed });
}
