import {
  DAY_MS,
  dateText,
  daysOf,
  isWrittenDay,
  nearestDate,
  PERIOD,
  plainTimeIn,
  startOfWritten,
} from './calendar.ts';
import { byRanges } from './comparison.ts';
import { type NumberType, quotedValue, SPACE } from './field-type.ts';

const WRITTEN_PERIOD = new RegExp(`^${PERIOD}$`);

/** Days of the Gregorian calendar, compared by the number of days since 1970-01-01. */
export const date: NumberType = {
  noun: 'a date such as 2020-05-17',
  json: 'string',
  format: 'date',
  ...byRanges((argument) => {
    const [start, end] = daysOf(argument as string);
    return [start / DAY_MS, end / DAY_MS - 1];
  }),
  keysOfDay: 1,
  isOrdered: true,
  control: 'range',
  readCell: (text) => (isWrittenDay(text) ? text : undefined),
  plainKeyIn: (codes, start, end) =>
    end - start === '0000-00-00'.length ? plainTimeIn(codes, start, end) / DAY_MS : Number.NaN,
  writeCell: (value) => value as string,
  keyOf: (value) => startOfWritten(value as string) / DAY_MS,
  textLength: () => '0000-00-00'.length,
  valueOf: (key) => dateText(key * DAY_MS),
  orders: ['earliest first', 'latest first'],
  shown: String,
  read: readPeriod,
  formOf: () => WRITTEN_PERIOD,
  schema: () => ({ type: 'string', pattern: WRITTEN_PERIOD.source }),
  sent: (_, source) => [
    { type: 'string', pattern: `^${SPACE}${PERIOD}${SPACE}$` },
    ...(source === 'json' ? [YEAR_NUMBER] : []),
  ],
  expected: () => 'a date such as 2020-05-17, or a whole month or year such as 2020-05 or 2020',
  fault: (value, { name }, expected) => {
    const suggestion = typeof value === 'string' ? nearestDate(value.trim()) : undefined;
    const fix = suggestion === undefined ? `expected ${expected}` : `write ${suggestion}`;
    return {
      code: 'not-a-date',
      detail: `${name} is ${quotedValue(value)}, which is not a date; ${fix}.`,
      suggestion,
    };
  },
  hint: 'A month or a year means all of its days.',
};

/** In JSON, a whole number of four digits is a year. */
export function readPeriod(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  const { minimum, maximum } = YEAR_NUMBER;
  const isYear =
    Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  return isYear ? String(value) : value;
}

export const YEAR_NUMBER = { type: 'integer', minimum: 1000, maximum: 9999 };
