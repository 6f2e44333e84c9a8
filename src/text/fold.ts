/**
 * Folds a text for comparison: two texts are equal if their folded forms are.
 *
 * Applies NFKD, drops marks after Latin, Greek and Cyrillic letters, applies full case folding
 * (Unicode CaseFolding, status C and F), replaces Latin letters that have no decomposition by
 * ASCII ones (ł, ø, æ), and applies NFKC. Curly quotes and dashes become ASCII, format characters
 * are removed, runs of white space become one space, and the ends are trimmed. Of more than 30 marks
 * in a row, 30 count.
 */
export function fold(text: string): string {
  return foldWithoutTrim(text).trim();
}

/** Folds a text but keeps the spaces at its ends. The pieces of a wildcard pattern need them. */
export function foldWithoutTrim(text: string): string {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  return foldOnce(foldOnce(text));
}

/** Tells whether a text folds to nothing: it has only white space and format characters. */
export function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with a letter or a digit.
  if (first > 0x20 && first < 0x7f) return false;
  return !/[^\p{White_Space}\p{Cf}]/u.test(text);
}

/**
 * The cost of folding a text, in steps. Folding cannot pause, and a character outside ASCII may
 * become eighteen.
 */
export function stepsOfFolding(text: string): number {
  return PLAIN_ASCII.test(text) ? 10 + text.length / 4 : 80 * decomposed(text).length;
}

const PLAIN_ASCII = /^[ -~]*$/;

/**
 * Small Latin letters that NFKD does not decompose, each followed by its usual ASCII spelling:
 * those of Latin-1 and Latin Extended-A and -B, from the Latin-ASCII transform of Unicode's CLDR.
 */
const UNDECOMPOSED =
  'æae ðd øo þth đd ħh ıi ĸq łl ŋn œoe ŧt ƀb ɓb ƃb ƈc ɖd ɗd ƌd ɛe ƒf ɠg ƕhv ɨi ƙk ƚl ɲn ƞn ƣoi ƥp ƫt ƭt ʈt ʋv ƴy ƶz ǥg ȡd ȥz ȴl ȵn ȶt ȷj ȸdb ȹqp ⱥa ȼc ⱦt ȿs ɀz ʉu ɇe ɉj ɍr ɏy';

const ASCII_OF = new Map(UNDECOMPOSED.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));
const UNDECOMPOSED_LETTERS = new RegExp(`[${[...ASCII_OF.keys()].join('')}]`, 'g');

/**
 * The expression is made only when it is needed, because reading the sets of these scripts takes
 * half a millisecond, which a start would have to wait.
 */
function marksAfterLetters(): RegExp {
  return /([[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]&&\p{L}])\p{M}+/gv;
}

// This is called twice, because NFKC can join characters that the first call handled separately.
function foldOnce(text: string): string {
  return foldCase(decomposed(text.replace(/\p{Cf}/gu, '')).replace(marksAfterLetters(), '$1'))
    .replace(UNDECOMPOSED_LETTERS, (letter) => ASCII_OF.get(letter) as string)
    .normalize('NFKC')
    .replace(marksAfterLetters(), '$1')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{White_Space}+/gu, ' ');
}

/**
 * Decomposes a text (NFKD). Marks are put in order there, which takes time by the square of a run of
 * them, so at most 30 of a run are kept: no language has more (UAX #15, Stream-Safe Text Format).
 */
function decomposed(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFKD');
}

// JavaScript has no case folding. Lower → upper → lower equals it, except that Cherokee ends in
// lower case instead of upper; the same texts are equal. Capital sigmas are replaced before the
// last step, which would make a different letter of one at the end of a word.
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().replaceAll('Σ', 'σ').toLowerCase();
}

/**
 * Compares two texts by code point, as DynamoDB orders strings (their UTF-8 bytes).
 * JavaScript's own `<` compares UTF-16 units and puts U+1F600 before U+FF21.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Sorts texts, in place, by code point. */
export function sortByCodePoint(texts: string[]): string[] {
  // Sorting by UTF-16 units is built in and much faster; only these units make another order.
  const isOther = texts.some((text) => SURROGATE.test(text));
  return isOther ? texts.sort(compareCodePoints) : texts.sort();
}

const SURROGATE = /[\ud800-\udfff]/;

// Surrogates encode code points above all other units.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
