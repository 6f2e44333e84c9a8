/** Names from a file for a message: the first ten, in one line, without what a terminal obeys. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => {
    const text = name.slice(0, 100).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ');
    return (text.length < name.length ? `${text}…` : text).toWellFormed();
  });
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
