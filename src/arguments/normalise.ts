import type { Parameter } from '../block/parameter.ts';
import { MOST_LIST_MEMBERS } from '../fields/field-type.ts';
import { isBlankText } from '../text/fold.ts';
import { argumentTypeOf } from './argument-types.ts';
import { splitAtCommas } from './choice.ts';

/**
 * Converts an argument to its normal form and never refuses: an unreadable value stays as sent, so
 * that the schema refuses it. The value must not be blank (`isBlank`).
 */
export function normalise(parameter: Parameter, value: unknown): unknown {
  const { read, readList } = argumentTypeOf(parameter);
  if (!Array.isArray(value)) return read(value, parameter);
  if (readList !== undefined) return readList(value);
  // A list over the limit is refused as a whole, so its members are neither read nor checked.
  if (value.length > MOST_LIST_MEMBERS) return OVERLONG;
  // A list within a list stays, even if it is blank, so that it is refused.
  return value
    .filter((member) => Array.isArray(member) || !isBlank(member))
    .flatMap((member) => {
      if (Array.isArray(member)) return [member];
      const one = read(member, parameter);
      return Array.isArray(one) ? one : [one];
    });
}

/** Replaces an overlong list: it fails the length check without a look at the members sent. */
const OVERLONG: readonly string[] = new Array(MOST_LIST_MEMBERS + 1).fill('x');

/** How many members one sent member becomes in the normalised list. */
export function countNormalised({ type, list }: Parameter, member: unknown): number {
  if (Array.isArray(member)) return 1;
  if (isBlank(member)) return 0;
  return type === 'choice' && list ? splitAtCommas(member).length : 1;
}

/** The cost of reading a value, in budget steps. */
export function stepsOfNormalising(parameter: Parameter, value: unknown): number {
  const { stepsOfReading } = argumentTypeOf(parameter);
  if (stepsOfReading === undefined) return 0;
  const stepsOf = (one: unknown) => (typeof one === 'string' ? stepsOfReading(one, parameter) : 0);
  if (!Array.isArray(value)) return stepsOf(value);
  if (value.length > MOST_LIST_MEMBERS) return 0;
  return value.reduce((sum: number, member) => sum + stepsOf(member), 0);
}

/**
 * Blank values count as not given: null, "", white space, text that folds to nothing, and lists of
 * blanks.
 */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlankScalar);
  return isBlankScalar(value);
}

function isBlankScalar(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && isBlankText(value));
}
