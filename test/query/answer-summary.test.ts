import { describe, expect, test } from '@jest/globals';
import { facetInWords, helpSentence } from '../../src/query/answer-in-words.ts';

const HELP = {
  parameters: ['category'],
  alone: 0,
  without: 12,
  empties: true,
  containing: null,
  nearest: [],
};
const sentence = (more: Partial<typeof HELP> | object) =>
  helpSentence({ ...HELP, ...more }, 'category:retial', 'businesses');

describe('why no row matches, in words', () => {
  test.each([
    [
      'a value that nothing has, and the nearest that there are',
      { nearest: ['Retail', 'Rental'] },
      'category:retial by itself: no businesses. Did you mean “Retail” or “Rental”? Without it: 12 businesses.',
    ],
    [
      'a text that is within others',
      { containing: 4 },
      'category:retial by itself: no businesses. With * on both sides of it: 4 businesses. Without it: 12 businesses.',
    ],
    [
      'a value of another field',
      { elsewhere: [{ parameter: 'type', rows: 1200 }] },
      'category:retial by itself: no businesses. It is a value of type: type finds 1,200 businesses. Without it: 12 businesses.',
    ],
    [
      'a text of which an older service does not say',
      { containing: undefined },
      'category:retial by itself: no businesses. Without it: 12 businesses.',
    ],
    [
      'one row, whose noun is known in the plural alone',
      { containing: 1, without: 1 },
      'category:retial by itself: no businesses. With * on both sides of it: one. Without it: one.',
    ],
    [
      'a text that is within none',
      { containing: 0 },
      'category:retial by itself: no businesses. Without it: 12 businesses.',
    ],
    [
      'one that excludes the others',
      { alone: 3, without: 12 },
      'category:retial by itself: 3 businesses. No row matches category:retial and the others too. Without it: 12 businesses.',
    ],
    [
      'one of several, without which nothing is left either',
      { alone: 3, without: 0, empties: false },
      'category:retial by itself: 3 businesses.',
    ],
    [
      'what was not counted is not guessed',
      { alone: null, without: null, empties: null },
      'category:retial: not counted.',
    ],
  ])('%s', (_, more, expected) => {
    expect(sentence(more)).toBe(expected);
  });
});

test('counts of values have separators', () => {
  const facet = { values: [{ value: 'Retail', count: 1200 }], others: 99_000, empty: 1000 };
  expect(facetInWords('category', facet)).toBe(
    'category: Retail 1,200; 99,000 have other values; 1,000 have none',
  );
});
