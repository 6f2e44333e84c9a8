import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesOfRow, joinRows, layRows, textsOf } from '../../src/query/row-texts.ts';

const texts = fc.array(
  fc
    .dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
    .map((row) => JSON.stringify(row)),
  { minLength: 1, maxLength: 12 },
);

test('any rows out of those that lie in memory are the texts that were laid, in that order', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat()), (all, chosen) => {
      const laid = layRows(all);
      const positions = Uint32Array.from(chosen, (n) => n % all.length);
      const rows = { ...laid, length: positions.length, positions };
      const wanted = Array.from(positions, (position) => all[position] as string);
      expect(textsOf(rows)).toEqual(wanted);
      expect(String(joinRows(rows, '[é', ']é'))).toBe(`[é${wanted.join(',')}]é`);
      expect(joinRows(wanted, '[é', ']é')).toBe(`[é${wanted.join(',')}]é`);
      for (const [position, text] of all.entries()) {
        expect(bytesOfRow(laid.starts, position)).toBe(Buffer.byteLength(text));
      }
    }),
    { seed: 12, numRuns: 300 },
  );
});
