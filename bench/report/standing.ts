import { readFileSync } from 'node:fs';
import { HELLO, OURS, SQLITE } from '../contenders.ts';
import type { SetResult } from '../measure-set.ts';
import { figures } from './markdown-table.ts';
import { geometricMean, ratioOverall } from './ratios.ts';

/** At least so many times SQLite behind Fastify, over all sets. */
const AIM_TO_SQLITE = 3;

/** At least this part of "hello", over the smallest sets. */
const AIM_TO_HELLO = 1 / 3;

/** Where blockyard stands against its aims, in sentences; `why.md` is written by hand. */
export function standing(sets: readonly SetResult[]): string {
  const small = sets.filter(({ set }) => set.size <= 500);
  const toSqlite = geometricMean(sets.map((result) => ratioOverall(result, OURS, SQLITE)));
  const toHello = geometricMean(small.map((result) => ratioOverall(result, OURS, HELLO)));
  return [
    `- ${figures(toSqlite)} × ${SQLITE} (geometric mean over the sets); the aim is ${AIM_TO_SQLITE} ×: ${verdict(toSqlite, AIM_TO_SQLITE)}.`,
    `- ${figures(toHello)} × ${HELLO} at 250 and 500 rows; the aim is a third: ${verdict(toHello, AIM_TO_HELLO)}.`,
    '',
    readFileSync(new URL('../why.md', import.meta.url), 'utf8').trimEnd(),
  ].join('\n');
}

function verdict(reached: number, aim: number): string {
  return reached >= aim ? 'reached' : `${Math.round((reached / aim) * 100)} % of the way`;
}
