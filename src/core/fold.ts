/**
 * Text as it is compared: two texts are equal when their folded forms are.
 *
 * NFKD, marks dropped after Latin, Greek and Cyrillic letters, full case folding
 * (Unicode CaseFolding, status C and F), NFKC; curly quotes and dashes become ASCII,
 * format characters go, runs of white space become one space, the ends are trimmed.
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

/** What it takes to fold a text. Outside ASCII a character may become eighteen. */
export function stepsOfFolding(text: string): number {
  return 10 + text.length * (PLAIN_ASCII.test(text) ? 0.25 : 150);
}

const PLAIN_ASCII = /^[ -~]*$/;
const MARKS_AFTER_LETTERS =
  /([[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]&&\p{L}])\p{M}+/gv;

// Twice over, because NFKC can bring together what the first pass dealt with apart.
function foldOnce(text: string): string {
  const decomposed = text.replace(/\p{Cf}/gu, '').normalize('NFKD');
  const cased = Array.from(decomposed.replace(MARKS_AFTER_LETTERS, '$1'), foldCase).join('');
  return cased
    .normalize('NFKC')
    .replace(MARKS_AFTER_LETTERS, '$1')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{White_Space}+/gu, ' ');
}

// JavaScript has no case folding. Lower → upper → lower, a code point at a time (so that no
// final-sigma rule applies), equals it but for the dotless i, which folds to itself, and for
// Cherokee, which folds to upper case there and to lower case here: the same texts are equal.
function foldCase(character: string): string {
  return character === 'ı' ? character : lowerEach(character.toLowerCase().toUpperCase());
}

function lowerEach(text: string): string {
  return text.length === 1 ? text.toLowerCase() : Array.from(text, (c) => c.toLowerCase()).join('');
}
