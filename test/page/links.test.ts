import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hrefOf } from '../../src/page/links.ts';

test("a link's query is what a browser's form sends", () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.stringMatching(/^[\w.*~'() +%&=-]{0,12}$/),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), (pairs) => {
      expect(hrefOf(pairs, '#found')).toBe(`?${new URLSearchParams(pairs)}#found`);
    }),
    { seed: 62, numRuns: 2000 },
  );
});
