import { fold } from '../text/fold.ts';
import { allDigits, digitsKey } from './pattern.ts';

/** The most words that are looked for at once: each has a bit of 16. */
export const MOST_WORDS = 16;

/** The words of a folded text: runs of letters, marks and digits. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether a character is part of a word. */
export function isOfWord(character: string): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(character);
}

/** The different words of a caller's text. */
export function wordsAsked(text: string): string[] {
  return [...new Set(wordsOf(fold(text.toWellFormed())))];
}

/** What a phone number is found by: as it is written, and its digits in one word. */
export function phoneWords(text: string): string {
  const written = fold(text);
  // Folding once more would change nothing.
  return `${written} ${allDigits(written)} ${digitsKey(written)}`;
}
