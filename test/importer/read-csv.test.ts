import { describe, expect, test } from '@jest/globals';
import { numberCell, textCell } from '../../src/importer/cells.ts';
import { columnName, openCsv, readRows } from '../../src/importer/read-csv.ts';

/** Reads a file that arrives in pieces of so many bytes. */
const read = async (text: string | Uint8Array, length = 5) => {
  const bytes = Buffer.from(text as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  );
  return readRows(await openCsv(() => pieces, 'f.csv'));
};

/** Lengths that cut characters, line ends, quotes and cells, and one that cuts nothing. */
const LENGTHS = [1, 2, 3, 1000];

/** Where each row begins, and its cells. */
const linesAndCells = async (text: string, length: number) =>
  (await read(text, length)).map(({ line, cells }) => [line, ...Object.values(cells)]);

const ROWS = [
  [4, '1', '2'],
  [7, 'x\ny\n\nz', '3'],
  [11, '4', '5'],
];
const TEXT = 'a,b\n\n\n1,2\n\n\n"x\ny\n\nz",3\n4,5\n';

describe('a row knows the line where it begins', () => {
  test.each([
    ['LF', TEXT],
    ['CRLF', TEXT.replaceAll('\n', '\r\n')],
    ['CR', TEXT.replaceAll('\n', '\r')],
    ['a byte order mark', `\ufeff${TEXT}`],
    ['no last line end', TEXT.trimEnd()],
    ['blank lines at the end', `${TEXT}\n\n`],
    ['LF in cells, CRLF between rows', TEXT.replace(/(?<!x|y|^)\n(?!\nz|z)/gm, '\r\n')],
  ])('with %s', async (_, text) => {
    for (const length of LENGTHS) expect(await linesAndCells(text, length)).toEqual(ROWS);
  });

  test('behind a header of several lines', async () => {
    expect(await read('"a\nb",c\n1,2\n')).toEqual([{ line: 3, cells: { a_b: '1', c: '2' } }]);
  });
});

test.each([
  ['City/State', 'city_state'],
  ['Location 1', 'location_1'],
  [' Zip  Code ', 'zip_code'],
  ['_18_24', '_18_24'],
  ['Año (est.)', 'año_est'],
])('a column %j is known as %s', (header, name) => {
  expect(columnName(header)).toBe(name);
});

describe('what is wrong with a file is one line: file, line, column, reason', () => {
  test.each([
    ['no header', '', 'f.csv, line 1: the file has no header'],
    ['nothing but blank lines', '\n\n', 'f.csv, line 1: the file has no header'],
    ['a cell too many', 'a,b\n1,2\n1,2,3\n', 'f.csv, line 3: the header has 2 columns, this row 3'],
    ['a cell too few', 'a,b\n1\n', 'f.csv, line 2: the header has 2 columns, this row 1'],
    [
      'a cell too many behind blank lines and long cells',
      'a,b\n\n"x\ny",2\n\n1,"2\n3",4\n5,6\n',
      'f.csv, line 6: the header has 2 columns, this row 3',
    ],
    [
      'the same with CRLF',
      'a,b\r\n\r\n"x\r\ny",2\r\n\r\n1,"2\r\n3",4\r\n5,6\r\n',
      'f.csv, line 6: the header has 2 columns, this row 3',
    ],
    [
      'a quote that nothing closes',
      'a,b\n"x\ny",2\n3,"4\n5,6\n7,8\n',
      'f.csv, line 4, column b: a quote is opened here and never closed',
    ],
    [
      'one with doubled quotes behind it',
      'a,b\n"x ""y""",2\n"3 ""\n""4"" \n5,6\n',
      'f.csv, line 3, column a: a quote is opened here and never closed',
    ],
    ['one in the header', '"a,b\n1,2\n', 'f.csv, line 1: a quote is opened here and never closed'],
    [
      'text behind a quoted cell',
      'a,b\n\n1,"2"x\n',
      'f.csv, line 3, column b: text behind a closing quote; write a quote in a cell as ""',
    ],
    [
      'a quote inside a cell',
      'a,b\n1,2\n3,x"y\n',
      'f.csv, line 3, column b: a quote in a cell that does not begin with one',
    ],
    ['a column twice', 'a,b,a\n1,2,3\n', 'f.csv, line 1, column a: two columns have this name'],
    [
      'a column twice once spelled alike',
      '\nZip Code,b,zip_code\n1,2,3\n',
      'f.csv, line 2, column zip_code: two columns have this name',
    ],
  ])('%s', async (_, text, message) => {
    for (const length of LENGTHS) {
      await expect(read(text, length)).rejects.toThrow(new Error(message));
    }
  });

  test.each([
    ['Latin-1', [...Buffer.from('a,b\n1,2\n3,caf'), 0xe9, 0x0a], 3],
    ['a character cut in two', [...Buffer.from('a\n"x\ny"\n'), 0xc3], 4],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00], 1],
    ['one behind a replacement character', [...Buffer.from('a\n\ufffd\nb\n'), 0xff], 4],
  ])('a byte that is not UTF-8: %s', async (_, bytes, line) => {
    for (const length of LENGTHS) {
      await expect(read(Uint8Array.from(bytes), length)).rejects.toThrow(
        new Error(`f.csv, line ${line}: a byte that is not UTF-8; save the file as UTF-8`),
      );
    }
  });
});

const [, row] = await read('a,b\n"x\ny",\n 1.5 ,"1,5"\n');

describe('a cell', () => {
  if (row === undefined) throw new Error('no row');

  test('is a number where one is asked for, blank is none', () => {
    expect(numberCell(row, 'a', 'f.csv')).toBe(1.5);
    expect(numberCell({ ...row, cells: { a: '' } }, 'a', 'f.csv')).toBeNull();
    expect(textCell({ ...row, cells: { a: '' } }, 'a', 'f.csv')).toBeNull();
  });

  test('that is no number names its line and column', () => {
    expect(() => numberCell(row, 'b', 'f.csv')).toThrow(
      new Error('f.csv, line 4, column b: "1,5" is not a number'),
    );
  });

  test.each(['0x10', 'Infinity', '1e999', 'NaN', '5%', '1 2'])('%j is not a number', (text) => {
    expect(() => numberCell({ line: 9, cells: { a: text } }, 'a', 'f.csv')).toThrow(
      new Error(`f.csv, line 9, column a: ${JSON.stringify(text)} is not a number`),
    );
  });

  test.each(['c', 'constructor', '__proto__'])('of a column %s that is not there', (column) => {
    expect(() => textCell(row, column, 'f.csv')).toThrow(
      new Error(`f.csv, line 1, column ${column}: the header has no such column; it has a, b`),
    );
  });
});
