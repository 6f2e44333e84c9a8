/** At most so many characters of a text that others wrote, and a sign where it was cut. */
export function shorten(text: string, most = 100): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most).toWellFormed()}…`;
}
