import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { type Dialect, nameOfDelimiter, type TotalsRule } from '../block/declaration.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { detectFormat } from '../files/detect-format.ts';
import { findEncoding } from '../files/encoding.ts';
import { DEFAULT_FILE_FORMAT, FILE_FORMATS, type FileFormatName } from '../files/formats.ts';
import { type SniffedDialect, sniffDialect } from '../files/sniff-dialect.ts';
import { sniffSheet } from '../files/sniff-sheet.ts';
import { listed, SeedError, type SourceRecord, type SourceTable } from '../files/source-table.ts';
import { calledTotal, isNamed, ruleTest } from '../files/totals.ts';
import {
  type BadRows,
  fitBy,
  largeRows,
  MOST_SET_ASIDE,
  mendedRecords,
} from '../import/bad-rows.ts';
import type { BlockFile, FileField, TableFile } from '../import/block-file.ts';
import { OddTally, placeOf, whyNot } from '../import/cells.ts';
import { nameColumns } from '../import/column-names.ts';
import {
  compareDeliveries,
  type Delivery,
  type Differences,
  KeyTable,
} from '../import/compare-deliveries.ts';
import { judgeTotals, TotalsApart } from '../import/find-totals.ts';
import { bytesOf, readTable } from '../import/seed-files.ts';
import { numberText, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { type CellReader, cellReader, strictReader } from '../values/spelling.ts';
import { showKey } from './describe-draft.ts';
import { firstBytes } from './open-file.ts';
import type { OwnBlock } from './own-block.ts';
import { isLeftOut, isName, keptNote, leftOutNote } from './settle-totals.ts';
import { AddRefusal } from './terminal.ts';

/** Whether a file can be a block's next, and what it would change. */
export type Check = {
  /** The block as it reads the file. */
  readonly block: BlockFile;
  /** A clause for each record below the table that is no row. */
  readonly leftOut: readonly string[];
  /** A clause for each field whose odd cells are blank; complete once the rows are read. */
  readonly odd: readonly string[];
  /** Why it does not fit, a line each; it fits if there is none. */
  readonly faults: readonly string[];
  /** What the numbers of its places count. */
  readonly counts: SourceTable['counts'];
  /** Columns that no field reads, and that the file before had or has not. */
  readonly columnsNew: readonly string[];
  readonly columnsGone: readonly string[];
  readonly badRows: BadRows;
  /** Whether its last line has no end, and that of the file before has one: it may be cut off. */
  readonly mayBeCutOff: boolean;
  /** Absent if the file cannot be read to its end, or lacks a part of the key. */
  readonly differences?: Differences;
};

/**
 * Reads a file as a block reads its own, to its end, and compares the two. Throws a SeedError if
 * the block's own file cannot be read, an AddRefusal if code makes its rows.
 */
export async function checkDelivery(own: OwnBlock, given: GivenFile): Promise<Check> {
  const { name, file: block, seedData } = own;
  const its = { folder: seedData, file: block.file };
  if (existsSync(path.join(path.dirname(own.path), 'rows.ts'))) {
    const reason = 'makes its rows in rows.ts, which only a start runs: replace its file by hand';
    throw new AddRefusal(`${name} ${reason}`);
  }
  const faults: string[] = [];
  const unread = {
    block,
    leftOut: [],
    odd: [],
    faults,
    counts: 'line' as const,
    badRows: { mended: [], setAside: [] },
    mayBeCutOff: false,
    columnsNew: [],
    columnsGone: [],
  };
  const read = await orFault(faults, async () => {
    const reason = await checkWriting(given, block);
    if (reason !== undefined) throw new SeedError(given.file, reason);
    const next = await withItsTotals(await withItsComments(block, its, given), its, given);
    return { next, opened: await openDelivery(next.block, given) };
  });
  if (read === undefined) return unread;
  const { next, opened } = read;
  const otherDelimiter = opened.gone.length > 0 && (await delimiterFault(block, given));
  if (otherDelimiter) return { ...unread, faults: [otherDelimiter] };

  const where = opened.table.headerLine === 0 ? {} : { line: opened.table.headerLine };
  for (const column of opened.gone) {
    const reason = `the column is gone; there are ${listed(opened.names)}`;
    faults.push(new SeedError(given.file, reason, { ...where, column }).message);
  }
  const primaryKey = own.block.primaryKey ?? [];
  const rowCount = await orFault(faults, () => checkRows(block, given, opened, primaryKey, faults));
  const isWhole = rowCount !== undefined;
  if (isWhole && opened.zeros.size > 0) {
    await addZeroFaults(opened, await openDelivery(block, its), given, faults);
  }
  const { badRows } = opened;
  const tooMany = isWhole && tooManyBadRows(own.file, badRows, rowCount);
  if (tooMany) faults.push(new SeedError(given.file, tooMany).message);

  const before = await openDelivery(block, its);
  const fields = new Set([...before.columns, ...opened.columns]);
  const hasLines = FILE_FORMATS[block.format ?? DEFAULT_FILE_FORMAT].isBinary === undefined;
  const found = {
    badRows,
    mayBeCutOff: hasLines && !(await endsWithLine(given)) && (await endsWithLine(its)),
    counts: opened.table.counts,
    odd: opened.odd.notes(opened.table.counts),
    columnsNew: opened.names.filter((name) => !before.names.includes(name) && !fields.has(name)),
    columnsGone: before.names.filter((name) => !opened.names.includes(name) && !fields.has(name)),
  };
  const isComparable =
    primaryKey.every((name) => opened.columns.includes(name)) && opened.columns.length > 0;
  const whole = { ...next, block: withCounts(next.block, badRows), faults, ...found };
  if (!isWhole || !isComparable) return whole;
  const differences = await compareDeliveries(before, opened, primaryKey);
  const { after, before: rows } = differences.rows;
  if (after === 0 && rows > 0) {
    const reason = `has a header and no rows, and the block has ${numberText(rows)}; if that is meant, remove the block and add it anew`;
    faults.push(new SeedError(given.file, reason).message);
  }
  return { ...whole, differences };
}

/** Whether a text ends with a line end, of one byte or of two. */
async function endsWithLine({ folder, file }: GivenFile): Promise<boolean> {
  const handle = await open(path.join(folder, file));
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(size - 2, 0));
    return buffer.includes('\n') || buffer.includes('\r');
  } finally {
    await handle.close();
  }
}

/** The block with the numbers of bad rows that its file has. */
function withCounts({ badRows: _, ...block }: BlockFile, { mended, setAside }: BadRows): BlockFile {
  if (mended.length + setAside.length === 0) return block;
  return { ...block, badRows: { mended: mended.length, setAside: setAside.length } };
}

/** Why a file has too many rows that cannot be read, if it has far more than the one before. */
function tooManyBadRows(
  { rows = 0, badRows: { setAside: before = 0 } = { mended: 0, setAside: 0 } }: BlockFile,
  { setAside }: BadRows,
  rowCount: number,
): string | undefined {
  const [now, then] = [setAside.length, before];
  const share = now / Math.max(rowCount + now, 1);
  if (share <= Math.max(MOST_SET_ASIDE, (2 * then) / Math.max(rows + then, 1))) return undefined;
  return `${numberText(now)} rows cannot be read and would be left out, ${numberText(then)} before; first line ${setAside[0]?.line}`;
}

/** What a step gives; if it throws a SeedError, that is a fault. */
async function orFault<T>(faults: string[], step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** Whether other cells than before come out because another character stands between them. */
async function delimiterFault(
  { format = DEFAULT_FILE_FORMAT, encoding = 'utf-8', dialect }: BlockFile,
  { folder, file }: GivenFile,
): Promise<string | undefined> {
  if (!isDelimited(format)) return undefined;
  const expected = dialect?.delimiter ?? FILE_FORMATS[format].delimiter ?? ',';
  const sniffed = await orFault([], () =>
    sniffDialect(() => bytesOf(folder, file), file, encoding, decodingOf(dialect)),
  );
  const its = sniffed?.dialect.delimiter ?? ',';
  if (sniffed === undefined || its === expected) return undefined;
  const [now, then] = [nameOfDelimiter(its), nameOfDelimiter(expected)];
  return new SeedError(file, `a ${now} is between cells now; block.json reads a ${then}`).message;
}

/** What a dialect says of bytes that are no text. */
function decodingOf({ badBytes }: Dialect = {}): Pick<Dialect, 'badBytes'> {
  return badBytes === undefined ? {} : { badBytes };
}

/** A row's cell that should not be as it is: the first of its kind, and how many there are. */
type Odd = { reason: string; line: number; count: number };

/** Counts all rows, and adds a fault for each column with cells not of its type, and of the key. */
async function checkRows(
  block: BlockFile,
  { file }: GivenFile,
  opened: OpenedDelivery,
  primaryKey: readonly string[],
  faults: string[],
): Promise<number> {
  const { mendedOnce, found } = opened;
  const { counts } = opened.table;
  let rowCount = 0;
  const odd = new Map<string, Odd>();
  const note = (key: string, line: number, reason: () => string) => {
    const known = odd.get(key);
    if (known === undefined) odd.set(key, { reason: reason(), line, count: 1 });
    else known.count++;
  };
  const nouns = new Map(
    block.fields.map((field) => [
      field.name,
      field.format === undefined ? typeOf(field).noun : `written as ${field.format}`,
    ]),
  );
  const keyAt = primaryKey.map((name) => found.findIndex((field) => field.name === name));
  const hasKey = keyAt.length > 0 && !keyAt.includes(-1);
  const [blankKey, sameKey] = ['blank', 'same'].map(
    (kind) => `${kind} ${primaryKey.join(', ')}`,
  ) as [string, string];
  const keys = new KeyTable();
  let earlier: { readonly row: number } | undefined;
  for await (const { cells, line } of mendedOnce) {
    rowCount++;
    opened.isAt(line);
    const values = found.map(({ name, at, field, read }): Value => {
      const cell = cells[at] as string;
      const value = read(cell);
      if (typeof value === 'number' && hasZeroInFront(cell)) {
        const zero = opened.zeros.get(name);
        if (zero === undefined) opened.zeros.set(name, { cell, line, count: 1 });
        else zero.count++;
      }
      if (value !== undefined) return value;
      note(name, line, () => whyNot(cell, field, nouns.get(name)));
      return cell;
    });
    if (!hasKey) continue;
    const key = keyAt.map((at) => values[at] as Value);
    if (key.includes(null)) note(blankKey, line, () => 'blank, and it is the primary key');
    else {
      // Taken and added again, so that one is always left to find.
      const row = keys.take(key);
      if (row !== undefined) {
        note(sameKey, line, () => `the primary key ${showKey(key)} twice`);
        earlier ??= { row };
      }
    }
    keys.add(key);
  }
  for (const [column, { reason, line, count }] of odd) {
    const isSame = column === sameKey && earlier !== undefined;
    const first = isSame
      ? `, first in ${counts} ${await lineOf(opened, earlier?.row as number)}`
      : '';
    const more = count > 1 ? `, and ${numberText(count - 1)} more like it` : '';
    const isKey = column === blankKey || column === sameKey;
    const where = { line, counts, column: isKey ? primaryKey.join(', ') : column };
    faults.push(new SeedError(file, `${reason}${first}${more}`, where).message);
  }
  return rowCount;
}

/**
 * Adds a fault for each column of numbers in which a zero stands in front for the first time: its
 * cells are names then, and their zeros would be lost.
 */
async function addZeroFaults(
  { zeros, table: { counts } }: OpenedDelivery,
  before: OpenedDelivery,
  { file }: GivenFile,
  faults: string[],
): Promise<void> {
  const left = new Map(zeros);
  for await (const { cells } of before.mendedOnce) {
    for (const { name, at } of before.found) {
      if (hasZeroInFront(cells[at] as string)) left.delete(name);
    }
    if (left.size === 0) return;
  }
  for (const [column, { cell, line, count }] of left) {
    const more = count > 1 ? `, and ${numberText(count - 1)} more like it` : '';
    const reason = `${showCell(cell)} has a zero in front, and no cell before had one: the numbers may be names; if so, set "type" of the field to "text" in block.json${more}`;
    faults.push(new SeedError(file, reason, { line, counts, column }).message);
  }
}

/** Whether a number has a zero in front, whatever sign, currency or bracket stands before it. */
function hasZeroInFront(cell: string): boolean {
  return /^\s*'?[-+\u2212(]?\s?(?:\p{Sc}|[A-Za-z]{1,3}\$?)?\s?[-+\u2212(]?0\d/u.test(cell);
}

async function lineOf({ rows }: OpenedDelivery, wanted: number): Promise<number> {
  let row = 0;
  for await (const { line } of rows()) {
    if (row++ === wanted) return line;
  }
  throw new Error('The file changed while it was read.');
}

/** A field that a file has a column for. */
type FoundField = {
  readonly name: string;
  readonly at: number;
  readonly field: FileField;
  readonly read: CellReader;
};

/** A file as a block reads it, whether or not it fits. */
type OpenedDelivery = Delivery & {
  readonly table: SourceTable;
  /** Its rows, once; what becomes of bad ones is added to `badRows`. */
  readonly mendedOnce: AsyncIterable<SourceRecord>;
  readonly badRows: BadRows;
  /** The columns' names, as those of fields are made. */
  readonly names: readonly string[];
  readonly found: readonly FoundField[];
  /** The odd cells that `found` has read, of rows at the places that it is told. */
  readonly odd: OddTally;
  readonly isAt: (line: number) => void;
  /** Of columns of numbers: the first cell with a zero in front, and how many have one. */
  readonly zeros: Map<string, { readonly cell: string; readonly line: number; count: number }>;
  /** The fields without a column. */
  readonly gone: readonly string[];
};

/** Opens a file as a block reads its own. Throws a SeedError if its head cannot be read. */
async function openDelivery(
  block: BlockFile,
  { folder, file }: GivenFile,
): Promise<OpenedDelivery> {
  const openTable = () => readTable({ ...block, file }, folder);
  const table = await openTable();
  const names = nameColumns(table.headers).map(({ name }) => name);
  const { missingValues } = block;
  const fields = block.fields.map((field) => ({
    ...(missingValues === undefined ? {} : { missingValues }),
    ...field,
  }));
  const places = fields.map((field) => placeOf(field, names, table.headers));
  const odd = new OddTally();
  let lineOfRow = 0;
  const find = (tally = new OddTally()) =>
    fields.flatMap((field, i): FoundField[] => {
      const at = places[i] as number;
      const tell = (cell: string) => tally.add(field, cell, lineOfRow);
      return at < 0 ? [] : [{ name: field.name, at, field, read: cellReader(field, field, tell) }];
    });
  const found = find(odd);
  const rowTest = {
    fits: fitBy(found.map(({ at, field }) => ({ at, read: strictReader(field, field) }))),
    tooLarge: largeRows(found, DYNAMODB),
  };
  const choice = block.dialect?.badRows;
  const mended = ({ records }: SourceTable, badRows: BadRows) =>
    choice === undefined ? records : mendedRecords({ records, file }, choice, rowTest, badRows);
  const badRows: BadRows = { mended: [], setAside: [] };
  const again = async () => mended(await openTable(), { mended: [], setAside: [] });
  return {
    table,
    mendedOnce: mended(table, badRows),
    badRows,
    names,
    found,
    odd,
    isAt: (line) => {
      lineOfRow = line;
    },
    zeros: new Map(),
    gone: fields.filter((_, i) => (places[i] as number) < 0).map(({ name }) => name),
    columns: found.map(({ name }) => name),
    // Each time with readers of its own, which may take what they expect from the first cells.
    rows: () => rowsOf(again, find()),
  };
}

async function* rowsOf(
  open: () => Promise<AsyncIterable<SourceRecord>>,
  found: readonly FoundField[],
) {
  for await (const record of await open()) {
    yield { values: valuesOf(record, found), line: record.line };
  }
}

/** A record's values; a cell that is not of its field's type is the text that it is. */
function valuesOf({ cells }: SourceRecord, found: readonly FoundField[]): Value[] {
  return found.map(({ at, read }) => {
    const cell = cells[at] as string;
    const value = read(cell);
    return value === undefined ? cell : value;
  });
}

/** A file on the disk. */
export type GivenFile = { readonly folder: string; readonly file: string };

/**
 * What keeps a file from being read as its block says: another format, or another encoding. Throws
 * a SeedError if it is no table at all.
 */
async function checkWriting(
  { folder, file }: GivenFile,
  source: TableFile,
): Promise<string | undefined> {
  const { format = DEFAULT_FILE_FORMAT, encoding = 'utf-8', dialect: { badBytes } = {} } = source;
  // By the block's ending: a server may give the file any name.
  const name = `${path.parse(file).name}${path.extname(source.file)}`;
  const found = detectFormat(await firstBytes(folder, file), name, badBytes);
  if (isDelimited(found) !== isDelimited(format) || (!isDelimited(found) && found !== format)) {
    return `is ${found} now; block.json reads ${format}`;
  }
  if (!isDelimited(format)) return undefined;
  const readBytes = () => bytesOf(folder, file);
  const expected = new TextDecoder(encoding).encoding;
  const { encoding: its, why } = await findEncoding(readBytes, file, badBytes);
  if (its === expected) return undefined;
  // Without a byte order mark, ASCII alone is the same in all but UTF-16, and what is not UTF-8 may
  // be in any of the others: then the reader tells.
  const isOther = (name: string) => name !== 'utf-8' && !name.startsWith('utf-16');
  if (isOther(expected) && isOther(its)) return undefined;
  const line = its === 'utf-8' ? await lineBeyondAscii(readBytes) : undefined;
  if (isOther(expected) && its === 'utf-8' && line === undefined) return undefined;
  const where = line === undefined ? why : `line ${line} shows it`;
  return `is ${its} now (${where}); block.json reads ${expected}`;
}

/** Whether a format has records and cells with delimiters between them. */
function isDelimited(format: FileFormatName): boolean {
  return FILE_FORMATS[format].asks === 'dialect';
}

async function lineBeyondAscii(
  readBytes: () => AsyncIterable<Uint8Array>,
): Promise<number | undefined> {
  let line = 1;
  for await (const bytes of readBytes()) {
    for (const byte of bytes) {
      if (byte > 0x7f) return line;
      if (byte === 0x0a) line++;
    }
  }
  return undefined;
}

/**
 * A block as it reads another file than its own. Notes below the table stand at other records there,
 * so they are found anew, unless `commentRows` names others than are found in its own.
 */
async function withItsComments(
  block: BlockFile,
  own: GivenFile,
  given: GivenFile,
): Promise<AsRead> {
  const asRead = { block, leftOut: [] };
  const { commentRows: known, ...others } = block.dialect ?? {};
  const isKnown = ({ dialect }: Pick<SniffedDialect, 'dialect'>) =>
    String(known) === String(dialect.commentRows);
  const found = await sniffed(block, given);
  if (found === undefined) return asRead;
  if (isKnown(found)) return { block, leftOut: found.leftOut };
  const before = await sniffed(block, own);
  if (before === undefined) return asRead;
  const totals = isKnown(before) ? others.totals : await totalsNumbered(block, before, own);
  if (!isKnown(before) && totals === undefined) return asRead;
  const { commentRows } = found.dialect;
  const dialect = {
    ...others,
    ...(commentRows === undefined ? {} : { commentRows }),
    ...(totals === undefined ? {} : { totals }),
  };
  return { block: { ...block, dialect }, leftOut: found.leftOut };
}

/** A block as it reads another file, and a clause for each record that it leaves out, or keeps. */
type AsRead = { readonly block: BlockFile; readonly leftOut: readonly string[] };

/**
 * A block as it reads another file, which may have totals where its own has none: those at the end
 * that add up are left out, unless its own file has rows that are called so. Throws a SeedError if
 * so many rows are totals by the block's rules that they are hardly any.
 */
async function withItsTotals(
  { block, leftOut }: AsRead,
  own: GivenFile,
  given: GivenFile,
): Promise<AsRead> {
  const { totals: known = [], ...others } = block.dialect ?? {};
  const openTable = () => readTable({ ...block, dialect: others, file: given.file }, given.folder);
  const apart = new TotalsApart();
  const { headers, records, counts } = await openTable();
  for await (const record of records) if (apart.add(record)) apart.takeTooMany();
  const areMany = apart.areValues ? known : apart.areNames ? known.filter(isNamed) : [];
  const [rule] = areMany;
  if (rule !== undefined) {
    const reason = `more rows than a file has totals are called ${showCell(rule.is)} in ${rule.column} or the like, which block.json leaves out; if they are rows, take that out of "totals" of its dialect`;
    throw new SeedError(given.file, reason);
  }
  const judged = await judgeTotals(apart.take(), headers, openTable);
  const names = nameColumns(headers).map(({ name }) => name);
  const found = judged.map((one) => {
    const total = { column: names[one.column] as string, is: one.is };
    const isKnown = known.some(({ column, is }) => column === total.column && is === total.is);
    return { ...one, total, isKnown };
  });
  const perhaps = found.filter((one) => !one.isKnown && isLeftOut(one)).map(({ total }) => total);
  const rows = await calledSo(block, own, perhaps);
  const further = perhaps.filter((total) => !rows.has(total));
  const told = found.flatMap((one) => {
    const { total, isKnown } = one;
    if (isKnown || further.includes(total)) return leftOutNote(one, total.column, counts);
    return isName(one) ? [] : keptNote(one, total.column, counts);
  });
  const totals = [...known, ...further];
  const dialect = totals.length === 0 ? block.dialect : { ...others, totals };
  return {
    block: dialect === undefined ? block : { ...block, dialect },
    leftOut: [...leftOut, ...told],
  };
}

/** Those of some rules for totals by which a block's own file has rows. */
async function calledSo(
  block: BlockFile,
  { folder }: GivenFile,
  rules: readonly TotalsRule[],
): Promise<ReadonlySet<TotalsRule>> {
  const found = new Set<TotalsRule>();
  if (rules.length === 0) return found;
  const { headers, records } = await readTable(block, folder);
  const ruleOf = ruleTest(
    rules,
    nameColumns(headers).map(({ name }) => name),
  );
  for await (const { cells } of records) {
    const rule = rules[ruleOf(cells)];
    if (rule !== undefined) found.add(rule);
  }
  return found;
}

/**
 * What the totals are called that a block leaves out by their numbers, as blocks of 2026 do.
 * Undefined if it leaves out anything else, or if other rows are called so too.
 */
async function totalsNumbered(
  block: BlockFile,
  { dialect: found, totalsBelow }: Pick<SniffedDialect, 'dialect' | 'totalsBelow'>,
  { folder }: GivenFile,
): Promise<readonly TotalsRule[] | undefined> {
  const { commentRows: known = [], ...others } = block.dialect ?? {};
  const notes = found.commentRows ?? [];
  const numbered = known.filter((number) => !notes.includes(number));
  const areTotals = numbered.length > 0 && numbered.every((number) => totalsBelow.includes(number));
  if (!areTotals || notes.some((number) => !known.includes(number))) return undefined;
  const dialect = { ...others, ...(notes.length === 0 ? {} : { commentRows: notes }) };
  const { headers, records } = await readTable({ ...block, dialect }, folder);
  const names = nameColumns(headers);
  const totals: TotalsRule[] = [];
  for await (const { cells } of records) {
    const called = calledTotal(cells);
    if (called === undefined || isNamed(called)) continue;
    totals.push({ column: names[called.column]?.name ?? '', is: called.is });
    if (totals.length > numbered.length) return undefined;
  }
  return totals.length === numbered.length ? totals : undefined;
}

/** Undefined for a format without such, or if it cannot be read as the block says: its reader tells. */
async function sniffed(
  { format = DEFAULT_FILE_FORMAT, encoding = 'utf-8', dialect = {} }: BlockFile,
  { folder, file }: GivenFile,
): Promise<Omit<SniffedDialect, 'alternatives'> | undefined> {
  const { asks, delimiter: usual = ',' } = FILE_FORMATS[format];
  if (asks !== 'dialect' && asks !== 'sheet') return undefined;
  const { delimiter = usual, quoteChar = '"', header = true } = dialect;
  const { sheetName: sheet } = dialect;
  const headerRows = dialect.headerRows?.length ?? 1;
  const at = dialect.table === undefined ? dialect.headerRows?.[0] : undefined;
  const place = asks === 'sheet' ? 'headerLine' : 'headerRecord';
  const said = {
    delimiter,
    quoteChar,
    header,
    headerRows,
    ...(at === undefined ? {} : { [place]: at }),
    table: dialect.table ?? ('all' as const),
    ...(sheet === undefined ? {} : { sheet }),
    ...decodingOf(dialect),
  };
  try {
    if (asks === 'sheet') return await sniffSheet(path.join(folder, file), file, said);
    return await sniffDialect(() => bytesOf(folder, file), file, encoding, said);
  } catch (error) {
    if (error instanceof SeedError) return undefined;
    throw error;
  }
}
