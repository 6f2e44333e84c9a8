import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Dimension, readDimensions } from '../../src/block/grouping.ts';
import { dimensionKey } from '../../src/query/groups.ts';
import type { Field } from '../../src/values/field-types.ts';
import { TIME_PARTS, type TimePartName } from '../../src/values/time-part.ts';

/** Clocks that went back over midnight, left a day out, or are no whole hours from UTC. */
const ZONES = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Apia',
  'Australia/Lord_Howe',
];

/** Clocks were changed then: in Newfoundland a minute behind midnight, in Samoa by a day. */
const CHANGES = ['2006-10-29T02:31:00Z', '2011-12-30T10:00:00Z', '2010-11-07T06:00:00Z'];

const near = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...CHANGES).map(Date.parse),
      fc.tuple(fc.integer({ min: 1890, max: 2150 }), fc.nat(11)).map(([y, m]) => Date.UTC(y, m)),
      fc.nat(11).map((month) => Date.UTC(2012, month)),
    ),
    fc.oneof(
      fc.integer({ min: -200_000, max: 200_000 }),
      fc.integer({ min: -100, max: 100 }).map((halves) => halves * 1800),
    ),
    fc.constantFrom(0, 0, 1, -1, 0.5),
  )
  .map(([at, seconds, ms]) => at + 1000 * seconds + ms);

test.each(ZONES)('a part of a time is the same one, whichever came before it: %s', (timeZone) => {
  const field: Field = { type: 'datetime', name: 'at', title: 'At', timeZone };
  const parts = fc.constantFrom(...(Object.keys(TIME_PARTS) as TimePartName[]));
  fc.assert(
    fc.property(
      parts,
      fc.array(near, { maxLength: 80, size: 'max' }),
      fc.boolean(),
      (part, all, isSorted) => {
        const [dimension] = readDimensions([field], [`at.${part}`]) as [Dimension];
        const key = dimensionKey(dimension);
        const instants = isSorted ? Float64Array.from(all).sort() : all;
        for (const instant of instants) {
          expect(key.keyOf(instant)).toBe(dimensionKey(dimension).keyOf(instant));
        }
      },
    ),
    { seed: 29, numRuns: 400 },
  );
});
