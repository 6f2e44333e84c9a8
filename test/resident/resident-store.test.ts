import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Field, Row } from '../../src/fields/field.ts';
import { Budget } from '../../src/query/budget.ts';
import { keyRow, matches, type Predicate } from '../../src/query/predicate.ts';
import { textsOf } from '../../src/query/row-texts.ts';
import { residentStore } from '../../src/resident/resident-store.ts';

const FIELDS: Field[] = [
  { type: 'text', name: 'name', title: 'Name' },
  { type: 'number', name: 'size', title: 'Size' },
  { type: 'number', name: 'weight', title: 'Weight' },
];

describe('a store of 2,000 rows', () => {
  const rows: Row[] = fc.sample(
    fc.record({
      name: fc.option(fc.integer({ min: 0, max: 300 }).map(String)),
      size: fc.option(fc.integer({ min: 0, max: 1000 })),
      weight: fc.option(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (x === 0 ? 0 : x)),
      ),
    }),
    { numRuns: 2000, seed: 12 },
  );
  const keyed = rows.map((row) => keyRow(FIELDS, row));
  const store = residentStore(FIELDS, keyed);

  test('gives what the predicate over rows gives, in order, however few or many match', async () => {
    const end = fc.option(fc.integer({ min: -10, max: 1010 }), { nil: undefined });
    const width = fc.constantFrom(0, 1, 20, 500, undefined);
    const condition = fc
      .record({
        min: end,
        width,
        names: fc.uniqueArray(fc.integer({ min: 0, max: 310 }).map(String), { maxLength: 3 }),
        positive: fc.boolean(),
        not: fc.constantFrom(true as const, undefined),
        isEmpty: fc.subarray(['size', 'name', 'weight'], { maxLength: 1 }),
      })
      .map(
        ({ min = 0, width: w = 0, names, positive, not, isEmpty }): Predicate => [
          {
            ...{ test: 'ranges', field: 'size', parameters: ['size'] },
            anyOf: [[min, min + w], ...(w === 20 ? [[min + 100, min + 130] as const] : [])],
            ...(not ? { not } : {}),
          },
          ...(names.length === 0
            ? []
            : [
                {
                  ...{ test: 'patterns' as const, field: 'name', parameters: ['name'] },
                  byDigits: false,
                  anyOf: names.map((n) => [n]),
                  ...(not ? { not } : {}),
                },
              ]),
          ...(positive
            ? [
                {
                  ...{ test: 'ranges' as const, field: 'weight', parameters: ['weight_min'] },
                  anyOf: [[0, Number.POSITIVE_INFINITY] as const],
                },
              ]
            : []),
          ...isEmpty.map((field) => ({
            ...{ test: 'empty' as const, field, parameters: ['_empty'] },
            ...(positive ? { not: true as const } : {}),
          })),
        ],
      );
    await fc.assert(
      fc.asyncProperty(condition, async (predicate) => {
        const expected = rows.filter((_, i) => matches(predicate, keyed[i] as (typeof keyed)[0]));
        const query = { predicate, limit: 1000 };
        const page = await store.read({ path: 'resident', query }, new Budget());
        expect(page.total).toBe(expected.length);
        expect(textsOf(page.rows).map((text) => JSON.parse(text))).toEqual(expected.slice(0, 1000));
      }),
      { seed: 13, numRuns: 400 },
    );
  });
});
