/**
 * Text as it is compared: two texts are equal when their folded forms are.
 *
 * NFKD, marks dropped after Latin, Greek and Cyrillic letters, full case folding
 * (Unicode CaseFolding, status C and F), Latin letters that have no decomposition as their ASCII
 * ones (ł, ø, æ), NFKC; curly quotes and dashes become ASCII, format characters go, runs of white
 * space become one space, the ends are trimmed.
 */
export function fold(text: string): string {
  return foldWithoutTrim(text).trim();
}

/** `fold`, but a space at either end stays: a piece of a wildcard pattern needs it. */
export function foldWithoutTrim(text: string): string {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  return foldOnce(foldOnce(text));
}

/** True for text that folds to nothing: only white space and format characters. */
export function isBlankText(text: string): boolean {
  return !/[^\p{White_Space}\p{Cf}]/u.test(text);
}

/** What it takes to fold a text, which has no pause: outside ASCII a character may become eighteen. */
export function stepsOfFolding(text: string): number {
  return PLAIN_ASCII.test(text) ? 10 + text.length / 4 : 80 * text.normalize('NFKD').length;
}

const PLAIN_ASCII = /^[ -~]*$/;
const MARKS_AFTER_LETTERS =
  /([[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]&&\p{L}])\p{M}+/gv;

/**
 * Small Latin letters that NFKD leaves whole, each before the ASCII that people write for it: those
 * of Latin-1 and Latin Extended-A and -B, as the transform Latin-ASCII of Unicode's CLDR has them.
 */
const UNDECOMPOSED =
  'æae ðd øo þth đd ħh ıi ĸq łl ŋn œoe ŧt ƀb ɓb ƃb ƈc ɖd ɗd ƌd ɛe ƒf ɠg ƕhv ɨi ƙk ƚl ɲn ƞn ƣoi ƥp ƫt ƭt ʈt ʋv ƴy ƶz ǥg ȡd ȥz ȴl ȵn ȶt ȷj ȸdb ȹqp ⱥa ȼc ⱦt ȿs ɀz ʉu ɇe ɉj ɍr ɏy';

const ASCII_OF = new Map(UNDECOMPOSED.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));
const UNDECOMPOSED_LETTERS = new RegExp(`[${[...ASCII_OF.keys()].join('')}]`, 'g');

// Twice over, because NFKC can bring together what the first pass dealt with apart.
function foldOnce(text: string): string {
  const decomposed = text.replace(/\p{Cf}/gu, '').normalize('NFKD');
  return foldCase(decomposed.replace(MARKS_AFTER_LETTERS, '$1'))
    .replace(UNDECOMPOSED_LETTERS, (letter) => ASCII_OF.get(letter) as string)
    .normalize('NFKC')
    .replace(MARKS_AFTER_LETTERS, '$1')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{White_Space}+/gu, ' ');
}

// JavaScript has no case folding. Lower → upper → lower equals it but for Cherokee, which folds to
// upper case there and to lower case here: the same texts are equal. No capital sigma is left for
// the last step, which would make it another one at the end of a word.
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().replaceAll('Σ', 'σ').toLowerCase();
}
