import { fold } from '../text/fold.ts';
import { faultOfChoice } from './choice.ts';
import { byRanges } from './comparison.ts';
import { MOST_TEXT_LENGTH, type NumberType, SPACE } from './field-type.ts';

const TRUE = ['true', '1', 'yes'];
const FALSE = ['false', '0', 'no'];

/** True or false. */
export const boolean: NumberType = {
  noun: 'true or false',
  json: 'boolean',
  ...byRanges((argument) => [Number(argument), Number(argument)]),
  isOrdered: false,
  control: 'choice',
  readCell: readWord,
  writeCell: String,
  keyOf: Number,
  valueOf: (key) => key === 1,
  orders: ['false first', 'true first'],
  shown: (argument, _, { say }) => say(argument === true ? 'yes' : 'no'),
  read: (value) =>
    typeof value === 'string' || typeof value === 'number'
      ? (readWord(String(value)) ?? value)
      : value,
  schema: () => ({ type: 'boolean' }),
  sent: (_, source) => [
    { type: 'boolean' },
    ...(source === 'json' ? [{ enum: [0, 1] }] : []),
    {
      type: 'string',
      pattern: `^${SPACE}(?:${[...TRUE, ...FALSE].map(anyCase).join('|')})${SPACE}$`,
    },
  ],
  expected: () => 'true or false (1 or 0, yes or no)',
  fault: (value, { name }, expected) => faultOfChoice(value, name, ['true', 'false'], expected),
};

/** Makes a pattern that matches a word in any case. JSON Schema patterns have no flags. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function readWord(text: string): boolean | undefined {
  // A longer text cannot be one of the words, so it is not folded.
  if (text.length > MOST_TEXT_LENGTH) return undefined;
  const word = fold(text);
  return TRUE.includes(word) ? true : FALSE.includes(word) ? false : undefined;
}
