import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Dialect } from '../../src/block/declaration.ts';
import { sureCells } from '../../src/files/bad-row.ts';
import { readCsv } from '../../src/files/csv/read-csv.ts';
import { MOST_OF_RECORD } from '../../src/files/csv/record-parser.ts';
import { recordsIn } from '../../src/files/csv/records-in.ts';

/** The rows of a table of a number, a text and a number; a bad one is mended, or null. */
const rowsOf = async (rows: string, dialect: Dialect = {}) => {
  const { delimiter = ',' } = dialect;
  const header = ['n', 'text', 'm'].join(delimiter);
  const text = `${header}\n${rows}`;
  const source = { readBytes: () => [Buffer.from(text)], file: 'f.csv', encoding: 'utf-8' };
  const table = await readCsv(source, { dialect: { ...dialect, badRows: 'mend' } });
  const fits = ([n = '', , m = '']: readonly string[]) => /^\d*$/.test(n) && /^\d*$/.test(m);
  const read: [line: number, cells: readonly string[] | null][] = [];
  for await (const { cells, line, bad } of table.records) {
    read.push([line, bad === undefined ? cells : (sureCells(bad, fits) ?? null)]);
  }
  return read;
};

describe('a bad row is mended if there is one sure way', () => {
  test.each<[string, string, readonly (readonly string[])[]]>([
    ['a quote in a cell', '1,5" x,2\n', [['1', '5" x', '2']]],
    ['a quote behind digits is one of inches', '1,5",2\n', [['1', '5"', '2']]],
    ['a quote at the end of words is none', '1,ab",2\n', [['1', 'ab', '2']]],
    [
      'a quote that nothing closes',
      '1,"ab,2\n3,c,4\n',
      [
        ['1', 'ab', '2'],
        ['3', 'c', '4'],
      ],
    ],
    [
      'one that the next quoted cell would close',
      '1,"ab,2\n3,"c",4\n',
      [
        ['1', 'ab', '2'],
        ['3', 'c', '4'],
      ],
    ],
    ['a lost opening quote before a delimiter', '1,a, b",2\n', [['1', 'a, b', '2']]],
    ['a lost closing quote behind one', '1,"a, b,2\n', [['1', 'a, b', '2']]],
    ['quotes that are not doubled', '1,"a "b", c",2\n', [['1', 'a "b", c', '2']]],
    ['text behind a quote', '1,"a ""b""" x,2\n', [['1', 'a "b" x', '2']]],
    ['a space behind a quote', '1,"a, b" ,2\n', [['1', 'a, b', '2']]],
    ['quotes in two cells', '"1,a"b,2\n', [['1', 'a"b', '2']]],
    ['a cell that is missing at the end', '1,a\n', [['1', 'a', '']]],
    ['blank cells too many', '1,a,2,,\n', [['1', 'a', '2']]],
    ['a comma of prose', '1,Smith, John,2\n', [['1', 'Smith, John', '2']]],
  ])('%s', async (_, rows, expected) => {
    expect((await rowsOf(rows)).map(([, cells]) => cells)).toEqual(expected);
  });

  test.each([
    ['a cell too many', '1,a,x,2\n'],
    ['a row of which half is gone', '1\n'],
    ['cells that do not fit when they are filled', 'a,b\n'],
    ['a row that may lack its last cell, or go on in the next line', '1,a\nb,2\n'],
    ['one line of prose', 'Fatal error: no more rows\n'],
    ['cells too many, all in quotes that are in their places', '1,"a","b",2\n'],
    ['a cell too many beside a good one of quotes', '1,x,"a, b",2\n'],
  ])('otherwise it is set aside: %s', async (_, row) => {
    const read = (await rowsOf(`7,x,8\n${row}9,y,10\n`)).map(([, cells]) => cells);
    expect(read).toEqual([['7', 'x', '8'], null, ['9', 'y', '10']]);
  });
});

test('no line that is a row by itself is taken into a bad one', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${i},row ${i},${i}\n`);
  const text = [...rows.slice(0, 20), 'x,"y\n', ...rows.slice(20)].join('');
  const read = await rowsOf(text);
  expect(read.length).toBe(51);
  expect(read.filter(([, cells]) => cells === null)).toEqual([[22, null]]);
});

test('no row of several lines is taken into the bad one before it', async () => {
  const whole = ['2', 'two\nlines', '3'];
  for (const bad of ['1,x,"a, b",2', '1,"a"b","c', 'x,"y']) {
    const read = await rowsOf(`7,x,8\n${bad}\n2,"two\nlines",3\n9,y,10\n`);
    expect(read.map(([, cells]) => cells)).toContainEqual(whole);
    expect(read.at(-1)?.[1]).toEqual(['9', 'y', '10']);
  }
});

test('a long cell over many lines stays one, also if its row is bad', async () => {
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n');
  const read = await rowsOf(`1,"${lines}" x,2\n3,b,4\n`);
  expect(read).toEqual([
    [2, ['1', `${lines} x`, '2']],
    [14, ['3', 'b', '4']],
  ]);
});

test('other quotes, escapes and delimiters are mended as they are written', async () => {
  expect(await rowsOf("1;'a;2\n", { delimiter: ';', quoteChar: "'" })).toEqual([
    [2, ['1', 'a', '2']],
  ]);
  expect(await rowsOf('1|"a \\"b" c|2\n', { delimiter: '|', escapeChar: '\\' })).toEqual([
    [2, ['1', 'a "b c', '2']],
  ]);
});

test('a bad row costs a bounded time, whatever its quotes', async () => {
  const row = `1,${'"a, "'.repeat(4000)},2\n`;
  const read = await rowsOf(`${row.repeat(20)}3,b,4\n`);
  expect(read.at(-1)).toEqual([22, ['3', 'b', '4']]);
});

test.each([
  ['one of many delimiters', `1000,x"y${','.repeat(30_000)}\n`],
  ['many of many quotes', '5,"a"b"c"d"e"f,"g"h"i,j"k"l"m,"n"o"p\n'.repeat(2000)],
  ['long ones of open quotes', `${'z,"'.repeat(8000)}\n`.repeat(20)],
])('bad rows cost a bounded time together: %s', async (_, rows) => {
  const read = await rowsOf(`${rows}3,b,4\n`);
  expect(read.at(-1)?.[1]).toEqual(['3', 'b', '4']);
});

test('more than 10,000 bad rows are refused', async () => {
  await expect(rowsOf('1,a,x,y,2\n'.repeat(10_001))).rejects.toThrow(
    /^f\.csv, line 10002: over 10,000 rows cannot be read as they stand/,
  );
});

describe('a note below bad rows is left out by its number, and no row for it', () => {
  const NOTE = '9,note,9';

  /** The rows of a text, and how many records the sniffer finds in it, if the note is the last. */
  async function bothOf(rows: string) {
    const text = `n,text,m\n${rows}\n${NOTE}\n`;
    let [count, last] = [0, ''];
    const whole = (async function* () {
      yield text;
    })();
    for await (const { cells } of recordsIn(whole, {})) [count, last] = [count + 1, String(cells)];
    return last === NOTE ? { count, rows: await rowsOf(`${rows}\n${NOTE}\n`) } : undefined;
  }

  const leaving = (rows: string, count: number) =>
    rowsOf(`${rows}\n${NOTE}\n`, { commentRows: [count] });

  test.each([
    ['over a blank line', '1,"x "y"\n\nz",2\n3,b,4'],
    ['over a cell of several lines', '1,"x "y"\nz",2\n3,"b\nc",4'],
    ['of more lines than are looked at', `1,"${'a\n'.repeat(30)}",2,x,y\n3,b,4`],
  ])('%s', async (_, rows) => {
    const both = await bothOf(rows);
    expect(both?.rows.at(-1)?.[1]).toEqual(NOTE.split(','));
    expect(await leaving(rows, both?.count as number)).toEqual(both?.rows.slice(0, -1));
  });

  test('however they are damaged', async () => {
    const part = fc.constantFrom('"', '"', ',', ',', '\n', '\n', '\n\n', '1', 'a', '1,b,2\n');
    const texts = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (rows) => {
        const both = await bothOf(rows);
        if (both === undefined || String(both.rows.at(-1)?.[1]) !== NOTE) return;
        compared++;
        expect(await leaving(rows, both.count)).toEqual(both.rows.slice(0, -1));
      }),
      { seed: 7, numRuns: 3000 },
    );
    expect(compared).toBeGreaterThan(1000);
  });
});

test('a line that does not end is refused once enough of it was read', async () => {
  let pieces = 0;
  async function* endless() {
    yield Buffer.from('n,text,m\n');
    for (;;) {
      pieces++;
      yield Buffer.alloc(MOST_OF_RECORD, 'x');
    }
  }
  const dialect = { badRows: 'mend' } as const;
  const source = { readBytes: endless, file: 'f.csv', encoding: 'utf-8' };
  const reading = readCsv(source, { dialect });
  await expect(reading).rejects.toThrow('a record begins here that does not end within 1,048,576');
  expect(pieces).toBeLessThan(30);
});
