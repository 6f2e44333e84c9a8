import { fold, stepsOfFolding } from '../text/fold.ts';
import { nearName } from '../text/near-name.ts';
import { firstFew } from '../text/wording.ts';
import {
  type ArgumentType,
  MOST_LIST_MEMBERS,
  MOST_TEXT_LENGTH,
  type ParameterFacts,
  quotedValue,
  SPACE,
  type ValueFault,
} from './field-type.ts';

/** One of a few words, in any case. A list of them may also be one text with commas. */
export const choice: ArgumentType = {
  read: (value, { choices = [], list }) =>
    list ? splitAtCommas(value).map((part) => choiceOf(part, choices)) : choiceOf(value, choices),
  stepsOfReading: (value, { list }) =>
    list ? splitAtCommas(value).reduce(plusSteps, 0) : plusSteps(0, value),
  schema: ({ choices, pattern, ofColumns }) => {
    if (pattern !== undefined) return { type: 'string', pattern: `^(?:${pattern})$` };
    return ofColumns
      ? { type: 'string', anyOf: [{ enum: choices }, OTHER_COLUMN] }
      : { type: 'string', enum: choices };
  },
  sent: (parameter) => {
    const { choices, list, ofColumns } = parameter;
    if (!list && ofColumns) return [{ type: 'string', enum: choices }, OTHER_COLUMN];
    if (!list) return [choice.schema(parameter)];
    const name = nameOf(parameter);
    const { mostMembers = MOST_LIST_MEMBERS } = parameter;
    const pattern = `^${name}(?:,${name}){0,${mostMembers - 1}}$`;
    return [{ description: 'Text with commas.', type: 'string', pattern }];
  },
  sentMember: (parameter) => [{ type: 'string', pattern: `^${nameOf(parameter)}$` }],
  expected: (parameter) => `one of ${firstChoices(parameter.choices ?? [])}`,
  fault: (value, { name, choices = [] }, expected) => faultOfChoice(value, name, choices, expected),
};

/** The fault of a value that is none of the allowed words, with the nearest word. */
export function faultOfChoice(
  value: unknown,
  name: string,
  allowed: readonly string[],
  expected: string,
): ValueFault {
  const suggestion = typeof value === 'string' ? nearName(value, allowed) : undefined;
  const is = `${name} is ${quotedValue(value)}`;
  const code = 'not-a-choice';
  return suggestion === undefined
    ? { code, detail: `${is}; expected ${expected}.`, allowed }
    : {
        code,
        detail: `${is}, which is not a choice. Did you mean ${suggestion}?`,
        allowed,
        suggestion,
      };
}

function nameOf({ choices = [], pattern = choices.join('|'), ofColumns }: ParameterFacts): string {
  const one = ofColumns ? COLUMN : pattern;
  return `${SPACE}(?:${one})?${SPACE}`;
}

/** The form of a column's name in an answer. A sign may come before it, to sort by the column. */
const COLUMN = '-?[A-Za-z_][A-Za-z0-9_]*';

const OTHER_COLUMN = {
  description: 'With _group or _measure: a column of the answer.',
  type: 'string',
  pattern: `^${COLUMN}$`,
};

/** Measuring a word costs as much as folding it, so a word that is not folded is not measured. */
function plusSteps(sum: number, word: unknown): number {
  const isFolded = typeof word === 'string' && word.length <= MOST_TEXT_LENGTH;
  return isFolded ? sum + stepsOfFolding(word) : sum;
}

/** Returns the choice that the value matches in any case; otherwise the value itself, trimmed. */
export function choiceOf(value: unknown, choices: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  // A longer text cannot be one of the choices, so it is not folded.
  if (choices.includes(trimmed) || trimmed.length > MOST_TEXT_LENGTH) return trimmed;
  const folded = fold(value);
  return choices.find((one) => fold(one) === folded) ?? trimmed;
}

export function splitAtCommas(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  return value
    .split(',', MOST_LIST_MEMBERS + 1)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function firstChoices(choices: readonly string[]): string {
  return firstFew(choices, MOST_SHOWN, () => ', …');
}

/** Choices that are listed. */
const MOST_SHOWN = 12;
