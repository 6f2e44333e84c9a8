/**
 * Characters that are invisible or change the direction of text: controls, formats, surrogates, and
 * all spaces except the plain one. Snippets have them only as escapes.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

export type Quoting = {
  readonly quote: string;
  /** The characters that are special between the quotes, each with its escape. */
  readonly special: Readonly<Record<string, string>>;
  /** The escape of a code point, given in hexadecimal. */
  readonly codePoint: (codePoint: string) => string;
};

/** A text in quotes, escaped so that it reads as exactly that text. */
export function quoted(text: string, { quote, special, codePoint }: Quoting): string {
  const inside = Array.from(
    text,
    (character) =>
      special[character] ??
      (UNSEEN.test(character) ? codePoint(hexadecimal(character)) : character),
  );
  return quote + inside.join('') + quote;
}

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) as number).toString(16);
}
