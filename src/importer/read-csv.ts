import { CsvError, parse } from 'csv-parse/sync';
import { SeedError } from './seed-error.ts';

/** One row of a CSV file: its cells by column, trimmed, and the line where it begins. */
export type CsvRow = {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
};

/**
 * Reads CSV (RFC 4180; CRLF or LF, a byte order mark, quoted newlines). Headers are normalised to
 * one spelling: `City/State` becomes `city_state`, as in Socrata's API.
 */
export function readCsv(bytes: Uint8Array, file: string): CsvRow[] {
  // Normalises line ends, also within cells: both kinds then give the same rows, and csv-parse,
  // which counts a quoted CRLF as two lines, counts right.
  const text = decode(bytes, file).replace(/\r\n?/g, '\n');
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true, skip_empty_lines: true }) as never;
  } catch (error) {
    throw error instanceof CsvError ? seedErrorOf(error, text, file) : error;
  }
  const [header, ...rows] = records;
  if (header === undefined) throw new SeedError(file, 'the file has no header', { line: 1 });
  const columns = header.record.map(columnName);
  const repeated = columns.find((column, i) => columns.indexOf(column) < i);
  if (repeated !== undefined) {
    const reason = 'two columns have this name';
    throw new SeedError(file, reason, { line: header.info.lines, column: repeated });
  }
  return rows.map(({ record, info }) => ({
    line: info.lines - newlinesIn(record.join('')),
    cells: Object.fromEntries(columns.map((column, i) => [column, (record[i] ?? '').trim()])),
  }));
}

/** Normalises a header: lower case, with `_` for all but letters and digits. */
export function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/_$/, '');
}

function decode(bytes: Uint8Array, file: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SeedError(file, 'a byte that is not UTF-8; save the file as UTF-8', {
      line: firstUndecodableLine(bytes, decoder),
    });
  }
}

function firstUndecodableLine(bytes: Uint8Array, decoder: TextDecoder): number {
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
    return parse(text, { bom: true, skip_empty_lines: true, to: 1 })[0] ?? [];
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
