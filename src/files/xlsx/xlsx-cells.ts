import { numberText as counted } from '../../text/wording.ts';
import { type CellType, listed, MAX_COLUMNS, type SourceRecord } from '../source-table.ts';
import {
  isTrue,
  shownText,
  storedNumberText,
  textGatherer,
  unescapedText,
  type XlsxWorkbook,
} from './workbook.ts';
import { MAX_TOKEN, type XmlHandler, type XmlTag } from './xml-scanner.ts';

/** A row with a value: its number in Excel, and its cells up to the last with a value. */
export type XlsxRow = SourceRecord & { readonly types: readonly CellType[] };

/** Merged columns of a row, or of the first of several rows. */
export type MergedRow = { readonly row: number; readonly from: number; readonly to: number };

/** Merged ranges that are kept, to see how many columns a header's names span. */
const MOST_MERGED = 1000;

/** Excel's last row. */
const MAX_ROWS = 1_048_576;

/** Makes rows of a sheet's XML. Faults are Errors that name the cell. */
export class XlsxRows {
  /** The rows since they were last taken. */
  #rows: XlsxRow[] = [];
  readonly #workbook: XlsxWorkbook;
  readonly #inline = textGatherer();
  #row = 0;
  #column = -1;
  #cells: string[] = [];
  #types: CellType[] = [];
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
      else if (name === 'mergeCell') this.#addMerged(tag.ref ?? '');
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
      notes.push(
        `${ranges}, such as ${this.#firstMerged}: only the first cell has the value; "dialect": {"filledDown": ["the_column"]} in block.json gives it to the cells below`,
      );
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
        this.#column = this.#columnOf(tag.r);
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
        const row = Number(tag.r ?? this.#row + 1);
        if (!(row > this.#row && row <= MAX_ROWS)) throw new Error(`row ${row} is out of order`);
        this.#row = row;
        this.#column = -1;
        if (isTrue(tag.hidden)) this.#hiddenRows++;
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
    if (!isTrue(tag.hidden)) return;
    const [from, to] = [Number(tag.min), Number(tag.max)];
    // Excel hides all columns after the last one as one range.
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
    if (this.#column >= MAX_COLUMNS)
      throw this.#fault(`over ${counted(MAX_COLUMNS)} columns, so clear this cell`);
    while (this.#cells.length < this.#column) {
      this.#cells.push('');
      this.#types.push('other');
    }
    this.#cells.push(cell);
    this.#types.push(this.#cellType());
  }

  #cellType(): CellType {
    switch (this.#tag.t ?? 'n') {
      case 'n': {
        const format = this.#format;
        // A format of several zeros is for names, such as postal codes.
        if (format?.kind === 'number') return format.digits === 0 ? 'number' : 'other';
        return format === undefined || format.kind === 'percent' ? 'number' : 'time';
      }
      case 'b':
        return 'boolean';
      default:
        // Numbers and words for yes and no are often typed as texts.
        return 'other';
    }
  }

  get #format(): XlsxWorkbook['formats'][number] | undefined {
    return this.#workbook.formats[Number(this.#tag.s ?? 0)];
  }

  #cellText(): string {
    const type = this.#tag.t ?? 'n';
    if (type === 'inlineStr') return this.#inline.take();
    const value = this.#value;
    if (this.#isFormula && (this.#workbook.isUncalculated || (!value && type !== 'str'))) {
      // The stored value, often a 0, is not a result.
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
        const format = this.#format;
        const text =
          format === undefined
            ? storedNumberText(value)
            : shownText(value, format, this.#workbook.system);
        if (text === undefined) throw this.#fault(`expected a number, found ${listed([value])}`);
        return text;
      }
      default:
        // An error such as #N/A, or the rare date that is stored as a text.
        return value;
    }
  }

  #closeRow(): void {
    const { length } = this.#cells;
    if (length > 0) this.#rows.push({ line: this.#row, cells: this.#cells, types: this.#types });
    this.#cells = [];
    this.#types = [];
  }

  #fault(reason: string): Error {
    return new Error(`cell ${cellName(this.#column, this.#row)}: ${reason}`);
  }
}

/** The index of a column in a cell's Excel name: 0 for A1. */
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
