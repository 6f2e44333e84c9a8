/** Cuts a caller's text to at most `most` characters, and marks the cut with `…`. */
export function shorten(text: string, most = 100): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most).toWellFormed()}…`;
}
