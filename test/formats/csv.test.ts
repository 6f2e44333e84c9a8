import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvOf } from '../../src/formats/csv.ts';

const cell = (value: unknown) => csvOf(['a'], [{ a: value }]).split('\r\n')[1];

describe('a row is a line (RFC 4180)', () => {
  test.each([
    ['text', 'text'],
    ['with, comma', '"with, comma"'],
    ['a "quote"', '"a ""quote"""'],
    ['a\rb', '"a\rb"'],
    [5, '5'],
    [-76.61, '-76.61'],
    [1e-7, '1e-7'],
    [true, 'true'],
    [false, 'false'],
    [null, '""'],
    [undefined, '""'],
    [[255, 127, 80], '"[255,127,80]"'],
    [[], '[]'],
  ])('%j is written %j', (value, written) => {
    expect(cell(value)).toBe(written);
  });

  test('nothing is nothing beside other columns; alone it is no blank line, which readers skip', () => {
    expect(csvOf(['a', 'b'], [{ a: null, b: 1 }])).toBe('a,b\r\n,1\r\n');
    const text = csvOf(['a'], [{ a: null }, { a: 'x' }, { a: null }]);
    expect(parse(text, { columns: true, skip_empty_lines: true })).toHaveLength(3);
  });

  test('a header is there even without rows, and lines end in CR LF', () => {
    expect(csvOf(['a', 'b'], [])).toBe('a,b\r\n');
    expect(csvOf(['a', 'b'], [{ b: 2, a: 'é\n1' }])).toBe('a,b\r\n"é\n1",2\r\n');
  });
});

describe('a text that a spreadsheet would run is defused, and nothing else', () => {
  test.each([
    '=1+1',
    '=HYPERLINK("http://x","y")',
    '+1 410 555 0199',
    '-1+2',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1+1',
    '＋1+1',
    '－1+1',
    '＠x',
  ])('%j', (text) => {
    expect(parse(csvOf(['a'], [{ a: text }]), { from: 2, record_delimiter: '\r\n' })).toEqual([
      [`'${text}`],
    ]);
  });

  test('but where it is raw', () => {
    const texts = ['=1+1', '@SUM(A1)', "'=1"];
    const rows = texts.map((a) => ({ a }));
    expect(parse(csvOf(['a'], rows, { raw: true }), { columns: true })).toEqual(rows);
  });

  test.each([-76.6, '-76.6', '+5', '-1e3', '-.5', 'a=1', "'quoted", ' =1', '5-3', '1-800-FLOWERS'])(
    '%j stays as it is',
    (value) => {
      expect(cell(value)).toBe(String(value));
    },
  );
});

test('what is written is read back, whatever it holds', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('=a', '+a', ',', '"', '\n', '\r\n', "'=a"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 5 }), (rows) => {
      const text = csvOf(
        ['a', 'b'],
        rows.map(([a, b]) => ({ a, b })),
      );
      const read: string[][] = parse(text, { from: 2, record_delimiter: '\r\n' });
      const undone = (cell: string, wanted: string) => (cell === `'${wanted}` ? wanted : cell);
      expect(
        read.map(([a, b], i) => [
          undone(a ?? '', rows[i]?.[0] ?? ''),
          undone(b ?? '', rows[i]?.[1] ?? ''),
        ]),
      ).toEqual(rows);
    }),
    { seed: 7, numRuns: 500 },
  );
});
