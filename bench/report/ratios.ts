import type { SetResult } from '../measure-set.ts';

/** How many times one contender's throughput is another's: the median over the rounds. */
export function ratioOf(
  { contenders }: SetResult,
  name: string,
  to: string,
  connections: number,
): number {
  const rounds = (which: string) =>
    contenders.find((contender) => contender.name === which)?.rounds.get(connections) ?? [];
  const others = rounds(to);
  // A slow contender has one round: it is held against the others' first.
  return median(
    rounds(name).flatMap(({ perSecond }, round) => {
      const other = others[round];
      return other === undefined ? [] : [perSecond / other.perSecond];
    }),
  );
}

/** That ratio over all numbers of connections: their geometric mean. */
export function ratioOverall(result: SetResult, name: string, to: string): number {
  const [first] = result.contenders;
  const connections = [...(first?.rounds.keys() ?? [])];
  return geometricMean(connections.map((count) => ratioOf(result, name, to, count)));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
