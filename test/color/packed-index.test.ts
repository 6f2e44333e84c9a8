import { describe, expect, test } from '@jest/globals';
import { indexColors } from '../../src/color/color-index.ts';
import { packIndex, unpackIndex } from '../../src/color/packed-index.ts';
import { LIST_IDS, readList } from './named-lists.ts';

describe('a packed index', () => {
  test.each(LIST_IDS)('of the list %s is, unpacked, the same', (name) => {
    const index = indexColors(readList(name).rgb);
    expect(unpackIndex(packIndex(index))).toEqual(index);
  });

  test('may lie anywhere in a larger buffer', () => {
    const index = indexColors(Uint8Array.of(1, 2, 3, 40, 50, 60));
    const packed = packIndex(index);
    const larger = new Uint8Array(packed.length + 3);
    larger.set(packed, 3);
    expect(unpackIndex(larger.subarray(3))).toEqual(index);
  });

  test('that is cut off is refused', () => {
    const packed = packIndex(indexColors(Uint8Array.of(1, 2, 3, 40, 50, 60)));
    expect(() => unpackIndex(packed.subarray(0, -4))).toThrow(
      /^The index has \d+ bytes; expected \d+\.$/,
    );
  });
});
