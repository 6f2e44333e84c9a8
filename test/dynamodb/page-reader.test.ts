import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Batch, inSequence, merged } from '../../src/dynamodb/page-reader.ts';

const row = (position: number) => ({ position, values: {}, keys: {} });

/** Positions as pages of one Query: some empty, each saying how far it came; spent after `most`. */
async function* pagesOf(
  positions: readonly number[],
  cuts: readonly number[],
  most = 1e9,
): AsyncGenerator<Batch | undefined> {
  let from = 0;
  for (const [i, cut] of [...cuts, positions.length].entries()) {
    if (i >= most) return yield undefined;
    const to = Math.max(from, Math.min(cut, positions.length));
    const isLast = i === cuts.length;
    const completeUpTo = isLast
      ? Number.POSITIVE_INFINITY
      : (positions[to] ?? (positions.at(-1) ?? -1) + 1) - 1;
    yield { rows: positions.slice(from, to).map(row), completeUpTo } satisfies Batch;
    from = to;
  }
}

async function read(batches: AsyncGenerator<Batch | undefined>) {
  const positions: number[] = [];
  let completeUpTo = -1;
  for await (const batch of batches) {
    if (batch === undefined) return { positions, completeUpTo, spent: true };
    positions.push(...batch.rows.map(({ position }) => position));
    completeUpTo = batch.completeUpTo;
  }
  return { positions, completeUpTo, spent: false };
}

const split = fc.record({
  owners: fc.array(fc.nat(3), { maxLength: 40 }),
  cuts: fc.array(
    fc.array(fc.nat(15), { maxLength: 4 }).map((c) => c.sort((a, b) => a - b)),
    { minLength: 4, maxLength: 4 },
  ),
  most: fc.option(fc.nat(4), { nil: undefined }),
});

test('keys are merged into one order, and nothing up to where they came is left out', async () => {
  await fc.assert(
    fc.asyncProperty(split, async ({ owners, cuts, most }) => {
      const streams = [0, 1, 2, 3].map((key) =>
        owners.flatMap((owner, i) => (owner === key ? [i] : [])),
      );
      const sources = streams.map((positions, key) =>
        pagesOf(positions, cuts[key] ?? [], key === 0 ? most : undefined),
      );
      const found = await read(merged(sources));
      const whole = owners.map((_, i) => i);
      expect(found.positions).toEqual(
        found.spent ? whole.filter((i) => i <= found.completeUpTo) : whole,
      );
    }),
    { seed: 21, numRuns: 500 },
  );
});

test.each([1, 4])('shards are read in order, %i at once', async (ahead) => {
  await fc.assert(
    fc.asyncProperty(split, async ({ owners, cuts, most }) => {
      const sorted = [...owners].sort();
      const shards = [0, 1, 2, 3].map((key) =>
        sorted.flatMap((owner, i) => (owner === key ? [i] : [])),
      );
      const sources = shards.map((positions, key) =>
        pagesOf(positions, cuts[key] ?? [], key === 2 ? most : undefined),
      );
      const endOf = (key: number) => sorted.filter((owner) => owner <= key).length - 1;
      const found = await read(inSequence(sources, ahead, endOf));
      const whole = sorted.map((_, i) => i);
      expect(found.positions).toEqual(whole.slice(0, found.positions.length));
      if (!found.spent) expect(found.positions).toEqual(whole);
      // Going on behind `completeUpTo` must not leave out a row.
      else
        expect(
          whole.filter((i) => i <= found.completeUpTo && !found.positions.includes(i)),
        ).toEqual([]);
    }),
    { seed: 22, numRuns: 300 },
  );
});
