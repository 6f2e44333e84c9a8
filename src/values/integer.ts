import { type NumberType, type ParameterFacts, quotedValue } from './field-type.ts';
import { boundsOf, number } from './number.ts';
import { plainNumberIn } from './plain-number.ts';

/** Whole numbers. */
export const integer: NumberType = {
  ...number,
  noun: 'a whole number',
  json: 'integer',
  readCell: (text, field) => {
    const value = number.readCell(text, field);
    return Number.isInteger(value) ? value : undefined;
  },
  plainKeyIn: (codes, start, end) => {
    const key = plainNumberIn(codes, start, end);
    return Number.isInteger(key) ? key : Number.NaN;
  },
  schema: (parameter) => ({
    ...number.schema(parameter),
    type: isWhole(parameter) ? 'integer' : 'number',
  }),
  sent: (parameter, source) => [
    integer.schema(parameter),
    ...number.sent(parameter, source).slice(1),
  ],
  expected: (parameter) =>
    isWhole(parameter) ? `a whole number${boundsOf(parameter)}` : number.expected(parameter),
  fault: (value, parameter, expected) => {
    if (typeof value !== 'number' || !isWhole(parameter)) {
      return number.fault(value, parameter, expected);
    }
    const detail = `${parameter.name} is ${quotedValue(value)}; expected ${expected}.`;
    return { code: 'not-an-integer', detail };
  },
};

/** A filter may have any number, because the end of a range may lie between two whole numbers. */
function isWhole({ field }: ParameterFacts): boolean {
  return field === undefined;
}
