import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { markWords } from '../../src/columns/select-words.ts';
import type { Field } from '../../src/fields/field.ts';
import { Budget } from '../../src/query/budget.ts';
import { matches } from '../../src/query/predicate.ts';
import { wordsAsked } from '../../src/query/words.ts';
import { storedColumn } from '../support/stored-column.ts';

/** Letters, digits and marks of one to four bytes, and what stands between words of as many. */
const character = fc.constantFrom(
  ...['a', 'b', 'é', '1', '中', 'ा', '\u{10380}', '-', ' ', '·', '…', '\u{1f600}'],
);
const text = fc.string({ unit: character, maxLength: 5 });
const phone = fc.constantFrom('718-624-7581', '1 (718) 624-7581', '71-86', 'none', '18', '');

test.each<[Field['type'], fc.Arbitrary<string>]>([
  ['text', text],
  ['phone', phone],
])('words of a chunk are those of its rows: %s', async (type, value) => {
  const field: Field = { type, name: 'a', title: 'A' };
  const byDigits = type === 'phone';
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(value), { minLength: 1, maxLength: 8 }),
      value,
      async (values, asked) => {
        const words = wordsAsked(asked);
        const { rows, chunk } = await storedColumn(field, values);
        const marks = new Uint16Array(rows.length);
        await markWords(chunk, words, byDigits, marks, new Budget());
        const expected = rows.map((row) =>
          words.reduce((bits, word, i) => {
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
