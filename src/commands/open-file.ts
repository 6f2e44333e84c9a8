import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Dialect } from '../block/declaration.ts';
import { DETECTED_BYTES, detectFormat } from '../files/detect-format.ts';
import { encodingOfHead, findEncoding, hasZeros } from '../files/encoding.ts';
import type { FileFormat } from '../files/format.ts';
import { FILE_FORMATS, type FileFormatName } from '../files/formats.ts';
import { readCsv } from '../files/read-csv.ts';
import { sniffDialect, sniffWhileReading } from '../files/sniff-dialect.ts';
import { sniffSheet } from '../files/sniff-sheet.ts';
import { SeedError } from '../files/source-table.ts';
import { findPacked, type PackedFile } from '../files/unpack-file.ts';
import type { TableFile } from '../import/block-file.ts';
import { bytesOf, readTable } from '../import/seed-files.ts';
import {
  dialectQuestion,
  encodingQuestion,
  headerRowsQuestion,
  tablesQuestion,
} from './file-questions.ts';
import type { AddChoices } from './options.ts';
import { columnsOf, type ReadColumns, type Tell } from './read-columns.ts';
import type { Decide, Question } from './terminal.ts';

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
  ['leaveOut', 'leave-out', ({ asks }) => asks === 'dialect' || asks === 'sheet'],
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
  const { badBytes, table, headerLine, leaveOut } = wishes;
  const isCut = headerLine !== undefined || leaveOut !== undefined || typeof table === 'number';
  if (badBytes !== undefined || isCut) return undefined;
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

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0;
}

/** Reads every cell of a file. Throws a SeedError if a row does not fit its header. */
export async function readColumns(
  { folder, table, wishes, columns }: OpenedFile,
  tell: Tell,
): Promise<ReadColumns> {
  return columns ?? columnsOf(await readTable(table, folder), table.file, wishes, tell);
}
