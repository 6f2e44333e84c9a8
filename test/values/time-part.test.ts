import { expect, test } from '@jest/globals';
import { readDimensions } from '../../src/block/grouping.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { dimensionKey } from '../../src/query/groups.ts';
import type { Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { TIME_PARTS, type TimePart } from '../../src/values/time-part.ts';

const AT: Field = { type: 'datetime', name: 'at', title: 'At', timeZone: 'America/New_York' };

/** The value of a part of an instant, and its name. */
function partOf(part: string, instant: string): [Value, string | undefined] {
  const [dimension] = readDimensions([AT], [`at.${part}`]);
  if (dimension === undefined) throw new RangeError(part);
  const key = dimensionKey(dimension);
  const value = key.valueOf(key.keyOf(Date.parse(instant)));
  return [value, dimension.part?.nameOf?.(value, ENGLISH)];
}

test.each([
  ['month_of_year', '2020-05-17T12:00:00Z', 5, 'May'],
  ['month_of_year', '1969-12-17T12:00:00Z', 12, 'December'],
  ['week_of_year', '2020-12-31T12:00:00Z', 53, 'week 53'],
  ['week_of_year', '2021-01-03T12:00:00Z', 53, 'week 53'],
  ['week_of_year', '2021-01-04T12:00:00Z', 1, 'week 1'],
  ['week_of_year', '2024-12-30T12:00:00Z', 1, 'week 1'],
  ['weekday', '2020-05-17T12:00:00Z', 7, 'Sunday'],
  ['weekend', '2020-05-15T12:00:00Z', 'weekday', 'Mon–Fri'],
  ['weekend', '2020-05-16T12:00:00Z', 'weekend', 'Sat, Sun'],
  ['weekend', '1969-12-28T12:00:00Z', 'weekend', 'Sat, Sun'],
  ['weekend', '1969-12-29T12:00:00Z', 'weekday', 'Mon–Fri'],
  ['hour', '2020-05-17T18:30:00Z', 14, '14:00'],
])('%s of %s is %s, %s', (part, instant, value, name) => {
  expect(partOf(part, instant)).toEqual([value, name]);
});

test('a part is that of the clock in the field’s zone', () => {
  expect(partOf('month_of_year', '2020-06-01T03:00:00Z')).toEqual([5, 'May']);
  expect(partOf('week_of_year', '2021-01-04T04:00:00Z')).toEqual([53, 'week 53']);
  expect(partOf('weekday', '2020-05-18T03:00:00Z')).toEqual([7, 'Sunday']);
  expect(partOf('weekend', '2020-05-18T03:00:00Z')).toEqual(['weekend', 'Sat, Sun']);
});

test('beside a part are others of the list, and never itself', () => {
  const parts: Readonly<Record<string, TimePart>> = TIME_PARTS;
  for (const [name, { beside = [] }] of Object.entries(parts)) {
    expect(Object.keys(parts)).toEqual(expect.arrayContaining([...beside]));
    expect(beside).not.toContain(name);
  }
  // A day has one weekday alone.
  expect(parts.day?.beside).toBeUndefined();
  expect(parts.month?.beside).toEqual(['year', 'weekday', 'weekend']);
});
