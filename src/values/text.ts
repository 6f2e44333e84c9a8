import { decimalText } from '../text/decimal.ts';
import { fold } from '../text/fold.ts';
import { parsePattern } from '../text/pattern.ts';
import { numberText } from '../text/wording.ts';
import { byPatterns } from './comparison.ts';
import { MOST_LIST_MEMBERS, MOST_TEXT_LENGTH, quotedValue, type TextType } from './field-type.ts';

/** Texts, compared without regard to case, accents and white space. */
export const text: TextType = {
  noun: 'text',
  json: 'string',
  ...byPatterns(parsePattern, false),
  control: 'text',
  orders: ['A to Z', 'Z to A'],
  shown: String,
  readCell: (cell) => cell,
  writeCell: (value) => value as string,
  keyOf: (value) => fold(value as string),
  read: (value) => (typeof value === 'number' && isExact(value) ? decimalText(value) : value),
  schema: () => ({ type: 'string', maxLength: MOST_TEXT_LENGTH }),
  sent: (_, source) => [
    { type: 'string', maxLength: MOST_TEXT_LENGTH },
    ...(source === 'json' ? [WHOLE_OR_FRACTION] : []),
  ],
  expected: ({ list, mostMembers = MOST_LIST_MEMBERS }) => {
    const one = `text of at most ${MOST_TEXT_LENGTH} characters`;
    return list ? `${one}, or a list of at most ${numberText(mostMembers)} such texts` : one;
  },
  fault: (value, { name }, expected) => {
    const fix =
      typeof value === 'number' && Number.isInteger(value)
        ? ' JSON parsers round a number with so many digits: write it in quotes.'
        : '';
    return {
      code: 'not-text',
      detail: `${name} is ${quotedValue(value)}; expected ${expected}.${fix}`,
    };
  },
  hint: 'Case and accents do not matter. * stands for any text; a list means any of its members.',
};

/** JSON parsers round larger whole numbers, so the caller may have sent a different one. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/**
 * The numbers that may be sent in place of a text. JSON parsers round whole numbers beyond these
 * bounds.
 */
export const WHOLE_OR_FRACTION = {
  type: 'number',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};
