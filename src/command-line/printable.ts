/** Text of a service or a caller without what a terminal would take for a command or turn round. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ').toWellFormed();
}
