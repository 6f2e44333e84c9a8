import { decimalText } from '../text/decimal.ts';

/** A value as a form has it: the text that the service reads as that value. */
export function formText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return decimalText(value);
  return value === null ? '' : JSON.stringify(value);
}

/** A text in an address or a form: every character but the plain ones as its UTF-8 bytes. */
export function percentEncoded(text: string, plain = /[\w.~-]/): string {
  return Array.from(text, (character) =>
    plain.test(character)
      ? character
      : Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
  ).join('');
}
