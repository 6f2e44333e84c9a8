import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { comparedWith } from '../first/numbers-to-compare.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';

/** Numbers whose ranks agree, or are opposite, by at least this much go together. */
const LEAST_CORRELATION = 0.6;

/** With fewer rows that have both numbers, they go together by chance. */
const LEAST_ROWS = 10;

/**
 * Finds the number that goes together best with the one that a first question of things would show.
 * `rowsOf` returns all rows with these fields. Undefined if the rows are no things, or none does.
 */
export function numbersTogether(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
  rowsOf: (fields: readonly Field[]) => Iterable<Row>,
): DatasetProfile['together'] {
  const [y, ...others] = comparedWith(block, manifest, profile);
  if (y === undefined || others.length === 0) return undefined;
  const rows = [...rowsOf([y, ...others])];
  let [found, most]: [Field | undefined, number] = [undefined, LEAST_CORRELATION];
  for (const x of others) {
    const both = rows.flatMap((row): [number, number][] => {
      const [a, b] = [row[x.name], row[y.name]];
      return typeof a === 'number' && typeof b === 'number' ? [[a, b]] : [];
    });
    const correlation = both.length < LEAST_ROWS ? 0 : Math.abs(rankCorrelation(both));
    if (correlation > most || (correlation === most && found === undefined)) {
      [found, most] = [x, correlation];
    }
  }
  return found === undefined ? undefined : { x: found.name, y: y.name };
}

/** Spearman's rank correlation: 1 if both rise together, 0 if any of them is always the same. */
export function rankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const [a, b] = [0, 1].map((side) => ranksOf(pairs.map((pair) => pair[side] as number)));
  const middle = (pairs.length + 1) / 2;
  let [both, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < pairs.length; i++) {
    const [x, y] = [(a?.[i] ?? 0) - middle, (b?.[i] ?? 0) - middle];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? 0 : both / Math.sqrt(ofA * ofB);
}

/** The rank of each number, from 1 on; equal ones share the middle of theirs. */
function ranksOf(numbers: readonly number[]): number[] {
  const order = numbers.map((_, i) => i).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
  const ranks: number[] = [];
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && numbers[order[to] ?? 0] === numbers[order[from] ?? 0]) to++;
    for (const i of order.slice(from, to)) ranks[i] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}
