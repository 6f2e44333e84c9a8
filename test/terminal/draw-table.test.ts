import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { drawTable, type TextColumn } from '../../src/channels/terminal/draw-table.ts';

const columns: TextColumn[] = [
  { name: 'name', isNumber: false },
  { name: 'people', isNumber: true },
  { name: 'street', isNumber: false },
];

describe('a table', () => {
  test('has one column under the other, numbers at the right', () => {
    expect(
      drawTable(columns, [
        ['Canton', '8100', 'O’Donnell'],
        ['Hampden', '', ''],
      ]),
    ).toEqual(['name     people  street', 'Canton     8100  O’Donnell', 'Hampden']);
  });

  test('counts columns as a terminal does', () => {
    expect(['abc', 'é', '東京', '👩‍👩‍👧', 'e\u0301'].map((text) => stringWidth(text))).toEqual([
      3, 1, 4, 2, 1,
    ]);
    expect(drawTable(columns, [['東京', '1', 'x']])[1]).toBe('東京       1  x');
  });

  test('cuts the widest text first, and ends it with …', () => {
    expect(drawTable(columns, [['Mount Washington', '12345678901', 'Falls Road']], 35)).toEqual([
      'name             people  street',
      'Mount Was…  12345678901  Falls Road',
    ]);
  });

  test('is no wider than asked, if its numbers and eight of each text are not', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    const row = fc.tuple(text, fc.integer().map(String), text);
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 6 }),
        fc.integer({ min: 31, max: 90 }),
        (rows, width) => {
          const lines = drawTable(columns, rows, width);
          expect(lines).toHaveLength(rows.length + 1);
          for (const [i, line] of lines.entries()) {
            expect(stringWidth(line)).toBeLessThanOrEqual(width);
            expect(line).toContain(i === 0 ? 'people' : (rows[i - 1]?.[1] ?? ''));
          }
        },
      ),
      { numRuns: 500, seed: 31 },
    );
  });
});
