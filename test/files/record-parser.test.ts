import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import Papa from 'papaparse';
import type { Dialect } from '../../src/block/declaration.ts';
import {
  MOST_OF_RECORD,
  type ParsedRecord,
  RecordParser,
} from '../../src/files/csv/record-parser.ts';

/** What is made of a text that comes in pieces of so many characters; it ends at the first fault. */
const read = (text: string, dialect: Dialect, length: number) => {
  const parser = new RecordParser(dialect);
  const records: ParsedRecord[] = [];
  const take = () => {
    for (let record = parser.next(); record !== undefined; record = parser.next()) {
      records.push(record);
      if (record.fault !== undefined) return;
    }
  };
  for (let at = 0; at < text.length && !records.at(-1)?.fault; at += length) {
    parser.add(text.slice(at, at + length));
    take();
  }
  parser.end();
  if (!records.at(-1)?.fault) take();
  return records;
};

const cellsOf = (records: readonly ParsedRecord[]) => records.map(({ cells }) => cells);

/** Lengths that cut quotes, cells and lines, and one that cuts nothing. */
const LENGTHS = [1, 2, 3, 1000];

test.each(LENGTHS)('two bars are one delimiter, in pieces of %i characters', (length) => {
  const text = 'a||b||c\n1|2||||"x||y"\n|||z||"q""|"\n||';
  expect(cellsOf(read(text, { delimiter: '||' }, length))).toEqual([
    ['a', 'b', 'c'],
    ['1|2', '', 'x||y'],
    ['', '|z', 'q"|'],
    ['', ''],
  ]);
});

describe('a record that cannot be cut has a fault and its line', () => {
  test.each<[string, string, Dialect, Partial<ParsedRecord>]>([
    ['a quote in a cell', 'a,b\n\n5" x,1\n', {}, { fault: 'quote-in-cell', line: 3, cells: [] }],
    [
      'text behind a quote',
      'a,b\n1,"x\ny" z\n',
      {},
      { fault: 'text-behind-quote', line: 2, faultLine: 3, cells: ['1'] },
    ],
    ['a space behind one', 'a,"b" ,c\n', {}, { fault: 'text-behind-quote', line: 1, cells: ['a'] }],
    [
      'a quote that nothing closes',
      'a,b\n"x",1\n2,"""y\n3,4\n',
      {},
      { fault: 'open-quote', line: 3, faultLine: 3, cells: ['2'] },
    ],
    [
      'the second cell of a record with line ends',
      '"x\ny","z\n\n',
      {},
      { fault: 'open-quote', line: 1, faultLine: 2, cells: ['x\ny'] },
    ],
    [
      'a backslash that escapes nothing',
      '1\n"a\nc:\\d"\n',
      { escapeChar: '\\' },
      { fault: 'needless-escape', line: 2, faultLine: 3 },
    ],
  ])('%s', (_, text, dialect, expected) => {
    for (const length of LENGTHS) {
      expect(read(text, dialect, length).at(-1)).toMatchObject(expected);
    }
  });

  test('one that is too long, with the line of what makes it so', () => {
    const long = 'x'.repeat(MOST_OF_RECORD + 1);
    for (const [text, fault] of [
      [`a\n"b\n${long}`, 'too-long-quote'],
      [`a\n${long}\n`, 'too-long'],
      [`a\n"${long}"\n`, 'too-long'],
    ] as const) {
      expect(read(text, {}, 2 ** 16).at(-1)).toMatchObject({ line: 2, fault });
    }
  });
});

test('after a fault, the parser goes on where it is told to', () => {
  const parser = new RecordParser({});
  parser.add('1,"a\n2,b\n3,"c" d\n4,e\n5,');
  parser.end();
  expect(parser.next()).toMatchObject({ line: 1, fault: 'text-behind-quote' });
  expect(parser.linesAhead(2)).toEqual(['1,"a', '2,b']);
  parser.skipLines(1);
  expect(parser.next()).toMatchObject({ line: 2, cells: ['2', 'b'] });
  parser.rewind();
  expect(parser.linesAhead(9)).toEqual(['2,b', '3,"c" d', '4,e', '5,']);
  parser.skipLines(2);
  expect(parser.next()).toMatchObject({ line: 4, cells: ['4', 'e'] });
  expect(parser.next()).toMatchObject({ line: 5, cells: ['5', ''] });
  expect(parser.next()).toBeUndefined();
});

test('what is left of a line that was skipped before it ended is of the same line', () => {
  const parser = new RecordParser({});
  parser.add('x'.repeat(MOST_OF_RECORD + 1));
  expect(parser.next()).toMatchObject({ line: 1, fault: 'too-long' });
  parser.skipLines(1);
  parser.add('y\n1,2\n');
  expect(parser.next()).toMatchObject({ line: 1, cells: ['y'] });
  expect(parser.next()).toMatchObject({ line: 2, cells: ['1', '2'] });
});

test.each<[string, string, Dialect]>([
  ['quotes, and none', 'a;"b ""c"" ;d\n\n"\n', { delimiter: ';' }],
  ['no quotes', 'a;"b;5" x\n', { delimiter: ';', quoteChar: null }],
  ['single quotes', "a;'b;''c''\n'\n", { delimiter: ';', quoteChar: "'" }],
  ['backslashes', '"a\\"\n\\\\";1\n', { delimiter: ';', escapeChar: '\\' }],
  ['spaces beside', 'a; "b" ;c d ;\n', { delimiter: ';', skipInitialSpace: true }],
])('cells with %s are read as csv-parse reads them', (_, text, dialect) => {
  const { delimiter, quoteChar = '"', escapeChar = quoteChar, skipInitialSpace } = dialect;
  const expected = parse(text, {
    delimiter: delimiter as string,
    quote: quoteChar,
    escape: escapeChar as string,
    trim: skipInitialSpace ?? false,
    skip_empty_lines: true,
    relax_column_count: true,
  });
  for (const length of LENGTHS) expect(cellsOf(read(text, dialect, length))).toEqual(expected);
});

test('a record that comes in many pieces is tried a few times, not at each of them', () => {
  const parser = new RecordParser({});
  let tried = 0;
  for (let i = 0; i < 1000; i++) {
    parser.add('x'.repeat(1000));
    parser.plainRows(() => {
      tried++;
      return undefined;
    });
    expect(parser.next()).toBeUndefined();
  }
  expect(tried).toBeLessThan(20);
  parser.end();
  expect(parser.next()?.cells).toEqual(['x'.repeat(1_000_000)]);
});

describe('any text', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', '\u{1f600}', ',', '"', '\n', ' ', ';', "'"),
  });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  const SEED = 26;

  test('that is written as RFC 4180 says is read back', () => {
    const property = fc.property(table, fc.boolean(), fc.nat(), (rows, quotesAll, length) => {
      const written = rows.map((cells) =>
        cells
          .map((text) =>
            quotesAll || cells.length === 1 || /[",\n]/.test(text)
              ? `"${text.replaceAll('"', '""')}"`
              : text,
          )
          .join(','),
      );
      const text = written.map((line) => `${line}\n`).join('');
      expect(cellsOf(read(text, {}, 1 + (length % 20)))).toEqual(rows);
    });
    fc.assert(property, { seed: SEED, numRuns: 2000 });
  });

  test('is read as csv-parse and Papa Parse read it, or refused as csv-parse refuses it', () => {
    const raw = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', ' '), maxLength: 24 });
    let [taken, refused] = [0, 0];
    const property = fc.property(raw, fc.nat(), (text, length) => {
      const records = read(text, {}, 1 + (length % 20));
      let expected: string[][] | undefined;
      try {
        expected = parse(text, {
          relax_column_count: true,
          skip_empty_lines: true,
          record_delimiter: '\n',
        });
      } catch {}
      if (records.at(-1)?.fault === undefined) {
        taken++;
        expect(cellsOf(records)).toEqual(expected);
        const { data } = Papa.parse<string[]>(text, {
          delimiter: ',',
          newline: '\n',
          skipEmptyLines: true,
        });
        // Papa Parse skips a line with nothing but two quotes too.
        const isBlank = (cells: readonly string[]) => cells.length === 1 && cells[0] === '';
        expect(cellsOf(records).filter((cells) => !isBlank(cells))).toEqual(
          data.filter((cells) => !isBlank(cells)),
        );
      } else {
        refused++;
        expect(expected).toBeUndefined();
      }
    });
    fc.assert(property, { seed: SEED, numRuns: 5000 });
    expect(Math.min(taken, refused)).toBeGreaterThan(500);
  });
});
