import { MOST_LIST_MEMBERS, type Parameter } from '../block/parameter.ts';
import { isBlankText } from '../text/fold.ts';
import { argumentTypeOf } from './argument-types.ts';
import { splitAtCommas } from './choice.ts';

/**
 * Changes how an argument is written and never refuses: what cannot be read stays as it was sent,
 * for the schema to refuse. The value is not blank (`isBlank`).
 */
export function normalise(parameter: Parameter, value: unknown): unknown {
  const { read } = argumentTypeOf(parameter);
  if (!Array.isArray(value)) return read(value, parameter);
  // Over the limit it will be refused whole: to read it, or check it, would be work for nothing.
  if (value.length > MOST_LIST_MEMBERS) return OVERLONG;
  // A list is no member, even one of blanks: it stays, to be refused.
  return value
    .filter((member) => Array.isArray(member) || !isBlank(member))
    .flatMap((member) => {
      if (Array.isArray(member)) return [member];
      const one = read(member, parameter);
      return Array.isArray(one) ? one : [one];
    });
}

/** In the place of a list that is: no member of it is blank, and none is looked at. */
const OVERLONG: readonly string[] = new Array(MOST_LIST_MEMBERS + 1).fill('x');

/** How many members of a list, as it is read, one becomes of those that were sent. */
export function countNormalised({ type, list }: Parameter, member: unknown): number {
  if (Array.isArray(member)) return 1;
  if (isBlank(member)) return 0;
  return type === 'choice' && list ? splitAtCommas(member).length : 1;
}

/** What it takes to read a value. */
export function stepsOfNormalising(parameter: Parameter, value: unknown): number {
  const { stepsOfReading } = argumentTypeOf(parameter);
  if (stepsOfReading === undefined) return 0;
  const stepsOf = (one: unknown) => (typeof one === 'string' ? stepsOfReading(one, parameter) : 0);
  if (!Array.isArray(value)) return stepsOf(value);
  if (value.length > MOST_LIST_MEMBERS) return 0;
  return value.reduce((sum: number, member) => sum + stepsOf(member), 0);
}

/** Blank means not given: null, "", white space, text that folds to nothing, an empty list. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlankScalar);
  return isBlankScalar(value);
}

function isBlankScalar(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && isBlankText(value));
}
