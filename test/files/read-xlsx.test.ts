import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readXlsx, readXlsxRows } from '../../src/files/xlsx/read-xlsx.ts';
import {
  builtInFormat,
  formatOf,
  shownText,
  storedNumberText,
} from '../../src/files/xlsx/workbook.ts';
import { ROOT } from '../support/service.ts';
import { workbookOf, workbookParts } from '../support/workbook-of.ts';
import { zipOf } from '../support/zip-of.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FIXTURES = path.join(ROOT, 'test/fixtures/tables');

type Options = Parameters<typeof readXlsx>[2];
const readFile = async (file: string, options: Options = {}) => {
  const table = await readXlsx(file, 'f.xlsx', options);
  const rows: (readonly (string | number)[])[] = [];
  for await (const { cells, line } of table.records) rows.push([line, ...cells]);
  return { headers: table.headers, rows, notes: table.notes };
};
const readBytes = async (bytes: Uint8Array, options: Options = {}) => {
  const file = path.join(folder, 'f.xlsx');
  await writeFile(file, bytes);
  return readFile(file, options);
};
const read = (rows: string, more: Readonly<Record<string, string>> = {}, options: Options = {}) =>
  readBytes(workbookOf(`<sheetData>${rows}</sheetData>`, more), options);

const HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>';
/** What a cell in A2 gives. */
const cell = async (xml: string, more: Readonly<Record<string, string>> = {}) =>
  (await read(`${HEADER}<row r="2">${xml}</row>`, more)).rows[0]?.[1];

describe('workbooks of real programs', () => {
  test('openpyxl: texts, dates, times, formats, rich text, what is hidden and merged', async () => {
    const { headers, rows, notes } = await readFile(path.join(FIXTURES, 'openpyxl.xlsx'));
    expect(headers).toEqual(['Id', 'Opened', 'Seen at', 'Fee', 'Passed', 'Note', 'Took']);
    expect(rows).toEqual([
      [
        2,
        '007',
        '2020-02-29',
        '2020-02-29T13:05:07',
        '12.5',
        'true',
        'see this & that',
        '30:05:00',
      ],
      [3, '008', '1999-12-31', '1999-12-31T00:00:00', '0.3', 'false', ' <tag>\nÄ 😀 ', ''],
      // openpyxl writes 16 digits of 12345678901234567.
      [5, '009', '', '08:30:00', '12345678901234570', '', '#N/A', '00:00:59'],
      [7, 'merged', '', '', '', '', '', ''],
    ]);
    expect(notes).toEqual([
      'read the sheet Inspections, not Sums, Old (hidden)',
      'read 1 hidden row too',
      'read 1 hidden column too',
      '1 merged range, such as A7:C7: only the first cell has the value; "dialect": {"filledDown": ["the_column"]} in block.json gives it to the cells below',
    ]);
  });

  test('a sheet by its name or number; a formula without a value is blank, and told', async () => {
    const file = path.join(FIXTURES, 'openpyxl.xlsx');
    for (const sheet of ['sums', '2']) {
      expect((await readFile(file, { sheetName: sheet })).notes).toContain(
        '1 formula was not calculated and is blank, in cell A2; open the file in Excel and save it for values',
      );
    }
    await expect(readFile(file, { sheetName: '4' })).rejects.toThrow(
      'f.xlsx: no sheet 4; it has Inspections, Sums, Old (hidden)',
    );
    await expect(readFile(file, { sheetName: 'Old' })).rejects.toThrow(
      'sheet Old: the sheet is blank',
    );
  });

  test('XlsxWriter: days from 1904, zeros by the format, formulas that it leaves at 0', async () => {
    const file = path.join(FIXTURES, 'xlsxwriter-1904.xlsx');
    expect((await readFile(file)).rows).toEqual([[2, '00501', '2021-03-01', '1234.5']]);
    await expect(readFile(file, { sheetName: '2' })).rejects.toThrow(
      '1 formula was not calculated and is blank, in cell D1; open the file in Excel and save it',
    );
  });
});

describe('a number is as Excel shows the value that is stored', () => {
  test.each([
    ['0.30000000000000004', '0.3'],
    ['1.1000000000000001', '1.1'],
    ['0.33333333333333331', '0.333333333333333'],
    ['1E-3', '0.001'],
    ['1.5E+16', '15000000000000000'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['007', '7'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['1.', '1'],
    ['0x10', undefined],
    ['NaN', undefined],
    ['1,5', undefined],
  ])('%s is %s', (stored, shown) => {
    expect(storedNumberText(stored)).toBe(shown);
  });

  test('and any number of at most 15 digits is itself', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 5 }), (digits, places) => {
        const value = digits / 10 ** places;
        expect(Number(storedNumberText(value.toPrecision(17)))).toBe(value);
      }),
      { seed: 14 },
    );
  });
});

describe('a number format', () => {
  test.each([
    ['General', 'number'],
    ['0.00E+00', 'number'],
    ['#,##0.00 "days"', 'number'],
    ['0\\d', 'number'],
    ['[$USD-409] #,##0', 'number'],
    ['@', 'number'],
    ['"Y"0;[Red]-0', 'number'],
    ['dd/mm/yyyy', 'date'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd', 'date'],
    ['mmm-yy;@', 'date'],
    ['mm', 'date'],
    ['h:mm', 'time'],
    ['mm:ss.0', 'time'],
    ['h:mm AM/PM', 'time'],
    ['yyyy-mm-dd"T"hh:mm:ss', 'datetime'],
    ['[h]:mm:ss', 'elapsed'],
    ['[mm]:ss', 'elapsed'],
    ['0%', 'percent'],
    ['#,##0.00%', 'percent'],
    ['0.0 %', 'percent'],
  ])('%s shows a %s', (code, kind) => {
    expect(formatOf(code).kind).toBe(kind);
  });

  test.each([
    ['1', 'date', '1900-01-01'],
    ['59', 'date', '1900-02-28'],
    ['60', 'date', '1900-02-29'],
    ['61', 'date', '1900-03-01'],
    ['0', 'date', '1900-01-00'],
    ['43831', 'date', '2020-01-01'],
    ['43831.25', 'date', '2020-01-01T06:00:00'],
    ['43831', 'datetime', '2020-01-01T00:00:00'],
    ['43831.999999999', 'datetime', '2020-01-02T00:00:00'],
    ['43831.00000578704', 'datetime', '2020-01-01T00:00:00.5'],
    ['0.5', 'time', '12:00:00'],
    ['1.5', 'time', '1900-01-01T12:00:00'],
    ['1.5', 'elapsed', '36:00:00'],
    ['-1', 'date', '-1'],
    ['2958465', 'date', '9999-12-31'],
    ['2958466', 'date', '2958466'],
    ['0.5601', 'percent', '56.01%'],
    ['0.07', 'percent', '7%'],
    ['1', 'percent', '100%'],
    ['5.601E-3', 'percent', '0.5601%'],
    ['-1.5e-05', 'percent', '-0.0015%'],
  ] as const)('shows %s as a %s: %s', (stored, kind, shown) => {
    expect(shownText(stored, { kind }, 1900)).toBe(shown);
  });

  test('counts from 1904 if the workbook says so', () => {
    expect(shownText('0', { kind: 'date' }, 1904)).toBe('1904-01-01');
    expect(shownText('42369', { kind: 'date' }, 1904)).toBe('2020-01-01');
    expect(shownText('60', { kind: 'date' }, 1904)).toBe('1904-03-01');
  });

  test('of zeros keeps as many digits', () => {
    expect(shownText('501', formatOf('00000'), 1900)).toBe('00501');
    expect(shownText('-5', formatOf('00000'), 1900)).toBe('-5');
    expect(builtInFormat(14)).toEqual({ kind: 'date' });
    expect(builtInFormat(9)).toEqual({ kind: 'percent' });
    expect(builtInFormat(4)).toEqual({ kind: 'number', digits: 0 });
  });

  test('is taken from the styles', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;x&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';
    const more = { 'xl/styles.xml': styles };
    expect(await cell('<c r="A2" s="1"><v>43831</v></c>', more)).toBe('2020-01-01');
    expect(await cell('<c r="A2" s="0"><v>43831</v></c>', more)).toBe('43831');
  });
});

test('a formula without a value is a blank that is counted, whatever the workbook says', async () => {
  const formulas =
    '<c r="B2"><f>1+1</f></c></row><row r="3"><c r="A3"><v>8</v></c><c r="B3"><f>2</f><v></v></c>';
  const table = `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>7</v></c>${formulas}</row>`;
  expect(await read(table)).toMatchObject({
    rows: [
      [2, '7', ''],
      [3, '8', ''],
    ],
    notes: [
      '2 formulas were not calculated and are blank, first in cell B2; open the file in Excel and save it for values',
    ],
  });
  expect(await cell('<c r="A2" t="str"><f>""</f><v></v></c><c r="B2"/>')).toBeUndefined();
});

test('a hidden sheet is read only if it is named', async () => {
  const sheet = (name: string, more = '') => `<sheet name="${name}" r:id="rId1" ${more}/>`;
  const sheets = `${sheet('A', 'state="veryHidden"')}${sheet('B')}`;
  const more = { 'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>` };
  expect(await read(HEADER, more)).toMatchObject({
    notes: ['read the sheet B, not A (hidden)'],
  });
  const { notes } = await read(HEADER, more, { sheetName: 'A' });
  expect(notes[0]).toBe('the sheet A is hidden');
});

describe('a cell', () => {
  test.each([
    ['a boolean', '<c r="A2" t="b"><v>1</v></c>', 'true'],
    ['an error', '<c r="A2" t="e"><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['a formula with its value', '<c r="A2"><f>1+1</f><v>2</v></c>', '2'],
    ['a text of a number', '<c r="A2" t="inlineStr"><is><t>007</t></is></c>', '007'],
    ['CDATA', '<c r="A2" t="str"><v><![CDATA[<a> & b]]></v></c>', '<a> & b'],
    ['entities', '<c r="A2" t="str"><v>&lt;&#228;&#x1F600;&amp;lt;</v></c>', '<ä😀&lt;'],
    ['escaped characters', '<c r="A2" t="str"><v>a_x000D__x005F_x000D_</v></c>', 'a\r_x000D_'],
    ['an ISO date', '<c r="A2" t="d"><v>2020-01-01T00:00:00</v></c>', '2020-01-01T00:00:00'],
    ['prefixed names', '<x:c r="A2"><x:v>1</x:v></x:c>', '1'],
    ['quotes and > in attributes', `<c x='">' r = 'A2'><v>1</v></c>`, '1'],
    ['no reference', '<c><v>1</v></c>', '1'],
  ])('%s', async (_, xml, expected) => {
    expect(await cell(xml)).toBe(expected);
  });

  test('shared texts: rich ones are joined, how they are pronounced is left out', async () => {
    const texts =
      '<sst><si><t>a</t></si><si><r><t xml:space="preserve">b </t></r><r><t>c</t></r>' +
      '<rPh><t>x</t></rPh></si><si/></sst>';
    const more = { 'xl/sharedStrings.xml': texts };
    expect(await cell('<c r="A2" t="s"><v>1</v></c>', more)).toBe('b c');
    await expect(cell('<c r="A2" t="s"><v>3</v></c>', more)).rejects.toThrow(
      'cell A2: the text 3 is missing',
    );
  });
});

test('rows before any of them is a header', async () => {
  const file = path.join(FIXTURES, 'xlsxwriter-1904.xlsx');
  const { rows, sheet } = await readXlsxRows(file, 'f.xlsx', 'sheet1');
  expect(sheet).toBe('Sheet1');
  for (let i = 0; i < 2; i++) {
    const read: unknown[] = [];
    for await (const row of rows) read.push(row);
    expect(read).toEqual([
      { line: 1, cells: ['zip', 'day', 'money'], types: ['other', 'other', 'other'] },
      { line: 2, cells: ['00501', '2021-03-01', '1234.5'], types: ['other', 'time', 'number'] },
    ]);
  }
});

test('the workbook may have any name: relations lead to it', async () => {
  const {
    'xl/workbook.xml': book,
    'xl/_rels/workbook.xml.rels': relations,
    ...rest
  } = workbookParts(`<sheetData>${HEADER}<row r="2"><c r="A2"><v>1</v></c></row></sheetData>`);
  const moved = {
    ...rest,
    '_rels/.rels': '<a><Relationship Id="r" Type="x/officeDocument" Target="/xl/Book 1.xml"/></a>',
    'xl/Book 1.xml': book,
    'xl/_rels/Book 1.xml.rels': relations,
  };
  expect((await readBytes(zipOf(moved))).rows).toEqual([[2, '1']]);
});

describe('rows', () => {
  const text = (value: string) => `<c t="str"><v>${value}</v></c>`;

  test('the header may stand anywhere; what is above it is no record, and a column may have none', async () => {
    const rows = `<row r="2">${text('Title')}</row><row r="4">${text('a')}${text('b')}</row><row r="5">${text('1')}</row>`;
    expect(await read(rows, {}, { headerRows: [4] })).toMatchObject({
      headers: ['a', 'b'],
      rows: [[5, '1', '']],
    });
    await expect(read(rows, {}, { headerRows: [3] })).rejects.toThrow('sheet Data: row 3 is blank');
    expect(await read(rows)).toMatchObject({
      headers: ['Title', ''],
      rows: [
        [4, 'a', 'b'],
        [5, '1', ''],
      ],
    });
  });

  test('cells that are absent, or only formatted, are blank', async () => {
    const rows = `<row>${text('a')}${text('b')}${text('c')}</row><row><c r="A2" s="1"/><c r="C2"><v>1</v></c><c r="ZZ2" s="1"/></row>`;
    expect((await read(rows)).rows).toEqual([[2, '', '', '1']]);
  });

  test('random texts and numbers read back cell for cell', async () => {
    const escaped = (value: string) =>
      value.replace(/[&<>\r]/g, (found) => `&#${found.charCodeAt(0)};`).replaceAll('_', '_x005F_');
    const anyCell = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
      fc.constant(''),
      fc.integer().map(String),
    );
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 6 })
          .chain((width) =>
            fc.array(fc.array(anyCell, { minLength: width, maxLength: width }), { maxLength: 20 }),
          ),
        async (rows) => {
          const width = rows[0]?.length ?? 1;
          const header = Array.from({ length: width }, (_, i) => `column ${i}`);
          const xml = [header, ...rows].map(
            (cells) => `<row>${cells.map((value) => text(escaped(value))).join('')}</row>`,
          );
          const expected = rows.flatMap((cells, i) =>
            cells.every((value) => value === '') ? [] : [[i + 2, ...cells]],
          );
          expect(await read(xml.join(''))).toMatchObject({ headers: header, rows: expected });
        },
      ),
      { seed: 14, numRuns: 100 },
    );
  });
});

describe('refused in one line', () => {
  test.each([
    [
      'a number that is none',
      '<row><c><v>1,5</v></c></row>',
      'cell A1: expected a number, found 1,5',
    ],
    ['rows out of order', '<row r="2"/><row r="2"/>', 'row 2 is out of order'],
    ['cells out of order', '<row><c r="B1"/><c r="A1"/></row>', 'the cell A1 is out of order'],
    ['too many columns', '<row><c r="BZZ1"><v>1</v></c></row>', 'cell BZZ1: over 2,000 columns'],
    [
      'another entity',
      '<row><c t="str"><v>&x;</v></c></row>',
      'not well-formed XML: undefined entity',
    ],
    ['what closes nothing', '<row></c></row>', 'not well-formed XML: unexpected close tag'],
    ['a late document type', '<!DOCTYPE x [<!ENTITY x "y">]>', 'not well-formed XML: inappropr'],
    [
      'a tag without an end',
      `<row ${'x'.repeat(2_100_000)}`,
      'a text of over 2,000,000 characters',
    ],
    ['many levels', '<x>'.repeat(101), 'over 100 levels deep'],
    ['a long text', `<row><c t="str"><v>${'x'.repeat(2_100_000)}`, 'over 2,000,000 characters'],
    [
      'a long text of many parts',
      `<row><c t="inlineStr"><is>${`<t>${'x'.repeat(1000)}</t>`.repeat(2100)}`,
      'sheet Data: a text of over 2,000,000 characters',
    ],
    ['no rows', '', 'f.xlsx, sheet Data: the sheet is blank'],
  ])('%s', async (_, rows, message) => {
    const failed = read(rows);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toThrow(/^f\.xlsx[^\n]*$/);
  });

  test('a document type, before anything in it expands', async () => {
    const styles = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>';
    const workbook = zipOf({ ...workbookParts(''), 'xl/styles.xml': styles });
    await expect(readBytes(workbook)).rejects.toThrow(
      'xl/styles.xml: a document type, which no spreadsheet needs',
    );
  });

  test('a zip bomb, by what it declares and by what it holds', async () => {
    const bomb = { ...workbookParts(''), 'xl/styles.xml': '<a/>'.repeat(5_000_000) };
    await expect(readBytes(zipOf(bomb))).rejects.toThrow(
      'f.xlsx: xl/styles.xml is over 16 MiB when unpacked; unpack it yourself, or save it as CSV',
    );
    await expect(readBytes(zipOf(bomb, 1000))).rejects.toThrow('f.xlsx: a damaged zip archive');
  });

  test('a damaged part, a zip of something else, an encrypted part', async () => {
    const bytes = workbookOf('<sheetData/>');
    await expect(readBytes(bytes.subarray(0, 200))).rejects.toThrow('a damaged zip archive');
    await expect(readBytes(zipOf({ 'a.csv': 'a' }))).rejects.toThrow(
      'f.xlsx: a zip archive without an Excel workbook; unpack it',
    );
    const main = (part: string) => ({
      '_rels/.rels': `<a><Relationship Id="r" Type="x/officeDocument" Target="${part}"/></a>`,
      [part]: 'a',
    });
    await expect(readBytes(zipOf(main('xl/workbook.bin')))).rejects.toThrow('(.xlsb)');
    await expect(readBytes(zipOf(main('word/document.xml')))).rejects.toThrow('without an Excel');
    const damaged = Buffer.from(bytes);
    // The part's checksum in the directory stands 30 bytes before its name.
    damaged.writeUInt32LE(1, damaged.lastIndexOf('xl/workbook.xml') - 30);
    await expect(readBytes(damaged)).rejects.toThrow('the checksum of xl/workbook.xml is wrong');
    const cut = { ...workbookParts(''), 'xl/worksheets/sheet1.xml': '<a><b>x' };
    await expect(readBytes(zipOf(cut))).rejects.toThrow('sheet Data: the XML is cut off');
  });
});
