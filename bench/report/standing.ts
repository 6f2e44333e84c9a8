import { readFileSync } from 'node:fs';
import { OURS, REFERENCE, SQLITE } from '../contenders.ts';
import type { SetResult } from '../measure-set.ts';
import { figures } from './markdown-table.ts';
import { geometricMean, ratioOverall } from './ratios.ts';

type Aim = {
  readonly other: string;
  readonly sets: string;
  readonly isOf: (set: SetResult['set']) => boolean;
  /** The least ratio of blockyard's throughput to the other's. */
  readonly least: number;
};

const AIMS: readonly Aim[] = [
  { other: REFERENCE, sets: '250 and 500 rows', isOf: ({ size }) => size <= 500, least: 0.65 },
  { other: REFERENCE, sets: '10,000 rows', isOf: ({ size }) => size === 10_000, least: 0.85 },
  { other: SQLITE, sets: 'all sets', isOf: () => true, least: 4.7 },
];

/** Where blockyard stands against its aims, in sentences; `why.md` is written by hand. */
export function standing(sets: readonly SetResult[]): string {
  return [
    'Geometric means over the numbers of connections and the sets.',
    '',
    ...AIMS.map(({ other, sets: named, isOf, least }) => {
      const ratios = sets
        .filter(({ set }) => isOf(set))
        .map((result) => ratioOverall(result, OURS, other));
      const ratio = geometricMean(ratios);
      return `- ${figures(ratio)} × ${other}, ${named}; the aim is at least ${least}: ${verdict(ratio, least)}.`;
    }),
    '',
    readFileSync(new URL('../why.md', import.meta.url), 'utf8').trimEnd(),
  ].join('\n');
}

function verdict(reached: number, aim: number): string {
  return reached >= aim ? 'reached' : `${Math.floor((reached / aim) * 100)} % of the way`;
}
