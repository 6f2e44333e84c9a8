import { tokenize } from '../chat/tokenize.ts';

/** A line of chat as it is written in a shell, in a shell's quotes. */
export function shellLine(line: string): string {
  return shellWords(line).map(quoted).join(' ');
}

/** A line of chat as a shell's arguments: what `tokensOf` reads as the same. */
export function shellWords(line: string): string[] {
  return tokenize(line).map(({ name, sign, value }) =>
    name === undefined ? value : `${name}${sign}${value}`,
  );
}

/** A word that a shell hands over as it is. */
function quoted(word: string): string {
  if (/^[\w:.,/@%+-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
