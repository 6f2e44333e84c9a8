const utf8 = new TextEncoder();

/** A text in an address or a form: every character but the plain ones as its UTF-8 bytes. */
export function percentEncoded(text: string, plain = /[\w.~-]/): string {
  return Array.from(text, (character) =>
    plain.test(character) ? character : Array.from(utf8.encode(character), percent).join(''),
  ).join('');
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
