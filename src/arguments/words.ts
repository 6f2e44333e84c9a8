import type { ArgumentType } from '../fields/field-type.ts';
import { text } from '../fields/text.ts';

/** Words to look for, as one text. */
export const words: ArgumentType = {
  read: text.read,
  schema: text.schema,
  sent: text.sent,
  expected: text.expected,
  fault: text.fault,
  hint: 'Case and accents do not matter.',
};
