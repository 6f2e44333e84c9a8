/**
 * What cannot be seen, or turns the text around it another way: controls, formats, surrogates, and
 * every space but one. None of them stands in a snippet.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

export type Quoting = {
  readonly quote: string;
  /** The characters that mean something between the quotes, each with what is written for it. */
  readonly special: Readonly<Record<string, string>>;
  /** The escape of a code point, given in hexadecimal. */
  readonly codePoint: (codePoint: string) => string;
};

/** A text between quotes, where it is nothing but that text. */
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
