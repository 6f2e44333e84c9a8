import { BOX_SIZE } from './distance-bound.ts';
import { srgbToLab } from './srgb-to-lab.ts';

/**
 * An implicit k-d tree on CIELAB: a node covers a range of `order`, and its children 2n + 1 and 2n
 * + 2 cover the two halves of that range. All leaves are at the same `depth`.
 */
export interface ColorIndex {
  readonly count: number;
  /** L, a, b of each colour, in the order of the list. */
  readonly lab: Float64Array;
  /** Positions in the list, in the order of the leaves. */
  readonly order: Uint32Array;
  /** Each node's box, in the form that `distanceBound` reads. */
  readonly boxes: Float64Array;
  readonly depth: number;
}

/** Larger leaves need more distances, smaller ones more bounds; 4 was the fastest. */
const LEAF_SIZE = 4;

/**
 * Indexes colours for `nearestColors`. `rgb` holds three bytes per colour. Each node is split at
 * the median of whichever of L, a and b has the widest spread.
 */
export function indexColors(rgb: Uint8Array): ColorIndex {
  const count = rgb.length / 3;
  const lab = new Float64Array(rgb.length);
  const [L, a, b, C, h] = Array.from({ length: BOX_SIZE / 2 }, () => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    const color = srgbToLab([rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number]);
    lab[at] = color[0];
    lab[at + 1] = color[1];
    lab[at + 2] = color[2];
    L[i] = color[0];
    a[i] = color[1];
    b[i] = color[2];
    C[i] = Math.sqrt(color[1] * color[1] + color[2] * color[2]);
    h[i] = Math.atan2(color[2], color[1]);
  }

  let depth = 0;
  while (count > LEAF_SIZE * 2 ** depth) depth++;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const boxes = new Float64Array((2 ** (depth + 1) - 1) * BOX_SIZE);

  const build = (node: number, from: number, to: number, level: number): void => {
    const offset = node * BOX_SIZE;
    if (level === depth) {
      measure(L, order, from, to, boxes, offset);
      measure(a, order, from, to, boxes, offset + 2);
      measure(b, order, from, to, boxes, offset + 4);
      measure(C, order, from, to, boxes, offset + 6);
      measure(h, order, from, to, boxes, offset + 8);
      return;
    }
    const spreadL = spread(L, order, from, to);
    const spreadA = spread(a, order, from, to);
    const spreadB = spread(b, order, from, to);
    const widest = Math.max(spreadL, spreadA, spreadB);
    const middle = (from + to) >> 1;
    select(order, widest === spreadL ? L : widest === spreadA ? a : b, middle, from, to - 1);
    const left = 2 * node + 1;
    build(left, from, middle, level + 1);
    build(left + 1, middle, to, level + 1);
    join(boxes, offset, left * BOX_SIZE, (left + 1) * BOX_SIZE);
  };
  build(0, 0, count, 0);
  return { count, lab, order, boxes, depth };
}

/** The spread of some colours' values, estimated from at most 32 of them. */
function spread(values: Float64Array, order: Uint32Array, from: number, to: number): number {
  const step = Math.ceil((to - from) / 32);
  let least = Infinity;
  let greatest = -Infinity;
  for (let i = from; i < to; i += step) {
    const value = values[order[i] as number] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return greatest - least;
}

/** Writes the least and the greatest of some colours' values into a box. */
function measure(
  values: Float64Array,
  order: Uint32Array,
  from: number,
  to: number,
  boxes: Float64Array,
  offset: number,
): void {
  let least = Infinity;
  let greatest = -Infinity;
  for (let i = from; i < to; i++) {
    const value = values[order[i] as number] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  boxes[offset] = least;
  boxes[offset + 1] = greatest;
}

/** Writes the box around two boxes; all three are offsets in `boxes`. */
function join(boxes: Float64Array, offset: number, left: number, right: number): void {
  for (let i = 0; i < BOX_SIZE; i += 2) {
    boxes[offset + i] = Math.min(boxes[left + i] as number, boxes[right + i] as number);
    boxes[offset + i + 1] = Math.max(boxes[left + i + 1] as number, boxes[right + i + 1] as number);
  }
}

/**
 * Reorders `order` from `left` to `right` so that no value before `middle` is greater than one
 * from it on. C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961), 321.
 */
function select(
  order: Uint32Array,
  values: Float64Array,
  middle: number,
  left: number,
  right: number,
): void {
  while (left < right) {
    const pivot = values[order[(left + right) >> 1] as number] as number;
    let i = left;
    let j = right;
    while (i <= j) {
      while ((values[order[i] as number] as number) < pivot) i++;
      while ((values[order[j] as number] as number) > pivot) j--;
      if (i <= j) {
        const swapped = order[i] as number;
        order[i++] = order[j] as number;
        order[j--] = swapped;
      }
    }
    if (middle <= j) right = j;
    else if (middle >= i) left = i;
    else return;
  }
}
