import { CsvError, parse } from 'csv-parse/sync';
import { SeedError } from './seed-error.ts';

/** One row of a CSV file: its cells by column, trimmed, and the line where it begins. */
export type CsvRow = {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
};

/**
 * Reads CSV (RFC 4180; CRLF or LF, a byte order mark, quoted newlines). Columns are known by
 * their header in one spelling: `City/State` is `city_state`, as Socrata's API has it.
 */
export function readCsv(bytes: Uint8Array, file: string): CsvRow[] {
  const text = decode(bytes, file);
  let rows: { record: string[]; info: { lines: number } }[];
  try {
    rows = parse(text, { bom: true, info: true, skip_empty_lines: true }) as never;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new SeedError(file, lowerFirst(error.message.replace(/ (?:on|at|in) line \d+.*$/, '')), {
      line: Number(error.lines),
    });
  }
  const [header, ...records] = rows;
  if (header === undefined) throw new SeedError(file, 'the file has no header', { line: 1 });
  const columns = header.record.map(columnName);
  const repeated = columns.find((column, i) => columns.indexOf(column) < i);
  if (repeated !== undefined) {
    throw new SeedError(file, 'two columns have this name', { line: 1, column: repeated });
  }
  return records.map(({ record }, i) => ({
    // A row begins behind the end of the one before; `lines` is where that ended.
    line: (rows[i]?.info.lines ?? 1) + 1,
    cells: Object.fromEntries(columns.map((column, j) => [column, (record[j] ?? '').trim()])),
  }));
}

/** A header's one spelling: lower case, all else than letters and digits as `_`. */
export function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/_$/, '');
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes).split('\ufffd', 1)[0] as string;
    const line = before.split('\n').length;
    throw new SeedError(file, 'a byte that is not UTF-8; save the file as UTF-8', { line });
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
