import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { type Dialect, nameOfDelimiter } from '../block/declaration.ts';
import { numberText } from '../text/wording.ts';
import { decodeText, type Encoding } from './encoding.ts';
import type { FileFormat } from './format.ts';
import { type ReadBytes, SeedError, type SourceRecord, type SourceTable } from './source-table.ts';

export const csv: FileFormat = {
  title: 'CSV',
  endings: ['csv'],
  asks: 'dialect',
  read: ({ file, encoding, dialect }, { readBytes }) =>
    readCsv(readBytes, file, { encoding, dialect }),
};

export const tsv: FileFormat = {
  title: 'TSV',
  endings: ['tsv', 'tab'],
  asks: 'dialect',
  delimiter: '\t',
  read: ({ file, encoding, dialect }, { readBytes }) =>
    readCsv(readBytes, file, { encoding, dialect: { delimiter: '\t', ...dialect } }),
};

/** A CSV file: its columns, and its records as they are read. */
type CsvFile = {
  readonly columns: readonly string[];
  readonly records: AsyncIterable<SourceRecord>;
};

/** One record with its cells by column, trimmed. */
export type CsvRow = {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
};

/**
 * Opens CSV (RFC 4180; CRLF or LF, a byte order mark, quoted newlines). Headers are normalised to
 * one spelling: `City/State` becomes `city_state`, as in Socrata's API.
 */
export async function openCsv(readBytes: ReadBytes, file: string): Promise<CsvFile> {
  const { headers, headerLine, records } = await readCsv(readBytes, file);
  const columns = headers.map(columnName);
  const repeated = columns.find((column, i) => columns.indexOf(column) < i);
  if (repeated !== undefined) {
    const reason = 'two columns have this name';
    throw new SeedError(file, reason, { line: headerLine, column: repeated });
  }
  return { columns, records };
}

/** All rows of a file, for code that needs them at once. */
export async function readRows({ columns, records }: CsvFile): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const { line, cells } of records) {
    const named = columns.map((column, i) => [column, (cells[i] as string).trim()]);
    rows.push({ line: line(), cells: Object.fromEntries(named) });
  }
  return rows;
}

/** Normalises a header: lower case, with `_` for all but letters and digits. */
export function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/_$/, '');
}

/** A delimited file's table. */
type CsvTable = SourceTable & {
  /** The line of the header. */
  readonly headerLine: number;
  /** What was left out, for whoever imports the file; complete once all records are read. */
  readonly notes: readonly string[];
};

/** How a file is to be read; by default as UTF-8, in the default dialect. */
export type CsvReading = {
  readonly encoding?: Encoding | undefined;
  readonly dialect?: Dialect | undefined;
};

/**
 * Reads a delimited file. A row must have a cell for each header; it may have blank ones behind them,
 * which are dropped. Rows without any value are left out, and repetitions of a header that is certain.
 */
export async function readCsv(
  readBytes: ReadBytes,
  file: string,
  { encoding = 'utf-8', dialect = {} }: CsvReading = {},
): Promise<CsvTable> {
  const { header: hasHeader = true, headerRows = [1], commentRows = [] } = dialect;
  const parsed = parseRecords(readBytes, file, encoding, dialect);
  const title = hasHeader ? await readHeader(parsed, file, headerRows) : undefined;
  const comments = new Set(commentRows);
  const ahead = await readAhead(parsed, comments);
  const headers = title?.headers ?? ahead[0]?.cells.map(() => '');
  if (headers === undefined) throw new SeedError(file, 'the file has no rows', { line: 1 });
  const headerLine = title?.line ?? 1;
  // A separator at the end of the header begins a column only if a row has a value there.
  const isLastBlank = () => headers.at(-1) === '' && ahead.every(isBlankFrom(headers.length - 1));
  while (headers.length > 1 && isLastBlank()) headers.pop();
  if (headers.length > MOST_COLUMNS) {
    const reason = `has ${numberText(headers.length)} columns; at most ${numberText(MOST_COLUMNS)} are read`;
    throw new SeedError(file, reason, { line: headerLine });
  }
  const notes: string[] = [];
  const shape = { file, headers, dialect };
  const records = readRecords(shape, ahead, parsed, comments, notes);
  return { headers, headerLine, records, counts: 'line', notes };
}

/** The most columns of a file; a spreadsheet's export may have 16,384, nearly all without a value. */
const MOST_COLUMNS = 2000;

/** So many rows are looked at to tell whether a column without a header has values. */
const ROWS_AHEAD = 100;

/** A record, and its number in the file, without blank lines. */
type ParsedRecord = SourceRecord & { readonly number: number };

async function readHeader(
  parsed: AsyncIterator<ParsedRecord>,
  file: string,
  headerRows: readonly number[],
): Promise<{ headers: string[]; line: number }> {
  const rows: ParsedRecord[] = [];
  const last = Math.max(...headerRows);
  for (let number = 0; number < last; ) {
    const { value, done } = await parsed.next();
    if (done) throw new SeedError(file, 'the file has no header', { line: 1 });
    number = value.number;
    if (headerRows.includes(number)) rows.push(value);
  }
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const headers = Array.from({ length: width }, (_, i) =>
    rows
      .map(({ cells }) => cells[i]?.trim() ?? '')
      .filter((cell) => cell !== '')
      .join(' '),
  );
  return { headers, line: (rows[0] as ParsedRecord).line() };
}

async function readAhead(
  parsed: AsyncIterator<ParsedRecord>,
  comments: ReadonlySet<number>,
): Promise<ParsedRecord[]> {
  const ahead: ParsedRecord[] = [];
  while (ahead.length < ROWS_AHEAD) {
    const { value, done } = await parsed.next();
    if (done) break;
    if (!comments.has(value.number)) ahead.push(value);
  }
  return ahead;
}

const isBlank = (cell: string) => cell.trim() === '';
const isBlankFrom = (start: number) => (record: SourceRecord) =>
  record.cells.slice(start).every(isBlank);

type Shape = {
  readonly file: string;
  readonly headers: readonly string[];
  readonly dialect: Dialect;
};

async function* readRecords(
  { file, headers, dialect }: Shape,
  ahead: readonly ParsedRecord[],
  parsed: AsyncIterable<ParsedRecord>,
  comments: ReadonlySet<number>,
  notes: string[],
): AsyncGenerator<SourceRecord> {
  const columns = headers.length;
  const ragged = new RaggedRows(columns);
  let [blank, headersAgain] = [0, 0];
  const isHeaderAgain = (cells: readonly string[]) =>
    dialect.header !== false &&
    columns > 1 &&
    cells.every((cell, i) => cell.trim() === (headers[i] ?? ''));
  const isBlankBehind = isBlankFrom(columns);
  /** The record as a row; undefined if it is none, or if a ragged row was found. */
  const rowOf = (record: ParsedRecord): SourceRecord | undefined => {
    const { cells, line } = record;
    if (cells.every(isBlank)) {
      blank++;
      return undefined;
    }
    const missing = columns - cells.length;
    if (missing > 0 ? !dialect.fillsShortRows : missing < 0 && !isBlankBehind(record)) {
      ragged.add(cells.length, line);
      return undefined;
    }
    if (isHeaderAgain(cells)) {
      headersAgain++;
      if (!dialect.keepsRepeatedHeaders) return undefined;
    }
    if (ragged.count > 0) return undefined;
    if (missing === 0) return record;
    const fitted = missing < 0 ? cells.slice(0, columns) : [...cells, ...Array(missing).fill('')];
    return { cells: fitted, line };
  };
  for (const record of ahead) {
    const row = rowOf(record);
    if (row !== undefined) yield row;
  }
  // After a ragged row, the others are read only to name and to count those like it.
  for await (const record of parsed) {
    const row = comments.has(record.number) ? undefined : rowOf(record);
    if (row !== undefined) yield row;
  }
  if (ragged.count > 0) throw new RaggedRowsError(file, ragged, dialect);
  if (blank === 1) notes.push('1 row without a value is left out');
  if (blank > 1) notes.push(`${numberText(blank)} rows without a value are left out`);
  const isOne = headersAgain === 1;
  const again = `${numberText(headersAgain)} ${isOne ? 'row that repeats' : 'rows that repeat'} the header`;
  if (headersAgain > 0 && dialect.keepsRepeatedHeaders) {
    notes.push(
      `${again} ${isOne ? 'is kept: it' : 'are kept: they'} may be data; --header yes leaves such out`,
    );
  } else if (headersAgain > 0) notes.push(`${again} ${isOne ? 'is' : 'are'} left out`);
}

async function* parseRecords(
  readBytes: ReadBytes,
  file: string,
  encoding: Encoding,
  dialect: Dialect,
): AsyncGenerator<ParsedRecord> {
  const parser = parse({
    ...parseOptions(dialect),
    info: true,
    relax_column_count: true,
    // In bytes, of which a character has up to four.
    max_record_size: 4 * MOST_OF_RECORD,
  });
  // Its failures come out of the parser.
  pipeline(Readable.from(decodeText(readBytes, encoding, file)), parser, () => {});
  let number = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<Parsed>) {
      number++;
      yield { cells, number, line: () => info.lines - newlinesIn(cells.join('')) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw await seedErrorOf(error, () => decodeText(readBytes, encoding, file), file, dialect);
  }
}

type Parsed = { readonly record: string[]; readonly info: { readonly lines: number } };

/** Rewords csv-parse's error, with the line where the fault begins. */
async function seedErrorOf(
  error: CsvError,
  readText: () => AsyncIterable<string>,
  file: string,
  dialect: Dialect,
): Promise<Error> {
  const { code, lines, column } = error as CsvError & { lines: number };
  const { quoteChar = '"' } = dialect;
  const name = (await headerCells(readText, dialect))[column as number];
  const named = name === undefined || name === '' ? {} : { column: columnName(name) };
  const where = { line: lines, ...named };
  switch (code) {
    case 'CSV_INVALID_CLOSING_QUOTE': {
      const right = `${dialect.escapeChar ?? quoteChar}${quoteChar}`;
      const reason = `text behind a closing quote; write a quote in a cell as ${right}`;
      return new SeedError(file, reason, where);
    }
    case 'INVALID_OPENING_QUOTE':
      return new SeedError(file, 'a quote in a cell that does not begin with one', where);
    default: {
      // A quote is not closed, or a record is too large: csv-parse does not say where it began.
      const scanner = new RecordScanner(file, dialect);
      for await (const text of readText()) scanner.add(text);
      const opened = { line: scanner.lineOfOpening, ...named };
      return new SeedError(file, 'a quote is opened here and never closed', opened);
    }
  }
}

/** The header as written; empty if the header itself is at fault. */
async function headerCells(
  readText: () => AsyncIterable<string>,
  dialect: Dialect,
): Promise<readonly string[]> {
  let head = '';
  for await (const text of readText()) {
    head += text;
    if (head.length > HEAD_CHARACTERS) break;
  }
  const to = Math.max(...(dialect.headerRows ?? [1]));
  try {
    const options = { ...parseOptions(dialect), relax_column_count: true, to };
    return (parseAtOnce(head, options) as string[][])[to - 1] ?? [];
  } catch {
    return [];
  }
}

/** A header that is longer is not looked for in an error. */
const HEAD_CHARACTERS = 2 ** 16;

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}

/** csv-parse's options for a dialect; blank lines are no records. */
export function parseOptions({
  delimiter = ',',
  quoteChar = '"',
  escapeChar,
  skipInitialSpace,
}: Dialect) {
  return {
    delimiter,
    quote: quoteChar,
    escape: escapeChar ?? quoteChar,
    ltrim: skipInitialSpace ?? false,
    rtrim: skipInitialSpace ?? false,
    // Line ends are made one kind before; looking for others takes a tenth of the time.
    record_delimiter: '\n',
    skip_empty_lines: true,
  };
}

type RaggedRow = { readonly line: number; readonly cells: number };

/** Rows that have another number of cells than the file has columns: the first few, and how many. */
export class RaggedRowsError extends SeedError {
  /** True if every such row is too short: then its last cells may have been left out as blank. */
  readonly areAllShort: boolean;

  constructor(file: string, rows: RaggedRows, { delimiter = ',', header }: Dialect) {
    const { columns, first, count } = rows;
    const [{ line, cells }, ...others] = first as [RaggedRow, ...RaggedRow[]];
    const model = header === false ? 'first row' : 'header';
    const expected = `the ${model} has ${numberText(columns)} columns, this row ${numberText(cells)}`;
    const named = others.map((other) => `${other.line} (${numberText(other.cells)})`).join(', ');
    const more = count - first.length;
    const and = more > 0 ? `, and ${numberText(more)} more` : '';
    const also = others.length === 0 ? '' : `; likewise line ${named}${and}`;
    const fix = rows.areAllShort
      ? "; if the cells that it lacks are blank, give --short-rows blank (in block.json, the dialect's fillsShortRows)"
      : `; a cell with a ${nameOfDelimiter(delimiter)} in it must be in quotes`;
    super(file, `${expected}${also}${fix}`, { line });
    this.areAllShort = rows.areAllShort;
  }
}

/** Gathers ragged rows while a file is read. */
class RaggedRows {
  readonly columns: number;
  readonly first: RaggedRow[] = [];
  count = 0;
  areAllShort = true;

  constructor(columns: number) {
    this.columns = columns;
  }

  add(cells: number, line: () => number): void {
    this.count++;
    if (cells > this.columns) this.areAllShort = false;
    if (this.first.length < NAMED) this.first.push({ line: line(), cells });
  }
}

/** So many rows are named; the others are counted. */
const NAMED = 5;

/**
 * Goes through a delimited text that comes in pieces: counts its records, keeps the last of them and
 * tells how quotes are used, many times faster than cells can be read.
 */
export class RecordScanner {
  readonly #file: string;
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #escape: number;
  readonly #skipsSpace: boolean;
  #place = BEGINS;
  /** The record being read, as far as earlier pieces had it. */
  #begun = '';
  #line = 1;
  #lineOfRecord = 1;
  /** How many records were read; blank lines are none. */
  records = 0;
  /** The last records, as written. */
  readonly last: string[] = [];
  /** The line of the last quote that was opened. */
  lineOfOpening = 1;
  /** Whether a cell is quoted as a whole. */
  hasQuotedCell = false;
  /** The line of the first quote that neither opens nor closes a cell, or escape that escapes none. */
  lineOfFault: number | undefined;

  constructor(file: string, dialect: Dialect) {
    const { delimiter = ',', quoteChar = '"', escapeChar, skipInitialSpace } = dialect;
    this.#file = file;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quoteChar === null ? Number.NaN : quoteChar.charCodeAt(0);
    this.#escape = escapeChar === undefined ? Number.NaN : escapeChar.charCodeAt(0);
    this.#skipsSpace = skipInitialSpace ?? false;
  }

  /** Whether a quote is open: at the file's end, one that nothing closes. */
  get isOpen(): boolean {
    return this.#place === QUOTED || this.#place === ESCAPED;
  }

  /** Throws a SeedError if a record is too large. */
  add(text: string): void {
    let place = this.#place;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (place === ESCAPED) {
        // csv-parse would drop the escape before any character.
        if (code !== this.#quote && code !== this.#escape) this.lineOfFault ??= this.#line;
        if (code === NEWLINE) this.#line++;
        place = QUOTED;
      } else if (code === this.#quote) {
        place = this.#placeBehindQuote(place);
      } else if (place === QUOTED) {
        if (code === NEWLINE) this.#line++;
        else if (code === this.#escape) place = ESCAPED;
      } else if (code === this.#delimiter || code === NEWLINE) {
        if (place === CLOSED) this.hasQuotedCell = true;
        place = BEGINS;
        if (code === this.#delimiter) continue;
        this.#line++;
        this.#endRecord(text.slice(start, at));
        start = at + 1;
      } else if (place !== PLAIN && !(this.#skipsSpace && code === SPACE)) {
        if (place === CLOSED) this.lineOfFault ??= this.#line;
        place = PLAIN;
      }
    }
    this.#place = place;
    this.#begun += text.slice(start);
    this.#checkLength(this.#begun);
  }

  /** Called at the file's end. */
  end(): void {
    if (this.#place === CLOSED) this.hasQuotedCell = true;
    this.#endRecord('');
  }

  #placeBehindQuote(place: Place): Place {
    if (place === QUOTED) return CLOSED;
    // Behind a closing quote, a second one makes it a quote in the cell.
    if (place === CLOSED && Number.isNaN(this.#escape)) return QUOTED;
    if (place === BEGINS) {
      this.lineOfOpening = this.#line;
      return QUOTED;
    }
    this.lineOfFault ??= this.#line;
    return PLAIN;
  }

  #endRecord(text: string): void {
    const record = this.#begun + text;
    this.#begun = '';
    this.#checkLength(record);
    this.#lineOfRecord = this.#line;
    if (record === '') return;
    this.records++;
    this.last.push(record);
    if (this.last.length > KEPT) this.last.shift();
  }

  #checkLength(record: string): void {
    if (record.length <= MOST_OF_RECORD) return;
    const [reason, line] = this.isOpen
      ? ['a quote is opened here and not closed', this.lineOfOpening]
      : ['a record begins here that does not end', this.#lineOfRecord];
    throw new SeedError(this.#file, `${reason} within ${numberText(MOST_OF_RECORD)} characters`, {
      line,
    });
  }
}

/** Where the scanner is: before a cell's first character, in it, or behind its closing quote. */
const BEGINS = 0;
const PLAIN = 1;
const QUOTED = 2;
const CLOSED = 3;
const ESCAPED = 4;
type Place = number;

const NEWLINE = 0x0a;
const SPACE = 0x20;

/** So many records are kept: totals and notes at a file's end are fewer. */
export const KEPT = 20;

/** The most characters of a record: DynamoDB takes items of 400 KB. */
const MOST_OF_RECORD = 2 ** 20;
