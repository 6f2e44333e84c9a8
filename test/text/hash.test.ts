import { expect, test } from '@jest/globals';
import { hashOfBytes, hashOfCodes } from '../../src/text/hash.ts';

/** 64 pairs of letters by the Thue-Morse sequence, or by its opposite. */
function thueMorse(isOpposite: boolean): string {
  return Array.from({ length: 64 }, (_, i) => {
    const ones = i.toString(2).replaceAll('0', '').length;
    return (ones + i + Number(isOpposite)) % 2 === 0 ? 'ab' : 'ba';
  }).join('');
}

/** Two texts for each of eight places; together they make 256 texts. */
const MADE_TO_COLLIDE: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'by the powers of a factor, whatever it is',
    Array.from({ length: 8 }, () => [thueMorse(false), thueMorse(true)] as const),
  ],
  [
    'by the highest bit of two steps, whatever the factor is',
    Array.from({ length: 8 }, () => ['a\u0001a\u0001', 'a\u8001a\u8001'] as const),
  ],
  [
    'by pairs that were sought for known numbers',
    [
      ['5Pn2', '5tnf'],
      ['1xIe', '1TI9'],
      ['wSBL', 'wOB8'],
      ['nIi6', 'neiz'],
      ['wpP8', 'wTPt'],
      ['GKZC', 'GgZ7'],
      ['P7Z5', 'PSZy'],
      ['JVRE', 'J2R1'],
    ],
  ],
];

test.each(MADE_TO_COLLIDE)('texts made to have one hash %s have different ones', (_, places) => {
  const texts = Array.from({ length: 256 }, (_, k) =>
    places.map((pair, place) => pair[(k >> place) & 1]).join(''),
  );
  const ofBytes = texts.map((text) => {
    const bytes = Buffer.from(text, 'utf16le');
    return hashOfBytes(bytes, 0, bytes.length);
  });
  const ofCodes = texts.map((text) => {
    const codes = Uint16Array.from(text, (character) => character.charCodeAt(0));
    return hashOfCodes(codes, 0, codes.length);
  });
  expect(new Set(ofBytes).size).toBeGreaterThan(250);
  expect(new Set(ofCodes).size).toBeGreaterThan(250);
});
