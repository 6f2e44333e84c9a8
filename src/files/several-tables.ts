import { numberText } from '../text/wording.ts';
import type { GivenWriting, TableChoice } from './file-format.ts';
import { filledCells, findHeader, type IsMerged, joinHeaders } from './find-header.ts';
import type { PlainRows } from './plain-rows.ts';
import { SeedError } from './source-table.ts';

/** One of the tables of a text or a sheet, between blank lines. */
export type FoundTable = {
  /** Its first line, and the line after its last; in a sheet, rows. */
  readonly from: number;
  readonly to: number;
  /** The number of records above it, and of its own records with its titles. */
  readonly above: number;
  readonly records: number;
  /** Its first records. Empty after the first few tables. */
  readonly head: readonly (readonly string[])[];
};

/**
 * Tables of a CSV file that are looked into, and the records of each. Further tables are counted.
 */
const MOST_TABLES = 20;
const RECORDS_OF_HEAD = 20;

/** Tables that are counted: `--table` has four digits. */
const MOST_COUNTED = 9999;

/** Cells of a record in a head, and characters of a cell: enough to recognise a header. */
const CELLS_OF_HEAD = 100;
const CHARACTERS_OF_CELL = 200;

/** A record of a text, or a row of a sheet. */
type PlacedCells = {
  readonly cells: readonly string[];
  readonly line: number;
  /** Absent if it is not known how many lines it has. */
  readonly lines?: number;
};

/**
 * Finds the tables of a text while it is cut into records. Records between blank lines, or between
 * records without a value, are a table if two in succession have two values or more. Titles and
 * notes have not.
 */
export class TableFinder {
  readonly tables: FoundTable[] = [];
  #from = 0;
  #to = 0;
  #records = 0;
  #all = 0;
  #head: (readonly string[])[] = [];
  #isTable = false;
  #wasFilled = false;

  add({ cells, line, lines = 1 }: PlacedCells): void {
    const filled = filledCells(cells);
    if (line > this.#to || filled === 0) this.end();
    this.#to = line + lines;
    this.#all++;
    if (filled === 0) return;
    if (this.#records++ === 0) this.#from = line;
    this.#isTable ||= filled > 1 && this.#wasFilled;
    this.#wasFilled = filled > 1;
    if (this.tables.length < MOST_TABLES && this.#head.length < RECORDS_OF_HEAD) {
      const kept = cells.slice(0, CELLS_OF_HEAD);
      this.#head.push(kept.map((cell) => cell.slice(0, CHARACTERS_OF_CELL)));
    }
  }

  /** Adds rows with two values or more, on a line each. */
  addRows(rows: PlainRows): void {
    let row = 0;
    const isShown = () => this.tables.length < MOST_TABLES && this.#head.length < RECORDS_OF_HEAD;
    for (; row < rows.length && (row < 2 || isShown()); row++) this.add(rows.record(row));
    const others = rows.length - row;
    this.#to += others;
    this.#all += others;
    this.#records += others;
  }

  /** Ends the present table, if there is one. */
  end(): void {
    if (this.#isTable && this.tables.length < MOST_COUNTED) {
      const [from, to, records, head] = [this.#from, this.#to, this.#records, this.#head];
      this.tables.push({ from, to, above: this.#all - records, records, head });
    }
    [this.#records, this.#head, this.#isTable, this.#wasFilled] = [0, [], false, false];
  }
}

/**
 * A clause about two tables side by side: a column without a header or a value parts two or more on
 * either side. Undefined if there is none. The first record is the header.
 */
export function besideText(records: readonly (readonly string[])[]): string | undefined {
  const width = records[0]?.length ?? 0;
  const isFilled = (_: unknown, column: number) =>
    records.some((cells) => (cells[column] ?? '').trim() !== '');
  const filled = Array.from({ length: width }, isFilled);
  const total = filled.filter(Boolean).length;
  let before = 0;
  const at = filled.findIndex((is) => {
    before += Number(is);
    return !is && before > 1 && total - before > 1;
  });
  if (at < 0) return undefined;
  return `column ${at + 1} is blank; if it parts two tables side by side, a row has cells of both: take one of them out of the file`;
}

/** The error for a file with fewer tables. */
export function noTable(place: string, number: number, counts: 'line' | 'row'): SeedError {
  const reason = `has no table ${numberText(number)}: blank ${counts}s part fewer; --table says which it is (in block.json, the dialect's table)`;
  return new SeedError(place, reason);
}

/** Finds the table of this number, from 1. Undefined if there is none. Reads nothing after it. */
export async function findTable(
  records: AsyncIterable<PlacedCells>,
  number: number,
): Promise<FoundTable | undefined> {
  const finder = new TableFinder();
  for await (const record of records) {
    finder.add(record);
    const found = finder.tables[number - 1];
    if (found !== undefined) return found;
  }
  finder.end();
  return finder.tables[number - 1];
}

/** The number of the table that is to be read alone. */
export function tableOf({ table }: GivenWriting): number | undefined {
  return table === 'all' ? undefined : table;
}

export function tableText(table: number, place: string): string {
  return `table ${numberText(table)}, from ${place}; what blank lines part from it is not read`;
}

/** The tables that a person may mean, the largest first. Empty unless there are several. */
export function choicesOf(
  tables: readonly FoundTable[],
  titles: number,
  isMerged: IsMerged = () => undefined,
): TableChoice[] {
  const choices: (TableChoice & { readonly isOwn: boolean })[] = [];
  for (const [i, { from, above, records, head }] of tables.entries()) {
    if (head.length === 0) continue;
    const found = findHeader(head, {
      isMerged: (record, column) => isMerged(from + record, column),
    });
    const below = found.titles + found.headerRows;
    // Names and values above the header are titles. Rows below names of their own are not.
    const areTitles = !found.isCertain || records - below < 2;
    if (above + records <= titles && areTitles) continue;
    const header = joinHeaders(head.slice(found.titles, below));
    const [first] = choices;
    // A page of the same table repeats its header.
    const isOther = first !== undefined && String(header) !== String(first.header);
    const isWider = header.length > (first?.header.length ?? 0) && !header.includes('');
    const isOwn = isOther && (found.isCertain || (isWider && found.hasHeader));
    choices.push({ table: i + 1, line: from, rows: records - below, header, isOwn });
  }
  const [first, ...others] = choices;
  const own = others.filter(({ isOwn }) => isOwn);
  if (first === undefined || own.length === 0) return [];
  return [first, ...own]
    .map(({ isOwn, ...choice }) => choice)
    .sort((a, b) => cellsOf(b) - cellsOf(a) || a.table - b.table);
}

/** A list of names and values may have more rows than a table, but few cells. */
function cellsOf({ rows, header }: TableChoice): number {
  return (rows + 1) * header.length;
}
