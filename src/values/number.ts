import type { Language } from '../languages/language.ts';
import { decimalText, isInexact, parseDecimal, suggestDecimal } from '../text/decimal.ts';
import { byRanges } from './comparison.ts';
import { defined, type FieldFacts, type NumberType, quotedValue, SPACE } from './field-type.ts';
import { plainNumberIn } from './plain-number.ts';
import { readSpelledNumber } from './spelled-number.ts';

/** Decimal numbers, stored as IEEE 754 binary64. */
export const number: NumberType = {
  noun: 'a number',
  json: 'number',
  ...byRanges((argument) => [argument as number, argument as number]),
  isOrdered: true,
  control: 'range',
  readCell: (text) => {
    const found = readSpelledNumber(text, '.');
    return found?.group === undefined ? found?.value : undefined;
  },
  plainKeyIn: plainNumberIn,
  writeCell: (value) => decimalText(value as number),
  keyOf: (value) => value as number,
  valueOf: (key) => key,
  orders: ['lowest first', 'highest first'],
  shown: (argument, field, language) =>
    numberShown(argument as number, field, language) + unitBehind(field),
  read: (value) => {
    if (typeof value === 'string') return parseDecimal(value) ?? value;
    // JSON allows -0, which equals 0 but is written differently.
    return value === 0 ? 0 : value;
  },
  schema: ({ minimum, maximum }) => defined({ type: 'number', minimum, maximum }),
  sent: (parameter, source) => [
    number.schema(parameter),
    ...(source === 'json' ? [DECIMAL_TEXT] : []),
  ],
  expected: (parameter) => `a number such as 5, -76.61 or 1e3${boundsOf(parameter)}`,
  fault: (value, { name }, expected) => {
    const text = typeof value === 'string' ? value : undefined;
    const suggestion = text === undefined ? undefined : suggestDecimal(text);
    const fix =
      suggestion !== undefined
        ? ` Write ${suggestion}.`
        : text !== undefined && isInexact(text)
          ? ' The number has too many digits, or is too small.'
          : '';
    return {
      code: 'not-a-number',
      detail: `${name} is ${quotedValue(value)}, which is not a number; expected ${expected}.${fix}`,
      suggestion,
    };
  },
};

const DECIMAL_TEXT = {
  description: 'A number as text. A whole number may have zeros after the decimal point.',
  type: 'string',
  pattern: `^${SPACE}[+-]?(?:[0-9]{1,15}(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?${SPACE}$`,
};

export function boundsOf(bounds: { minimum?: number; maximum?: number; unit?: string }): string {
  const { minimum, maximum, unit } = bounds;
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  return `${range}${unit === undefined ? '' : ` (${unit})`}`;
}

/** A field whose name ends in this has whole numbers that are labels or years. */
export const LABEL = /(?:^|_|\d)(?:id|objectid|fid|no|nr|code|zip|year)$/;

/** A number within a sentence. What may name something, such as a year, has no separators. */
function numberShown(value: number, { name, label }: FieldFacts, { number }: Language): string {
  const isLabel = label === true || LABEL.test(name);
  const isPlain = isLabel || (Number.isInteger(value) && Math.abs(value) < LEAST_GROUPED);
  return isPlain ? decimalText(value) : number(value);
}

/** From here on, digits are hard to count. */
const LEAST_GROUPED = 10_000;

/** The unit to write after a number: only if it is one word, and the title does not contain it. */
function unitBehind({ unit, title }: FieldFacts): string {
  return unit === undefined || /\s/.test(unit) || isUnitInTitle(unit, title) ? '' : ` ${unit}`;
}

/** Tells whether a title already contains the unit: `Median age in years` and `years`. */
export function isUnitInTitle(unit: string, title: string): boolean {
  const [inUnit, inTitle] = [unit.toLowerCase(), title.toLowerCase()];
  return inTitle.includes(inUnit) || inUnit.includes(inTitle);
}
