import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { packedColumnRows } from '../../src/columns/memory-rows.ts';
import { withCodes } from '../../src/columns/pack-codes.ts';
import { itemBytes, makeItem } from '../../src/dynamodb/item.ts';
import { DYNAMODB } from '../../src/dynamodb/storage.ts';
import { summariseColumns } from '../../src/import/summarise-columns.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { packColumns } from '../support/pack-columns.ts';

const FIELDS: readonly Field[] = [
  { name: 'text', title: 'Text', type: 'text', indexed: true },
  { name: 'other', title: 'Other', type: 'text' },
  { name: 'whole', title: 'Whole', type: 'integer' },
  { name: 'part', title: 'Part', type: 'number' },
  { name: 'day', title: 'Day', type: 'date' },
  { name: 'time', title: 'Time', type: 'datetime' },
  { name: 'wall', title: 'Wall', type: 'datetime', local: true },
  { name: 'berlin', title: 'Berlin', type: 'datetime', timeZone: 'Europe/Berlin' },
  { name: 'flag', title: 'Flag', type: 'boolean' },
];

// Some share a key, some have none.
const TEXTS = [
  'a',
  'A',
  'ä',
  'b',
  'B*',
  'zo\u0308e',
  'zoe',
  '\u200b',
  '\u00ad\u200b',
  '𝒳',
  '\ue000',
  'x\ny',
];

const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  text: fc.option(fc.constantFrom(...TEXTS, ...Array.from({ length: 30 }, (_, i) => `t${i}`))),
  other: fc.option(fc.constantFrom(...TEXTS)),
  whole: fc.option(fc.integer()),
  part: fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((x) => x + 0)),
  day: fc.option(fc.constantFrom('0099-12-31', '2020-02-29', '2021-03-01')),
  time: fc.option(fc.constantFrom('2020-02-29T10:00:00Z', '2020-02-29T10:00:00.123Z')),
  wall: fc.option(fc.constantFrom('1999-12-31T23:59:59', '1999-12-31T23:59:59.500')),
  berlin: fc.option(fc.constantFrom('2020-02-29T10:00:00+01:00', '2020-07-01T10:00:00.001+02:00')),
  flag: fc.option(fc.boolean()),
});

test('what is said of columns is what their rows say, one by one', () => {
  const property = fc.property(
    fc.array(rowArbitrary, { maxLength: 60 }),
    fc.integer({ min: 1, max: 20 }),
    (rows, rowsPerChunk) => {
      const packed = packColumns(FIELDS, rows, rowsPerChunk);
      const summary = summariseColumns(FIELDS, packed, DYNAMODB);
      // Keys are the same, whether or not codes that tell them apart are stored.
      expect(summariseColumns(FIELDS, withCodes(packed, FIELDS), DYNAMODB)).toEqual(summary);
      const { columns, sizes } = summary;
      const items = [...packedColumnRows(FIELDS, packed)].map((row, i) =>
        makeItem(FIELDS, row, i, 1),
      );
      expect([...sizes]).toEqual(items.map(itemBytes));
      for (const name of ['text', 'other']) {
        const {
          statistics,
          commonest: told,
          suggestions,
        } = columns[name] as NonNullable<typeof columns.x>;
        const its = rows.map((row) => row[name] as string | null);
        const texts = new Set(its.filter((text) => text !== null));
        expect(statistics.nulls).toBe(its.filter((text) => text === null).length);
        expect(statistics.distinct).toBe(texts.size);
        const few = texts.size > 0 && texts.size <= 20 ? [...texts].sort() : undefined;
        expect(statistics.values).toEqual(few);
        const byKey = new Map<string, { text: string; rows: number; bytes: number }>();
        for (const [i, { keys }] of [...packedColumnRows(FIELDS, packed)].entries()) {
          const key = keys[name] as string | undefined;
          if (key === undefined) continue;
          const known = byKey.get(key) ?? { text: its[i] as string, rows: 0, bytes: 0 };
          known.rows++;
          known.bytes += sizes[i] as number;
          byKey.set(key, known);
        }
        const commonest = [...byKey.values()].sort((a, b) => b.rows - a.rows);
        const shown = commonest.filter(({ text }) => !text.includes('\n')).slice(0, 60);
        expect(told).toEqual(shown.slice(0, 20).map(({ text, rows }) => [text, rows]));
        expect(suggestions).toEqual(shown.map(({ text }) => text.trim().replaceAll('*', '\\*')));
        const most = Math.max(0, ...[...byKey.values()].map(({ bytes }) => bytes));
        if (name === 'text') expect(statistics.mostBytesOfKey).toBe(most);
      }
      for (const name of ['whole', 'part', 'day', 'time', 'wall', 'berlin', 'flag']) {
        const values = rows.map((row) => row[name]).filter((value) => value !== null);
        const { statistics } = columns[name] as NonNullable<typeof columns.x>;
        expect(statistics.nulls).toBe(rows.length - values.length);
        expect(statistics.distinct).toBe(new Set(values.map(String)).size);
      }
    },
  );
  fc.assert(property, { seed: 7, numRuns: 400 });
});
