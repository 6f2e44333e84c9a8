/** A value as it is written on a line: in quotes where it has white space or quotes in it. */
export function quoted(text: string): string {
  if (text !== '' && !/[\s"“”„‟]/.test(text)) return text;
  return inQuotes(text);
}

/** Text in quotes, its own quotes doubled: no sign in it is one. */
export function inQuotes(text: string): string {
  return `"${text.replace(/["“”„‟]/g, '$&$&')}"`;
}
