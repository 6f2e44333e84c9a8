import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Dialect, nameOfDelimiter } from '../block/declaration.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { BadRowCount } from '../files/bad-row.ts';
import { DETECTED_BYTES, detectFormat } from '../files/detect-format.ts';
import { encodingOfHead, findEncoding, hasZeros } from '../files/encoding.ts';
import type { TotalsWish } from '../files/find-header.ts';
import type { FileFormat } from '../files/format.ts';
import { FILE_FORMATS, type FileFormatName } from '../files/formats.ts';
import { readCsv } from '../files/read-csv.ts';
import type { GeoJsonTable } from '../files/read-geojson.ts';
import {
  type Alternative,
  sniffDialect,
  sniffWhileReading,
  type TableChoice,
} from '../files/sniff-dialect.ts';
import { sniffSheet } from '../files/sniff-sheet.ts';
import { type BadRow, SeedError, type SourceTable } from '../files/source-table.ts';
import { findPacked, type PackedFile } from '../files/unpack-file.ts';
import { largeRows } from '../import/bad-rows.ts';
import type { TableFile } from '../import/block-file.ts';
import { nameColumns } from '../import/column-names.ts';
import { ColumnEvidence, roomForColumns } from '../import/infer-column.ts';
import { PlaceEvidence, PointColumns, placeColumns } from '../import/infer-places.ts';
import type { FoundPlaces } from '../import/propose-roles.ts';
import { bytesOf, readTable } from '../import/seed-files.ts';
import { inOneLine, numberText, showCell } from '../text/wording.ts';
import { type AddChoices, wordsFor } from './options.ts';
import { type Decide, few, type Question } from './terminal.ts';

/** A file of rows, and how it is read. */
export type OpenedFile = {
  readonly folder: string;
  readonly table: TableFile;
  /** A clause for each decision. */
  readonly reasons: readonly string[];
  /** The wishes, with what was decided by a person. */
  readonly wishes: AddChoices;
  /** What was learned of its columns, if it was read already. */
  readonly columns?: ReadColumns;
};

/**
 * The file that a packed one holds, which is yet to be unpacked; undefined if it is not packed.
 * `usual` is the one of several if none is named. Throws a SeedError if it cannot be told.
 */
export async function packedIn(
  given: string,
  innerPath?: string,
  usual?: string,
): Promise<PackedFile | undefined> {
  const whole = path.resolve(given);
  const first = await firstBytes(path.dirname(whole), path.basename(whole));
  return findPacked(whole, first, innerPath, usual);
}

/** Tells how far the reading of a file is. */
type Tell = (line: string) => void;

/** Finds out how a file is written. Throws a SeedError if it cannot be read as a table. */
export async function openFile(
  given: string,
  wishes: AddChoices,
  decide: Decide,
  tell: Tell,
): Promise<OpenedFile> {
  const [folder, file] = [path.dirname(path.resolve(given)), path.basename(given)];
  const format = detectFormat(await firstBytes(folder, file), file, wishes.badBytes);
  const { asks, isBinary } = FILE_FORMATS[format];
  refuseUnused(file, format, wishes);
  if (asks === 'dialect') return openDelimited(folder, file, wishes, decide, tell);
  if (asks === 'sheet') return openSheet(folder, file, format, wishes, decide);
  if (isBinary) return { folder, table: { file, format }, reasons: [], wishes };
  const decoded = await decodingOf({ folder, file }, wishes, decide);
  const { encoding } = decoded;
  const { badBytes, property } = decoded.wishes;
  const { badRows = 'mend' } = wishes;
  const dialect = {
    ...(badRows === 'stop' ? {} : { badRows }),
    ...(badBytes === undefined ? {} : { badBytes }),
    ...(asks === 'property' && property !== undefined ? { property } : {}),
  };
  return {
    folder,
    table: tableFile(file, encoding, dialect, format),
    reasons: reasonsOf(decoded),
    wishes: { ...decoded.wishes, encoding },
  };
}

/** The choices that say how a file is written, by their options; the formats that are written so. */
const WRITINGS = [
  ['encoding', 'encoding', ({ isBinary }) => !isBinary],
  ['delimiter', 'delimiter', ({ asks }) => asks === 'dialect'],
  ['quoteChar', 'quote', ({ asks }) => asks === 'dialect'],
  ['header', 'header', ({ asks }) => asks === 'dialect' || asks === 'sheet'],
  ['headerRows', 'header-rows', ({ asks }) => asks === 'dialect' || asks === 'sheet'],
  ['headerLine', 'header-line', ({ asks }) => asks === 'dialect' || asks === 'sheet'],
  ['table', 'table', ({ asks }) => asks === 'dialect' || asks === 'sheet'],
  ['sheet', 'sheet', ({ asks }) => asks === 'sheet'],
  ['property', 'property', ({ asks }) => asks === 'property'],
] as const satisfies readonly [keyof AddChoices, string, (format: FileFormat) => boolean][];

/** Throws a SeedError if something is said of a file that its format does not have, or that excludes another. */
function refuseUnused(file: string, name: FileFormatName, wishes: AddChoices): void {
  const format = FILE_FORMATS[name];
  const unused = WRITINGS.find(([key, , isOf]) => wishes[key] !== undefined && !isOf(format));
  if (unused !== undefined) {
    throw new SeedError(
      file,
      `--${unused[1]} is given, and ${format.title} has no such; leave it out`,
    );
  }
  if (wishes.headerLine === undefined) return;
  const other =
    wishes.header === false ? 'header no' : typeof wishes.table === 'number' ? 'table' : undefined;
  if (other === undefined) return;
  throw new SeedError(file, `--header-line says where the table begins; leave --${other} out`);
}

/** What tells of an encoding that few files have. */
function reasonsOf({ encoding, why }: { encoding: string; why: string | undefined }): string[] {
  return why === undefined || encoding === 'utf-8' ? [] : [`${encoding}: ${why}`];
}

/** What block.json says of a file: what is as it is by default is left out. */
function tableFile(
  file: string,
  encoding: string,
  dialect: Dialect,
  format?: FileFormatName,
): TableFile {
  return {
    file,
    ...(format === undefined ? {} : { format }),
    ...(encoding === 'utf-8' ? {} : { encoding }),
    ...(isEmpty(dialect) ? {} : { dialect }),
  };
}

async function openSheet(
  folder: string,
  file: string,
  format: FileFormatName,
  before: AddChoices,
  decide: Decide,
): Promise<OpenedFile> {
  const sniff = (wishes: AddChoices) => sniffSheet(path.join(folder, file), file, wishes);
  const { wishes, sniffed } = await settled(sniff, before, decide, [
    ({ tables }) => tables && tablesQuestion(file, tables, 'row'),
    ({ mayHaveRows }) => mayHaveRows && headerRowsQuestion(file, mayHaveRows),
    ({ unsureTotals }) => totalsQuestion(file, unsureTotals),
  ]);
  const { dialect, reasons } = sniffed;
  return { folder, table: tableFile(file, 'utf-8', dialect, format), reasons, wishes };
}

/** Asks what a file leaves open, one question after the other, and looks at it anew after each. */
async function settled<Sniffed>(
  sniff: (wishes: AddChoices) => Promise<Sniffed>,
  before: AddChoices,
  decide: Decide,
  questions: readonly ((sniffed: Sniffed) => Question | undefined | 0)[],
): Promise<{ readonly wishes: AddChoices; readonly sniffed: Sniffed }> {
  let wishes = before;
  let sniffed = await sniff(wishes);
  for (const questionIn of questions) {
    const question = questionIn(sniffed);
    if (!question) continue;
    wishes = await decide([question], wishes);
    sniffed = await sniff(wishes);
  }
  return { wishes, sniffed };
}

/** The bytes that tell a file's format. Throws a SeedError if there is no such file. */
export async function firstBytes(folder: string, file: string): Promise<Uint8Array> {
  const found = await stat(path.join(folder, file)).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw new SeedError(file, 'is no file on the disk; write it to one, since it is read again');
  }
  const handle = await open(path.join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw new SeedError(file, error.code === 'ENOENT' ? `is not in ${folder}` : error.message);
  });
  try {
    const { bytesRead, buffer } = await handle
      .read(Buffer.alloc(DETECTED_BYTES), 0, DETECTED_BYTES, 0)
      .catch((error: NodeJS.ErrnoException) => {
        throw new SeedError(
          file,
          error.code === 'EISDIR' ? 'is a folder; name the file in it' : error.message,
        );
      });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function openDelimited(
  folder: string,
  file: string,
  before: AddChoices,
  decide: Decide,
  tell: Tell,
): Promise<OpenedFile> {
  const at = { folder, file };
  const once = await readOnce(at, before, tell);
  const decoded = once ?? (await decodingOf(at, before, decide));
  const { encoding } = decoded;
  let first = once?.sniffed;
  const sniff = async (all: AddChoices) => {
    const sniffed = first ?? (await sniffDialect(() => bytesOf(folder, file), file, encoding, all));
    first = undefined;
    return sniffed;
  };
  const { wishes, sniffed } = await settled(sniff, decoded.wishes, decide, [
    ({ tables }) => tables && tablesQuestion(file, tables, 'line'),
    ({ dialect, alternatives }) => dialectQuestion(dialect, alternatives),
    ({ mayHaveRows }) => mayHaveRows && headerRowsQuestion(file, mayHaveRows),
    ({ unsureTotals }) => totalsQuestion(file, unsureTotals),
  ]);
  const table = delimitedTable(file, encoding, sniffed.dialect, wishes);
  const isRead = JSON.stringify(table) === JSON.stringify(once?.table);
  return {
    folder,
    table,
    reasons: [...reasonsOf(decoded), ...sniffed.reasons],
    wishes: { ...wishes, encoding },
    ...(once !== undefined && isRead ? { columns: once.columns } : {}),
  };
}

type FileIn = { readonly folder: string; readonly file: string };

/**
 * Reads a file to its end as its beginning says that it is written, and finds out on the way whether
 * it is. Undefined if it is not: then one reading tells how it is written, and another reads it.
 */
async function readOnce({ folder, file }: FileIn, wishes: AddChoices, tell: Tell) {
  let hasFaults = false;
  const readBytes = () => bytesOf(folder, file);
  const { badBytes, table, headerLine } = wishes;
  if (badBytes !== undefined || typeof table === 'number' || headerLine !== undefined) {
    return undefined;
  }
  let read: { readonly table: TableFile; readonly columns: ReadColumns } | undefined;
  try {
    const found = await encodingOfHead(readBytes, file);
    const { encoding = found.encoding } = wishes;
    const why = wishes.encoding === undefined ? found.why : undefined;
    const sniffed = await sniffWhileReading(
      readBytes,
      file,
      encoding,
      wishes,
      async (guess, see) => {
        const seen: typeof see = (record) => {
          hasFaults ||= record.fault !== undefined;
          see(record);
        };
        const table = delimitedTable(file, encoding, guess, wishes);
        const opened = await readCsv(readBytes, file, { encoding, dialect: table.dialect, seen });
        const columns = await columnsOf(opened, file, wishes, tell);
        read = { table, columns };
        // The lines of others may be records, or parts of them, to whoever knows no bad rows.
        return !hasFaults && columns.bad.every(({ bad }) => !bad.text.includes('\n'));
      },
    );
    return read && sniffed && { ...read, sniffed, encoding, why, wishes };
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    return undefined;
  }
}

/** Finds a file's encoding, and whether it has bytes that are no text. */
async function decodingOf({ folder, file }: FileIn, before: AddChoices, decide: Decide) {
  const readBytes = () => bytesOf(folder, file);
  let wishes = before;
  if (before.encoding !== undefined) {
    const { encoding, badBytes } = before;
    if (!badBytes && !isUtf16(encoding) && (await hasZeros(readBytes))) {
      wishes = { ...wishes, badBytes: 'replace' };
    }
    return { encoding, why: undefined, wishes };
  }
  const found = await findEncoding(readBytes, file, before.badBytes);
  const { why, needsAsking, badBytes } = found;
  let { encoding } = found;
  if (needsAsking !== undefined) {
    wishes = await decide([encodingQuestion(needsAsking)], wishes);
    encoding = wishes.encoding ?? encoding;
    if (!wishes.badBytes && (await hasZeros(readBytes)))
      wishes = { ...wishes, badBytes: 'replace' };
  } else if (badBytes) wishes = { ...wishes, badBytes };
  return { encoding, why, wishes };
}

function isUtf16(encoding: string): boolean {
  return new TextDecoder(encoding).encoding.startsWith('utf-16');
}

/** A delimited file in a dialect, as the wishes have it read. */
function delimitedTable(
  file: string,
  encoding: string,
  sniffed: Dialect,
  { shortRows, badRows = 'mend' }: AddChoices,
): TableFile {
  const dialect = {
    ...sniffed,
    ...(shortRows ? { fillsShortRows: true as const } : {}),
    // Until somebody has decided, bad rows are kept beside the others.
    ...(badRows === 'stop' ? {} : { badRows }),
  };
  return tableFile(file, encoding, dialect);
}

function encodingQuestion({
  line,
  reads,
  readings,
}: Required<Awaited<ReturnType<typeof findEncoding>>>['needsAsking']): Question {
  return {
    text: `Line ${line} is not UTF-8. As windows-1252 it reads ${reads}.`,
    readings: readings.map(({ label, encoding, badBytes }) => ({
      label,
      option: badBytes ? `--bad-bytes ${badBytes}` : `--encoding ${encoding}`,
      wish: (wishes) => ({ ...wishes, encoding, ...(badBytes && { badBytes }) }),
    })),
  };
}

function totalsQuestion(file: string, unsure: readonly string[]): Question | undefined {
  if (unsure.length === 0) return undefined;
  const readingOf = (totals: TotalsWish, label: string) => ({
    label,
    option: `--totals ${totals}`,
    wish: (wishes: AddChoices) => ({ ...wishes, totals }),
  });
  const said = few(unsure, '; ', 'records');
  return {
    text: `${inOneLine(file)}, ${said}: called a total, and it adds up in no column.`,
    readings: [readingOf('keep', 'a row like the others'), readingOf('drop', 'left out')],
  };
}

function tablesQuestion(
  file: string,
  tables: readonly TableChoice[],
  counts: 'line' | 'row',
): Question {
  const readingOf = (table: number | 'all', label: string) => ({
    label,
    option: `--table ${table}`,
    wish: (wishes: AddChoices) => ({ ...wishes, table }),
  });
  return {
    text: `${inOneLine(file)} has ${numberText(tables.length)} tables with a header each.`,
    readings: [
      ...tables.slice(0, MOST_TABLES).map(({ table, line, rows, header }) => {
        const names = few(
          header.slice(0, 4).map((name) => showCell(name, 24)),
          ', ',
          'columns',
        );
        const count = `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}`;
        return readingOf(table, `the one from ${counts} ${numberText(line)}, ${count}: ${names}`);
      }),
      readingOf('all', `all ${counts}s are one table`),
    ],
  };
}

/** So many tables of a file are choices. */
const MOST_TABLES = 10;

function headerRowsQuestion(file: string, rows: number): Question {
  const readingOf = (headerRows: number, label: string) => ({
    label,
    option: `--header-rows ${headerRows}`,
    wish: (wishes: AddChoices) => ({ ...wishes, headerRows }),
  });
  return {
    text: `${inOneLine(file)}: row ${rows} of the table has words above values, as a header has.`,
    readings: [
      readingOf(rows - 1, 'it is a row like the others'),
      readingOf(rows, 'it is joined with the names above it'),
    ],
  };
}

function dialectQuestion(
  best: Dialect,
  alternatives: readonly Alternative[],
): Question | undefined {
  if (alternatives.length === 0) return undefined;
  const all = [{ dialect: best, why: 'the likelier reading' }, ...alternatives];
  return {
    text: 'The file can be cut into rows and cells in several ways.',
    readings: all.map(({ dialect, why }) => {
      const { delimiter = ',', header = true } = dialect;
      const isHeaderOpen = all.some((other) => (other.dialect.header ?? true) !== header);
      const said = {
        delimiter,
        ...(isHeaderOpen ? { header } : {}),
      };
      return {
        label: `${nameOfDelimiter(delimiter)}${isHeaderOpen ? (header ? ', with a header' : ', no header') : ''}: ${why}`,
        option: optionsOf(said),
        wish: (wishes) => ({ ...wishes, ...said }),
      };
    }),
  };
}

function optionsOf({ delimiter, header }: { delimiter: string; header?: boolean }): string {
  const name = delimiter === '\t' ? 'tab' : `'${delimiter}'`;
  const rest = header === undefined ? '' : ` --header ${header ? 'yes' : 'no'}`;
  return `--delimiter ${name}${rest}`;
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0;
}

/** A column of a file, and what all its cells tell of it. */
export type ReadColumn = {
  readonly name: string;
  readonly header: string;
  /** Why the name is not made of the header alone. */
  readonly why?: string;
  readonly evidence: ColumnEvidence;
};

/** The column that an option names, by its name or its header. Throws a SeedError if there is none. */
export function columnNamed<Column extends Pick<ReadColumn, 'name' | 'header'>>(
  columns: readonly Column[],
  wished: string,
  option: string,
  file: string,
): Column {
  const found = columns.find(({ name, header }) => wished === name || wished === header);
  if (found !== undefined) return found;
  const names = columns.map(({ name }) => name);
  const reason = `${option} names ${JSON.stringify(wished)}; the columns are ${few(names, ', ', 'columns')}`;
  throw new SeedError(file, reason);
}

/** Everything that was learned from one reading of the whole file. */
export type ReadColumns = {
  readonly columns: readonly ReadColumn[];
  readonly places?: FoundPlaces;
  readonly points: PointColumns;
  /** How many rows can be read as they stand. */
  readonly rows: number;
  /** Those that cannot. */
  readonly bad: readonly { readonly line: number; readonly bad: BadRow }[];
  /** What the numbers of its places count. */
  readonly counts: SourceTable['counts'];
  /** Whether every row has an area, in a format that has geometries. */
  readonly areAreas: boolean;
  readonly notes: readonly string[];
};

/** Progress is told each time so many rows more were read. */
const ROWS_A_STEP = 100_000;

/** Reads every cell of a file. Throws a SeedError if a row does not fit its header. */
export async function readColumns(
  { folder, table, wishes, columns }: OpenedFile,
  tell: Tell,
): Promise<ReadColumns> {
  return columns ?? columnsOf(await readTable(table, folder), table.file, wishes, tell);
}

async function columnsOf(
  table: SourceTable,
  file: string,
  wishes: AddChoices,
  tell: Tell,
): Promise<ReadColumns> {
  const room = roomForColumns();
  const columns = nameColumns(table.headers).map((column) => ({
    ...column,
    evidence: new ColumnEvidence(column.header, DYNAMODB, room, wordsFor(column, wishes)),
  }));
  const at = placeColumns(table.headers);
  const { counts } = table;
  const places = at && { columns: at, evidence: new PlaceEvidence(at), counts };
  const points = new PointColumns(columns.length, DYNAMODB);
  const read = { columns, points, ...(places === undefined ? {} : { places }) };
  let rows = 0;
  let marks: { count: number; line: number } | undefined;
  const badRows: { line: number; bad: BadRow }[] = [];
  const tooLarge = largeRows(
    columns.map(({ name }, at) => ({ at, name })),
    DYNAMODB,
  );
  const count = new BadRowCount();
  for await (const { cells, line, bad: faulty } of table.records) {
    const bad = faulty ?? tooLarge(cells);
    if (bad !== undefined) {
      count.add(bad, file, { line });
      badRows.push({ line, bad });
      continue;
    }
    addRow(read, cells, line);
    if (cells.some(hasMark)) marks = { line: marks?.line ?? line, count: (marks?.count ?? 0) + 1 };
    rows++;
    if (rows % ROWS_A_STEP === 0) tell(`${numberText(rows)} rows read`);
  }
  if (columns.length === 0)
    throw new SeedError(file, 'has rows without any value; write a member with a value in each');
  const types = 'geometryTypes' in table ? (table as GeoJsonTable).geometryTypes : undefined;
  return {
    ...read,
    rows,
    bad: badRows,
    counts,
    areAreas: types !== undefined && [...types.keys()].every((type) => /Polygon$/.test(type)),
    notes: marks === undefined ? table.notes : [...table.notes, marksText(marks, counts)],
  };
}

/** Whether a cell begins with a byte order mark, as where files were joined: it is trimmed as a space is. */
function hasMark(cell: string): boolean {
  return cell.charCodeAt(0) === 0xfeff;
}

function marksText({ count, line }: { count: number; line: number }, counts: string): string {
  const rows = count === 1 ? '1 row has' : `${numberText(count)} rows have`;
  return `${rows} a byte order mark (U+FEFF) before a cell, which is left out, first in ${counts} ${line}`;
}

/** Adds a row to what is known of the columns. */
export function addRow(
  { columns, places, points }: Pick<ReadColumns, 'columns' | 'places' | 'points'>,
  cells: readonly string[],
  line: number,
): void {
  for (let i = 0; i < columns.length; i++) {
    (columns[i] as ReadColumn).evidence.add(cells[i] as string, line);
  }
  places?.evidence.add(cells, line);
  points.add(cells, line);
}
