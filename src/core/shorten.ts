/** A caller's name, or another text of theirs, short enough to be named in an answer. */
export function shorten(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= 100 ? wellFormed : `${wellFormed.slice(0, 100).toWellFormed()}…`;
}
