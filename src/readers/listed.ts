/** Names from a file for a message: the first ten, in one line, without what a terminal obeys. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => {
    const text = inOneLine(name.slice(0, 100));
    return text.length < name.length ? `${text}…` : text;
  });
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** A name from a file without what ends a line, or what a terminal obeys. */
export function inOneLine(name: string): string {
  return name.replace(OBEYED, ' ').toWellFormed();
}

/** Controls, line separators, and what changes the direction of text. */
export const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
