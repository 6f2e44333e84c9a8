import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import type { Batches, Fact, RowsAsked, TypedColumn } from './format.ts';
import {
  type Cell,
  cellWriter,
  type Exception,
  escapedXml,
  linkTarget,
  MOST_CELL_TEXT,
  STYLE,
  textCell,
  type WriteCell,
} from './xlsx-cells.ts';
import { MOST_FILE_BYTES, ZipWriter } from './zip-writer.ts';

/**
 * Links of a sheet, which Excel bounds, and the characters of their addresses, which are in memory
 * until the sheet ends. What goes beyond is a text, and the sheet of columns counts it.
 */
const MOST_LINKS = 65_530;
const MOST_LINK_CHARACTERS = 2 ** 22;

/** Links that are written before others get their turn. */
const LINKS_AT_ONCE = 200;

/** Rows that tell how wide the columns are, and the least and greatest width in characters. */
const MEASURED_ROWS = 200;
const WIDTHS = { least: 9, most: 60 } as const;

/** How much of a sheet is packed at once, in characters, and the least length of a piece. */
const PACKED_CHARACTERS = 2 ** 15;
const PIECE_BYTES = 2 ** 16;

/** Rows, and about how many characters of them, that are written before others get their turn. */
const ROWS_AT_ONCE = 50;
const CHARACTERS_AT_ONCE = 2 ** 15;

/** The work of writing and packing a character of a sheet, in steps. */
const STEPS_PER_CHARACTER = 6;

type BookAsked = Pick<RowsAsked, 'typed' | 'about'>;

/**
 * Rows, given as JSON texts, as a workbook in pieces: a sheet of rows, one of columns, and one of what
 * is told about the data. Only the links are in memory until the rows' sheet ends. Without the list
 * at its end, no program takes a file that broke off for a whole one.
 */
export async function* xlsxPieces(
  { typed, about = () => [] }: BookAsked,
  batches: Batches,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  for (const [name, text] of Object.entries(PARTS)) zip.file(name, text);
  zip.begin('xl/worksheets/sheet1.xml');
  // By itself, before any work: writing it may show that the caller left.
  yield zip.take();
  const sheet = new RowsSheet(typed);
  let waiting = '';
  let isFirst = true;
  const pack = () => {
    if (zip.add(waiting) > MOST_FILE_BYTES) throw sheetTooLong();
    waiting = '';
  };
  for await (const texts of batches) {
    if (isFirst) waiting += sheet.head(texts.slice(0, MEASURED_ROWS));
    isFirst = false;
    const fitting = Math.ceil(CHARACTERS_AT_ONCE / Math.max(1, texts[0]?.length ?? 1));
    const atOnce = Math.min(ROWS_AT_ONCE, fitting);
    for (let from = 0; from < texts.length; from += atOnce) {
      const written = sheet.rows(texts.slice(from, from + atOnce));
      waiting += written;
      await budget.checkpoint(written.length * STEPS_PER_CHARACTER);
      if (waiting.length < PACKED_CHARACTERS) continue;
      pack();
      if (zip.waiting < PIECE_BYTES) continue;
      yield zip.take();
      await budget.pause();
    }
  }
  if (isFirst) waiting += sheet.head([]);
  for (const part of sheet.end()) {
    waiting += part;
    pack();
    await budget.checkpoint(part.length * STEPS_PER_CHARACTER);
  }
  zip.end();
  zip.begin('xl/worksheets/_rels/sheet1.xml.rels');
  for (const part of sheet.relations()) {
    zip.add(part);
    await budget.checkpoint(part.length * STEPS_PER_CHARACTER);
  }
  zip.end();
  zip.file('xl/worksheets/sheet2.xml', columnsSheet(sheet.columns));
  const facts = [...about(), ['Rows in this file', numberText(sheet.count)] as const];
  const { sheet: source, relations } = factsSheet(facts);
  zip.file('xl/worksheets/sheet3.xml', source);
  zip.file('xl/worksheets/_rels/sheet3.xml.rels', relations);
  zip.close();
  yield zip.take();
}

/** A column while its cells are written. */
type Column = {
  readonly field: Field;
  /** Its letters: A, B, … AA. */
  readonly letters: string;
  readonly write: WriteCell;
  blanks: number;
  /** How many cells are not as the type would have them, by why. */
  readonly exceptions: Map<Exception, number>;
};

/** The sheet of rows, some at a time. */
class RowsSheet {
  readonly columns: readonly Column[];
  readonly #links = new SheetLinks();
  count = 0;

  constructor(typed: readonly TypedColumn[]) {
    this.columns = typed.map((column, i) => ({
      field: column.field,
      letters: lettersOf(i),
      write: cellWriter(column),
      blanks: 0,
      exceptions: new Map(),
    }));
  }

  /** What is before the rows. Some of them tell the widths. */
  head(texts: readonly string[]): string {
    const rows: Row[] = texts.map((text) => JSON.parse(text));
    const widths = this.columns.map(({ field: { name }, write }) => {
      const shown = rows.map((row) => {
        const value = ownMember(row, name) ?? null;
        return value === null ? 0 : write(value).shown;
      });
      // Beside a name is the mark that opens its filter.
      return Math.max(name.length + 3, ...shown.map((one) => one + 1));
    });
    const names = this.columns.map(({ field }) => field.name);
    return `${WORKSHEET}${FROZEN}${widthsXml(widths)}<sheetData>${rowXml(1, headCells(names))}`;
  }

  rows(texts: readonly string[]): string {
    let xml = '';
    for (const text of texts) {
      this.count++;
      const row: Row = JSON.parse(text);
      xml += rowXml(
        this.count + 1,
        this.columns.map((column) => this.#cell(column, row)),
      );
    }
    return xml;
  }

  #cell(column: Column, row: Row): string {
    const value = ownMember(row, column.field.name) ?? null;
    if (value === null) {
      column.blanks++;
      return '';
    }
    const at = `${column.letters}${this.count + 1}`;
    let cell = column.write(value);
    // Beyond the bound it is the same text without a link.
    if (cell.link !== undefined && !this.#links.add(at, cell.link)) {
      cell = { ...textCell(value as string), exception: 'unlinked' };
    }
    const { exception, xml } = cell;
    if (exception !== undefined) {
      column.exceptions.set(exception, (column.exceptions.get(exception) ?? 0) + 1);
    }
    return `<c r="${at}"${xml}`;
  }

  /** What is after the rows, in parts. */
  *end(): Generator<string> {
    const all = `A1:${this.columns.at(-1)?.letters ?? 'A'}${this.count + 1}`;
    yield `</sheetData><autoFilter ref="${all}"/>`;
    yield* this.#links.xml();
    // Codes are texts with digits, which is no mistake.
    yield `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
  }

  relations(): Generator<string> {
    return this.#links.relations();
  }
}

/** The links of a sheet: their cells, and apart from these their addresses. */
class SheetLinks {
  readonly #cells: string[] = [];
  readonly #targets: string[] = [];
  #characters = 0;

  /** Adds a link. False if there is no room for it. */
  add(at: string, target: string): boolean {
    const characters = this.#characters + target.length;
    if (this.#cells.length >= MOST_LINKS || characters > MOST_LINK_CHARACTERS) return false;
    this.#characters = characters;
    this.#cells.push(at);
    this.#targets.push(target);
    return true;
  }

  *xml(): Generator<string> {
    if (this.#cells.length === 0) return;
    yield '<hyperlinks>';
    yield* inParts(this.#cells, (at, i) => `<hyperlink ref="${at}" r:id="rId${i + 1}"/>`);
    yield '</hyperlinks>';
  }

  *relations(): Generator<string> {
    yield `${XML}<Relationships xmlns="${RELATIONSHIPS}">`;
    yield* inParts(
      this.#targets,
      (target, i) =>
        `<Relationship Id="rId${i + 1}" Type="${OFFICE}/hyperlink" Target="${escapedXml(target)}" TargetMode="External"/>`,
    );
    yield '</Relationships>';
  }
}

/** Texts of many, joined some at a time. */
function* inParts(all: readonly string[], textOf: (one: string, i: number) => string) {
  for (let from = 0; from < all.length; from += LINKS_AT_ONCE) {
    const some = all.slice(from, from + LINKS_AT_ONCE);
    yield some.map((one, i) => textOf(one, from + i)).join('');
  }
}

/** What Excel cannot hold, in words, after a number of cells. */
const EXCEPTIONS: Readonly<Record<Exception, string>> = {
  early: 'before 1900-03-01 as text',
  longNumber: 'of 16 digits and more as text',
  tinyNumber: 'nearer to zero than Excel counts as text',
  repeatedHour: 'of an hour that clocks showed twice as text, with their offset',
  cut: `cut after ${numberText(MOST_CELL_TEXT)} characters; CSV has all of them`,
  unlinked: 'without a link',
};

/** The sheet that says what the columns are. */
function columnsSheet(columns: readonly Column[]): string {
  const head = ['Name', 'Title', 'Type', 'Unit', 'Description', 'Blanks', 'Note'];
  const lines = columns.map(({ field, blanks, exceptions }) => {
    const zone = field.type === 'datetime' && !field.local ? `, ${field.timeZone ?? 'UTC'}` : '';
    const notes = [...exceptions].map(([why, count]) => `${numberText(count)} ${EXCEPTIONS[why]}`);
    return [
      ...[field.name, field.title, `${field.type}${zone}`, field.unit ?? ''].map(textOf),
      textCell(field.description ?? '', STYLE.wrapped),
      { xml: ` s="${STYLE.whole}"><v>${blanks}</v></c>`, shown: 6 },
      textCell(notes.join('; '), STYLE.wrapped),
    ];
  });
  return tableXml([20, 30, 20, 12, 60, 10, 40], head, lines);
}

/** The sheet of facts about the data, with links where they are addresses. */
function factsSheet(facts: readonly Fact[]) {
  const links = new SheetLinks();
  const lines = facts.map(([name, text], i) => {
    const target = /^https?:/i.test(text) ? linkTarget(text) : undefined;
    const isLink = target !== undefined && links.add(`B${i + 2}`, target);
    return [textOf(name), textCell(text, isLink ? STYLE.link : STYLE.wrapped)];
  });
  const sheet = tableXml([24, 100], ['About', 'Value'], lines, [...links.xml()].join(''));
  return { sheet, relations: [...links.relations()].join('') };
}

const textOf = (text: string) => textCell(text);

/** A small sheet with a head. */
function tableXml(
  widths: readonly number[],
  head: readonly string[],
  lines: readonly (readonly Cell[])[],
  links = '',
): string {
  const rows = lines.map((cells, i) =>
    rowXml(
      i + 2,
      cells.map(({ xml }, column) => `<c r="${lettersOf(column)}${i + 2}"${xml}`),
    ),
  );
  const data = `${rowXml(1, headCells(head))}${rows.join('')}`;
  const frozen = FROZEN.replace(' tabSelected="1"', '');
  return `${WORKSHEET}${frozen}${widthsXml(widths)}<sheetData>${data}</sheetData>${links}</worksheet>`;
}

const headCells = (names: readonly string[]) =>
  names.map((name, i) => `<c r="${lettersOf(i)}1"${textCell(name, STYLE.head).xml}`);

function rowXml(number: number, cells: readonly string[]): string {
  return `<row r="${number}">${cells.join('')}</row>`;
}

function widthsXml(widths: readonly number[]): string {
  if (widths.length === 0) return '';
  const columns = widths.map((width, i) => {
    const within = Math.min(WIDTHS.most, Math.max(WIDTHS.least, width));
    return `<col min="${i + 1}" max="${i + 1}" width="${within}" customWidth="1"/>`;
  });
  return `<cols>${columns.join('')}</cols>`;
}

/** The letters of a column: A for the first, AA for the 27th. */
function lettersOf(index: number): string {
  let letters = '';
  for (let left = index; left >= 0; left = Math.floor(left / 26) - 1) {
    letters = String.fromCharCode(65 + (left % 26)) + letters;
  }
  return letters;
}

function sheetTooLong(): Problem {
  const detail = `The rows have more than ${numberText(Math.floor(MOST_FILE_BYTES / 1e9))} GB as a sheet, which Excel cannot open. Take CSV (_format=csv), name the fields that you need in _fields, or filter for fewer rows.`;
  return new Problem('result-too-large', detail, {
    faults: [{ code: 'result-too-large', detail, parameter: '_format' }],
  });
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const WORKSHEET = `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">`;

/** The head stays when rows are scrolled. */
const FROZEN =
  '<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

const SHEETS = ['Rows', 'Columns', 'Source'];

/** The formats of cells, in the order of `STYLE`: number format, font and more. */
const FORMATS: readonly string[] = [
  'numFmtId="0" fontId="0"',
  'numFmtId="49" fontId="1" applyFont="1" applyNumberFormat="1"',
  'numFmtId="49" fontId="0" applyNumberFormat="1"',
  'numFmtId="3" fontId="0" applyNumberFormat="1"',
  'numFmtId="1" fontId="0" applyNumberFormat="1"',
  'numFmtId="164" fontId="0" applyNumberFormat="1"',
  'numFmtId="165" fontId="0" applyNumberFormat="1"',
  'numFmtId="166" fontId="0" applyNumberFormat="1"',
  'numFmtId="49" fontId="2" applyFont="1" applyNumberFormat="1"',
  'numFmtId="49" fontId="0" applyNumberFormat="1" applyAlignment="1"',
];

const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';

/** Dates are written alike in every country: year, month, day. */
const STYLES = [
  `${XML}<styleSheet xmlns="${MAIN}">`,
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>',
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>',
  '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>',
  `<fonts count="3"><font>${FONT}</font><font><b/>${FONT}</font>`,
  `<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/><family val="2"/></font></fonts>`,
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${FORMATS.length}">`,
  ...FORMATS.map((format, style) => {
    const end = style === STYLE.wrapped ? '><alignment vertical="top" wrapText="1"/></xf>' : '/>';
    return `<xf ${format} fillId="0" borderId="0" xfId="0"${end}`;
  }),
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('');

const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;

/** The parts of each workbook, which come before the sheets. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': [
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>`,
    ...SHEETS.map(
      (_, i) =>
        `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${CONTENT}.worksheet+xml"/>`,
    ),
    '</Types>',
  ].join(''),
  '_rels/.rels': `${XML}<Relationships xmlns="${RELATIONSHIPS}">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  'xl/workbook.xml': [
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
    ...SHEETS.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`),
    '</sheets></workbook>',
  ].join(''),
  'xl/_rels/workbook.xml.rels': [
    `${XML}<Relationships xmlns="${RELATIONSHIPS}">`,
    ...SHEETS.map((_, i) => relation(i + 1, 'worksheet', `worksheets/sheet${i + 1}.xml`)),
    `${relation(SHEETS.length + 1, 'styles', 'styles.xml')}</Relationships>`,
  ].join(''),
  'xl/styles.xml': STYLES,
};
