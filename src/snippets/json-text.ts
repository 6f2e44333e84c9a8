/**
 * JSON on one line for a literal of another language. Characters that are not plain there become
 * JSON escapes, so that the literal needs no escapes.
 */
export function jsonText(value: unknown, isPlain: (character: string) => boolean): string {
  const text = JSON.stringify(value).replaceAll('\\\\', '\\u005c');
  return Array.from(text, (character) =>
    isPlain(character) ? character : character.split('').map(unicodeEscape).join(''),
  ).join('');
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
