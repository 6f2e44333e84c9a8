/** A value as written on a line: in quotes if it is empty or holds white space or quotes. */
export function quoted(text: string): string {
  if (text !== '' && !/[\s"“”„‟]/.test(text)) return text;
  return inQuotes(text);
}

/** Text in quotes, with its own quotes doubled. Within quotes a sign such as `:` is plain text. */
export function inQuotes(text: string): string {
  return `"${text.replace(/["“”„‟]/g, '$&$&')}"`;
}
