import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import { BadRowCount } from '../bad-row.ts';
import { BadBytes, decodeText, type TextSource } from '../decode-text.ts';
import { joinHeaders, usualWidth } from '../find-header.ts';
import { LeftOutRows } from '../left-out-rows.ts';
import { PlainRows } from '../plain-rows.ts';
import { findTable, noTable } from '../several-tables.ts';
import {
  type Batch,
  Batched,
  SeedError,
  type SourceRecord,
  type SourceTable,
} from '../source-table.ts';
import { isSummary } from '../totals.ts';
import { faultOf, RaggedRows, raggedFault } from './bad-csv-row.ts';
import { mayBePlain, PlainCutter } from './cut-plain-rows.ts';
import { badRowOf, MendingEffort, MOST_LINES, RowsInCells, raggedRow } from './mend-bad-row.ts';
import { MOST_OF_RECORD, type ParsedRecord, RecordParser } from './record-parser.ts';
import { linesOf, recordsIn } from './records-in.ts';
import type { RecordScan } from './scan-records.ts';

/** How to read a file. */
export type CsvReading = {
  readonly dialect?: Dialect | undefined;
  /** Counts the records while they are read. */
  readonly scan?: RecordScan | undefined;
};

/**
 * Reads a delimited file. A row must have a cell for each header. Blank cells after these are
 * dropped. Rows without a value are left out, and so are repetitions of a certain header.
 */
export async function readCsv(
  source: TextSource,
  { dialect = {}, scan }: CsvReading = {},
): Promise<SourceTable> {
  const { file } = source;
  const { header: hasHeader = true, headerRows = [1], commentRows = [] } = dialect;
  const bad = dialect.badBytes === undefined ? undefined : new BadBytes();
  const rowsInCells = new RowsInCells();
  const shape: Shape = {
    source,
    dialect,
    comments: new Set(commentRows),
    headers: [],
    bad,
    scan,
    rowsInCells,
    mostOfBatch: 1,
  };
  const parsed = parseRecords(shape);
  const title = hasHeader ? await readHeader(parsed, file, headerRows) : undefined;
  shape.headers = title?.headers ?? (await namelessColumns(shape));
  const ahead = await readAhead(parsed, shape);
  const headers = [...shape.headers];
  if (title === undefined && headers.length === 0)
    throw new SeedError(file, 'the file has no rows; write a header at least', { line: 1 });
  const headerLine = title?.line ?? 1;
  // A delimiter at the end of the header begins a column only if a row has a value there.
  const filled = ahead.reduce((most, { cells }) => Math.max(most, widthOf(cells)), 1);
  while (headers.length > filled && headers.at(-1) === '') headers.pop();
  if (headers.length > MOST_COLUMNS) {
    const reason = `has ${numberText(headers.length)} columns; at most ${numberText(MOST_COLUMNS)} are read, so leave some out`;
    throw new SeedError(file, reason, { line: headerLine });
  }
  shape.headers = headers;
  shape.mostOfBatch = MOST_OF_BATCH;
  if (mayBePlain(dialect, headers.length)) {
    shape.plain = new PlainCutter(dialect, headers.length, hasHeader ? headers[0] : undefined);
  }
  const notes: string[] = [];
  const records = new Batched(readRecords(shape, ahead, parsed, notes));
  return { headers, headerLine, records, counts: 'line', notes };
}

/** Columns of a CSV file. A spreadsheet's export may have 16,384, nearly all without a value. */
const MOST_COLUMNS = 2000;

/** A trait of this share of the first rows is usual. */
const USUAL = 0.1;

/** How many rows are read to see whether a column without a header has values. */
const ROWS_AHEAD = 100;

/** Records that are cut before the next stage gets them. */
const MOST_OF_BATCH = 1024;

/** Plain rows in succession for which it pays to look for more of them. */
const FEW_PLAIN = 16;

/** Characters that are read to see the lines of a bad row. */
const MOST_HELD = MOST_LINES * MOST_OF_RECORD;

/** A record, and its number in the file. Blank lines do not count. */
type NumberedRecord = SourceRecord & { readonly number: number };

/** Records in batches, which have one record each until the header and some rows are known. */
type Batches = AsyncGenerator<readonly NumberedRecord[] | PlainRows>;

/** The next record, while each comes in a batch of its own. */
async function nextOf(parsed: Batches): Promise<NumberedRecord | undefined> {
  const { value } = await parsed.next();
  return value instanceof PlainRows ? undefined : value?.[0];
}

async function readHeader(
  parsed: Batches,
  file: string,
  headerRows: readonly number[],
): Promise<{ headers: string[]; line: number }> {
  const rows: NumberedRecord[] = [];
  const last = Math.max(...headerRows);
  for (let number = 0; number < last; ) {
    const value = await nextOf(parsed);
    if (value === undefined)
      throw new SeedError(file, 'the file has no header; write one, with rows below it', {
        line: 1,
      });
    number = value.number;
    if (headerRows.includes(number)) rows.push(value);
  }
  const headers = joinHeaders(rows.map(({ cells }) => cells));
  return { headers, line: (rows[0] as NumberedRecord).line };
}

async function readAhead(parsed: Batches, shape: Shape): Promise<NumberedRecord[]> {
  const ahead: NumberedRecord[] = [];
  while (ahead.length < ROWS_AHEAD) {
    const value = await nextOf(parsed);
    if (value === undefined) break;
    if (shape.comments.has(value.number)) continue;
    ahead.push(value);
  }
  return ahead;
}

/** The columns of a file without a header: the usual number of cells in its first rows. */
async function namelessColumns(shape: Shape): Promise<string[]> {
  const { dialect, bad, comments } = shape;
  const rows: string[][] = [];
  const { text } = await tableText({ ...shape, bad: bad && new BadBytes() });
  let number = 0;
  for await (const { cells, fault } of recordsIn(text, dialect, { keepsStrayQuotes: true })) {
    if (!comments.has(++number) && fault === undefined) rows.push(cells);
    if (rows.length === ROWS_AHEAD) break;
  }
  const usual = usualWidth(rows);
  const columns = dialect.fillsShortRows ? Math.max(usual, rows[0]?.length ?? 0) : usual;
  return new Array<string>(columns).fill('');
}

const isBlank = (cell: string) => cell.trim() === '';

/** The number of a record's cells up to the last that is not blank. */
function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => !isBlank(cell)) + 1;
}

async function* readRecords(
  { source, headers, dialect, comments, bad, rowsInCells }: Shape,
  ahead: readonly NumberedRecord[],
  parsed: Batches,
  notes: string[],
): AsyncGenerator<Batch<SourceRecord>> {
  const columns = headers.length;
  const ragged = new RaggedRows(columns);
  const leftOut = new LeftOutRows(headers, dialect);
  // If rows usually end in blank cells, these do not make a row bad.
  const longer = ahead.filter(({ cells }) => cells.length > columns).length;
  const hasBlanksBehind = longer >= USUAL * ahead.length;
  /** Returns the record as a row. Undefined if it is left out, or once a ragged row was found. */
  const rowOf = (record: NumberedRecord): SourceRecord | undefined => {
    const { cells, line, bad } = record;
    if (bad !== undefined) return record;
    if (leftOut.has(cells)) return undefined;
    const missing = columns - cells.length;
    const isFilled = missing > 0 && dialect.fillsShortRows;
    const isTotal = missing > 0 && !isFilled && isSummary(cells);
    if (isTotal && (dialect.badRows ?? dialect.totals) !== undefined) {
      // Totals often have no cells but their label and sums. The caller decides about them.
      const whole = [...cells, ...Array<string>(missing).fill('')];
      return { cells: whole, line, bad: raggedRow(cells, columns, dialect) };
    }
    const isUsual = missing === 0 || isFilled || (missing < 0 && hasBlanksBehind);
    if (dialect.badRows !== undefined && !isUsual) {
      return { ...record, bad: raggedRow(cells, columns, dialect) };
    }
    if (missing > 0 ? !dialect.fillsShortRows : missing < 0 && widthOf(record.cells) > columns) {
      ragged.add(cells.length, line);
      return undefined;
    }
    if (ragged.count > 0) return undefined;
    if (missing === 0) return record;
    const fitted = missing < 0 ? cells.slice(0, columns) : [...cells, ...Array(missing).fill('')];
    return { cells: fitted, line };
  };
  const rowsOf = (records: readonly NumberedRecord[] | PlainRows): Batch<SourceRecord> => {
    if (records instanceof PlainRows) return ragged.count > 0 ? [] : records;
    const rows: SourceRecord[] = [];
    for (const record of records) {
      const row = comments.has(record.number) ? undefined : rowOf(record);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  };
  yield rowsOf(ahead);
  // After a ragged row, the others are read only to list and count similar ones.
  for await (const records of parsed) yield rowsOf(records);
  if (ragged.count > 0) throw raggedFault(source.file, ragged, dialect);
  notes.push(...(bad?.notes(source.encoding.toUpperCase()) ?? []));
  notes.push(...leftOut.notes(), ...rowsInCells.notes());
}

/** The facts about a table while its file is cut into records. */
type Shape = {
  readonly source: TextSource;
  readonly dialect: Dialect;
  readonly comments: ReadonlySet<number>;
  /** Empty until the header is read. */
  headers: readonly string[];
  /** Counts bytes that are not text, if they are to be replaced. */
  readonly bad: BadBytes | undefined;
  readonly scan: CsvReading['scan'];
  readonly rowsInCells: RowsInCells;
  /** Cuts rows that are plain, once the columns are known. */
  plain?: PlainCutter;
  /** How many records are cut before their reader gets them: what it learns may change the next. */
  mostOfBatch: number;
};

/** The text of a file's table, and its first line. */
async function tableText({ source, dialect, bad }: Shape) {
  const text = decodeText(source, bad);
  if (dialect.table === undefined) return { text, firstLine: 1 };
  const whole = decodeText(source, bad && new BadBytes());
  const table = await findTable(recordsIn(whole, dialect), dialect.table);
  if (table === undefined) throw noTable(source.file, dialect.table, 'line');
  return { text: linesOf(text, table), firstLine: table.from };
}

/**
 * Yields a file's records. Throws a SeedError at one that cannot be cut, unless the dialect handles
 * bad rows.
 */
async function* parseRecords(shape: Shape): Batches {
  const { source, dialect } = shape;
  const { text, firstLine } = await tableText(shape);
  const parser = new RecordParser(dialect, { firstLine });
  const titles = dialect.header === false ? 0 : Math.min(...(dialect.headerRows ?? [1])) - 1;
  const effort = new MendingEffort();
  const badRows = new BadRowCount();
  let number = 0;
  /** The first line that the number does not count yet. */
  let uncounted = firstLine;
  /** Counts the sniffer's records that begin in the lines of a record. */
  const count = (record: ParsedRecord, lines: readonly string[], own: number) => {
    for (const { line, lines: spanned } of sniffedRecords(record, lines, uncounted, dialect)) {
      if (line >= record.line + own) break;
      number++;
      uncounted = line + spanned;
    }
  };
  const next = (): NumberedRecord | undefined => {
    // Text above the table is prose, to the sniffer too.
    parser.keepsStrayQuotes = number < titles;
    const record = parser.next();
    if (record === undefined) return undefined;
    const { cells, line, fault } = record;
    const own = line < uncounted ? number : number + 1;
    const isTolerant = dialect.badRows !== undefined && shape.headers.length > 0;
    if (isTolerant ? isRow(record, own, shape) : fault === undefined) {
      shape.scan?.add(record);
      shape.rowsInCells.add(record, shape.headers.length, dialect);
      const { lines = 1 } = record;
      number = own;
      if (line < uncounted && line + lines > uncounted) {
        parser.rewind();
        count(record, parser.linesAhead(lines) ?? [], lines);
        parser.skipLines(lines);
      }
      return { cells, number: own, line };
    }
    if (!isTolerant) throw faultOf(record, shape);
    if (fault === undefined) parser.rewind();
    const lines = parser.linesAhead(MOST_LINES);
    if (lines === undefined) {
      if (parser.held > MOST_HELD) throw faultOf(record, shape);
      // The next call gets this record again, with more lines.
      return undefined;
    }
    shape.scan?.add(record);
    const found = badRowOf(record, lines, shape.headers.length, dialect, effort);
    parser.skipLines(found.lines);
    badRows.add(found.bad, source.file, { line });
    count(record, lines, found.lines);
    return { cells, number: own, line, bad: found.bad };
  };
  /** The number of the first record that may be plain. */
  let plainFrom = 0;
  let apart = 0;
  const leftOut = [...shape.comments, Number.POSITIVE_INFINITY].sort((a, b) => a - b);
  let nextLeftOut = 0;
  const plainRows = (): PlainRows | undefined => {
    const { plain } = shape;
    if (plain === undefined || number < plainFrom) return undefined;
    while ((leftOut[nextLeftOut] as number) <= number) nextLeftOut++;
    const most = (leftOut[nextLeftOut] as number) - number - 1;
    const rows = parser.plainRows((ahead) =>
      ahead.line < uncounted ? undefined : plain.cut(ahead, most),
    );
    const length = rows?.length ?? 0;
    number += length;
    // Where few rows in succession are plain, it is not tried at each of them.
    apart = length < FEW_PLAIN ? Math.min(2 * apart + 1, MOST_OF_BATCH) : 0;
    plainFrom = number + apart;
    if (rows !== undefined) shape.scan?.addRows(rows);
    return rows;
  };
  function* batches(): Generator<readonly NumberedRecord[] | PlainRows> {
    let batch: NumberedRecord[] = [];
    try {
      for (;;) {
        const rows = plainRows();
        if (rows !== undefined) {
          if (batch.length > 0) yield batch;
          batch = [];
          yield rows;
        }
        const record = next();
        if (record === undefined) break;
        batch.push(record);
        if (batch.length < shape.mostOfBatch) continue;
        yield batch;
        batch = [];
      }
    } catch (error) {
      // The rows before a fault may have one of another kind.
      if (batch.length > 0) yield batch;
      throw error;
    }
    if (batch.length > 0) yield batch;
  }
  for await (const piece of text) {
    parser.add(piece);
    yield* batches();
  }
  parser.end();
  yield* batches();
}

/**
 * Yields the lines of the records that the sniffer finds from a record on, or from a line in it.
 * Block.json has their numbers. The sniffer does not look for bad rows: it takes a record as it is
 * cut, and a single line if that fails.
 */
function* sniffedRecords(
  { line, lines: spanned = 1 }: ParsedRecord,
  lines: readonly string[],
  from: number,
  cut: Dialect,
): Generator<{ readonly line: number; readonly lines: number }> {
  if (from <= line) yield { line, lines: spanned };
  const firstLine = from <= line ? line + spanned : from;
  const parser = new RecordParser(cut, { firstLine });
  parser.add(lines.slice(firstLine - line).join('\n'));
  parser.end();
  for (const { line, lines = 1 } of parser.records()) yield { line, lines };
}

/** Whether a record is fine as it is: as a row, or as one that is left out. */
function isRow({ cells, fault }: ParsedRecord, number: number, shape: Shape): boolean {
  const { comments, dialect, headers } = shape;
  if (fault !== undefined) return false;
  if (cells.length === headers.length || comments.has(number)) return true;
  if (cells.length < headers.length) {
    // Columns without a header may turn out not to be columns, once some rows are read.
    const isNamed = headers.slice(cells.length).some((header) => header !== '');
    // Totals often have no cells but their label and sums.
    return Boolean(dialect.fillsShortRows) || isSummary(cells) || !isNamed || cells.every(isBlank);
  }
  return widthOf(cells) <= headers.length;
}
