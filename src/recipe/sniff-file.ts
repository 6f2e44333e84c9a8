import type { Dialect } from '../block/declaration.ts';
import { readCsv } from '../files/csv/read-csv.ts';
import { RecordScan } from '../files/csv/scan-records.ts';
import { confirmGuess, guessCsv } from '../files/csv/sniff-csv.ts';
import { DETECTED_BYTES, detectFormat } from '../files/detect-format.ts';
import { encodingOfHead, findEncoding, hasZeros, likelyEncoding } from '../files/encoding.ts';
import type { FileFormat, GivenWriting, Sniffed } from '../files/file-format.ts';
import { FILE_FORMATS, type FileFormatName } from '../files/file-formats.ts';
import { bytesOf, type FileIn, fileAt, firstBytes } from '../files/read-bytes.ts';
import { SeedError, type SourceTable } from '../files/source-table.ts';
import { defined } from '../values/field-type.ts';
import {
  axisOrderQuestion,
  dialectQuestion,
  encodingQuestion,
  headerRowsQuestion,
  tablesQuestion,
} from './file-questions.ts';
import { gatherEvidence, type OnProgress, type ReadColumns } from './gather-evidence.ts';
import type { Given } from './given.ts';
import type { Decide, Question } from './questions.ts';
import { readTable } from './read.ts';
import type { TableFile } from './recipe.ts';

/** How a file of rows was found to be written. */
export type SniffedFile = {
  readonly table: TableFile;
  /** A clause for each decision. */
  readonly reasons: readonly string[];
  /** What was given, with the decisions added. */
  readonly given: Given;
  /** The evidence from its columns, if the file was read on the way. */
  readonly columns?: ReadColumns;
  /** The opened table, if it was not read. */
  readonly opened?: SourceTable;
};

/**
 * Finds out how a file is written, and asks what it leaves open. Throws a SeedError if it is not a
 * table.
 */
export async function sniffFile(
  at: FileIn,
  given: Given,
  decide: Decide,
  onProgress: OnProgress,
): Promise<SniffedFile> {
  const { file } = at;
  const name = detectFormat(await firstBytes(at, DETECTED_BYTES), file, given.badBytes);
  const format = FILE_FORMATS[name];
  refuseUnused(file, format, given);
  const once = format.takes.includes('delimiter')
    ? await readAsGuessed(at, given, onProgress)
    : undefined;
  const decoded = once ?? (await findEncodingOf(at, format, given, decide));
  const settled = await settle(at, format, decoded.given, decide, once?.sniffed);
  const table = tableOf(file, name, settled.sniffed?.dialect, settled.given);
  if (format.takes.includes('axisOrder')) {
    return openGeometries(at, { ...decoded, table, given: settled.given }, decide);
  }
  const isRead = JSON.stringify(table) === JSON.stringify(once?.table);
  return {
    table,
    reasons: [...decoded.reasons, ...(settled.sniffed?.reasons ?? [])],
    given: settled.given,
    columns: once !== undefined && isRead ? once.columns : undefined,
  };
}

/** Opens a file of geometries, and asks which coordinate is first if the file leaves it open. */
async function openGeometries(
  { folder, file }: FileIn,
  sniffed: SniffedFile,
  decide: Decide,
): Promise<SniffedFile> {
  const opened = await readTable(sniffed.table, folder);
  const { mayBeLatitudeFirst: seen } = opened;
  if (seen === undefined || sniffed.given.axisOrder !== undefined) return { ...sniffed, opened };
  const given = await decide([axisOrderQuestion(file, seen)], sniffed.given);
  if (given.axisOrder !== 'lat-lon') return { ...sniffed, given, opened };
  const dialect = { ...sniffed.table.dialect, axisOrder: given.axisOrder };
  const table = { ...sniffed.table, dialect };
  return { ...sniffed, table, given, opened: await readTable(table, folder) };
}

/** The options about how a file is written, by what they give. */
const OPTIONS: readonly (readonly [keyof GivenWriting & keyof Given, option: string])[] = [
  ['encoding', 'encoding'],
  ['delimiter', 'delimiter'],
  ['quoteChar', 'quote'],
  ['header', 'header'],
  ['headerRows', 'header-rows'],
  ['headerLine', 'header-line'],
  ['leaveOut', 'leave-out'],
  ['table', 'table'],
  ['sheet', 'sheet'],
  ['property', 'property'],
  ['axisOrder', 'axis-order'],
];

/** Throws a SeedError if an option does not fit the format or another option. */
function refuseUnused(file: string, { title, takes }: FileFormat, given: Given): void {
  const unused = OPTIONS.find(([key]) => given[key] !== undefined && !takes.includes(key));
  if (unused !== undefined) {
    throw new SeedError(file, `--${unused[1]} is given, and ${title} has no such; leave it out`);
  }
  if (given.headerLine === undefined) return;
  const other =
    given.header === false ? 'header no' : typeof given.table === 'number' ? 'table' : undefined;
  if (other === undefined) return;
  throw new SeedError(file, `--header-line says where the table begins; leave --${other} out`);
}

/** Describes the table as block.json does, without what is the default. */
function tableOf(
  file: string,
  name: FileFormatName,
  sniffed: Dialect | undefined,
  given: Given,
): TableFile {
  const { takes, isBinary } = FILE_FORMATS[name];
  const { encoding = 'utf-8', shortRows, badRows = 'mend', badBytes, property } = given;
  const { axisOrder } = given;
  const dialect = defined({
    ...sniffed,
    fillsShortRows: takes.includes('shortRows') && shortRows ? (true as const) : undefined,
    // Until somebody decides, bad rows stay beside the others.
    badRows: isBinary || badRows === 'stop' ? undefined : badRows,
    badBytes: isBinary || sniffed !== undefined ? sniffed?.badBytes : badBytes,
    property: takes.includes('property') ? property : undefined,
    axisOrder: axisOrder === 'lat-lon' ? axisOrder : undefined,
  });
  return {
    file,
    format: takes.includes('delimiter') ? undefined : name,
    encoding: isBinary || encoding === 'utf-8' ? undefined : encoding,
    dialect: Object.keys(dialect).length === 0 ? undefined : dialect,
  };
}

/** Asks what a file leaves open, one question at a time, and sniffs it again after each answer. */
async function settle(
  at: FileIn,
  format: FileFormat,
  before: Given,
  decide: Decide,
  known: Sniffed | undefined,
): Promise<{ readonly sniffed?: Sniffed; readonly given: Given }> {
  const { file } = at;
  if (format.sniff === undefined) return { given: before };
  const counts = format.takes.includes('sheet') ? 'row' : 'line';
  const questions: readonly ((sniffed: Sniffed) => Question | undefined | 0)[] = [
    ({ tables }) => tables && tablesQuestion(file, tables, counts),
    ({ dialect, alternatives }) => dialectQuestion(dialect, alternatives),
    ({ dialect, mayHaveRows }) =>
      mayHaveRows && headerRowsQuestion(file, dialect.headerRows?.length ?? 1, mayHaveRows),
  ];
  let given = before;
  let sniffed = known ?? (await sniffTable(at, format, given));
  for (const questionIn of questions) {
    const question = questionIn(sniffed);
    if (!question) continue;
    given = await decide([question], given);
    sniffed = await sniffTable(at, format, given);
  }
  return { sniffed, given };
}

/** Finds out how a file's table is written, if its encoding is known. */
export function sniffTable(
  at: FileIn,
  { title, sniff }: FileFormat,
  given: GivenWriting,
): Promise<Sniffed> {
  if (sniff === undefined) throw new TypeError(`${title} leaves nothing to find out.`);
  return sniff(at.file, fileAt(at), given);
}

/**
 * Reads a file to its end in the way that its beginning suggests, and then checks that way by what
 * the reading has counted. Undefined if it is wrong: the file is then sniffed, and read again.
 */
async function readAsGuessed({ folder, file }: FileIn, given: Given, onProgress: OnProgress) {
  const readBytes = () => bytesOf(folder, file);
  const { badBytes, table, headerLine, leaveOut } = given;
  const isCut = headerLine !== undefined || leaveOut !== undefined || typeof table === 'number';
  if (badBytes !== undefined || isCut) return undefined;
  try {
    const found = await encodingOfHead(readBytes, file);
    const { encoding = found.encoding } = given;
    const reasons = given.encoding === undefined ? reasonsOf(found) : [];
    const whole = { ...given, encoding };
    const source = { readBytes, file, encoding };
    const guess = await guessCsv(source, given);
    const guessed = tableOf(file, 'csv', guess.dialectWith([]), whole);
    const scan = new RecordScan();
    const opened = await readCsv(source, { dialect: guessed.dialect, scan });
    const columns = await gatherEvidence(opened, file, given, onProgress);
    const scanned = scan.found();
    // A bad row of several lines may be several records to a reader that stops at bad rows.
    const isSure = columns.bad.every(({ bad }) => !bad.text.includes('\n'));
    if (scanned.faults > 0 || !isSure) return undefined;
    const sniffed = await confirmGuess(guess, scanned, source, given);
    return { table: guessed, columns, sniffed, reasons, given: whole };
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    return undefined;
  }
}

/** Says why a file has its encoding, if that is not UTF-8. */
function reasonsOf({ encoding, why }: { encoding: string; why: string }): string[] {
  if (encoding === 'utf-8') return [];
  const other = encoding.startsWith('utf-')
    ? ''
    : `; if letters are wrong there: --encoding NAME, such as ${likelyEncoding(why, 'macintosh')}`;
  return [`${encoding}: ${why}${other}`];
}

/** Finds a text file's encoding, and whether it has bytes that are not text. */
async function findEncodingOf(
  { folder, file }: FileIn,
  { isBinary }: FileFormat,
  before: Given,
  decide: Decide,
): Promise<{ readonly given: Given; readonly reasons: readonly string[] }> {
  if (isBinary) return { given: before, reasons: [] };
  const readBytes = () => bytesOf(folder, file);
  const { encoding: said, badBytes: saidOfBytes } = before;
  if (said !== undefined) {
    const isReplaced = !saidOfBytes && !isUtf16(said) && (await hasZeros(readBytes));
    return { given: isReplaced ? { ...before, badBytes: 'replace' } : before, reasons: [] };
  }
  const found = await findEncoding(readBytes, file, saidOfBytes);
  const { needsAsking, badBytes } = found;
  if (needsAsking === undefined) {
    const { encoding } = found;
    const given = { ...before, encoding, badBytes: badBytes ?? saidOfBytes };
    return { given, reasons: reasonsOf(found) };
  }
  const answered = await decide([encodingQuestion(needsAsking)], before);
  const { encoding = found.encoding } = answered;
  const isReplaced = !answered.badBytes && (await hasZeros(readBytes));
  return {
    given: { ...answered, encoding, badBytes: isReplaced ? 'replace' : answered.badBytes },
    reasons: answered.badBytes
      ? [
          `${found.why}; what is not UTF-8 is \ufffd; to read it as it is: --encoding NAME, such as shift_jis`,
        ]
      : reasonsOf({ encoding, why: found.why }),
  };
}

function isUtf16(encoding: string): boolean {
  return new TextDecoder(encoding).encoding.startsWith('utf-16');
}
