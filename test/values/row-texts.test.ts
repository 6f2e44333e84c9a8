import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RowBlock } from '../../src/columns/row-block.ts';
import { joinRows, listTexts } from '../../src/values/row-texts.ts';

const texts = fc.array(
  fc
    .dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
    .map((row) => JSON.stringify(row)),
  { minLength: 1, maxLength: 12 },
);

test('any rows out of those that lie in memory are the texts that were laid, in that order', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat()), (all, chosen) => {
      const block = new RowBlock();
      for (const [row, text] of all.entries()) block.add(row, text);
      const asked = chosen.map((n) => n % all.length);
      const rows = {
        length: asked.length,
        bytes: asked.map((row) => block.rowAt(row) as string),
      };
      const wanted = asked.map((row) => all[row] as string);
      expect(listTexts(rows)).toEqual(wanted);
      expect(String(joinRows(rows, '[é', ']é'))).toBe(`[é${wanted.join(',')}]é`);
      expect(joinRows(wanted, '[é', ']é')).toBe(`[é${wanted.join(',')}]é`);
    }),
    { seed: 12, numRuns: 300 },
  );
});
