import { OBEYED } from './wording.ts';

/** A word for a POSIX shell. What a terminal would obey is escaped in `$'…'` (POSIX 2024). */
export function quoted(word: string): string {
  if (word.search(OBEYED) >= 0) {
    const escaped = word.replace(/[\\']/g, '\\$&').replace(OBEYED, (character) => {
      return [...Buffer.from(character)]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join('');
    });
    return `$'${escaped}'`;
  }
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
