import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { SeedError } from './seed-error.ts';

/** A CSV file: its columns, and its records as they are read. */
export type CsvFile = {
  readonly columns: readonly string[];
  readonly records: AsyncIterable<CsvRecord>;
};

/** One record of a CSV file: its cells, as they are written, and the line where it begins. */
export type CsvRecord = { readonly cells: readonly string[]; readonly line: () => number };

/** The same with its cells by column, trimmed. */
export type CsvRow = {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
};

/** Reads a file's bytes from the beginning; called again to tell where a fault is. */
export type ReadBytes = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Opens CSV (RFC 4180; CRLF or LF, a byte order mark, quoted newlines). Headers are normalised to
 * one spelling: `City/State` becomes `city_state`, as in Socrata's API.
 */
export async function openCsv(readBytes: ReadBytes, file: string): Promise<CsvFile> {
  const records = readRecords(readBytes, file);
  const header = (await records.next()).value as CsvRecord | undefined;
  if (header === undefined) throw new SeedError(file, 'the file has no header', { line: 1 });
  const columns = header.cells.map(columnName);
  const repeated = columns.find((column, i) => columns.indexOf(column) < i);
  if (repeated !== undefined) {
    const reason = 'two columns have this name';
    throw new SeedError(file, reason, { line: header.line(), column: repeated });
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

async function* readRecords(readBytes: ReadBytes, file: string): AsyncGenerator<CsvRecord> {
  const parser = parse({ info: true, skip_empty_lines: true });
  // Its failures come out of the parser.
  pipeline(Readable.from(decoded(readBytes, file)), parser, () => {});
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      yield { cells: record, line: () => info.lines - newlinesIn(record.join('')) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const texts: string[] = [];
    for await (const text of decoded(readBytes, file)) texts.push(text);
    throw seedErrorOf(error, texts.join(''), file);
  }
}

type Parsed = { readonly record: string[]; readonly info: { readonly lines: number } };

/**
 * Decodes a file, and normalises its line ends, also within cells: both kinds then give the same
 * rows, and csv-parse, which counts a quoted CRLF as two lines, counts right.
 */
async function* decoded(readBytes: ReadBytes, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = async (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new SeedError(file, 'a byte that is not UTF-8; save the file as UTF-8', {
        line: await firstUndecodableLine(readBytes),
      });
    }
  };
  // A CR at the end of what was read may be half of a CRLF.
  let before = '';
  for await (const bytes of readBytes()) {
    const text = before + (await decode(bytes));
    before = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - before.length).replace(/\r\n?/g, '\n');
  }
  yield (before + (await decode())).replace(/\r/g, '\n');
}

async function firstUndecodableLine(readBytes: ReadBytes): Promise<number> {
  const read: Uint8Array[] = [];
  for await (const some of readBytes()) read.push(some);
  const bytes = Buffer.concat(read);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? undefined : end));
    } catch {
      return line;
    }
    start = end + 1;
  }
}

/** Rewords csv-parse's error, with the line where the fault begins. */
function seedErrorOf(error: CsvError, text: string, file: string): SeedError {
  const { code, message, lines, record, column } = error as CsvError & {
    lines: number;
    record: string[];
  };
  const columns = headerOf(text);
  const name = typeof column === 'number' ? columns[column] : undefined;
  const where = name === undefined ? {} : { column: columnName(name) };
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return new SeedError(
        file,
        `the header has ${columns.length} columns, this row ${record.length}`,
        { line: lines - newlinesIn(record.join('')) },
      );
    case 'CSV_QUOTE_NOT_CLOSED':
      return new SeedError(file, 'a quote is opened here and never closed', {
        line: lineOfLastOpening(text),
        ...where,
      });
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new SeedError(file, 'text behind a closing quote; write a quote in a cell as ""', {
        line: lines,
        ...where,
      });
    case 'INVALID_OPENING_QUOTE':
      return new SeedError(file, 'a quote in a cell that does not begin with one', {
        line: lines,
        ...where,
      });
    default:
      return new SeedError(file, message, { line: lines });
  }
}

/** The header as written; empty if the header itself is at fault. */
function headerOf(text: string): readonly string[] {
  try {
    return parseAtOnce(text, { skip_empty_lines: true, to: 1 })[0] ?? [];
  } catch {
    return [];
  }
}

/**
 * The line of the unclosed quote: outside quotes, `"` opens one; inside, `""` is a literal quote.
 */
function lineOfLastOpening(text: string): number {
  let opening = -1;
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (isOpen && text[at + 1] === '"') {
      at++;
      continue;
    }
    if (!isOpen) opening = at;
    isOpen = !isOpen;
  }
  return newlinesIn(text.slice(0, opening)) + 1;
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}
