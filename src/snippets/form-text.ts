import { decimalText } from '../core/decimal.ts';

/** A value as a form has it: the text that the service reads as that value. */
export function formText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return decimalText(value);
  return value === null ? '' : JSON.stringify(value);
}
