/**
 * The bin of a number. Bin i has the numbers from edge i on and below edge i + 1, and the last bin
 * also has the last edge; numbers beyond the edges are in the outer bins.
 */
export function binOf(edges: readonly number[], key: number): number {
  let [low, high] = [0, edges.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] as number) <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}
