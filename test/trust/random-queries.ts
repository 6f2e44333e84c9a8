import fc from 'fast-check';
import { oneOf, seededRandom } from '../../bench/data/seeded-random.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { typedBlock } from '../support/typed-block.ts';
import type { Values } from './trust-service.ts';
import type { TrustSet } from './trust-set.ts';

/** Rows whose values queries ask for; of others, the same kinds of values are asked for anyway. */
const SAMPLED = 400;

/** Queries that some rows match, most as JSON, some as a page in another format. */
export function randomQueries({ rows }: TrustSet, seed: number, count: number): readonly Values[] {
  const step = Math.max(1, Math.floor(rows.length / SAMPLED));
  const sampled = rows.filter((_, i) => i % step === 0).map(({ values }) => values);
  const random = seededRandom(seed);
  return fc
    .sample(randomArguments(typedBlock, sampled), { seed, numRuns: count })
    .map((values): Values => {
      const format = random() < 0.15 ? oneOf(random, ['csv', 'ndjson']) : undefined;
      // Without a limit these formats are whole results, which are no page.
      return format === undefined ? values : { _limit: 20, ...values, _format: format };
    });
}
