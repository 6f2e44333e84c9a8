import {
  ciede2000,
  type Lab,
  lightnessScale,
  type Rgb,
  srgbToLab,
} from '../../src/color/ciede2000.ts';
import type { Neighbor } from '../../src/color/color-index.ts';

// Taken once, as `ciede2000` does: under Jest each use of a global is slow.
const { abs, min } = Math;
const FAR = Number.POSITIVE_INFINITY;

/** What `nearestColors` should answer. */
export type Scan = (rgb: Rgb, count: number) => Neighbor[];

const inOrder = (one: Neighbor, other: Neighbor) =>
  one.distance - other.distance || one.position - other.position;

function labs(rgb: Uint8Array): Lab[] {
  return Array.from({ length: rgb.length / 3 }, (_, i) =>
    srgbToLab([...rgb.subarray(3 * i, 3 * i + 3)] as unknown as Rgb),
  );
}

/** Measures every colour, then sorts. */
export function plainScan(rgb: Uint8Array): Scan {
  const list = labs(rgb);
  return (query, count) => {
    const target = srgbToLab(query);
    return list
      .map((named, position) => ({ position, distance: ciede2000(target, named) }))
      .sort(inOrder)
      .slice(0, count);
  };
}

/**
 * Measures colours from the query's lightness outwards, until no other can be near enough. That
 * rests on one line: |R_T| < 2 makes the chroma and hue terms together at least 0, so a
 * distance is at least |dL| / S_L of the mean lightness. It grows with |dL|, since S_L changes by
 * less than 0.016 with a unit of lightness, and so by less than 0.8 for the farthest.
 */
export function lightnessScan(rgb: Uint8Array): Scan {
  const colors = labs(rgb)
    .map((lab, position) => ({ lab, position }))
    .sort((one, other) => one.lab[0] - other.lab[0]);

  return (query, count) => {
    const target = srgbToLab(query);
    const found: Neighbor[] = [];
    let worst = FAR;
    const least = (lightness: number) =>
      abs(lightness - target[0]) / lightnessScale((lightness + target[0]) / 2);
    let above = colors.length;
    for (let step = 2 ** 15; step >= 1; step /= 2) {
      while (above >= step && (colors[above - step] as (typeof colors)[0]).lab[0] >= target[0]) {
        above -= step;
      }
    }
    let below = above - 1;
    for (;;) {
      const under = colors[below];
      const over = colors[above];
      const leastUnder = under ? least(under.lab[0]) : FAR;
      const leastOver = over ? least(over.lab[0]) : FAR;
      const next = leastUnder < leastOver ? under : over;
      if (!next || min(leastUnder, leastOver) > worst) return found;
      if (next === under) below--;
      else above++;

      const distance = ciede2000(target, next.lab);
      if (distance > worst) continue;
      found.push({ position: next.position, distance });
      found.sort(inOrder);
      found.length = min(found.length, count);
      if (found.length === count) worst = (found[count - 1] as Neighbor).distance;
    }
  };
}
