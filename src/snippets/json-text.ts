/**
 * JSON in one line, as one literal of another language: characters that are not plain there are
 * written as JSON's own escapes, so that the literal needs none.
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
