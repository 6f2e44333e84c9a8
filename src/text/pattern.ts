import { fold, foldWithoutTrim } from './fold.ts';

/**
 * A text to match, folded and split at its wildcards. `['court']` matches only that text; `['',
 * 'court', '']` (written `*court*`) matches any text that contains it.
 */
export type Pattern = readonly string[];

/**
 * Reads a caller's text. `*` (U+002A, found before folding) stands for any run of characters, and
 * `\*` for a star. Any other backslash stands for itself. Half a surrogate pair becomes U+FFFD, as
 * it would in UTF-8: it must not match half of a stored character.
 */
export function parsePattern(text: string): Pattern {
  const segments = splitAtWildcards(text.toWellFormed()).map(foldWithoutTrim);
  segments[0] = (segments[0] as string).trimStart();
  segments.push((segments.pop() as string).trimEnd());
  return segments;
}

/** Reads a text of which only the digits are compared. Wildcards may stand between digits. */
export function parseDigitsPattern(text: string): Pattern {
  const segments = splitAtWildcards(text).map((segment) => digitsOf(foldWithoutTrim(segment)));
  return segments.length === 1 ? [withoutLeadingOne(segments[0] as string)] : segments;
}

/** The digits of a stored phone number, in the form that equality compares. */
export function digitsKey(text: string): string {
  return withoutLeadingOne(allDigits(text));
}

/** All digits of a stored phone number. Wildcards are matched against these. */
export function allDigits(text: string): string {
  return digitsOf(foldWithoutTrim(text));
}

export function isWildcard(pattern: Pattern): boolean {
  return pattern.length > 1;
}

/** Takes linear time in the text for each segment. It never makes a RegExp from a caller's text. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const first = pattern[0] as string;
  if (pattern.length === 1) return text === first;
  // The commonest pattern by far is `*part*`.
  if (pattern.length === 3 && first === '' && pattern[2] === '') {
    return text.includes(pattern[1] as string);
  }
  const last = pattern[pattern.length - 1] as string;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (let i = 1; i < pattern.length - 1; i++) {
    const segment = pattern[i] as string;
    const found = text.indexOf(segment, from);
    if (found < 0 || found + segment.length > end) return false;
    from = found + segment.length;
  }
  return true;
}

export function splitAtWildcards(text: string): string[] {
  if (!text.includes('*')) return [text];
  const segments: string[] = [];
  let segment = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '\\' && text[i + 1] === '*') {
      segment += '*';
      i++;
    } else if (character === '*') {
      segments.push(segment);
      segment = '';
    } else {
      segment += character;
    }
  }
  segments.push(segment);
  return segments;
}

function digitsOf(folded: string): string {
  return folded.replace(/[^0-9]/g, '');
}

// North American numbers may have the country code 1 before their ten digits.
function withoutLeadingOne(digits: string): string {
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** The most words in one search. Each has a bit, and there are 16 bits. */
export const MOST_WORDS = 16;

/** The words of a folded text: runs of letters, marks and digits. */
export function wordsInText(folded: string): string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether a character is part of a word. */
export function isOfWord(character: string): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(character);
}

/** The different words in a caller's text. */
export function wordsAsked(text: string): string[] {
  return [...new Set(wordsInText(fold(text.toWellFormed())))];
}

/**
 * The text that a phone number is found by: the number as it is written, and its digits as one
 * word.
 */
export function phoneWords(text: string): string {
  const written = fold(text);
  // Folding once more would change nothing.
  return `${written} ${allDigits(written)} ${digitsKey(written)}`;
}
