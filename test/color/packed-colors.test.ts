import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  indexColors,
  packColors,
  unpackColors,
} from '../../functions/rgb-to-color-name/color-index.ts';
import { findColorLines, parseColorList } from '../../functions/rgb-to-color-name/color-list.ts';
import { LIST_IDS } from './named-lists.ts';

const SMALL = '010203 black\n28323c grey\n';

function colorsOf(text: string) {
  const lines = findColorLines(text);
  return { lines, index: indexColors(lines.rgb) };
}

describe('packed colours', () => {
  test.each(LIST_IDS)('of the list %s are, unpacked, the same', (name) => {
    const file = new URL(`../../seed-data/color-names/${name}.txt`, import.meta.url);
    const colors = colorsOf(readFileSync(file, 'utf8'));
    expect(unpackColors(packColors(colors))).toEqual(colors);
  });

  test('may lie anywhere in a larger buffer', () => {
    const colors = colorsOf(SMALL);
    const packed = packColors(colors);
    const larger = new Uint8Array(packed.length + 3);
    larger.set(packed, 3);
    expect(unpackColors(larger.subarray(3))).toEqual(colors);
  });

  test('that are cut off are refused', () => {
    const packed = packColors(colorsOf(SMALL));
    expect(() => unpackColors(packed.subarray(0, -4))).toThrow(
      /^The colours have \d+ bytes; expected \d+\.$/,
    );
  });

  test('of another list are refused', () => {
    const { lines } = unpackColors(packColors(colorsOf(SMALL)));
    expect(parseColorList(SMALL, lines).name(1)).toBe('grey');
    expect(() => parseColorList(`${SMALL}ffffff white\n`, lines)).toThrow('another colour list');
  });
});
