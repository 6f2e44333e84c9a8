import { decimalText } from '../values/decimal.ts';

/** A value as form text, which the service reads as the same value. */
export function formText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return decimalText(value);
  return value === null ? '' : JSON.stringify(value);
}

/** Percent-encodes a text's UTF-8 bytes for an address or a form, except `plain` characters. */
export function percentEncoded(text: string, plain = /[\w.~-]/): string {
  return Array.from(text, (character) =>
    plain.test(character)
      ? character
      : Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
  ).join('');
}
