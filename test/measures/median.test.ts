import { expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import type { MatchingValues } from '../../src/measures/measure.ts';
import { GroupNumbers } from '../../src/measures/median.ts';
import { finish } from '../../src/work/work.ts';
import { ampleBudget } from '../support/ample.ts';

/** The numbers of a chunk's rows, as a column gives them: sorted, one group after another. */
function chunkOf(groups: readonly (readonly number[])[]): MatchingValues {
  const sorted = groups.map((numbers) => [...numbers].sort((a, b) => a - b));
  const starts = [0];
  for (const { length } of sorted) starts.push((starts.at(-1) as number) + length);
  const found = { numbers: Float64Array.from(sorted.flat()), starts: Uint32Array.from(starts) };
  return { sortedIn: () => found } as unknown as MatchingValues;
}

// More than 2,048 numbers are halved until so few are left.
test.each([
  ['few numbers', 40, 1000],
  ['many different ones', 1500, 1e9],
  ['many of which most are alike', 1500, 3],
  ['many that are all alike', 1500, 1],
])(
  'the middle of %s, over several chunks, is where it is when all are sorted',
  async (_, most, range) => {
    const random = seededRandom(25);
    for (let trial = 0; trial < 12; trial++) {
      const numbers = new GroupNumbers();
      const all: number[][] = [[], []];
      for (let chunk = 0; chunk < 5; chunk++) {
        const groups = all.map(() =>
          Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * range)),
        );
        for (const [group, its] of groups.entries()) all[group]?.push(...its);
        numbers.add(new Uint32Array(), chunkOf(groups));
      }
      for (const [group, its] of all.entries()) {
        its.sort((a, b) => a - b);
        const middle = [its[(its.length - 1) >> 1], its[its.length >> 1]];
        const found = await finish(numbers.around(50, group), ampleBudget());
        expect(found?.slice(0, 2)).toEqual(middle);
      }
    }
  },
);

test('a group without numbers has no middle', async () => {
  const numbers = new GroupNumbers();
  numbers.add(new Uint32Array(), chunkOf([[1], []]));
  expect(await finish(numbers.around(50, 1), ampleBudget())).toBeUndefined();
});
