import { expect, test } from '@jest/globals';
import { judgeBelow } from '../../src/files/find-notes.ts';

/** What is said of the last record of a table of three columns. */
function judged(cell: string) {
  const end = {
    width: 3,
    numberOf: (fromEnd: number) => 100 - fromEnd,
    header: 1,
    ranges: undefined,
    leftOut: [],
    counts: 'row',
  } as const;
  return judgeBelow([['1', '2', '3'], [cell]], end);
}

test.each([
  ['Two words', [100]],
  ['Word', []],
  ['12 34 words', []],
  ['a 12', []],
  ['** a b', [100]],
])('%j alone in a row at the end is a note if letters are in two words: %j', (cell, numbers) => {
  expect(judged(cell).numbers).toEqual(numbers);
});

// One pattern for the words took hours for such a cell.
test('a cell of two million letters at the end is judged', () => {
  expect(judged('x'.repeat(2_000_000)).numbers).toEqual([]);
});
