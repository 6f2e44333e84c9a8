import { type ArgumentType, MOST_TOKEN_LENGTH } from '../fields/field-type.ts';
import { quotedValue } from '../fields/quoted-value.ts';

/** Opaque text from an earlier answer, returned unchanged. */
export const token: ArgumentType = {
  read: (value) => (typeof value === 'string' ? value.trim() : value),
  schema: () => ({ type: 'string', maxLength: MOST_TOKEN_LENGTH }),
  sent: () => [{ type: 'string', maxLength: MOST_TOKEN_LENGTH }],
  expected: () => 'text',
  fault: (value, { name }, expected) => ({
    code: 'not-text',
    detail: `${name} is ${quotedValue(value)}; expected ${expected}.`,
  }),
};
