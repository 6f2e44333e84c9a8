import { inOneLine, numberText } from '../values/wording.ts';

/** Names from a file for a message: the first ten, in one line, without what a terminal obeys. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => {
    const text = inOneLine(name.slice(0, 100));
    return text.length < name.length ? `${text}…` : text;
  });
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${numberText(more)} more` : shown.join(', ');
}
