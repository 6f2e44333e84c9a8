import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { oneOf, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import { CachedChunk } from '../../src/columns/cached-chunk.ts';
import { indexWords, markWords } from '../../src/columns/select-words.ts';
import { beginningsOf } from '../../src/columns/word-index.ts';
import { matches } from '../../src/query/predicate.ts';
import { wordsAsked, wordsInText } from '../../src/text/pattern.ts';
import type { Field } from '../../src/values/field-types.ts';
import { finish, type Work } from '../../src/work/work.ts';
import { ampleBudget } from '../support/ample.ts';
import { fieldOf, storedColumn } from '../support/stored-column.ts';

const done = <T>(work: Work<T>) => finish(work, ampleBudget());

/** Letters, digits and marks of one to four bytes, and what stands between words of as many. */
const character = fc.constantFrom(
  ...['a', 'b', 'é', '1', '中', 'ा', '\u{10380}', '-', ' ', '·', '…', '\u{1f600}'],
);
const text = fc.string({ unit: character, maxLength: 5 });
const phone = fc.constantFrom('718-624-7581', '1 (718) 624-7581', '71-86', 'none', '18', '');

test.each<[string, Field['type'], fc.Arbitrary<string>, boolean]>([
  ['text', 'text', text, false],
  ['text by its index', 'text', text, true],
  ['phone', 'phone', phone, true],
])('words of a chunk are those of its rows: %s', async (_, type, value, isIndexed) => {
  const field: Field = { type, name: 'a', title: 'A' };
  const byDigits = type === 'phone';
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(value), { minLength: 1, maxLength: 8 }),
      value,
      async (values, asked) => {
        const beginnings = beginningsOf(wordsAsked(asked));
        const { rows, chunk } = await storedColumn(field, values);
        const marks = new Uint16Array(rows.length);
        const held = new CachedChunk(chunk);
        if (isIndexed) await done(indexWords(held, byDigits));
        await done(markWords(held, beginnings, byDigits, marks));
        const expected = rows.map((row) =>
          beginnings.reduce((bits, beginning, i) => {
            const word = beginning.toString();
            const fields = [{ name: 'a', byDigits }];
            const condition = { test: 'words', parameters: ['_q'], fields, words: [word] } as const;
            return matches([condition], row) ? bits | (1 << i) : bits;
          }, 0),
        );
        expect([...marks]).toEqual(expected);
        found += expected.filter((bits) => bits > 0).length;
      },
    ),
    { seed: 3, numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(150);
});

const SYLLABLES = [
  'a',
  'ab',
  's',
  'st',
  'stre',
  'et',
  '1',
  '12',
  'é',
  'ст',
  '中',
  'ा',
  '\u{10380}',
  '\u{30000}',
];
const GAPS = [' ', '-', '…', ', '];

/** Texts of a few words each, of one to three syllables. */
function texts(count: number, wordsOf: (random: () => number) => number): string[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, () =>
    Array.from({ length: wordsOf(random) }, () =>
      Array.from({ length: wholeNumber(random, 1, 3) }, () => oneOf(random, SYLLABLES)).join(''),
    ).join(oneOf(random, GAPS)),
  );
}

/** Words that are asked for: each syllable, two, what no text has, what shares bits with other words. */
const ASKED = [
  ...SYLLABLES,
  ...SYLLABLES.map((one, i) => `${one}${SYLLABLES[(i * 5) % SYLLABLES.length]}`),
  ...['aa', 'sa', '1a', '11', 'zz', 'z', 'ж', 'd8', 'aа'],
].flatMap(wordsAsked);

test.each<[string, readonly string[]]>([
  ['one text', ['street ab-12']],
  ['one text of nothing', ['…']],
  ['texts that end as the next begins', ['a s', 't', 'ta', 'b s', 'tr']],
  ['words of one byte', texts(500, () => 3).map((one) => one.replace(/\P{ASCII}|(?<=\w)\w/gu, ''))],
  ['words with one first letter', texts(3000, () => 4).map((one) => `s${one.replace(/ /g, ' s')}`)],
  ['few texts', texts(40, (random) => wholeNumber(random, 0, 4))],
  ['some texts', texts(900, (random) => wholeNumber(random, 0, 4))],
  ['many texts', texts(40_000, (random) => wholeNumber(random, 0, 4))],
  ['a text of 55 KB', texts(3, (random) => (random() < 0.5 ? 1 : 5000))],
  ['a text of more bytes than 16 bits count', texts(2, () => 9000)],
])('words are found one by one and by their index: %s', async (_, values) => {
  const { rows, chunk } = await storedColumn(fieldOf('text'), values);
  const held = new CachedChunk(chunk);
  const words = rows.map(({ keys }) => wordsInText((keys.a ?? '') as string));
  const rowsWith = new Map(
    ASKED.map((asked) => [asked, words.map((its) => its.some((word) => word.startsWith(asked)))]),
  );
  const together = Array.from({ length: 4 }, (_, from) => ASKED.filter((_, i) => i % 4 === from));
  for (const isIndexed of [false, true]) {
    if (isIndexed) await done(indexWords(held, false));
    for (const asked of [...ASKED.map((one) => [one]), ...together]) {
      const beginnings = beginningsOf(asked);
      const marks = new Uint16Array(rows.length);
      await done(markWords(held, beginnings, false, marks));
      const expected = new Uint16Array(rows.length);
      for (const [i, beginning] of beginnings.entries()) {
        const its = rowsWith.get(String(beginning)) as boolean[];
        for (let row = 0; row < its.length; row++)
          if (its[row]) expected[row] = (expected[row] as number) | (1 << i);
      }
      expect(Buffer.compare(bytesOf(marks), bytesOf(expected))).toBe(0);
    }
  }
});

function bytesOf({ buffer }: Uint16Array): Buffer {
  return Buffer.from(buffer);
}

test('a word that begins another one asked for goes without saying', () => {
  const words = ['st', 'ab', 'street', 's', 'a', '中', 'ab中', 'abc'];
  expect(beginningsOf(words).map(String)).toEqual(['abc', 'ab中', 'street', '中']);
});
