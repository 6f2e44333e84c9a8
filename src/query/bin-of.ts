import { firstWhere } from '../values/comparison.ts';

/**
 * The bin of a number. Bin i has the numbers from edge i on and below edge i + 1, and the last bin
 * also has the last edge; numbers beyond the edges are in the outer bins.
 */
export function binOf(edges: readonly number[], key: number): number {
  return firstWhere((bin) => !((edges[bin] as number) <= key), 1, edges.length - 1) - 1;
}

/** Where a number is among bins that are each 1 wide: from 0 to as many as they are. */
export function placeAmong(edges: readonly number[], key: number): number {
  const bin = binOf(edges, key);
  const [from = 0, to = from] = [edges[bin], edges[bin + 1]];
  return bin + (to > from ? Math.min(1, Math.max(0, (key - from) / (to - from))) : 0);
}
