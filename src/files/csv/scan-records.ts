import type { GivenWriting } from '../file-format.ts';
import { RECORDS_KEPT } from '../find-notes.ts';
import type { PlainRows } from '../plain-rows.ts';
import { type FoundTable, TableFinder } from '../several-tables.ts';
import { type Cut, type ParsedRecord, RecordParser } from './record-parser.ts';

/** What all records of a text show about how it is written. */
export type Scanned = {
  /** The number of the text's records, and the last ones. */
  readonly records: number;
  readonly last: readonly (readonly string[])[];
  readonly tables: readonly FoundTable[];
  /** The number of records that cannot be cut, and the line of the first fault. */
  readonly faults: number;
  readonly firstFault?: number;
};

/** Counts a text's records while they are cut, keeps the last ones, and finds its tables. */
export class RecordScan {
  #records = 0;
  #faults = 0;
  #firstFault: number | undefined;
  readonly #last: (readonly string[])[] = [];
  readonly #finder = new TableFinder();

  add(record: ParsedRecord): void {
    this.#records++;
    if (record.fault !== undefined) {
      this.#faults++;
      this.#firstFault ??= record.faultLine;
    }
    this.#finder.add(record);
    this.#last.push(record.cells);
    if (this.#last.length > RECORDS_KEPT) this.#last.shift();
  }

  addRows(rows: PlainRows): void {
    const { length } = rows;
    this.#records += length;
    this.#finder.addRows(rows);
    for (let row = Math.max(0, length - RECORDS_KEPT); row < length; row++) {
      this.#last.push(rows.record(row).cells);
    }
    this.#last.splice(0, Math.max(0, this.#last.length - RECORDS_KEPT));
  }

  /** The findings, once all records were added. */
  found(): Scanned {
    this.#finder.end();
    return {
      records: this.#records,
      last: this.#last,
      tables: this.#finder.tables,
      faults: this.#faults,
      firstFault: this.#firstFault,
    };
  }
}

/** How all of a text is cut into records, and what they show. */
export type CutText = {
  readonly cut: Cut;
  readonly scanned: Scanned;
  /** Why quotes differ from the default. */
  readonly quoting?: string;
};

/**
 * Scans a text to its end. If a quote neither begins nor ends a cell, tests whether spaces are
 * beside delimiters, backslashes are before quotes, or quotes are ordinary characters.
 */
export async function cutText(
  readText: () => AsyncIterable<string>,
  cut: Cut,
  given: GivenWriting,
  firstLine = 1,
): Promise<CutText> {
  const plain = await scan(readText, cut, firstLine);
  const { quotedCells } = plain;
  const { faults, firstFault: line } = plain.scanned;
  if (faults === 0) return withQuote(plain);
  for (const { quotes, why } of OTHER_QUOTES) {
    const other = await scan(readText, { ...cut, ...quotes }, firstLine);
    if (other.quotedCells > 0 && explains(other.scanned, faults)) {
      return { ...other, quoting: `${why}, as in line ${line}` };
    }
  }
  // A few cells in single quotes may be damaged. Apostrophes hardly ever begin and end cells.
  if (given.quoteChar !== undefined || (cut.quoteChar === "'" && quotedCells > 4 * faults)) {
    return withQuote(plain);
  }
  if (cut.quoteChar === "'") {
    const { quoteChar, ...others } = cut;
    return cutText(readText, others, given, firstLine);
  }
  if (quotedCells > 0) return plain;
  const unquoted = await scan(readText, { ...cut, quoteChar: null }, firstLine);
  return { ...unquoted, quoting: `no cell is in quotes, and line ${line} has one within a cell` };
}

/** Says that quotes are single, if they are. */
export function withQuote(text: CutText): CutText {
  return text.cut.quoteChar === "'" ? { ...text, quoting: 'cells are in single quotes' } : text;
}

/** Whether a way to quote leaves no faults, or few of many: these rows are then damaged. */
function explains({ faults }: Scanned, before: number): boolean {
  return faults === 0 || (before - faults > 1 && faults * 4 <= before);
}

const OTHER_QUOTES = [
  { quotes: { skipInitialSpace: true }, why: 'spaces stand between delimiters and quotes' },
  { quotes: { escapeChar: '\\' }, why: 'a backslash stands before a quote in a cell' },
] as const satisfies readonly { quotes: Cut; why: string }[];

/** Scans the whole text. After a record that cannot be cut, continues with the next line. */
async function scan(readText: () => AsyncIterable<string>, cut: Cut, firstLine: number) {
  const parser = new RecordParser(cut, { firstLine });
  const records = new RecordScan();
  for await (const text of readText()) {
    parser.add(text);
    for (const record of parser.records()) records.add(record);
  }
  parser.end();
  for (const record of parser.records()) records.add(record);
  return { cut, scanned: records.found(), quotedCells: parser.quotedCells };
}
