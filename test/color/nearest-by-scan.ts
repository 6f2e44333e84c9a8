import { ciede2000, type Lab, type Rgb, srgbToLab } from '../../src/color/ciede2000.ts';
import type { Neighbor } from '../../src/color/color-index.ts';

// Taken once, as `ciede2000` does: under Jest each use of a global is slow.
const { min } = Math;
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
 * distance is at least |dL| / S_L, and S_L <= 1 + 0.015 * 50² / sqrt(20 + 50²) < 1.7475.
 */
export function lightnessScan(rgb: Uint8Array): Scan {
  const colors = labs(rgb)
    .map((lab, position) => ({ lab, position }))
    .sort((one, other) => one.lab[0] - other.lab[0]);

  return (query, count) => {
    const target = srgbToLab(query);
    const found: Neighbor[] = [];
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
      const underGap = under ? target[0] - under.lab[0] : FAR;
      const overGap = over ? over.lab[0] - target[0] : FAR;
      const next = underGap < overGap ? under : over;
      const worst = found.length < count ? FAR : (found[count - 1] as Neighbor).distance;
      if (!next || min(underGap, overGap) / 1.7475 > worst) return found;
      if (next === under) below--;
      else above++;

      const neighbor = { position: next.position, distance: ciede2000(target, next.lab) };
      if (neighbor.distance > worst) continue;
      found.push(neighbor);
      found.sort(inOrder);
      found.length = min(found.length, count);
    }
  };
}
