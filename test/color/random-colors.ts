import { type Rgb, srgbToLab } from '../../functions/rgb-to-color-name/ciede2000.ts';

// Taken once, as `ciede2000` does: under Jest each use of a global is slow.
const { PI, abs, atan2 } = Math;

/**
 * Whole numbers from 0 to below `limit`, the same for the same seed.
 * Source: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), 14.
 */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** One random colour after another of a region of sRGB; regions are chosen for CIEDE2000's trouble. */
export const REGIONS: Record<string, (below: (limit: number) => number) => Rgb> = {
  'all of sRGB': (below) => [below(256), below(256), below(256)],
  // R_T is strongest at a mean hue of 275 degrees, that is -85.
  'blues near hue 275': (below) => {
    for (;;) {
      const color: Rgb = [below(200), below(256), below(256)];
      const [, a, b] = srgbToLab(color);
      if (abs(atan2(b, a) * (180 / PI) + 85) < 25) return color;
    }
  },
  // Hues that meet at the end of the circle, and C' near 0 with G near 1/2.
  'near greys': (below) => {
    const level = below(250);
    return [level + below(6), level + below(6), level + below(6)];
  },
  // Lab's largest chromas, with the fewest names around.
  'saturated corners': (below) => {
    const end = () => (below(2) === 0 ? below(10) : 255 - below(10));
    return [end(), end(), end()];
  },
  // Hues on both sides of 0 and of 180 degrees, where an interval of hues is cut.
  'reds and greens across the a axis': (below) => {
    for (;;) {
      const color: Rgb = [below(256), below(256), below(256)];
      const [, a, b] = srgbToLab(color);
      if (abs(b) < abs(a) / 10) return color;
    }
  },
};

export function randomColors(region: string, count: number, seed: number): Rgb[] {
  const below = randomNumbers(seed);
  const next = REGIONS[region];
  if (!next) throw new Error(`No region ${region}`);
  return Array.from({ length: count }, () => next(below));
}
