import path from 'node:path';
import { nameOfDelimiter, type TotalsRule } from '../block/declaration.ts';
import { DETECTED_BYTES, detectFormat } from '../files/detect-format.ts';
import { findEncoding } from '../files/encoding.ts';
import type { FileFormat, GivenWriting, Sniffed } from '../files/file-format.ts';
import { DEFAULT_FILE_FORMAT, FILE_FORMATS, type FileFormatName } from '../files/file-formats.ts';
import { bytesOf, type FileIn, firstBytes } from '../files/read-bytes.ts';
import { SeedError } from '../files/source-table.ts';
import { calledTotal, isNamed, ruleTest } from '../files/totals.ts';
import { showCell } from '../text/wording.ts';
import { defined } from '../values/field-type.ts';
import { nameColumns } from './column-names.ts';
import { judgeTotals, TotalsApart } from './find-totals.ts';
import { readTable } from './read.ts';
import type { BlockFile, TableFile } from './recipe.ts';
import { isLeftOut, isName, keptNote, leftOutNote } from './settle-totals.ts';
import { sniffTable } from './sniff-file.ts';

/**
 * Returns a block as it reads its next file. Finds anew the notes that are left out by their place,
 * and totals at the end. Throws a SeedError if the file cannot be read as the block's own.
 */
export async function asNext(block: BlockFile, own: FileIn, next: FileIn): Promise<AsRead> {
  const reason = await writingFault(block, next);
  if (reason !== undefined) throw new SeedError(next.file, reason);
  return withTotals(await withNotes(block, own, next), own, next);
}

/**
 * Says why a file cannot be read as its block says: it has another format or encoding. Throws a
 * SeedError if it is not a table at all.
 */
async function writingFault(
  source: TableFile,
  { folder, file }: FileIn,
): Promise<string | undefined> {
  const { format = DEFAULT_FILE_FORMAT, encoding = 'utf-8', dialect: { badBytes } = {} } = source;
  // The ending is the block's, because a server may give the file any name.
  const name = `${path.parse(file).name}${path.extname(source.file)}`;
  const foundFormat = detectFormat(
    await firstBytes({ folder, file }, DETECTED_BYTES),
    name,
    badBytes,
  );
  const isOtherText = isDelimited(foundFormat) !== isDelimited(format);
  if (isOtherText || (!isDelimited(foundFormat) && foundFormat !== format)) {
    return `is ${foundFormat} now; block.json reads ${format}`;
  }
  if (!isDelimited(format)) return undefined;
  const readBytes = () => bytesOf(folder, file);
  const expected = new TextDecoder(encoding).encoding;
  const { encoding: found, why } = await findEncoding(readBytes, file, badBytes);
  if (found === expected) return undefined;
  // Without a byte order mark, ASCII is the same in all encodings but UTF-16. Text that is not
  // UTF-8 may be in any of the other encodings: its reader then finds the fault.
  const isOther = (name: string) => name !== 'utf-8' && !name.startsWith('utf-16');
  if (isOther(expected) && isOther(found)) return undefined;
  const line = found === 'utf-8' ? await lineBeyondAscii(readBytes) : undefined;
  if (isOther(expected) && found === 'utf-8' && line === undefined) return undefined;
  const where = line === undefined ? why : `line ${line} shows it`;
  return `is ${found} now (${where}); block.json reads ${expected}`;
}

/** Whether a format has records whose cells are separated by delimiters. */
function isDelimited(format: FileFormatName): boolean {
  return FILE_FORMATS[format].takes.includes('delimiter');
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
 * Returns a block as it reads another file. Notes below the table are at other records there, so
 * they are found anew, unless the `commentRows` are not those found in the block's own file.
 */
async function withNotes(block: BlockFile, own: FileIn, next: FileIn): Promise<AsRead> {
  const asRead = { block, leftOut: [] };
  const { commentRows: known, ...others } = block.dialect ?? {};
  const isKnown = ({ dialect }: Pick<Sniffed, 'dialect'>) =>
    String(known) === String(dialect.commentRows);
  const found = await sniffed(block, next);
  if (found === undefined) return asRead;
  if (isKnown(found)) return { block, leftOut: found.leftOut };
  const before = await sniffed(block, own);
  if (before === undefined) return asRead;
  const totals = isKnown(before) ? others.totals : await totalsNumbered(block, before, own);
  if (!isKnown(before) && totals === undefined) return asRead;
  const { commentRows } = found.dialect;
  const dialect = { ...others, commentRows, totals };
  return { block: { ...block, dialect }, leftOut: found.leftOut };
}

/** A block as it reads another file, with a clause for each record that it leaves out or keeps. */
export type AsRead = { readonly block: BlockFile; readonly leftOut: readonly string[] };

/**
 * Returns a block as it reads another file, which may have totals that its own has not. Leaves out
 * those at the end that add up, unless the block's own file has rows with that name. Throws a
 * SeedError if the block's rules find more totals than a file can have.
 */
async function withTotals({ block, leftOut }: AsRead, own: FileIn, next: FileIn): Promise<AsRead> {
  const { totals: known = [], ...others } = block.dialect ?? {};
  const { filledDown: _filled, ...asWritten } = others;
  const openTable = () => readTable({ ...block, dialect: asWritten, file: next.file }, next.folder);
  const apart = new TotalsApart();
  const { headers, records, counts } = await openTable();
  for await (const record of records) {
    apart.add(record);
    apart.takeOrdinary();
  }
  const areMany = apart.areValues ? known : apart.areNames ? known.filter(isNamed) : [];
  const [rule] = areMany;
  if (rule !== undefined) {
    const reason = `more rows than a file has totals are called ${showCell(rule.is)} in ${rule.column} or the like, which block.json leaves out; if they are rows, take that out of "totals" of its dialect`;
    throw new SeedError(next.file, reason);
  }
  const judged = await judgeTotals(apart.take(), headers, openTable);
  const names = nameColumns(headers).map(({ name }) => name);
  const found = judged.map((group) => {
    const total = { column: names[group.column] as string, is: group.is };
    const isKnown = known.some(({ column, is }) => column === total.column && is === total.is);
    return { ...group, total, isKnown };
  });
  const perhaps = found
    .filter((group) => !group.isKnown && isLeftOut(group))
    .map(({ total }) => total);
  const rows = await calledSo(block, own, perhaps);
  const further = perhaps.filter((total) => !rows.has(total));
  const notes = found.flatMap((group) => {
    const { total, isKnown } = group;
    if (total.is === '' && isName(group)) return [];
    if (isKnown || further.includes(total)) return leftOutNote(group, total.column, counts);
    return isName(group) ? [] : keptNote(group, total.column, counts);
  });
  // Without a word, the last row is a total only as long as it adds up.
  const isStill = ({ is }: TotalsRule) =>
    is !== '' || found.some((one) => one.is === '' && one.isKnown && one.addsUp !== 'none');
  const totals = [...known.filter(isStill), ...further];
  const { dialect: _, ...rest } = block;
  const dialect = defined({ ...others, totals: totals.length === 0 ? undefined : totals });
  return {
    block: Object.keys(dialect).length === 0 ? rest : { ...block, dialect },
    leftOut: [...leftOut, ...notes],
  };
}

/** Returns those rules for totals that match rows of the block's own file. */
async function calledSo(
  block: BlockFile,
  { folder }: FileIn,
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
 * Makes rules for the totals that a block leaves out by their numbers, as blocks of 2026 do.
 * Undefined if it leaves out anything else, or if further rows have the same names.
 */
async function totalsNumbered(
  block: BlockFile,
  { dialect: found, totalsBelow }: Pick<Sniffed, 'dialect' | 'totalsBelow'>,
  { folder }: FileIn,
): Promise<readonly TotalsRule[] | undefined> {
  const { commentRows: known = [], ...others } = block.dialect ?? {};
  const notes = found.commentRows ?? [];
  const numbered = known.filter((number) => !notes.includes(number));
  const areTotals = numbered.length > 0 && numbered.every((number) => totalsBelow.includes(number));
  if (!areTotals || notes.some((number) => !known.includes(number))) return undefined;
  const dialect = { ...others, commentRows: notes.length === 0 ? undefined : notes };
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

/**
 * Finds out how a file is written, with a recipe as given. Undefined if it cannot be read so: its
 * reader says why.
 */
async function sniffed(recipe: TableFile, at: FileIn): Promise<Sniffed | undefined> {
  const format = FILE_FORMATS[recipe.format ?? DEFAULT_FILE_FORMAT];
  if (format.sniff === undefined) return undefined;
  return sniffTable(at, format, givenBy(recipe, format)).catch(unlessUnread);
}

/** What a recipe says about how its file is written. */
function givenBy(
  { encoding = 'utf-8', dialect = {} }: TableFile,
  { takes, delimiter: usual = ',' }: FileFormat,
): GivenWriting {
  const { delimiter = usual, quoteChar = '"', header = true, table = 'all' } = dialect;
  const { sheetName: sheet, badBytes, headerRows = [] } = dialect;
  const at = dialect.table === undefined ? headerRows[0] : undefined;
  const place = takes.includes('sheet') ? 'headerLine' : 'headerRecord';
  return {
    encoding,
    delimiter,
    quoteChar,
    header,
    table,
    headerRows: dialect.headerRows?.length ?? 1,
    [place]: at,
    sheet,
    badBytes,
  };
}

/** Reports a delimiter that is not the recipe's. */
export async function delimiterFault(recipe: TableFile, at: FileIn): Promise<string | undefined> {
  const { format: name = DEFAULT_FILE_FORMAT, encoding = 'utf-8', dialect = {} } = recipe;
  if (!isDelimited(name)) return undefined;
  const format = FILE_FORMATS[name];
  const expected = dialect.delimiter ?? format.delimiter ?? ',';
  const given = { encoding, badBytes: dialect.badBytes };
  const sniffed = await sniffTable(at, format, given).catch(unlessUnread);
  const found = sniffed?.dialect.delimiter ?? ',';
  if (sniffed === undefined || found === expected) return undefined;
  return `a ${nameOfDelimiter(found)} is between cells now; block.json reads a ${nameOfDelimiter(expected)}`;
}

/** Ignores a fault of a file, which its reader will report. */
function unlessUnread(error: unknown): undefined {
  if (error instanceof SeedError) return undefined;
  throw error;
}
