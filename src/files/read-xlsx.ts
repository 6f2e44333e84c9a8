import { numberText as counted } from '../text/wording.ts';
import { joinHeaders } from './find-header.ts';
import type { Beginning, FileFormat } from './format.ts';
import { listed, MAX_COLUMNS, repeatable, SeedError, type SourceTable } from './source-table.ts';
import {
  isTrue,
  openXlsx,
  shownText,
  storedNumberText,
  textGatherer,
  unescapedText,
  type XlsxSheet,
  type XlsxWorkbook,
} from './xlsx-workbook.ts';
import { attributeOf, MAX_TOKEN, type XmlHandler, type XmlTag } from './xml-scanner.ts';

/** A zip archive by its first file: Excel begins with one of a few. */
export const xlsx: FileFormat = {
  title: '.xlsx',
  endings: ['xlsx', 'xlsm'],
  isBinary: true,
  asks: 'sheet',
  isIn: (beginning) => {
    const name = firstInZip(beginning) ?? '';
    return /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|xl\/)/i.test(name);
  },
  read: ({ file, dialect: { sheetName, headerRows, commentRows } = {} }, { path }) =>
    readXlsx(path, file, { sheet: sheetName, headerRows, commentRows }),
};

/** The name of a zip archive's first file; undefined if it is no archive. */
export function firstInZip({ bytes, start }: Beginning): string | undefined {
  if (!start.startsWith('PK\x03') && !start.startsWith('PK\x05')) return undefined;
  const length = bytes.length < 30 ? 0 : bytes.readUInt16LE(26);
  return bytes.toString('utf8', 30, 30 + length);
}

/** How a workbook is to be read; rows are named by their numbers in the sheet. */
type XlsxReading = {
  readonly sheet?: string | undefined;
  readonly headerRows?: readonly number[] | undefined;
  readonly commentRows?: readonly number[] | undefined;
};

/** A sheet's rows, before any of them is taken for a header. */
export type XlsxRowsTable = {
  readonly sheet: string;
  readonly rows: AsyncIterable<XlsxRow>;
  /** Whether a cell is merged with the one left of it; known once all rows were read. */
  readonly isMerged: (row: number, column: number) => boolean | undefined;
  /** What the reader chose or saw; complete once all rows were read. */
  readonly notes: readonly string[];
};

/**
 * Reads the rows of a sheet, by its name or its number from 1; of the first that is not hidden, if
 * none is named. Blank rows are left out.
 */
export async function readXlsxRows(
  path: string,
  file: string,
  sheet?: string,
): Promise<XlsxRowsTable> {
  const workbook = await openXlsx(path, file);
  const chosen = chosenSheet(workbook.sheets, sheet, file);
  const others = workbook.sheets.filter((each) => each !== chosen).map(shownSheet);
  const chosenNotes = [
    ...(chosen.isHidden ? [`the sheet ${listed([chosen.name])} is hidden`] : []),
    ...(others.length === 0
      ? []
      : [`read the sheet ${listed([chosen.name])}, not ${listed(others)}`]),
  ];
  let seen: readonly string[] = [];
  let merged: readonly MergedRow[] = [];
  return {
    sheet: chosen.name,
    rows: repeatable(async function* () {
      const rows = new XlsxRows(workbook);
      for await (const some of workbook.scan(chosen, rows.handler, () => rows.take())) yield* some;
      seen = rows.notes();
      merged = rows.mergedRows;
    }),
    isMerged: (row, column) => {
      const here = merged.filter((each) => each.row === row);
      if (here.length === 0) return undefined;
      return here.some(({ from, to }) => from < column && column <= to);
    },
    get notes() {
      return [...chosenNotes, ...seen];
    },
  };
}

/**
 * Reads a sheet's table; its header is the first row that holds anything, or `headerRows`. The rows
 * of `commentRows` are left out.
 */
export async function readXlsx(
  path: string,
  file: string,
  { sheet, headerRows, commentRows }: XlsxReading = {},
): Promise<SourceTable & { readonly sheet: string }> {
  const table = await readXlsxRows(path, file, sheet);
  const place = `${file}, sheet ${listed([table.sheet])}`;
  const comments = new Set(commentRows);
  const found: XlsxRow[] = [];
  for await (const row of table.rows) {
    if (headerRows === undefined || headerRows.includes(row.row)) found.push(row);
    if (headerRows === undefined) break;
    // What is merged stands behind all rows.
    if (headerRows.length === 1 && found.length === 1) break;
  }
  const [{ row: headerLine } = { row: 0 }] = found;
  const first = found.at(-1)?.row ?? 0;
  if (first === 0) {
    const reason =
      headerRows === undefined ? 'the sheet is blank' : `row ${headerRows.join(', ')} is blank`;
    throw new SeedError(place, [reason, ...table.notes].join('; '));
  }
  const headers = joinHeaders(
    found.map(({ cells }) => cells),
    (at, column) => table.isMerged(found[at]?.row ?? 0, column),
  );
  return {
    sheet: table.sheet,
    headers,
    headerLine,
    counts: 'row',
    get notes() {
      return table.notes;
    },
    records: repeatable(async function* () {
      for await (const { row, cells } of table.rows) {
        if (row <= first || comments.has(row)) continue;
        if (cells.length > headers.length) {
          const cell = cellName(cells.length - 1, row);
          const reason = `cell ${cell} has a value, but row ${first} has no header above it`;
          throw new SeedError(place, reason);
        }
        const blanks = headers.length - cells.length;
        yield {
          cells: blanks === 0 ? cells : [...cells, ...new Array<string>(blanks).fill('')],
          line: row,
        };
      }
    }),
  };
}

function chosenSheet(
  sheets: readonly XlsxSheet[],
  asked: string | undefined,
  file: string,
): XlsxSheet {
  const named = (name: string) => sheets.find((sheet) => sheet.name.toLowerCase() === name);
  const chosen =
    asked === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (named(asked.toLowerCase()) ??
        (/^\d{1,4}$/.test(asked) ? sheets[Number(asked) - 1] : undefined));
  if (chosen === undefined) {
    const has = sheets.length === 0 ? 'no sheets of cells' : listed(sheets.map(shownSheet));
    throw new SeedError(
      file,
      asked === undefined ? `it has ${has}` : `no sheet ${listed([asked])}; it has ${has}`,
    );
  }
  return chosen;
}

function shownSheet({ name, isHidden }: XlsxSheet): string {
  return isHidden ? `${name} (hidden)` : name;
}

/** One row that holds anything: its number in Excel, and its cells up to the last with a value. */
export type XlsxRow = { readonly row: number; readonly cells: readonly string[] };

/** The columns of a row that are merged, or of the first of several rows. */
type MergedRow = { readonly row: number; readonly from: number; readonly to: number };

/** So many merged ranges are kept to tell how far a header's names reach. */
const MOST_MERGED = 1000;

/** Excel's last row. */
const MAX_ROWS = 1_048_576;

/** Makes rows of a sheet's XML. Faults are Errors that name the cell. */
class XlsxRows {
  /** The rows since they were last taken. */
  #rows: XlsxRow[] = [];
  readonly #workbook: XlsxWorkbook;
  readonly #inline = textGatherer();
  #row = 0;
  #column = -1;
  #cells: string[] = [];
  #tag: XmlTag = {};
  #value: string | undefined;
  #isValue = false;
  #isFormula = false;
  #isSheetData = false;
  #hiddenRows = 0;
  #hiddenColumns = 0;
  #firstMerged = '';
  #mergedRanges = 0;
  /** The merged cells of the first rows, where a header is. */
  readonly mergedRows: MergedRow[] = [];
  #uncalculated = 0;
  #firstUncalculated = '';

  constructor(workbook: XlsxWorkbook) {
    this.#workbook = workbook;
  }

  readonly handler: XmlHandler = {
    open: (name, tag) => {
      if (name === 'sheetData') this.#isSheetData = true;
      else if (this.#isSheetData) this.#openInData(name, tag);
      else if (name === 'col') this.#openColumns(tag);
      else if (name === 'mergeCell') this.#addMerged(attributeOf(tag, 'ref') ?? '');
    },
    text: (text) => {
      if (this.#isValue) this.#addValue(text);
      else this.#inline.handler.text(text);
    },
    close: (name) => {
      if (name === 'sheetData') this.#isSheetData = false;
      else if (name === 'v') this.#isValue = false;
      else if (name === 'c') this.#closeCell();
      else if (name === 'row') this.#closeRow();
      else this.#inline.handler.close(name);
    },
  };

  take(): readonly XlsxRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  notes(): string[] {
    const notes: string[] = [];
    const count = (many: number, what: string) =>
      `${many.toLocaleString('en')} ${what}${many === 1 ? '' : 's'}`;
    if (this.#hiddenRows > 0) notes.push(`read ${count(this.#hiddenRows, 'hidden row')} too`);
    if (this.#hiddenColumns > 0) {
      notes.push(`read ${count(this.#hiddenColumns, 'hidden column')} too`);
    }
    if (this.#mergedRanges > 0) {
      const ranges = count(this.#mergedRanges, 'merged range');
      notes.push(`${ranges}, such as ${this.#firstMerged}: only the first cell has the value`);
    }
    if (this.#uncalculated > 0) {
      const formulas = count(this.#uncalculated, 'formula');
      const are =
        this.#uncalculated === 1 ? 'was not calculated and is' : 'were not calculated and are';
      const where = `${this.#uncalculated === 1 ? 'in' : 'first in'} cell ${this.#firstUncalculated}`;
      notes.push(
        `${formulas} ${are} blank, ${where}; open the file in Excel and save it for values`,
      );
    }
    return notes;
  }

  #addMerged(range: string): void {
    if (++this.#mergedRanges === 1) this.#firstMerged = listed([range]);
    const [, from = '', row, to = ''] =
      /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})\d{1,7}$/.exec(range) ?? [];
    if (this.mergedRows.length >= MOST_MERGED || from === to) return;
    this.mergedRows.push({ row: Number(row), from: columnNumber(from), to: columnNumber(to) });
  }

  #openInData(name: string, tag: XmlTag): void {
    switch (name) {
      case 'c':
        this.#tag = tag;
        this.#column = this.#columnOf(attributeOf(tag, 'r'));
        this.#value = undefined;
        this.#isFormula = false;
        break;
      case 'v':
        this.#isValue = true;
        this.#value = '';
        break;
      case 'f':
        this.#isFormula = true;
        break;
      case 'row': {
        const row = Number(attributeOf(tag, 'r') ?? this.#row + 1);
        if (!(row > this.#row && row <= MAX_ROWS)) throw new Error(`row ${row} is out of order`);
        this.#row = row;
        this.#column = -1;
        if (isTrue(attributeOf(tag, 'hidden'))) this.#hiddenRows++;
        break;
      }
      default:
        this.#inline.handler.open(name, tag);
    }
  }

  #addValue(text: string): void {
    this.#value = (this.#value ?? '') + text;
    if (this.#value.length > MAX_TOKEN) throw this.#fault(`over ${counted(MAX_TOKEN)} characters`);
  }

  #openColumns(tag: XmlTag): void {
    if (!isTrue(attributeOf(tag, 'hidden'))) return;
    const [from, to] = [Number(attributeOf(tag, 'min')), Number(attributeOf(tag, 'max'))];
    // Excel hides all columns behind the last one in one range.
    if (to < 16_384) this.#hiddenColumns += to - from + 1;
  }

  #columnOf(reference: string | undefined): number {
    if (reference === undefined) return this.#column + 1;
    const column = columnNumber(reference);
    if (column <= this.#column || column >= 16_384) {
      throw new Error(`the cell ${listed([reference])} is out of order`);
    }
    return column;
  }

  #closeCell(): void {
    const cell = this.#cellText();
    if (cell === '') return;
    if (this.#column >= MAX_COLUMNS) throw this.#fault(`over ${counted(MAX_COLUMNS)} columns`);
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells.push(cell);
  }

  #cellText(): string {
    const type = attributeOf(this.#tag, 't') ?? 'n';
    if (type === 'inlineStr') return this.#inline.take();
    const value = this.#value;
    if (this.#isFormula && (this.#workbook.isUncalculated || (!value && type !== 'str'))) {
      // What stands in its place, often a 0, is no result.
      if (++this.#uncalculated === 1) this.#firstUncalculated = cellName(this.#column, this.#row);
      return '';
    }
    if (value === undefined || value === '') return '';
    switch (type) {
      case 's': {
        const text = this.#workbook.texts[Number(value)];
        if (text === undefined)
          throw this.#fault(`the text ${listed([value])} is missing in the file`);
        return text;
      }
      case 'str':
        return unescapedText(value);
      case 'b':
        return isTrue(value) ? 'true' : 'false';
      case 'n': {
        const format = this.#workbook.formats[Number(attributeOf(this.#tag, 's') ?? 0)];
        const text =
          format === undefined
            ? storedNumberText(value)
            : shownText(value, format, this.#workbook.system);
        if (text === undefined) throw this.#fault(`expected a number, found ${listed([value])}`);
        return text;
      }
      default:
        // An error such as #N/A, and the rare date that is stored as a text.
        return value;
    }
  }

  #closeRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ row: this.#row, cells: this.#cells });
    this.#cells = [];
  }

  #fault(reason: string): Error {
    return new Error(`cell ${cellName(this.#column, this.#row)}: ${reason}`);
  }
}

/** The column of a cell by its name in Excel: 0 for A1. */
function columnNumber(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** A cell's name in Excel: column 0 of row 1 is A1. */
function cellName(column: number, row: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(0x41 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row}`;
}
