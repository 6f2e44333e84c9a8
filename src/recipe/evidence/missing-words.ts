import { endsOfWords } from '../../text/ends-of-words.ts';

/** Words for nothing, in lower case. */
const WORDS = new Set([
  ...['n/a', 'na', 'n.a.', '#n/a', 'n.d.', 'k.a.', 's/d', 's.d.', 'null', '(null)', '\\n', 'none'],
  ...['nil', 'nan', 'not available', 'not applicable', 'unknown', 'missing', 'keine angabe'],
  ...['-', '--', '---', '\u2013', '\u2014', '.', '..', '...', '\u2026', '?', '/'],
  // Values that spreadsheets and MySQL leave.
  ...['#null!', '#div/0!', '#value!', '#ref!', '#name?', '#num!', '0000-00-00'],
  '0000-00-00 00:00:00',
]);

const MOST_LENGTH = Math.max(...[...WORDS].map(({ length }) => length));

/** The first and the last characters of these words. Most cells have others. */
const FIRST = endsOfWords(WORDS, 'first');
const LAST = endsOfWords(WORDS, 'last');

/** Whether a trimmed cell may mean nothing in a column of numbers, dates or the like. */
export function isMissingWord(text: string): boolean {
  const { length } = text;
  if (FIRST[text.charCodeAt(0)] === 0 || LAST[text.charCodeAt(length - 1)] === 0) return false;
  if (length > MOST_LENGTH) return false;
  return WORDS.has(text.toLowerCase());
}

/** The words that are never a text's value either. `None`, `unknown` or `NA` may be one. */
const NEVER_VALUES = new Set([
  ...['n/a', '#n/a', 'n.a.', 'k.a.', '(null)', '\\n', 'keine angabe'],
  ...['#null!', '#div/0!', '#value!', '#ref!', '#name?', '#num!'],
]);

export function isNeverValue(word: string): boolean {
  // In capitals it comes from a database. Otherwise it is somebody's name.
  return word === 'NULL' || NEVER_VALUES.has(word.toLowerCase());
}
