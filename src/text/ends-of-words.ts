/**
 * A table of the first or the last characters of words, in both cases, by their code units. Most
 * cells of a file have others, and need no further test.
 */
export function endsOfWords(words: Iterable<string>, end: 'first' | 'last'): Uint8Array {
  const characters = new Uint8Array(0x10000);
  for (const word of words) {
    const one = word.at(end === 'first' ? 0 : -1) ?? '';
    for (const written of [one, one.toUpperCase()]) characters[written.charCodeAt(0)] = 1;
  }
  return characters;
}
