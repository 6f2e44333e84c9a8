/**
 * Controls, line separators, and what changes the direction of text: a terminal would obey them.
 * Tags (U+E0000 to U+E007F) are seen by no person, and may be read by a program.
 */
export const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu;

/** Other people's text in one line, without what a terminal would obey. */
export function inOneLine(text: string): string {
  return text.replace(OBEYED, ' ').toWellFormed();
}

/**
 * A text of any length as it may go to a terminal: its lines and tabs stay; what else a terminal
 * would obey is shown, such as ␛ for ESC and `\u{202e}` for a change of direction.
 */
export function visible(text: string): string {
  return text.replace(KEPT_OR_OBEYED, (found) => (KEPT.has(found) ? found : shown(found)));
}

const KEPT = new Set(['\n', '\t', '\r\n']);
const KEPT_OR_OBEYED = new RegExp(`\\r\\n|${OBEYED.source}`, OBEYED.flags);

/** Unicode has pictures of the controls of ASCII, from U+2400. */
function shown(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`;
}
