import { expect, test } from '@jest/globals';
import { ENGLISH } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';

const asked = { count: 18, all: 80, noun: 'مدرسة' };

test('on a page, a text from right to left does not reorder the words and numbers around it', () => {
  expect(LANGUAGES.en.say('{count} of {all} {noun}', asked)).toBe('18 of 80 \u2068مدرسة\u2069');
  expect(LANGUAGES.de.parts('{field} is {value}', { field: 'مدينة', value: 'x' })).toEqual([
    '\u2068مدينة\u2069',
    ': ',
    'x',
  ]);
});

test('other texts, and those of other channels, are as they are', () => {
  expect(ENGLISH.say('{count} of {all} {noun}', asked)).toBe('18 of 80 مدرسة');
  expect(LANGUAGES.en.say('{count} {noun}', { count: 3, noun: 'Bäume' })).toBe('3 Bäume');
});
