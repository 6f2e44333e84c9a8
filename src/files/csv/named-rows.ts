import { type ReadBytes, SeedError, type SourceRecord } from '../source-table.ts';
import { columnName } from './column-name.ts';
import { readCsv } from './read-csv.ts';

/** A CSV file: its columns, and a stream of its records. */
type CsvFile = {
  readonly columns: readonly string[];
  readonly records: AsyncIterable<SourceRecord>;
};

/** A record with its trimmed cells by column. */
export type CsvRow = {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
};

/**
 * Opens CSV (RFC 4180; CRLF or LF, a byte order mark, quoted newlines). Normalises headers to one
 * spelling: `City/State` becomes `city_state`, as in Socrata's API.
 */
export async function openCsv(readBytes: ReadBytes, file: string): Promise<CsvFile> {
  const { headers, headerLine, records } = await readCsv({ readBytes, file, encoding: 'utf-8' });
  const columns = headers.map(columnName);
  const repeated = columns.find((column, i) => columns.indexOf(column) < i);
  if (repeated !== undefined) {
    const reason = 'two columns have this name';
    throw new SeedError(file, reason, { line: headerLine, column: repeated });
  }
  return { columns, records };
}

/** Reads all rows of a file, for code that needs them at once. */
export async function readCsvRows({ columns, records }: CsvFile): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const { line, cells } of records) {
    const named = columns.map((column, i) => [column, (cells[i] as string).trim()]);
    rows.push({ line, cells: Object.fromEntries(named) });
  }
  return rows;
}
