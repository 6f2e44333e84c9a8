import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readXlsx } from '../../src/files/xlsx/read-xlsx.ts';
import { openXlsx } from '../../src/files/xlsx/workbook.ts';
import { ZipParts } from '../../src/files/zip-parts.ts';
import type { RowsAsked } from '../../src/formats/format.ts';
import { xlsxPieces } from '../../src/formats/xlsx-writer.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { rowOf, TYPED_FIELDS, typedCells } from '../support/typed-block.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Asked = Pick<RowsAsked, 'about'> & { readonly fields: readonly Field[] };

/** Writes rows as a workbook, some at a time. */
async function saved({ fields, about }: Asked, rows: readonly Row[], atOnce = 100) {
  const batches: string[][] = [];
  for (let from = 0; from < rows.length; from += atOnce) {
    batches.push(rows.slice(from, from + atOnce).map((row) => JSON.stringify(row)));
  }
  const asked = { typed: fields.map((field) => ({ field })), ...(about && { about }) };
  const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
  const pieces: Uint8Array[] = [];
  for await (const piece of xlsxPieces(asked, batches, budget)) pieces.push(piece);
  const file = path.join(folder, `${Math.random()}.xlsx`);
  await writeFile(file, Buffer.concat(pieces));
  return { file, pieces };
}

/** A sheet as the reader of people's workbooks reads it: the cells of each row, and their types. */
async function sheetOf(file: string, sheetName = 'Rows') {
  const { headers, records } = await readXlsx(file, 'f.xlsx', { sheetName });
  const rows: string[][] = [];
  const types: string[][] = [];
  for await (const record of records) {
    rows.push([...record.cells]);
    types.push([...(record.types ?? [])]);
  }
  return { headers, rows, types };
}

/** The XML of a part of the workbook. */
async function partOf(file: string, part: string): Promise<string> {
  const zip = await ZipParts.open(file, 'f.xlsx');
  const pieces: Uint8Array[] = [];
  for await (const piece of zip.bytes(part, 2 ** 30)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const SHEET = 'xl/worksheets/sheet1.xml';

/** A column of one field, with other facts. */
const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({
  name: 'x',
  title: 'X',
  ...more,
  type,
});

/** What a value is in the file: the text that a reader reads, its type, and the XML of its cell. */
async function cellOf(of: Field, value: Value) {
  const { file } = await saved({ fields: [of, field('text', { name: 'last' })] }, [
    { x: value, last: 'end' },
  ]);
  const { rows, types } = await sheetOf(file);
  const [, xml = ''] = /<c r="A2"(.*?)<\/c>/s.exec(await partOf(file, SHEET)) ?? [];
  return { text: rows[0]?.[0], type: types[0]?.[0], xml, file };
}

describe('a cell has the type of its value', () => {
  test.each<[Field, Value, string, string]>([
    [field('date'), '2020-02-29', '2020-02-29', 'time'],
    [field('date'), '1900-03-01', '1900-03-01', 'time'],
    [field('date'), '9999-12-31', '9999-12-31', 'time'],
    [field('datetime', { local: true }), '2020-05-17T10:30:00', '2020-05-17T10:30:00', 'time'],
    [field('datetime'), '2020-05-17T23:59:59.999Z', '2020-05-17T23:59:59.999', 'time'],
    [field('integer'), 999_999_999_999_999, '999999999999999', 'number'],
    [field('integer'), -7, '-7', 'number'],
    [field('number'), 0.1, '0.1', 'number'],
    [field('number'), -76.61, '-76.61', 'number'],
    [field('boolean'), true, 'true', 'boolean'],
    [field('boolean'), false, 'false', 'boolean'],
    [field('text'), '007', '007', 'other'],
    [field('phone'), '+49 30 1234', '+49 30 1234', 'other'],
  ])('%j %j', async (of, value, text, type) => {
    expect(await cellOf(of, value)).toMatchObject({ text, type });
  });

  test.each([
    [field('date'), '1899-12-31', '1 before 1900-03-01 as text'],
    // LibreOffice and Excel count the days of these two months differently.
    [field('date'), '1900-02-28', '1 before 1900-03-01 as text'],
    [field('datetime'), '1883-11-18T12:03:57Z', '1 before 1900-03-01 as text'],
    [field('number'), 5e-324, '1 nearer to zero than Excel counts as text'],
  ] as const)(
    'what Excel has no number for is a text, and told: %j %j',
    async (of, value, note) => {
      const { text, type, file } = await cellOf(of, value);
      expect([text, type]).toEqual([String(value), 'other']);
      const { headers, rows } = await sheetOf(file, 'Columns');
      expect(headers).toEqual(['Name', 'Title', 'Type', 'Unit', 'Description', 'Blanks', 'Note']);
      expect(rows[0]?.at(-1)).toBe(note);
    },
  );

  test.each([
    ['integer', 1_000_000_000_000_000, '1000000000000000'],
    ['integer', 9_007_199_254_740_991, '9007199254740991'],
    ['integer', -9_007_199_254_740_991, '-9007199254740991'],
    ['number', 4_111_111_111_111_111, '4111111111111111'],
    ['text', '4111111111111111', '4111111111111111'],
  ] as const)('16 digits are a text, since Excel keeps 15: %s %j', async (type, value, text) => {
    expect(await cellOf(field(type), value)).toMatchObject({ text, type: 'other' });
  });

  test('a time has the clock of the zone, and is a text where clocks showed it twice', async () => {
    const zone = field('datetime', { timeZone: 'America/New_York' });
    const cells = async (value: string) => {
      const { text, type } = await cellOf(zone, value);
      return [text, type];
    };
    expect(await cells('2020-05-17T10:30:00-04:00')).toEqual(['2020-05-17T10:30:00', 'time']);
    expect(await cells('2020-11-01T01:30:00-04:00')).toEqual(['2020-11-01T01:30:00', 'time']);
    expect(await cells('2020-11-01T01:30:00-05:00')).toEqual([
      '2020-11-01T01:30:00-05:00',
      'other',
    ]);
    const { file } = await cellOf(zone, '2020-05-17T10:30:00-04:00');
    const { rows } = await sheetOf(file, 'Columns');
    expect(rows[0]?.[2]).toBe('datetime, America/New_York');
  });

  test('years and ids have no separators, amounts have', async () => {
    const style = async (of: Field, value: number) => (await cellOf(of, value)).xml;
    expect(await style(field('integer', { label: true }), 2020)).toBe(' s="4"><v>2020</v>');
    expect(await style(field('integer'), 2020)).toBe(' s="3"><v>2020</v>');
  });
});

describe('no cell runs as a formula', () => {
  test.each([
    '=1+1',
    '+49 30 1234',
    '-x',
    '@x',
    '=HYPERLINK("http://x","y")',
    '\t=1',
    "=cmd|' /C calc'!A0",
  ])('%j is a text, with the format of texts', async (text) => {
    const { text: read, type, xml, file } = await cellOf(field('text'), text);
    expect([read, type]).toEqual([text, 'other']);
    expect(xml).toMatch(/^ s="2" t="inlineStr">/);
    for (const sheet of [1, 2, 3]) {
      expect(await partOf(file, `xl/worksheets/sheet${sheet}.xml`)).not.toMatch(/<f[ >/]/);
    }
    // The format with this number is @, by which a cell stays a text if somebody edits it.
    const styles = await partOf(file, 'xl/styles.xml');
    const formats = styles.slice(styles.indexOf('<cellXfs')).match(/<xf /g);
    expect(formats).toHaveLength(10);
    expect(styles.slice(styles.indexOf('<cellXfs')).split('<xf ')[3]).toMatch(/^numFmtId="49"/);
  });
});

describe('texts', () => {
  test.each([
    ['characters that XML cannot have', 'a\u0000b\u0001\u001f\ufffe'],
    ['a carriage return, which XML reads as a line feed', 'a\r\nb'],
    ['what looks like an escape', '_x000D_ and _x005F_'],
    ['spaces, tabs and lines', '  a\n\tb  '],
    ['markup', '<a href="x">&amp;</a>]]>'],
    ['letters of all kinds', 'Ä😀漢字\u0085\u202e'],
  ])('have %s', async (_, text) => {
    expect((await cellOf(field('text'), text)).text).toBe(text);
  });

  test('of any characters are read as they were written', async () => {
    const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 20 }), async (texts) => {
        const rows = texts.map((x) => ({ x, last: 'end' }));
        const fields = [field('text'), field('text', { name: 'last' })];
        const { file } = await saved({ fields }, rows);
        expect((await sheetOf(file)).rows.map(([cell]) => cell)).toEqual(texts);
      }),
      { numRuns: 30 },
    );
  });

  test('of 32,767 characters are whole; longer ones say in their cell that they are cut', async () => {
    const most = 'é'.repeat(32_767);
    expect((await cellOf(field('text'), most)).text).toBe(most);
    const { text = '', file } = await cellOf(field('text'), `${most}!`);
    expect(text).toHaveLength(32_767);
    expect(text).toMatch(
      /^é{32000,} \[cut: the text has 32768 characters, and a cell at most 32767; CSV has all of it\]$/,
    );
    const { rows } = await sheetOf(file, 'Columns');
    expect(rows[0]?.at(-1)).toBe('1 cut after 32,767 characters; CSV has all of them');
  });
});

describe('links', () => {
  test('are links, to what the cell says', async () => {
    const address = 'https://example.org/a?b=1&c="x"';
    const { text, xml, file } = await cellOf(field('link'), address);
    expect(text).toBe(address);
    expect(xml).toMatch(/^ s="8" /);
    expect(await partOf(file, SHEET)).toContain('<hyperlink ref="A2" r:id="rId1"/>');
    expect(await partOf(file, 'xl/worksheets/_rels/sheet1.xml.rels')).toContain(
      'Target="https://example.org/a?b=1&amp;c=%22x%22" TargetMode="External"',
    );
  });

  test.each([
    'https://example.org/#a#b',
    'https://example.org/%zz',
    `https://x.org/${'a'.repeat(2079)}`,
  ])('that Excel would call damage are texts: %.30s', async (address) => {
    const { text, file } = await cellOf(field('link'), address);
    expect(text).toBe(address);
    expect(await partOf(file, SHEET)).not.toContain('<hyperlink');
    expect((await sheetOf(file, 'Columns')).rows[0]?.at(-1)).toBe('1 without a link');
  });

  test('beyond the 65,530 that a sheet has are texts, and counted', async () => {
    const rows = Array.from({ length: 65_540 }, (_, i) => ({ x: `https://x.org/${i}` }));
    const { file } = await saved({ fields: [field('link')] }, rows, 1000);
    expect((await sheetOf(file)).rows.map(([cell]) => cell)).toEqual(rows.map(({ x }) => x));
    expect((await partOf(file, SHEET)).match(/<hyperlink /g)).toHaveLength(65_530);
    expect((await sheetOf(file, 'Columns')).rows[0]?.at(-1)).toBe('10 without a link');
  });
});

describe('a workbook', () => {
  test('has the rows of every type, in their order, with blanks where nothing is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(typedCells, { maxLength: 20 }), async (cells) => {
        const written = cells.map(rowOf);
        const { file } = await saved({ fields: TYPED_FIELDS }, written, 7);
        const { headers, rows } = await sheetOf(file);
        expect(headers).toEqual(TYPED_FIELDS.map(({ name }) => name));
        const shown = written.map((row) => TYPED_FIELDS.map((of) => shownIn(of, row[of.name])));
        // A row of blanks alone is none to this reader.
        expect(rows).toEqual(shown.filter((row) => row.some((cell) => cell !== '')));
        const columns = await sheetOf(file, 'Columns');
        expect(columns.rows.map(([, , , , , blanks]) => Number(blanks))).toEqual(
          TYPED_FIELDS.map(({ name }) => written.filter((row) => row[name] === null).length),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('has a head that stays, widths, and a filter', async () => {
    const rows = [{ x: 'a'.repeat(30), last: 'b' }];
    const fields = [field('text'), field('text', { name: 'last' })];
    const { file } = await saved({ fields }, rows);
    const xml = await partOf(file, SHEET);
    expect(xml).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    );
    expect(xml).toContain('<col min="1" max="1" width="31" customWidth="1"/>');
    expect(xml).toContain('<col min="2" max="2" width="9" customWidth="1"/>');
    expect(xml).toContain('<autoFilter ref="A1:B2"/>');
  });

  test('has a sheet of columns and one of what is told about the data', async () => {
    const fields = [field('integer', { unit: 'people', description: 'How many.' })];
    const about = [
      ['Licence', 'CC0-1.0'],
      ['Terms', 'https://creativecommons.org/publicdomain/zero/1.0/'],
    ] as const;
    const { file } = await saved({ fields, about: () => about }, [{ x: 1 }, { x: null }]);
    const { sheets } = await openXlsx(file, 'f.xlsx');
    expect(sheets.map(({ name }) => name)).toEqual(['Rows', 'Columns', 'Source']);
    expect((await sheetOf(file, 'Columns')).rows).toEqual([
      ['x', 'X', 'integer', 'people', 'How many.', '1', ''],
    ]);
    expect((await sheetOf(file, 'Source')).rows).toEqual([...about, ['Rows in this file', '2']]);
    expect(await partOf(file, 'xl/worksheets/sheet3.xml')).toContain('<hyperlink ref="B3"');
  });

  test('of no rows has its head', async () => {
    const { file } = await saved({ fields: [field('text')] }, []);
    expect(await partOf(file, SHEET)).toMatch(/<sheetData><row r="1"><c r="A1".*<\/sheetData>/);
  });

  test('is the same bytes for the same rows, and leaves in pieces', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ x: `row ${Math.sin(i)}` }));
    const [one, other] = [
      await saved({ fields: [field('text')] }, rows, 1000),
      await saved({ fields: [field('text')] }, rows, 1000),
    ];
    expect(Buffer.concat(one.pieces).equals(Buffer.concat(other.pieces))).toBe(true);
    expect(one.pieces.length).toBeGreaterThan(4);
    expect(Math.max(...one.pieces.map(({ length }) => length))).toBeLessThan(2 ** 18);
  });
});

/** A value as the reader of workbooks shows its cell. */
function shownIn({ type, timeZone }: Field, value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return Object.is(value, -0) ? '0' : String(value);
  if (type !== 'datetime' || value < '1900-03-01') return value;
  // The one hour that New York's clocks showed twice.
  if (timeZone !== undefined && value === '2020-11-01T01:30:00-05:00') return value;
  return value.replace(/(?:Z|[+-]\d\d:\d\d)$/, '').replace(/(\.\d*?)0+$/, '$1');
}
