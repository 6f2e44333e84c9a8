import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';

/** A field of every type, and of the two kinds of times beside UTC's. */
export const TYPED_FIELDS: readonly Field[] = [
  { type: 'text', name: 'place', title: 'Place', indexed: true, main: true },
  { type: 'phone', name: 'phone', title: 'Phone', indexed: true },
  { type: 'link', name: 'website', title: 'Website' },
  { type: 'number', name: 'score', title: 'Score', alias: 'points' },
  { type: 'integer', name: 'seats', title: 'Seats', unit: 'chairs' },
  { type: 'date', name: 'opened', title: 'Opened' },
  { type: 'datetime', name: 'inspected', title: 'Inspected', timeZone: 'America/New_York' },
  { type: 'datetime', name: 'seen', title: 'Seen' },
  { type: 'datetime', name: 'clock', title: 'Clock', local: true },
  { type: 'boolean', name: 'outdoors', title: 'Outdoors' },
  { type: 'date', name: 'checked', title: 'Checked', filterable: false },
];

export const typedBlock = datasetBlock({
  id: 'typed-id',
  name: 'typed',
  title: 'typed',
  description: 'Made by a test.',
  fields: TYPED_FIELDS,
  examples: [{ title: 'All', arguments: {} }],
});

const or = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 5 });

/** Instants around leap days, the ends of years, and the hours that New York's clocks leave out or show twice. */
export const INSTANTS = [
  '2020-02-29T12:00:00Z',
  '2020-03-01T04:59:59.999Z',
  '2020-03-08T06:59:59Z',
  '2020-03-08T07:00:00Z',
  '2020-11-01T05:30:00Z',
  '2020-11-01T06:30:00Z',
  '2020-12-31T23:59:59.999Z',
  '2021-01-01T00:00:00Z',
  '2021-01-01T04:59:59Z',
  '2021-01-01T05:00:00Z',
  '1969-12-31T23:59:59.5Z',
  '1883-11-18T12:03:57Z',
];

/** Rows as cells, so that they are read as a file's are. */
export const typedCells: fc.Arbitrary<Record<string, string | null>> = fc.record({
  place: or(['Court St', 'COURT  ST', 'Łódź', 'a*b', 'x']),
  phone: or(['718-624-7581', '1 (718) 624-7581', '7186240000']),
  website: or(['https://example.org/a?b=1&c="x"', 'http://example.org', 'https://EXAMPLE.org/a']),
  score: or(['0', '-0', '1.5', '-76.61', '1e3']),
  seats: or(['0', '7', '7.0', '-3', '120']),
  opened: or(['2020-02-29', '2020-02-28', '2020-12-31', '2021-01-01', '1600-01-01', '2400-02-29']),
  inspected: or(INSTANTS),
  seen: or(INSTANTS),
  clock: or(INSTANTS.map((instant) => instant.replace('Z', ''))),
  outdoors: or(['true', 'NO', '1', 'false', 'Yes', '0']),
  checked: or(['2020-05-17', '2021-05-17']),
});

export function rowOf(cells: Readonly<Record<string, string | null>>): Row {
  return Object.fromEntries(
    TYPED_FIELDS.map((field): [string, Value] => {
      const cell = cells[field.name] ?? null;
      const value = cell === null ? null : typeOf(field).readCell(cell, field);
      if (value === undefined) throw new Error(`${field.name}: ${cell}`);
      return [field.name, value];
    }),
  );
}

export function sampleCells(count: number, seed: number): Record<string, string | null>[] {
  return fc.sample(typedCells, { numRuns: count, seed });
}

/** These cells as a file. */
export function csvOf(rows: readonly Readonly<Record<string, string | null>>[]): string {
  const names = TYPED_FIELDS.map(({ name }) => name);
  const quoted = (cell: string | null) => `"${(cell ?? '').replaceAll('"', '""')}"`;
  const lines = rows.map((row) => names.map((name) => quoted(row[name] ?? null)).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}
