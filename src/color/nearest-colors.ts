import { ciede2000, type Rgb, srgbToLab } from './ciede2000.ts';
import { BOX_SIZE, type ColorIndex, distanceBound, type LabPoint } from './color-index.ts';

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

function isNearer(position: number, distance: number, other: Neighbor): boolean {
  return distance === other.distance ? position < other.position : distance < other.distance;
}

/**
 * The square of a distance, for comparison with bounds, plus a margin far above their rounding
 * errors.
 */
function withMargin(distance: number): number {
  return distance * distance * (1 + 1e-9) + 1e-9;
}
