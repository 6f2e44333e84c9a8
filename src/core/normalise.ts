import { decimalText, parseDecimal } from './decimal.ts';
import { fold, isBlankText, stepsOfFolding } from './fold.ts';
import {
  MOST_LIST_MEMBERS,
  MOST_TEXT_LENGTH,
  type Parameter,
  type TextParameter,
} from './parameter.ts';
import { parseDigitsPattern } from './pattern.ts';

/**
 * Changes how an argument is written and never refuses: what cannot be read stays as it was sent,
 * for the schema to refuse. The value is not blank (`isBlank`).
 */
export function normalise(parameter: Parameter, value: unknown): unknown {
  if (!Array.isArray(value)) return NORMALISERS[parameter.kind](value, parameter as never);
  // Over the limit it will be refused whole: to read it, or check it, would be work for nothing.
  if (value.length > MOST_LIST_MEMBERS) return OVERLONG;
  // A list is no member, even one of blanks: it stays, to be refused.
  const members = value.filter((member) => Array.isArray(member) || !isBlank(member));
  if (parameter.kind === 'choices') {
    return members.flatMap((member) => NORMALISERS.choices(member, parameter));
  }
  return members.map((member) =>
    Array.isArray(member) ? member : NORMALISERS[parameter.kind](member, parameter as never),
  );
}

/** In the place of a list that is: no member of it is blank, and none is looked at. */
const OVERLONG: readonly string[] = new Array(MOST_LIST_MEMBERS + 1).fill('x');

/** How many members of a list, as it is read, one becomes of those that were sent. */
export function countNormalised(parameter: Parameter, member: unknown): number {
  if (Array.isArray(member)) return 1;
  if (isBlank(member)) return 0;
  return parameter.kind === 'choices' ? splitAtCommas(member).length : 1;
}

/** What it takes to read a value: the digits of a text are found by folding it, and choices are folded. */
export function stepsOfNormalising(parameter: Parameter, value: unknown): number {
  if (parameter.kind === 'text' ? parameter.compare !== 'digits' : parameter.kind === 'number') {
    return 0;
  }
  if (!Array.isArray(value)) return stepsOfFolded(value);
  if (value.length > MOST_LIST_MEMBERS) return 0;
  return value.reduce((sum: number, member) => sum + stepsOfFolded(member), 0);
}

function stepsOfFolded(value: unknown): number {
  return typeof value === 'string' && !isOverlong(value) ? stepsOfFolding(value) : 0;
}

/** Blank means not given: null, "", white space, text that folds to nothing, an empty list. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlankScalar);
  return isBlankScalar(value);
}

function isBlankScalar(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && isBlankText(value));
}

type Normalisers = {
  [K in Parameter['kind']]: (value: unknown, parameter: Extract<Parameter, { kind: K }>) => unknown;
};

const NORMALISERS: Normalisers = {
  text: normaliseText,
  number: (value) => {
    if (typeof value === 'string') return parseDecimal(value) ?? value;
    return value === 0 ? 0 : value;
  },
  choice: (value, { choices }) => knownChoice(value, choices),
  choices: (value, { choices }) => splitAtCommas(value).map((part) => knownChoice(part, choices)),
  flag: (value) => {
    const text =
      typeof value === 'string' && value.length <= MOST_WORD_LENGTH ? fold(value) : value;
    if (text === 'true' || text === '1' || text === 1) return true;
    if (text === 'false' || text === '0' || text === 0) return false;
    return value;
  },
  token: (value) => (typeof value === 'string' ? value.trim() : value),
};

/** A word that is longer is none of ours, however it is written. */
const MOST_WORD_LENGTH = 256;

/** The choice that is meant whatever its case; what is none stays as it was sent. */
function knownChoice(value: unknown, choices: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (choices.includes(trimmed) || trimmed.length > MOST_WORD_LENGTH) return trimmed;
  const folded = fold(value);
  return choices.find((choice) => fold(choice) === folded) ?? trimmed;
}

function normaliseText(value: unknown, { compare }: TextParameter): unknown {
  const text = typeof value === 'number' && isExact(value) ? decimalText(value) : value;
  if (compare !== 'digits' || typeof text !== 'string' || isOverlong(text)) {
    return text;
  }
  const digits = parseDigitsPattern(text).join('*');
  return /\d/.test(digits) ? digits : text;
}

/** A larger whole number may have been another one before JSON's reader rounded it. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Counted as the schema counts, by code points; no text has more of them than units. */
function isOverlong(text: string): boolean {
  return text.length > MOST_TEXT_LENGTH && Array.from(text).length > MOST_TEXT_LENGTH;
}

function splitAtCommas(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  return value
    .split(',', MOST_LIST_MEMBERS + 1)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
