import type { Narrow } from './chunk.ts';

/**
 * The rows of a chunk, ordered by their codes and then by position: a radix sort, a byte at a time.
 */
export function rowOrder(codes: Narrow): Uint16Array {
  let order = Uint16Array.from(codes.keys());
  let next = new Uint16Array(codes.length);
  for (let shift = 0; shift < 8 * codes.BYTES_PER_ELEMENT; shift += 8) {
    const starts = new Uint32Array(257);
    for (const code of codes) count(starts, ((code >>> shift) & 255) + 1);
    for (let byte = 1; byte < 257; byte++) {
      starts[byte] = (starts[byte] as number) + (starts[byte - 1] as number);
    }
    for (const row of order) {
      const byte = ((codes[row] as number) >>> shift) & 255;
      next[starts[byte] as number] = row;
      count(starts, byte);
    }
    [order, next] = [next, order];
  }
  return order;
}

function count(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

/** How many rows have a code below this one. */
export function rowsBelow(order: Uint16Array, codes: Narrow, code: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[order[middle] as number] as number) >= code) high = middle;
    else low = middle + 1;
  }
  return low;
}
