import { MOST_TEXT_LENGTH } from '../block/parameter.ts';
import { digitsKey, parseDigitsPattern } from '../query/pattern.ts';
import { stepsOfFolding } from '../text/fold.ts';
import type { TextType } from './field-type.ts';
import { quotedValue } from './quoted-value.ts';
import { BLANK } from './sent-blank.ts';
import { text, WHOLE_OR_FRACTION } from './text.ts';

/** Phone numbers: texts compared by their digits only. */
export const phone: TextType = {
  ...text,
  noun: 'a phone number',
  byDigits: true,
  keyOf: (value) => digitsKey(value as string),
  patternOf: parseDigitsPattern,
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
};

/** Counts code points as the schema does; a text never has more of them than UTF-16 units. */
function isOverlong(value: string): boolean {
  return value.length > MOST_TEXT_LENGTH && Array.from(value).length > MOST_TEXT_LENGTH;
}
