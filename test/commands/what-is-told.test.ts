import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { cleanUp } from '../support/process.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { messyFile } from '../tape/messy-files.ts';
import { wideFile } from '../tape/wide-files.ts';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});
afterAll(cleanUp);

let count = 0;

type Content = string | Uint8Array;

/** Adds a file, and returns what is told of it below the table of its columns. */
async function told(file: string, content: Content, ...options: readonly string[]) {
  const path = await blocks.file(file, content);
  const { code, out, err } = await blocks.run('add', path, '--name', `t${count++}`, ...options);
  const lines = out.split('\n');
  const from = lines.findIndex((line) => /^[\d,]+ rows?$/.test(line));
  const to = lines.indexOf('', from);
  return { code, out, err, notes: from < 0 ? [] : lines.slice(from + 1, to) };
}

const csv = (...lines: readonly string[]) => `${lines.join('\n')}\n`;
const rows = (rowOf: (i: number) => string, length = 20) =>
  Array.from({ length }, (_, i) => rowOf(i));

describe('at most six lines are told of a file, the option that helps first', () => {
  const many = csv(
    ',Sprint,Sprint,month,born,at,far,long,amount,note',
    ...rows(
      (i) =>
        `${i},s${i},u${i},2020-0${1 + (i % 9)},0${1 + (i % 9)}.03.${60 + i},20${10 + i}-01-01 10:00:00.12345${i % 10},${i % 5 ? i : -999},12345${i}0000000000000,"${1 + (i % 9)},1${10 + i}",${i % 4 ? 'x' : 'NA'}`,
    ),
    'Source: the town,,,,,,,,,',
  );
  const nameless = csv(...rows((i) => `2020-01-${10 + i},,x${i},,${i},,`));
  const sheet = sheetOf([
    ['Title of all', '', ''],
    ['', '', ''],
    ['a', 'b', ''],
    ...Array.from({ length: 12 }, (_, i) => [`x${i % 3}`, i, i]),
    ['Total', 66, 66],
  ]);
  const cases: readonly (readonly [is: string, file: string, content: Content])[] = [
    ['many kinds at once', 'f.csv', many],
    ['no header', 'f.csv', nameless],
    ['a sheet', 'f.xlsx', sheet],
    ['latin letters', 'f.csv', Buffer.from(many.replace('town', 'Stra\xdfe'), 'latin1')],
  ];
  test.each(cases)('%s', async (_, file, content) => {
    const { notes, code } = await told(file, content, '--yes');
    expect(code).toBe(0);
    expect(notes.length).toBeLessThanOrEqual(6);
    const options = notes.map((note) => / --[a-z]/.test(note));
    expect(options).toEqual(options.toSorted((a, b) => Number(b) - Number(a)));
  });

  test('and made-up files of all kinds', async () => {
    let longest = 0;
    for (let number = 0; number < MADE_UP; number++) {
      const { name, bytes, options } = number % 2 ? messyFile(number) : wideFile(400 + number);
      const { notes } = await told(name, bytes, ...options, '--yes');
      longest = Math.max(longest, notes.length);
    }
    expect(longest).toBeLessThanOrEqual(6);
  });

  test('a refusal shows three of its rows, and its options before them', async () => {
    const wide = csv('a,b', '1,x', ...rows((i) => `${i},"y, ${i}",z`, 50));
    const { err } = await told('f.csv', wide, '--yes');
    const lines = err.trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[1]).toContain('--header-line N');
    expect(lines[2]).toBe('  line 3, more cells than the header: 0,"y, 0",z');
    expect(lines[5]).toBe('  … and 47 more rows');
  });
});

test('a refused row is shown as its line in the file', async () => {
  const content = csv('a,b,c', 'x,1,2', 'y,2,3', 'z,4,5', 'Total,"1,234"');
  const { err } = await told('f.csv', content, '--totals', 'keep');
  expect(err).toContain('  line 5, fewer cells than the header: Total,"1,234"\n');
  const long = csv('a,b', 'x,1', 'y,2', '"p, q",3,"4"');
  expect((await told('f.csv', long)).err).toContain(
    '  line 4, more cells than the header: "p, q",3,"4"\n',
  );
  const oneColumn = csv('c', 'v', 'a;b');
  expect((await told('f.csv', oneColumn)).err).toContain('If the file has one column, its cells');
  const { code, out } = await told('f.csv', oneColumn, '--delimiter', 'tab');
  expect([code, out.includes('"v" in line 2')]).toEqual([0, true]);
});

/** How many made-up files are tried. */
const MADE_UP = 40;

describe('what --yes took is told, with the options that choose otherwise', () => {
  test('of numbers with two readings', async () => {
    const { notes } = await told(
      'f.csv',
      csv('k,v', ...rows((i) => `a${i},"${1 + i},500"`)),
      '--yes',
    );
    expect(notes[0]).toBe(
      'v, "1,500" in line 2: can be read in two ways; --yes took: text; otherwise number, a comma before decimals: "1,500" is 1.5 (--decimal ,), or integer, a point before decimals: "1,500" is 1500 (--decimal .)',
    );
  });

  test('of dates with years of two digits, words for nothing, and a second table', async () => {
    const born = csv('n,born', ...rows((i) => `a${i},${13 + (i % 9)}-03-${60 + i}`));
    expect((await told('f.csv', born, '--yes')).notes[0]).toMatch(
      /^born, "13-03-60" in line 2: its years have two digits; --yes took: text; otherwise date, .* \(--type born=date --dates dmy\)$/,
    );
    const gone = csv('n,v', ...rows((i) => `a${i},${i % 6 ? i : 'M'}`));
    expect((await told('f.csv', gone, '--yes')).notes[0]).toMatch(
      /^"M" stands 4 times in v, .*; --yes took: text: each is a value; otherwise integer: it means nothing \(--nothing v=M\)$/,
    );
    const under = csv('k,v,w', ',Euro 1,Total', ...rows((i) => `a${i},${i},${3 * i}`));
    const { notes } = await told('f.csv', under, '--yes');
    expect(notes[0]).toMatch(/^row 2 of the table has words above values.* \(--header-rows 2\)$/);
    const two = csv('a,b', '1,x', '2,y', '', 'c,d', ...rows((i) => `${i},z${i}`));
    expect((await told('f.csv', two, '--yes')).notes[0]).toMatch(
      /^the file has 2 tables with a header each; --yes took: the one from line 5, .*; otherwise the one from line 1, 2 rows.* \(--table 1\), or all lines are one table \(--table all\)$/,
    );
  });

  test('and nothing is told of it to a person who has answered, nor where nothing was open', async () => {
    const open = csv('k,v', ...rows((i) => `a${i},"${1 + i},500"`));
    const { notes } = await told('f.csv', open, '--decimal', '.');
    expect(notes.join()).not.toContain('--yes');
    const sure = csv('k,v', ...rows((i) => `a${i},${i}.5`));
    expect((await told('f.csv', sure, '--yes')).notes.join()).not.toContain('--yes');
  });
});

describe('one reason is told once', () => {
  test('a file without a header', async () => {
    const { notes } = await told('f.csv', csv(...rows((i) => `2020-01-${10 + i},x${i},${i}`)));
    expect(notes).toEqual([
      'no column has a header; they are called column_1 to column_3',
      'comma: all 20 rows looked at have 3 cells; no header: "2020-01-10" is a date like those below it',
    ]);
  });

  test('columns without a header, and names that are there twice', async () => {
    const { notes } = await told('f.csv', csv('a,,b,,b,b', ...rows((i) => `x${i},y,${i},z,1,2`)));
    expect(notes[0]).toBe(
      '2 columns have no header, and are called column_2, column_4; "b" is called b_2, "b" is called b_3: another column is called b',
    );
  });

  test('months in several columns, with an option for each', async () => {
    const content = csv('month,q,v', ...rows((i) => `20${10 + i}-03,Q1 20${10 + i},${i}.5`));
    expect((await told('f.csv', content)).notes[0]).toBe(
      "month, q have months or quarters; for the first day of each: --format month=%Y-%m --format 'q=Q%q %Y'",
    );
  });
});

describe('reasons are true', () => {
  test('school years are no months, unless the header says so', async () => {
    const two = (year: number) => String(year).padStart(2, '0');
    const years = rows((i) => `20${two(i)}-${two(i + 1)},${i}.5`, 12);
    const { out, notes } = await told('f.csv', csv('school_year,n', ...years));
    expect(notes.join()).not.toContain('months');
    expect(out).toMatch(/school_year .*has signs between digits/);
    expect((await told('f.csv', csv('month,n', ...years.slice(0, 2)))).notes[0]).toContain(
      'month has months or quarters',
    );
    const some = csv('school_year,n', '2010-11,1', '2011-11,2');
    expect((await told('f.csv', some)).notes[0]).toContain('--format school_year=%Y-%m');
  });

  test('a spreadsheet has lost no digits of a Parquet file, but perhaps of CSV', async () => {
    const long = rows((i) => `1234567890123${10 + i}000000`);
    const data = long.map((text, i) => [text, i] as const);
    const content = csv('id,n', ...data.map(([text, i]) => `${text},${i}`));
    expect((await told('f.csv', content)).notes.join()).toContain('Excel may have lost');
    const columnData = [{ name: 'id', data: long, type: 'STRING' as const }];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
    expect((await told('f.parquet', bytes)).notes.join()).not.toContain('Excel');
  });

  test('Soma is a total only if its row adds up', async () => {
    const content = (last: number) => csv('city,n', 'Braga,3', 'Porto,4', `Soma,${last}`);
    const { notes } = await told('f.csv', content(7));
    expect(notes.join()).toContain('1 row is left out: "Soma" in city, a total');
    const cities = csv('city,n', 'Lisboa,5', 'Soma,99', 'Porto,4', 'Braga,1');
    expect((await told('f.csv', cities)).notes.join()).not.toContain('Soma');
    const last = await told('f.csv', content(99));
    expect(last.code).toBe(0);
    expect(last.notes[0]).toBe(
      '"Soma" in city is kept, and it adds up in no column: line 4; --totals drop leaves it out',
    );
    const { err } = await told('f.csv', content(99).replace('Soma', 'Total'));
    expect(err).toContain('has rows that are called totals: "Total" in city adds up in no column');
  });

  test('seconds since 1970 need not be names of things', async () => {
    const content = csv(...rows((i) => `${1_553_424_480 + 60 * i},${i}.5`));
    expect((await told('f.csv', content)).notes[0]).toBe(
      'column_1 has 10 digits in every cell; if these are seconds since 1970: --format column_1=%s; if names of things: --type column_1=text',
    );
  });
});
