import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyListOf } from '../../src/columns/key-list.ts';

test('the keys of a list ascend as their bytes do, beside surrogates too', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'Z', '\ue000', '\uffee', '😀', '𝒳') });
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const { keys, bytes } = keyListOf(texts.map((one) => [one]));
      expect(bytes.map(String)).toEqual(keys);
      const sorted = texts.map((one) => Buffer.from(one)).sort(Buffer.compare);
      expect(bytes.map((one) => one.toString('hex'))).toEqual(
        sorted.map((one) => one.toString('hex')),
      );
    }),
    { seed: 95, numRuns: 300 },
  );
});
