import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GroupBitmaps, MOST_GROUPS_WITH_BITS } from '../../src/measures/counts.ts';

test('a pair is new once, as in a set, whatever comes between', () => {
  const number = fc.oneof(fc.nat(9), fc.nat(200_000));
  const pairs = fc.array(fc.tuple(fc.nat(MOST_GROUPS_WITH_BITS - 1), number), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(pairs, (all) => {
      const [bits, known] = [new GroupBitmaps(), new Set<string>()];
      for (const [group, number] of all) {
        expect(bits.add(group, number)).toBe(!known.has(`${group} ${number}`));
        known.add(`${group} ${number}`);
      }
      const most = Math.max(-1, ...all.map(([, number]) => number));
      expect(bits.byteLength).toBeGreaterThanOrEqual((most + 1) / 8);
    }),
    { seed: 5, numRuns: 300 },
  );
});
