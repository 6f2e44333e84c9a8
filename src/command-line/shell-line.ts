import { tokenize } from '../chat/tokenize.ts';

/** A chat line as it is written in a shell, with a shell's quotes. */
export function shellLine(line: string): string {
  return shellWords(line).map(quoted).join(' ');
}

/** A chat line as a shell's arguments, which `tokensOf` reads as the same tokens. */
export function shellWords(line: string): string[] {
  return tokenize(line).map(({ name, sign, value }) =>
    name === undefined ? value : `${name}${sign}${value}`,
  );
}

/** A word quoted, if needed, so that a shell passes it on unchanged. */
function quoted(word: string): string {
  if (/^[\w:.,/@%+-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
