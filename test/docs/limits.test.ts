import { expect, test } from '@jest/globals';
import { MOST_LIMIT } from '../../src/block/options.ts';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { MOST_FAULTS } from '../../src/problem/errors.ts';
import { MOST_KEYS, MOST_LIST_MEMBERS, MOST_TEXT_LENGTH } from '../../src/values/field-type.ts';
import { MOST_ANSWER_BYTES } from '../../src/values/row-texts.ts';
import { readDocument, tableOf } from './markdown.ts';

const rows = tableOf(readDocument('docs/limits.md'), ['what', 'most']) ?? [];
const whole = (number: number) => number.toLocaleString('en-US');

test.each([
  ['a text, as sent', `${MOST_TEXT_LENGTH} characters`],
  [
    'a list of values, as sent; a list in an option',
    `${whole(MOST_KEYS)} members; ${MOST_LIST_MEMBERS}`,
  ],
  ['rows in a page', whole(MOST_LIMIT)],
  ['rows in an answer', `${MOST_ANSWER_BYTES / 2 ** 20} MB of JSON`],
  ['faults listed in a refusal', String(MOST_FAULTS)],
  ['data in memory, of all datasets', `${DEFAULT_CACHE_BYTES / 2 ** 20} MiB`],
])('docs/limits.md: %s is at most %s', (what, most) => {
  expect(rows.find(([cell]) => cell === what)?.[1]).toContain(most);
});
