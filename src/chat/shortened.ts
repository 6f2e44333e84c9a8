/** A caller's text, short enough to quote. */
export function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`;
}
