import { expect, test } from '@jest/globals';
import { hashOf } from '../../src/columns/text-ids.ts';

/** 64 pairs of letters by the Thue-Morse sequence, or by its opposite. */
function thueMorse(isOpposite: boolean): string {
  return Array.from({ length: 64 }, (_, i) => {
    const ones = i.toString(2).replaceAll('0', '').length;
    return (ones + i + Number(isOpposite)) % 2 === 0 ? 'ab' : 'ba';
  }).join('');
}

test('texts made so that all have one polynomial hash have different ones', () => {
  const blocks = [thueMorse(false), thueMorse(true)];
  const hashes = Array.from({ length: 256 }, (_, k) => {
    const bits = k.toString(2).padStart(8, '0');
    const bytes = Buffer.from(Array.from(bits, (bit) => blocks[Number(bit)]).join(''));
    return hashOf(bytes, 0, bytes.length);
  });
  expect(new Set(hashes).size).toBeGreaterThan(250);
});
