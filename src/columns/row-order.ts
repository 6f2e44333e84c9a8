import type { Narrow } from './chunk.ts';

/**
 * The rows of a chunk, ordered by their codes and then by position: a radix sort, a byte at a time.
 * Plain loops, since an iterator takes several times as long.
 */
export function rowOrder(codes: Narrow): Uint16Array {
  const { length } = codes;
  let order = new Uint16Array(length);
  let next = new Uint16Array(length);
  for (let row = 0; row < length; row++) order[row] = row;
  for (let shift = 0; shift < 8 * codes.BYTES_PER_ELEMENT; shift += 8) {
    const starts = new Uint32Array(257);
    for (let row = 0; row < length; row++) {
      const above = (((codes[row] as number) >>> shift) & 255) + 1;
      starts[above] = (starts[above] as number) + 1;
    }
    for (let byte = 1; byte < 257; byte++) {
      starts[byte] = (starts[byte] as number) + (starts[byte - 1] as number);
    }
    for (let i = 0; i < length; i++) {
      const row = order[i] as number;
      const byte = ((codes[row] as number) >>> shift) & 255;
      const at = starts[byte] as number;
      next[at] = row;
      starts[byte] = at + 1;
    }
    [order, next] = [next, order];
  }
  return order;
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
