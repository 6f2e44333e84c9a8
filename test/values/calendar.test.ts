import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY, DAY_MS, daysOf, nearestDate, PERIOD } from '../../src/values/calendar.ts';
import { date } from '../../src/values/date.ts';
import type { NumberType } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';

const FIELD: Field = { type: 'date', name: 'd', title: 'D' };
const type: NumberType = date;
const isDay = new RegExp(`^${DAY}$`);

/** Every day from 1600 to 2400, counted by hand: how many days a month has, and nothing else. */
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const days: string[] = [];
for (let year = 1600; year <= 2400; year++) {
  for (const [i, length] of LENGTHS.entries()) {
    const last = i === 1 && isLeap(year) ? 29 : length;
    for (let day = 1; day <= last; day++) {
      days.push(`${year}-${String(i + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
    }
  }
}

test('days from 1600 to 2400 follow each other, one by one', () => {
  const first = type.keyOf(days[0] as string, FIELD) as number;
  for (const [i, day] of days.entries()) {
    if (type.keyOf(day, FIELD) !== first + i || type.valueOf(first + i, FIELD) !== day) {
      throw new Error(day);
    }
  }
  // 1970-01-01 is the day from which they are counted.
  expect(first + days.indexOf('1970-01-01')).toBe(0);
});

test('of all that looks like a day, those that exist are days, and no others', () => {
  const known = new Set(days);
  for (let year = 1600; year <= 2400; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        if (isDay.test(text) !== known.has(text)) throw new Error(text);
      }
    }
  }
});

describe('a part of a date', () => {
  const period = fc
    .tuple(fc.nat(days.length - 1), fc.constantFrom(4, 7, 10))
    .map(([i, length]) => (days[i] as string).slice(0, length));

  test('stands for the days that begin with it', () => {
    // Found once: to look through all days for each period takes seconds.
    const daysOfPart = new Map<string, string[]>();
    for (const day of days) {
      for (const part of [day.slice(0, 4), day.slice(0, 7), day]) {
        const own = daysOfPart.get(part);
        if (own === undefined) daysOfPart.set(part, [day]);
        else own.push(day);
      }
    }
    fc.assert(
      fc.property(period, (text) => {
        const own = daysOfPart.get(text) as string[];
        const [from, to] = type.intervalOf(text, FIELD);
        expect([type.valueOf(from, FIELD), type.valueOf(to, FIELD)]).toEqual([own[0], own.at(-1)]);
        expect((daysOf(text)[1] - daysOf(text)[0]) / DAY_MS).toBe(own.length);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test.each(['0000', '2020-00', '2020-13', '2020-1', '20', '20200', '2020-', '2020-05-', '+2020'])(
    'is not %s',
    (text) => {
      expect(new RegExp(`^${PERIOD}$`).test(text)).toBe(false);
    },
  );
});

test.each([
  ['2023-02-29', '2023-02-28'],
  ['2023-02-31', '2023-02-28'],
  ['2024-02-31', '2024-02-29'],
  ['2023-04-31', '2023-04-30'],
  ['2023-13-01', '2023-12-01'],
  ['2023-00-00', '2023-01-01'],
  ['2020/5/7', '2020-05-07'],
  ['2020-5', '2020-05'],
  ['20200517', '2020-05-17'],
  ['17.5.2020', '2020-05-17'],
  ['17/5/2020', '2020-05-17'],
  ['5/17/2020', '2020-05-17'],
  // Two readings exist.
  ['5/6/2020', undefined],
  ['12/5/2020', undefined],
  ['5/12/2020', undefined],
  ['2020-05-17T10:00:00Z', '2020-05-17'],
  ['0000-01-01', undefined],
  ['May 2020', undefined],
  ['20205', undefined],
])('%s is nearly %s', (text, expected) => {
  expect(nearestDate(text)).toBe(expected);
});
