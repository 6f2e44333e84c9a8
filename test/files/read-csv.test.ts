import { describe, expect, test } from '@jest/globals';
import type { Dialect } from '../../src/block/declaration.ts';
import { columnName } from '../../src/files/csv/column-name.ts';
import { openCsv, readCsvRows } from '../../src/files/csv/named-rows.ts';
import { type CsvReading, readCsv } from '../../src/files/csv/read-csv.ts';
import { numberCell, textCell } from '../../src/import/cells.ts';

/** Reads a file that arrives in pieces of so many bytes. */
const read = async (text: string | Uint8Array, length = 5) => {
  const bytes = Buffer.from(text as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  );
  return readCsvRows(await openCsv(() => pieces, 'f.csv'));
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

/** How to go on, which is said of each bad row below the header. */
const GO_ON =
  "; --bad-rows mend (in block.json, the dialect's badRows) mends such rows or leaves them out";

const IF_BLANK =
  "; if the cells that it lacks are blank, give --short-rows blank (in block.json, the dialect's fillsShortRows)";

describe('what is wrong with a file is one line: file, line, column, reason', () => {
  test.each([
    ['no header', '', 'f.csv, line 1: the file has no header; write one, with rows below it'],
    [
      'nothing but blank lines',
      '\n\n',
      'f.csv, line 1: the file has no header; write one, with rows below it',
    ],
    [
      'a cell too many',
      'a,b\n1,2\n1,2,3\n',
      'f.csv, line 3: the header has 2 columns, this row 3; a cell with a comma in it must be in quotes',
    ],
    [
      'a cell too few',
      'a,b\n1\n',
      `f.csv, line 2: the header has 2 columns, this row 1${IF_BLANK}`,
    ],
    [
      'several such rows, of which the first are named',
      `a,b\n1,2\n1\n\n"x\ny",2,3\n${'1,2\n1\n'.repeat(9)}`,
      'f.csv, line 3: the header has 2 columns, this row 1; likewise line 5 (3), 8 (1), 10 (1), 12 (1), and 6 more; a cell with a comma in it must be in quotes',
    ],
    [
      'a row that its unquoted line end cuts in two',
      'a,b,c\n1,2,3\n4,x\ny,6\n',
      `f.csv, line 3: the header has 3 columns, this row 2; likewise line 4 (2)${IF_BLANK}`,
    ],
    [
      'a row that is cut off where the file ends',
      'a,b,c\n1,2,3\n4,5',
      `f.csv, line 3: the header has 3 columns, this row 2${IF_BLANK}`,
    ],
    [
      'a cell too many behind blank lines and long cells',
      'a,b\n\n"x\ny",2\n\n1,"2\n3",4\n5,6\n',
      'f.csv, line 6: the header has 2 columns, this row 3; a cell with a comma in it must be in quotes',
    ],
    [
      'the same with CRLF',
      'a,b\r\n\r\n"x\r\ny",2\r\n\r\n1,"2\r\n3",4\r\n5,6\r\n',
      'f.csv, line 6: the header has 2 columns, this row 3; a cell with a comma in it must be in quotes',
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
    [
      'one in the header',
      '"a,b\n1,2\n',
      "f.csv, line 1: a quote is opened here and never closed; --quote none (in block.json, the dialect's quoteChar: null) reads quotes as signs like others; --header-line N says in which line the header is, if this is above it",
    ],
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
    const goOn = / line 1\b|this name/.test(message) ? '' : GO_ON;
    for (const length of LENGTHS) {
      await expect(read(text, length)).rejects.toThrow(new Error(message + goOn));
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
        `f.csv, line ${line}: a byte that is not UTF-8; save the file as UTF-8, or read such bytes as \ufffd by --bad-bytes replace`,
      );
    }
  });
});

const sourceOf = (text: string) => ({
  readBytes: () => [Buffer.from(text)],
  file: 'f.csv',
  encoding: 'utf-8',
});

const table = async (text: string, reading?: CsvReading) => {
  const { headers, records, notes } = await readCsv(sourceOf(text), reading);
  const rows: (readonly string[])[] = [];
  for await (const { cells } of records) rows.push(cells);
  return { headers, rows, notes };
};

describe('a dialect', () => {
  const ROWS_OF_TWO = [
    ['1', '2,5'],
    ['x;y', ''],
  ];
  test.each<[string, string, Dialect]>([
    ['semicolons', 'a;b\n1;2,5\n"x;y";\n', { delimiter: ';' }],
    ['tabs', 'a\tb\n1\t2,5\nx;y\t\n', { delimiter: '\t' }],
    ['bars', 'a|b\n1|2,5\nx;y|\n', { delimiter: '|' }],
    ['single quotes', "a,b\n1,'2,5'\nx;y,\n", { quoteChar: "'" }],
    ['spaces beside delimiters', 'a, b\n1 , "2,5" \n"x;y" ,\n', { skipInitialSpace: true }],
    ['titles', 'Report\n\nof 2020\na,b\n1,"2,5"\nx;y,\n', { headerRows: [3] }],
    ['notes', 'a,b\n1,"2,5"\nTotal,3\nx;y,\nSource: us\n', { commentRows: [3, 5] }],
  ])('with %s', async (_, text, dialect) => {
    expect(await table(text, { dialect })).toEqual({
      headers: ['a', 'b'],
      rows: ROWS_OF_TWO,
      notes: [],
    });
  });

  test('without quotes has them in its cells', async () => {
    const { rows } = await table('a\tb\n"x" y\t5"\n', {
      dialect: { delimiter: '\t', quoteChar: null },
    });
    expect(rows).toEqual([['"x" y', '5"']]);
  });

  test('with backslashes has quotes and backslashes behind them', async () => {
    const { rows } = await table('a,b\n"x \\"y\\" \\\\",c:\\d\n', {
      dialect: { escapeChar: '\\' },
    });
    expect(rows).toEqual([['x "y" \\', 'c:\\d']]);
  });

  test('without a header has blank ones, as many as most of its first rows have cells', async () => {
    const { headers, rows } = await table('1,2\n3,4\n', { dialect: { header: false } });
    expect(headers).toEqual(['', '']);
    expect(rows).toHaveLength(2);
    await expect(table('1,2\n3\n', { dialect: { header: false } })).rejects.toThrow(
      'f.csv, line 2: the usual row has 2 columns, this row 1',
    );
    const some = '1,2\n3,4,5\n6,7,8\n';
    await expect(table(some, { dialect: { header: false } })).rejects.toThrow(
      'f.csv, line 1: the usual row has 3 columns, this row 2',
    );
    const filled = { header: false, fillsShortRows: true } as const;
    expect((await table('1,2,3\n4,5\n6,7\n', { dialect: filled })).headers).toHaveLength(3);
    await expect(table('\n', { dialect: { header: false } })).rejects.toThrow(
      'f.csv, line 1: the file has no rows',
    );
  });

  test('reads prose above its header, whatever quotes that has', async () => {
    const text = 'Of "A", and "B"\n"C" and D,\n1,"2"\n';
    const { headers, rows } = await table(`${text}a,"b"\n3,"4"\n`, {
      dialect: { headerRows: [4] },
    });
    expect([headers, rows.length]).toEqual([['a', 'b'], 1]);
    const refused = table(`${text}a "b",c\n3,4\n`, { dialect: { headerRows: [4] } });
    await expect(refused).rejects.toThrow('f.csv, line 4: a quote in a cell');
  });

  test('with a header of two records joins them', async () => {
    const { headers } = await table(',2019\ncity,men\nx,1\n', { dialect: { headerRows: [1, 2] } });
    expect(headers).toEqual(['city', '2019 men']);
  });
});

describe('what is no data is left out', () => {
  test.each([
    ['separators behind each record', 'a,b,\n1,2,\n3,4,\n'],
    ['separators behind rows alone', 'a,b\n1,2,\n3,4,,, \n'],
    ['rows without any value', 'a,b\n1,2\n,\n , ,\n3,4\n,,,\n'],
    ['the header again', 'a,b\n1,2\na,b\n3,4\n a ,"b"\n'],
  ])('%s', async (_, text) => {
    const { headers, rows } = await table(text);
    expect(headers).toEqual(['a', 'b']);
    expect(rows).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  test('and counted', async () => {
    const { notes } = await table('a,b\n,\na,b\n1,2\na,b\n');
    expect(notes).toEqual([
      '1 row without a value is left out',
      '2 rows that repeat the header are left out',
    ]);
  });

  test('but a column without a header that has values is one', async () => {
    expect(await table('a,\n1,\n2,x\n')).toMatchObject({
      headers: ['a', ''],
      rows: [
        ['1', ''],
        ['2', 'x'],
      ],
    });
    expect(await table(',a\n1,2\n')).toMatchObject({ headers: ['', 'a'], rows: [['1', '2']] });
  });

  test('nor is a word lost that is called like its only column', async () => {
    expect((await table('word\na\nword\n')).rows).toEqual([['a'], ['word']]);
  });

  test('a value behind the columns that appears late is refused', async () => {
    const text = `a,b,\n${'1,2,\n'.repeat(200)}1,2,3\n`;
    await expect(table(text)).rejects.toThrow(
      'f.csv, line 202: the header has 2 columns, this row 3',
    );
  });
});

test('short rows are filled only where a person said so', async () => {
  const text = 'a,b,c\n1,2\n3,4,5\n6\n';
  const refused = await table(text).catch((error) => error);
  expect(refused.message).toContain('--short-rows blank');
  expect((await table(text, { dialect: { fillsShortRows: true } })).rows).toEqual([
    ['1', '2', ''],
    ['3', '4', '5'],
    ['6', '', ''],
  ]);
  const longOnes = await table('a,b\n1,2,3\n4\n', { dialect: { fillsShortRows: true } }).catch(
    (error) => error,
  );
  expect(longOnes.message).toBe(
    `f.csv, line 2: the header has 2 columns, this row 3; a cell with a comma in it must be in quotes${GO_ON}`,
  );
});

describe('what a file may need is bounded', () => {
  const LARGE = 'x'.repeat(2 ** 22 + 9);

  test.each([
    [
      'a cell',
      `a,b\n1,2\n3,${LARGE}\n`,
      `f.csv, line 3: a record begins here that does not end within 1,048,576 characters${GO_ON}`,
    ],
    [
      'a quote',
      `a,b\n1,2\n"y\n",3\n4,"z\n${LARGE}\n`,
      `f.csv, line 5, column b: a quote is opened here and not closed within 1,048,576 characters${GO_ON}`,
    ],
    [
      'columns',
      `${'a,'.repeat(2000)}b\n`,
      'f.csv, line 1: has 2,001 columns; at most 2,000 are read, so leave some out',
    ],
  ])('%s', async (_, text, message) => {
    await expect(table(text)).rejects.toThrow(new Error(message));
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

test('rows that two stray quotes make one cell of are told', async () => {
  const notesOf = async (text: string) => {
    const { records, notes } = await readCsv(sourceOf(text));
    const rows: (readonly string[])[] = [];
    for await (const { cells } of records) rows.push(cells);
    return { rows, notes };
  };
  const { rows, notes } = await notesOf(
    'id,name,n\n1,a,5\n3,"foo,1\n4,c,7\n5,d,8\n7,bar",2\n8,f,3\n',
  );
  expect(rows).toHaveLength(3);
  expect(notes).toEqual([
    '1 cell in quotes holds lines that would be rows by themselves, in line 3: is a quote missing or too many there? --quote none reads quotes as signs like others',
  ]);
  // A text of several lines is one, also if there are commas in it.
  expect((await notesOf('id,name\n1,"a, b\nc\nd, e"\n2,"a\nb, c, d\ne"\n')).notes).toEqual([]);
});
