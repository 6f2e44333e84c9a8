import { describe, expect, test } from '@jest/globals';
import { MOST_DRAWN, smallPicture } from '../../src/figure/small-picture.ts';

/** A map of circles at these places, as parts of its width and height. */
function mapOf(places: readonly (readonly [number, number])[]): string {
  const shapes = places.map(([x, y]) => ({ shape: 'circle', look: 'dot', x, y }) as const);
  const picture = { layout: 'map', look: '', width: 400, height: 300, shapes };
  return smallPicture({ picture: picture as never }) ?? '';
}

describe('a small picture of circles', () => {
  test('has a round mark for each, where it is', () => {
    expect(
      mapOf([
        [0.5, 0.5],
        [0.51, 0.5],
        [1, 1],
      ]),
    ).toBe(
      '<svg class="picture" aria-hidden="true" viewBox="0 0 200 150" preserveAspectRatio="xMinYMid">' +
        '<path class="dot round" d="M100 75h0m2 0h0m98 75h0"/></svg>',
    );
  });

  test('says once where several are', () => {
    expect(
      mapOf([
        [0.5, 0.5],
        [0.5001, 0.5],
      ]).match(/h0/g),
    ).toHaveLength(1);
  });

  test('has squares of a grid for a thousand, which is as much as a picture may be', () => {
    const places = Array.from({ length: 1000 }, (_, i) => [(i % 40) / 40, i / 40 / 25] as const);
    const drawn = mapOf(places);
    expect(drawn).toContain('class="dot unit"');
    expect(drawn.length).toBeLessThan(MOST_DRAWN + 200);
  });
});
