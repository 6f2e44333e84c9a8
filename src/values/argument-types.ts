import { choice } from './choice.ts';
import { type ArgumentType, MOST_TOKEN_LENGTH, quotedValue } from './field-type.ts';
import { FIELD_TYPES } from './field-types.ts';
import { box, distance, place } from './places.ts';
import { text } from './text.ts';

/** An opaque text from an earlier answer. The caller sends it back unchanged. */
const token: ArgumentType = {
  read: (value) => (typeof value === 'string' ? value.trim() : value),
  schema: () => ({ type: 'string', maxLength: MOST_TOKEN_LENGTH }),
  sent: () => [{ type: 'string', maxLength: MOST_TOKEN_LENGTH }],
  expected: () => 'text',
  fault: (value, { name }, expected) => ({
    code: 'not-text',
    detail: `${name} is ${quotedValue(value)}; expected ${expected}.`,
  }),
};

/** Words to look for, in one text. */
const words: ArgumentType = {
  read: text.read,
  schema: text.schema,
  sent: text.sent,
  expected: text.expected,
  fault: text.fault,
  hint: 'Case and accents do not matter.',
};

/** Every argument type: the types of fields, and those that only arguments have. */
const ARGUMENT_TYPES = { ...FIELD_TYPES, choice, token, words, box, place, distance };

export type ArgumentTypeName = keyof typeof ARGUMENT_TYPES;

export function argumentTypeOf({ type }: { readonly type: ArgumentTypeName }): ArgumentType {
  return ARGUMENT_TYPES[type];
}
