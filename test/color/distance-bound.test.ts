import { describe, expect, test } from '@jest/globals';
import {
  ciede2000,
  type Lab,
  type Rgb,
  srgbToLab,
} from '../../functions/rgb-to-color-name/ciede2000.ts';
import {
  BOX_SIZE,
  distanceBound,
  indexColors,
  type LabPoint,
} from '../../functions/rgb-to-color-name/color-index.ts';
import { readList } from './named-lists.ts';
import { REGIONS, randomColors } from './random-colors.ts';

/** Rounding's share, a hundredth of the margin that `nearestColors` leaves. */
const ROUNDING = 1e-11;

function point([L, a, b]: Lab): LabPoint {
  return { L, a, b, C: Math.sqrt(a * a + b * b), h: Math.atan2(b, a) };
}

/** The box of an index's root: that around all of the colours. */
function boxAround(colors: Rgb[]): Float64Array {
  return indexColors(Uint8Array.from(colors.flat())).boxes.subarray(0, BOX_SIZE);
}

const leastDistance = (target: Lab, colors: Rgb[]) =>
  Math.min(...colors.map((color) => ciede2000(target, srgbToLab(color))));

describe('distanceBound is never above the least distance squared', () => {
  const pairs = Object.keys(REGIONS).flatMap((one) =>
    Object.keys(REGIONS).map((other) => [one, other] as const),
  );

  test.each(pairs)('of one colour: %s to %s', (one, other) => {
    const named = randomColors(other, 3_000, 12);
    const wrong = randomColors(one, 3_000, 11).filter((color, i) => {
      const target = srgbToLab(color);
      const colors = [named[i] as Rgb];
      const least = leastDistance(target, colors) ** 2;
      return distanceBound(point(target), boxAround(colors), 0) > least * (1 + ROUNDING) + ROUNDING;
    });
    expect(wrong).toEqual([]);
  });

  test.each(pairs)('of a box of several colours: %s to %s', (one, other) => {
    const named = randomColors(other, 3_000, 14);
    const wrong = randomColors(one, 1_000, 13).filter((color, i) => {
      const target = srgbToLab(color);
      const colors = named.slice(i, i + 2 + (i % 6));
      const least = leastDistance(target, colors) ** 2;
      return distanceBound(point(target), boxAround(colors), 0) > least * (1 + ROUNDING) + ROUNDING;
    });
    expect(wrong).toEqual([]);
  });

  test('of every node of the tree of the CSS colours', () => {
    const { rgb } = readList('css');
    const { boxes, order, lab, depth, count } = indexColors(rgb);
    const colorsOf = (from: number, to: number) =>
      [...order.subarray(from, to)].map((at) => [...lab.subarray(3 * at, 3 * at + 3)]);
    const wrong: number[] = [];
    const visit = (target: Lab, node: number, from: number, to: number, level: number) => {
      const least = Math.min(
        ...colorsOf(from, to).map((named) => ciede2000(target, named as unknown as Lab)),
      );
      const bound = distanceBound(point(target), boxes, node * BOX_SIZE);
      if (bound > least ** 2 * (1 + ROUNDING) + ROUNDING) wrong.push(node);
      if (level === depth) return;
      const middle = (from + to) >> 1;
      visit(target, 2 * node + 1, from, middle, level + 1);
      visit(target, 2 * node + 2, middle, to, level + 1);
    };
    for (const region of Object.keys(REGIONS)) {
      for (const color of randomColors(region, 200, 15)) visit(srgbToLab(color), 0, 0, count, 0);
    }
    expect(wrong).toEqual([]);
  });
});

describe('distanceBound is near enough to the distance to be of use', () => {
  test('half of it or more, for nine in ten of a colour’s neighbours', () => {
    const { lab, order } = indexColors(readList('bestof').rgb);
    let near = 0;
    let all = 0;
    for (const color of randomColors('all of sRGB', 200, 16)) {
      const target = srgbToLab(color);
      for (const position of order) {
        const named = [...lab.subarray(3 * position, 3 * position + 3)] as unknown as Lab;
        const distance = ciede2000(target, named);
        if (distance > 10) continue;
        const { L, a, b, C, h } = point(named);
        const box = Float64Array.of(L, L, a, a, b, b, C, C, h, h);
        all++;
        if (distanceBound(point(target), box, 0) >= (distance / 2) ** 2) near++;
      }
    }
    expect(near / all).toBeGreaterThan(0.9);
  });
});
