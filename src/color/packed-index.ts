import type { ColorIndex } from './color-index.ts';
import { BOX_SIZE } from './distance-bound.ts';

/** `count` and `depth`, then the arrays in the order of their names here, padded to 8 bytes. */
const HEADER_BYTES = 8;

/**
 * A color index as bytes, so that a function need not make it at its start. Numbers are
 * little-endian, as on every processor that Lambda has.
 */
export function packIndex({ count, depth, lab, boxes, order }: ColorIndex): Uint8Array {
  const bytes = new Uint8Array(bytesOf(count, depth));
  new Uint32Array(bytes.buffer, 0, 2).set([count, depth]);
  const { lab: labs, boxes: allBoxes, order: positions } = viewsOf(bytes.buffer, count, depth);
  labs.set(lab);
  allBoxes.set(boxes);
  positions.set(order);
  return bytes;
}

/** Reads what `packIndex` wrote. Throws a RangeError where the length is another. */
export function unpackIndex(packed: Uint8Array): ColorIndex {
  // Its own memory: the arrays begin at multiples of their members' size.
  const { buffer } = Uint8Array.from(packed);
  const [count = 0, depth = 0] = new Uint32Array(buffer, 0, 2);
  if (buffer.byteLength !== bytesOf(count, depth)) {
    throw new RangeError(
      `The index has ${buffer.byteLength} bytes; expected ${bytesOf(count, depth)}.`,
    );
  }
  return { count, depth, ...viewsOf(buffer, count, depth) };
}

function bytesOf(count: number, depth: number): number {
  return HEADER_BYTES + 8 * (3 * count + boxNumbers(depth)) + 4 * count;
}

function viewsOf(buffer: ArrayBuffer, count: number, depth: number) {
  const boxesAt = HEADER_BYTES + 8 * 3 * count;
  const orderAt = boxesAt + 8 * boxNumbers(depth);
  return {
    lab: new Float64Array(buffer, HEADER_BYTES, 3 * count),
    boxes: new Float64Array(buffer, boxesAt, boxNumbers(depth)),
    order: new Uint32Array(buffer, orderAt, count),
  };
}

function boxNumbers(depth: number): number {
  return (2 ** (depth + 1) - 1) * BOX_SIZE;
}
