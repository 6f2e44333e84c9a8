import type { ColorIndex } from './color-index.ts';
import type { ColorLines } from './color-list.ts';
import { BOX_SIZE } from './distance-bound.ts';

/** The offsets and colours of a list's lines, and its index. */
export type PackedColors = { readonly lines: ColorLines; readonly index: ColorIndex };

/** The header holds the count of colours and the index's depth. */
const HEADER_BYTES = 8;

/**
 * Packs a list's lines and index into bytes, so that a function need not compute them at its start.
 * Numbers are little-endian, as on every Lambda processor.
 */
export function packColors({ lines, index }: PackedColors): Uint8Array {
  const { count, depth } = index;
  const bytes = new Uint8Array(bytesOf(count, depth));
  new Uint32Array(bytes.buffer, 0, 2).set([count, depth]);
  const views = viewsOf(bytes.buffer, count, depth);
  views.lab.set(index.lab);
  views.boxes.set(index.boxes);
  views.order.set(index.order);
  views.starts.set(lines.starts);
  views.rgb.set(lines.rgb);
  return bytes;
}

/** Reads the bytes from `packColors`. Throws a RangeError if their length is wrong. */
export function unpackColors(packed: Uint8Array): PackedColors {
  // Copied, because each array must begin at a multiple of its element size.
  const { buffer } = new Uint8Array(packed);
  const [count = 0, depth = 0] = new Uint32Array(buffer, 0, 2);
  const expected = bytesOf(count, depth);
  if (buffer.byteLength !== expected) {
    throw new RangeError(`The colours have ${buffer.byteLength} bytes; expected ${expected}.`);
  }
  const { rgb, starts, ...index } = viewsOf(buffer, count, depth);
  return { lines: { count, rgb, starts }, index: { count, depth, ...index } };
}

function bytesOf(count: number, depth: number): number {
  return HEADER_BYTES + 8 * (3 * count + boxNumbers(depth)) + 4 * (2 * count + 1) + 3 * count;
}

/** The arrays, widest elements first, so that all are aligned. */
function viewsOf(buffer: ArrayBuffer, count: number, depth: number) {
  const boxesAt = HEADER_BYTES + 8 * 3 * count;
  const orderAt = boxesAt + 8 * boxNumbers(depth);
  const startsAt = orderAt + 4 * count;
  return {
    lab: new Float64Array(buffer, HEADER_BYTES, 3 * count),
    boxes: new Float64Array(buffer, boxesAt, boxNumbers(depth)),
    order: new Uint32Array(buffer, orderAt, count),
    starts: new Uint32Array(buffer, startsAt, count + 1),
    rgb: new Uint8Array(buffer, startsAt + 4 * (count + 1), 3 * count),
  };
}

function boxNumbers(depth: number): number {
  return (2 ** (depth + 1) - 1) * BOX_SIZE;
}
