import { stepsOfFolding } from '../text/fold.ts';
import { digitsKey, parseDigitsPattern } from '../text/pattern.ts';
import { byPatterns } from './comparison.ts';
import { BLANK, MOST_TEXT_LENGTH, quotedValue, type TextType } from './field-type.ts';
import { text, WHOLE_OR_FRACTION } from './text.ts';

/** Phone numbers: texts of which only the digits are compared. */
export const phone: TextType = {
  ...text,
  noun: 'a phone number',
  ...byPatterns(parseDigitsPattern, true),
  orders: ['0 to 9', '9 to 0'],
  keyOf: (value) => digitsKey(value as string),
  read: (value, parameter) => {
    const sent = text.read(value, parameter);
    if (typeof sent !== 'string' || isOverlong(sent)) return sent;
    const digits = parseDigitsPattern(sent).join('*');
    return /\d/.test(digits) ? digits : sent;
  },
  stepsOfReading: (value) => (isOverlong(value) ? 0 : stepsOfFolding(value)),
  schema: (parameter) => ({ ...text.schema(parameter), pattern: '[0-9]' }),
  sent: (parameter, source) => [
    { ...text.schema(parameter), pattern: `${BLANK}|[0-9]` },
    ...(source === 'json' ? [WHOLE_OR_FRACTION] : []),
  ],
  fault: (value, parameter, expected) =>
    typeof value === 'string'
      ? {
          code: 'no-digits',
          detail: `${parameter.name} is compared by its digits, but ${quotedValue(value)} has none.`,
        }
      : text.fault(value, parameter, expected),
  hint: '* stands for any text; a list means any of its members.',
  shape: {
    testFor: (words) => {
      const isNamedSo = words.some((word) => PHONE_WORD.test(word));
      return (text) => isPhone(text, isNamedSo);
    },
    why: 'has phone numbers',
    whyNot: 'is no phone number',
    isBeforeNumbers: true,
  },
};

/** Words in the headers of columns with phone numbers. */
const PHONE_WORD =
  /^(?:(?:tele)?phones?|(?:tele)?fon|tel|tél(?:éphone)?|telé?fonos?|fax|mobile|cell|handy|móvil|celular)$/;

/** Digits with the usual separators (E.123), perhaps with an extension. */
const WRITTEN = /^\+?[\d\s().\-/]+(?:(?:x|ext\.?)\s*\d+)?$/i;
/**
 * Forms that can only be a phone number: with a country or area code, or in North America's groups
 * of three, three and four digits.
 */
const UNMISTAKABLE = /^(?:[+(]|(?:1[-. ])?\d{3}[-. ]\d{3}[-. ]\d{4}(?!\d))/;

/**
 * Tells whether a cell is a phone number of 7 to 15 digits (E.164). Unless the header names phones,
 * the cell must look like nothing else: `2019-2020` has eight digits, too.
 */
function isPhone(cell: string, isNamedSo: boolean): boolean {
  if (cell.length > 40 || !WRITTEN.test(cell)) return false;
  if (!isNamedSo && !UNMISTAKABLE.test(cell)) return false;
  const digits = cell.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15;
}

/** Counts code points, as the schema does. A text never has more code points than UTF-16 units. */
function isOverlong(value: string): boolean {
  return value.length > MOST_TEXT_LENGTH && Array.from(value).length > MOST_TEXT_LENGTH;
}
