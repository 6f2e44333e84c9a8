import { describe, expect, test } from '@jest/globals';
import { type Rgb, srgbToLab } from '../../functions/rgb-to-color-name/ciede2000.ts';

describe('srgbToLab', () => {
  // Computed apart from this code with 50 digits, the matrix derived from the chromaticities of
  // sRGB's primaries (0.64, 0.33), (0.30, 0.60), (0.15, 0.06) and of its white (0.3127, 0.3290).
  test.each([
    ['white', [255, 255, 255], [100, 0, 0]],
    ['black', [0, 0, 0], [0, 0, 0]],
    ['red', [255, 0, 0], [53.2371155954, 80.0901135231, 67.2032635117]],
    ['green', [0, 255, 0], [87.7355191097, -86.1815968904, 83.1866202736]],
    ['blue', [0, 0, 255], [32.300872904, 79.1952703074, -107.8554655397]],
    ['cyan', [0, 255, 255], [91.1147523167, -48.078888387, -14.1289852624]],
    ['magenta', [255, 0, 255], [60.3227313546, 98.2374438132, -60.828910231]],
    ['yellow', [255, 255, 0], [97.1385593418, -21.5599708145, 94.4838400156]],
    ['middle grey', [128, 128, 128], [53.5850134522, 0, 0]],
    ['rebeccapurple', [102, 51, 153], [32.9028065943, 42.8865074593, -47.149132696]],
    ['a near black', [1, 2, 3], [0.5098426568, -0.1223765154, -0.4705874766]],
  ] as [string, Rgb, number[]][])('gives %s', (_name, rgb, wanted) => {
    const lab = srgbToLab(rgb);
    for (const [i, value] of wanted.entries()) expect(lab[i]).toBeCloseTo(value, 9);
  });

  test('gives every grey an a and a b of exactly 0', () => {
    for (let level = 0; level < 256; level++) {
      const [, a, b] = srgbToLab([level, level, level]);
      expect([Math.abs(a), Math.abs(b)]).toEqual([0, 0]);
    }
  });

  test('rises in lightness with each grey, from 0 to 100', () => {
    const levels = Array.from({ length: 256 }, (_, level) => srgbToLab([level, level, level])[0]);
    expect(levels).toEqual(levels.toSorted((one, other) => one - other));
    expect(levels[0]).toBeCloseTo(0, 12);
    expect(levels[255]).toBeCloseTo(100, 12);
  });
});
