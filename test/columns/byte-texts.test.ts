import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteTexts, orderOfTexts } from '../../src/columns/byte-texts.ts';

/** Texts that are often alike in their first bytes, or end where others go on with zeros. */
const beginning = fc.constantFrom('', 'a', 'Name ', 'Name 12345', 'Straße ', '\0\0', '日本');
const text = fc
  .tuple(beginning, fc.constantFrom('', '\0', '1', 'ü', '\u{1f600}', '\uff21'), fc.nat(40))
  .map(([first, last, number]) => first + last + (number > 20 ? number : ''));

/** The texts one after another, and the last byte before the next. */
function runOf(texts: readonly string[]) {
  let end = 0;
  const ends = Uint32Array.from(texts, (one) => {
    end += Buffer.byteLength(one);
    return end;
  });
  return { bytes: Buffer.from(texts.join('')), ends };
}

test('texts are in the order of their bytes, and equal ones in their own', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 400 }), (texts) => {
      const order = Array.from(texts.keys()).sort(
        (a, b) => Buffer.compare(Buffer.from(texts[a] ?? ''), Buffer.from(texts[b] ?? '')) || a - b,
      );
      expect([...orderOfTexts(runOf(texts))]).toEqual(order);
    }),
    { seed: 62 },
  );
});

test('texts that are alike for long are in order too', () => {
  const long = 'a'.repeat(400_000);
  const texts = Array.from({ length: 20 }, (_, i) => long + String.fromCharCode(0x7a - i));
  const backwards = [...texts.keys()].reverse();
  expect([...orderOfTexts(runOf(texts))]).toEqual(backwards);
});

test('each text has the id of its first place, and keeps it', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 1500 }), (texts) => {
      const known = new ByteTexts();
      const ids = texts.map((one) => known.idOf(Buffer.from(one), 0, Buffer.byteLength(one)));
      const distinct = [...new Set(texts)];
      expect(ids).toEqual(texts.map((one) => distinct.indexOf(one)));
      expect(known.run).toEqual(runOf(distinct));
    }),
    { seed: 62, numRuns: 50 },
  );
});
