import {
  ciede2000,
  type Lab,
  lightnessScale,
  type Rgb,
  srgbToLab,
} from '../../functions/rgb-to-color-name/ciede2000.ts';
import type { Neighbor } from '../../functions/rgb-to-color-name/color-index.ts';

// Taken once, as `ciede2000` does: under Jest each use of a global is slow.
const { PI, abs, min, sin, sqrt } = Math;
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

const chromaOf = ([, a, b]: Lab) => sqrt(a * a + b * b);

/** |R_T| / 2 is at most sin 60 degrees; the smaller eigenvalue of the terms of chroma and hue. */
const LEAST_SHARE = 1 - sin(PI / 3);

/** Far more than the last bits of both sides. */
const ROUNDED = 1 + 1e-9;

/**
 * The least square of the chroma and hue terms together. dC'^2 + dH'^2 is the square of the way in
 * the plane of (a', b), which is no shorter in (a, b): a' is a by 1 + G, from 1 to 1.5. So C' is at
 * most 1.5 C in S_C; and S_H is at most S_C, since T is below 2.
 */
function leastFlat(one: Lab, other: Lab, meanChroma: number): number {
  const da = one[1] - other[1];
  const db = one[2] - other[2];
  const scale = 1 + 0.045 * 1.5 * meanChroma;
  return (LEAST_SHARE * (da * da + db * db)) / (scale * scale);
}

/**
 * Measures colours from the query's lightness outwards, until no other can be near enough. That
 * rests on one line: |R_T| < 2 makes the chroma and hue terms together at least 0, so a
 * distance is at least |dL| / S_L of the mean lightness. It grows with |dL|, since S_L changes by
 * less than 0.016 with a unit of lightness, and so by less than 0.8 for the farthest. Of those that
 * are left, it measures the ones that are not too far off in hue and chroma, by `leastFlat`.
 */
export function lightnessScan(rgb: Uint8Array): Scan {
  const colors = labs(rgb)
    .map((lab, position) => ({ lab, position, chroma: chromaOf(lab) }))
    .sort((one, other) => one.lab[0] - other.lab[0]);

  return (query, count) => {
    const target = srgbToLab(query);
    const chroma = chromaOf(target);
    const found: Neighbor[] = [];
    let worst = FAR;
    const leastOf = (at: number) => {
      const lightness = colors[at]?.lab[0];
      if (lightness === undefined) return FAR;
      return abs(lightness - target[0]) / lightnessScale((lightness + target[0]) / 2);
    };
    let above = colors.length;
    for (let step = 2 ** 15; step >= 1; step /= 2) {
      while (above >= step && (colors[above - step] as (typeof colors)[0]).lab[0] >= target[0]) {
        above -= step;
      }
    }
    let below = above - 1;
    let leastUnder = leastOf(below);
    let leastOver = leastOf(above);
    for (;;) {
      const light = min(leastUnder, leastOver);
      const next = colors[leastUnder < leastOver ? below : above];
      if (!next || light > worst) return found;
      if (leastUnder < leastOver) leastUnder = leastOf(--below);
      else leastOver = leastOf(++above);

      const flat = leastFlat(target, next.lab, (chroma + next.chroma) / 2);
      if (light * light + flat > worst * worst * ROUNDED) continue;
      const distance = ciede2000(target, next.lab);
      if (distance > worst) continue;
      found.push({ position: next.position, distance });
      found.sort(inOrder);
      found.length = min(found.length, count);
      if (found.length === count) worst = (found[count - 1] as Neighbor).distance;
    }
  };
}
