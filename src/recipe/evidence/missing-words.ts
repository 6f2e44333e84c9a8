import { endsOfWords } from '../../text/ends-of-words.ts';

/** Errors that spreadsheets leave, in the languages that `add` knows. */
const ERRORS = [
  ...['#n/a', '#null!', '#div/0!', '#value!', '#ref!', '#name?', '#num!', '#error!'],
  ...['#nv', '#wert!', '#bezug!', '#zahl!', '#valeur!', '#nom?', '#nombre!', '#nul!'],
  ...[
    '#n/d',
    '#\u00a1div/0!',
    '#\u00a1valor!',
    '#\u00a1ref!',
    '#\u00bfnombre?',
    '#\u00a1num!',
    '#\u00a1nulo!',
  ],
  ...['#valore!', '#rif!', '#nome?', '#nullo!', '#valor!', '#n\u00fam!', '#nulo!'],
  ...['#n/b', '#deel/0!', '#waarde!', '#verw!', '#naam?', '#getal!', '#leeg!'],
  ...['#n/d!', '#dziel/0!', '#arg!', '#adr!', '#nazwa?', '#liczba!', '#zero!'],
  ...['#saknas!', '#division/0!', '#v\u00e4rdefel!', '#referens!', '#namn?', '#ogiltigt!'],
];

/** Words for nothing, in lower case. */
const WORDS = new Set([
  ...['n/a', 'na', 'n.a.', 'n.d.', 'k.a.', 's/d', 's.d.', 'null', '(null)', '\\n', 'none'],
  ...['nil', 'nan', 'not available', 'not applicable', 'unknown', 'missing', 'keine angabe'],
  ...['-', '--', '---', '\u2013', '\u2014', '.', '..', '...', '\u2026', '?', '/'],
  ...ERRORS,
  // MySQL leaves these.
  ...['0000-00-00', '0000-00-00 00:00:00'],
]);

const MOST_LENGTH = Math.max(...[...WORDS].map(({ length }) => length));

/** The first and the last characters of these words. Most cells have others. */
const FIRST = endsOfWords(WORDS, 'first');
const LAST = endsOfWords(WORDS, 'last');

/** Whether a cell with these ends may be one of the words. */
export function mayBeMissing(first: number, last: number): boolean {
  return FIRST[first] === 1 && LAST[last] === 1;
}

/** Whether a trimmed cell may mean nothing in a column of numbers, dates or the like. */
export function isMissingWord(text: string): boolean {
  const { length } = text;
  if (!mayBeMissing(text.charCodeAt(0), text.charCodeAt(length - 1))) return false;
  if (length > MOST_LENGTH) return false;
  return WORDS.has(text.toLowerCase());
}

/** The words that are never a text's value either. `None`, `unknown` or `NA` may be one. */
const NEVER_VALUES = new Set([
  ...['n/a', 'n.a.', 'k.a.', '(null)', '\\n', 'keine angabe'],
  ...ERRORS,
]);

export function isNeverValue(word: string): boolean {
  // In capitals it comes from a database. Otherwise it is somebody's name.
  return word === 'NULL' || NEVER_VALUES.has(word.toLowerCase());
}
