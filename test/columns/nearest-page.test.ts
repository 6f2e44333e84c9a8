import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearConditions } from '../../src/query/predicate.ts';
import type { Query } from '../../src/query/row-store.ts';
import type { Field } from '../../src/values/field-types.ts';
import { haversine, type Near, type Point } from '../../src/values/places.ts';
import { ampleBudget } from '../support/ample.ts';
import { keyRow } from '../support/key-row.ts';
import { memoryRows } from '../support/memory-rows.ts';

const FIELDS: readonly Field[] = [
  { type: 'number', name: 'longitude', title: 'Longitude' },
  { type: 'number', name: 'latitude', title: 'Latitude' },
];
const ROWS_PER_CHUNK = 40;
/** After so many searches, the rows of a chunk are looked up in the order of their latitudes. */
const SEARCHES = 6;

const longitude: fc.Arbitrary<number> = fc.constantFrom(
  -180,
  -179.9,
  -73.95,
  -73.94,
  0,
  90,
  106.05,
  179.9,
  180,
);
const latitude: fc.Arbitrary<number> = fc.constantFrom(
  -90,
  -89.9,
  -40.7,
  0,
  40.69,
  40.7,
  40.71,
  89.9,
  90,
);
const place = fc.tuple(longitude, latitude);
const page = fc.record({ at: place, limit: fc.integer({ min: 1, max: 30 }) });

test.each<[string, fc.Arbitrary<[number | null, number | null]>]>([
  ['each row has a place', place],
  ['some rows have none', fc.option(place, { freq: 4, nil: [null, null] })],
  ['some rows have half of one', fc.tuple(fc.option(longitude), fc.option(latitude))],
])('pages of the nearest rows go on as if all distances were told, where %s', async (_, its) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(its, { minLength: 1, maxLength: 3 * ROWS_PER_CHUNK }),
      fc.array(page, { minLength: 1, maxLength: 3 }),
      async (places, pages) => {
        const rows = places.map((one) => keyRow(FIELDS, { longitude: one[0], latitude: one[1] }));
        const store = memoryRows(FIELDS, rows, { rowsPerChunk: ROWS_PER_CHUNK });
        const read = (query: Query) => store.read(query, ampleBudget());
        for (const { at, limit } of [
          ...Array.from({ length: SEARCHES }, () => pages[0]),
          ...pages,
        ] as typeof pages) {
          const near: Near = { at, longitude: 'longitude', latitude: 'latitude' };
          const query = { predicate: nearConditions(near), near, limit };
          const expected = places
            .flatMap((one, i) =>
              one.includes(null) ? [] : [{ i, far: haversine(one as Point, at) }],
            )
            .sort((a, b) => a.far - b.far || a.i - b.i)
            .map(({ i }) => i);
          const found: number[] = [];
          for (let after: number | undefined; ; ) {
            const { positions, total, last } = await read(
              after === undefined ? query : { ...query, after },
            );
            expect(total).toBe(expected.length);
            found.push(...Array.from(positions ?? []));
            if (last === undefined) break;
            after = last;
          }
          expect(found).toEqual(expected);
        }
      },
    ),
    { seed: 7, numRuns: 60 },
  );
});
