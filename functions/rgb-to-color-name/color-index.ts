import {
  chromaWeight,
  ciede2000,
  hueRotation,
  lightnessScale,
  type Rgb,
  srgbToLab,
} from './ciede2000.ts';
import type { ColorLines } from './color-list.ts';

/**
 * A colour's position in the list, and its unrounded CIEDE2000 difference from the requested one.
 */
export interface Neighbor {
  readonly position: number;
  readonly distance: number;
}

/**
 * The `count` colours of the index nearest to `rgb` by CIEDE2000, nearest first; ties go to the
 * one earlier in the list. Returns all colours if the list is shorter.
 *
 * The search is exact branch and bound: it skips a node only if its bound exceeds the worst
 * distance kept, so it never misses a tie. Distances equal
 * `ciede2000(srgbToLab(rgb), srgbToLab(named))` to the last bit.
 */
export function nearestColors(index: ColorIndex, rgb: Rgb, count: number): Neighbor[] {
  const { lab, order, boxes, depth } = index;
  const target = srgbToLab(rgb);
  const [L, a, b] = target;
  const query: LabPoint = { L, a, b, C: Math.sqrt(a * a + b * b), h: Math.atan2(b, a) };
  const named: [number, number, number] = [0, 0, 0];
  const kept: Neighbor[] = [];
  let limit = Infinity;

  const offer = (position: number): void => {
    named[0] = lab[3 * position] as number;
    named[1] = lab[3 * position + 1] as number;
    named[2] = lab[3 * position + 2] as number;
    const distance = ciede2000(target, named);
    let rank = kept.length;
    while (rank > 0 && isNearer(position, distance, kept[rank - 1] as Neighbor)) rank--;
    if (rank === count) return;
    kept.splice(rank, 0, { position, distance });
    if (kept.length > count) kept.pop();
    if (kept.length === count) limit = withMargin((kept[count - 1] as Neighbor).distance);
  };

  const visit = (node: number, from: number, to: number, level: number): void => {
    if (level === depth) {
      for (let i = from; i < to; i++) offer(order[i] as number);
      return;
    }
    const left = 2 * node + 1;
    const right = left + 1;
    const middle = (from + to) >> 1;
    const leftBound = distanceBound(query, boxes, left * BOX_SIZE);
    const rightBound = distanceBound(query, boxes, right * BOX_SIZE);
    if (leftBound <= rightBound) {
      if (leftBound <= limit) visit(left, from, middle, level + 1);
      if (rightBound <= limit) visit(right, middle, to, level + 1);
    } else {
      if (rightBound <= limit) visit(right, middle, to, level + 1);
      if (leftBound <= limit) visit(left, from, middle, level + 1);
    }
  };

  if (count > 0) visit(0, 0, index.count, 0);
  return kept;
}

function isNearer(position: number, distance: number, rival: Neighbor): boolean {
  return distance === rival.distance ? position < rival.position : distance < rival.distance;
}

/**
 * The square of a distance, for comparison with bounds, plus a margin far above their rounding
 * errors.
 */
function withMargin(distance: number): number {
  return distance * distance * (1 + 1e-9) + 1e-9;
}

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

// Read once for speed under Jest, as in `ciede2000`.
const { PI, abs, max } = Math;

/** A CIELAB colour with its chroma C and its hue h, in radians from -pi to pi. */
export interface LabPoint {
  readonly L: number;
  readonly a: number;
  readonly b: number;
  readonly C: number;
  readonly h: number;
}

/** The count of numbers in a box: the least and the greatest L, a, b, C and h of its colours. */
export const BOX_SIZE = 10;

/**
 * A lower bound of the SQUARE of the CIEDE2000 difference between a colour and every colour of a
 * box: the one at `offset` in `boxes`.
 *
 * Let 1 be the query, 2 any colour of the box, names as in Sharma, Wu and Dalal (2005). With
 * l = dL'/S_L, c = dC'/S_C, h = dH'/S_H the square is l² + c² + h² + R_T c h.
 *
 *  1. S_L grows with |meanL - 50|, so it is largest at an end of the mean lightness's interval.
 *     Hence l² >= (gap in L / that S_L)².
 *  2. G falls as the mean chroma rises, so g = 1 + G of the pair lies between its values at the
 *     box's greatest and least chroma, gLow <= g <= gHigh. Both colours are stretched by the same
 *     g: a' = g a. So C <= C' <= gHigh C, and dC'² + dH'², which is the squared distance of
 *     (a1', b1) and (a2', b2), is at least plane = gLow² (gap in a)² + (gap in b)².
 *  3. dH'² = 4 C1' C2' sin²(dh'/2) = 2 (C1' C2' - g² a1 a2 - b1 b2) does not fall as g grows: the
 *     derivative of C1' C2' by g² is (a1² C2'/C1' + a2² C1'/C2')/2 >= |a1 a2|. So it is at least
 *     its value at g = 1, 4 C1 C2 sin²(dh/2), dh being the shorter arc between the plain hues.
 *     That is at least the arc to the middle of the box's hues less half their width, and
 *     sin x >= x - x³/6 for x from 0 to pi/2. So dH'² >= turn = 4 C1 C2min (x - x³/6)², with x
 *     half that arc. A grey has no hue, but has C = 0, and so turn = 0.
 *  4. S_C <= sc = 1 + 0.045 C and S_H <= sh = 1 + 0.015 C * 1.93 < sc, where C is the greatest mean
 *     C' and 1.93 the sum of the coefficients of T. So c² + h² >= dC'²/sc² + dH'²/sh²
 *     = (dC'² + dH'²)/sc² + dH'² (1/sh² - 1/sc²), to which 2 and 3 apply.
 *  5. As |c h| <= (c² + h²)/2, c² + h² + R_T c h >= (1 - |R_T|/2)(c² + h²), and |R_T|/2 =
 *     chromaWeight(meanC') * hueRotation(meanH') rises with the chroma, and as the mean hue nears
 *     275 degrees. Stretching moves a hue by less than G/2: tan(h - h') is largest at
 *     tan h = sqrt(g), where it is G/(2 sqrt(g)). So while the arc to the box's far end, plus
 *     2 G/2, is under pi, the mean hue is the middle of that shorter arc, within a quarter of the
 *     box's width + G/2 of (query's hue + box's middle)/2; else it is taken to be 275 degrees.
 *     With a grey h is 0 and R_T does not matter.
 *
 * The bound of a box of one colour is close to the distance itself, except in the saturated blues.
 */
export function distanceBound(query: LabPoint, boxes: Float64Array, offset: number): number {
  const leastL = boxes[offset] as number;
  const greatestL = boxes[offset + 1] as number;
  const leastA = boxes[offset + 2] as number;
  const greatestA = boxes[offset + 3] as number;
  const leastB = boxes[offset + 4] as number;
  const greatestB = boxes[offset + 5] as number;
  const leastC = boxes[offset + 6] as number;
  const greatestC = boxes[offset + 7] as number;
  const leastH = boxes[offset + 8] as number;
  const greatestH = boxes[offset + 9] as number;

  // 1
  const sl = max(lightnessScale((query.L + leastL) / 2), lightnessScale((query.L + greatestL) / 2));
  const lightness = gap(query.L, leastL, greatestL) / sl;

  // 2
  const gLow = 1.5 - 0.5 * chromaWeight((query.C + greatestC) / 2);
  const gHigh = 1.5 - 0.5 * chromaWeight((query.C + leastC) / 2);
  const alongA = gLow * gap(query.a, leastA, greatestA);
  const alongB = gap(query.b, leastB, greatestB);
  const plane = alongA * alongA + alongB * alongB;

  // 3
  const halfWidth = (greatestH - leastH) / 2;
  const middle = shorterArc((leastH + greatestH) / 2 - query.h);
  const x = max(0, abs(middle) - halfWidth) / 2;
  const sine = x - (x * x * x) / 6;
  const turn = 4 * query.C * leastC * sine * sine;

  // 4
  const meanC = (gHigh * (query.C + greatestC)) / 2;
  const sc = 1 + 0.045 * meanC;
  const sh = 1 + 0.015 * 1.93 * meanC;
  const chromatic = (max(plane, turn) - turn) / (sc * sc) + turn / (sh * sh);

  // 5
  let fromBlue = 0;
  if (abs(middle) + halfWidth + gHigh - 1 < PI) {
    const off = abs(shorterArc(query.h + middle / 2 - BLUE));
    fromBlue = max(0, off - halfWidth / 2 - (gHigh - 1) / 2);
  }
  const rotation = chromaWeight(meanC) * hueRotation(BLUE_TURN + fromBlue);

  return lightness * lightness + (1 - rotation) * chromatic;
}

/** The hue at which R_T is strongest, as an angle from -pi to pi and from 0 to 2 pi. */
const BLUE = (-85 * PI) / 180;
const BLUE_TURN = (275 * PI) / 180;

/** How far a number is from an interval, 0 inside it. */
function gap(value: number, least: number, greatest: number): number {
  return value < least ? least - value : value > greatest ? value - greatest : 0;
}

/** Reduces an angle between -3 pi and 3 pi to the same direction between -pi and pi. */
function shorterArc(angle: number): number {
  if (angle > PI) return angle - 2 * PI;
  return angle < -PI ? angle + 2 * PI : angle;
}

/** The offsets and colours of a list's lines, and its index. */
type PackedColors = { readonly lines: ColorLines; readonly index: ColorIndex };

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
