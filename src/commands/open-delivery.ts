import path from 'node:path';
import type { BlockFile, TableFile } from '../block/block-file.ts';
import { detectFormat } from '../files/detect-format.ts';
import { findEncoding } from '../files/encoding.ts';
import type { TotalsWish } from '../files/find-comments.ts';
import { type SniffedDialect, sniffDialect, sniffSheet } from '../files/sniff-dialect.ts';
import { SeedError, type SourceRecord, type SourceTable } from '../files/source-table.ts';
import { placeOf } from '../import/cells.ts';
import { nameColumns } from '../import/column-names.ts';
import type { Delivery } from '../import/compare-deliveries.ts';
import { bytesOf, readTable } from '../import/seed-files.ts';
import type { Value } from '../values/field-type.ts';
import { type CellReader, cellReader } from '../values/spelling.ts';
import { firstBytes } from './open-file.ts';

/** A field that a file has a column for. */
type FoundField = { readonly name: string; readonly at: number; readonly read: CellReader };

/** A file as a block reads it, whether or not it fits. */
export type OpenedDelivery = Delivery & {
  readonly table: SourceTable;
  /** The columns' names, as those of fields are made. */
  readonly names: readonly string[];
  readonly found: readonly FoundField[];
  /** The fields without a column. */
  readonly gone: readonly string[];
};

/** Opens a file as a block reads its own. Throws a SeedError if its head cannot be read. */
export async function openDelivery(
  block: BlockFile,
  { folder, file }: GivenFile,
): Promise<OpenedDelivery> {
  const open = () => readTable({ ...block, file }, folder);
  const table = await open();
  const names = nameColumns(table.headers).map(({ name }) => name);
  const { missingValues } = block;
  const fields = block.fields.map((field) => ({
    ...(missingValues === undefined ? {} : { missingValues }),
    ...field,
  }));
  const places = fields.map((field) => placeOf(field, names, table.headers));
  const find = () =>
    fields.flatMap((field, i): FoundField[] => {
      const at = places[i] as number;
      return at < 0 ? [] : [{ name: field.name, at, read: cellReader(field, field) }];
    });
  const found = find();
  return {
    table,
    names,
    found,
    gone: fields.filter((_, i) => (places[i] as number) < 0).map(({ name }) => name),
    columns: found.map(({ name }) => name),
    // Each time with readers of its own, which may take what they expect from the first cells.
    rows: () => rowsOf(open, find()),
  };
}

async function* rowsOf(open: () => Promise<SourceTable>, found: readonly FoundField[]) {
  for await (const record of (await open()).records) {
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
export async function checkWriting(
  { folder, file }: GivenFile,
  source: TableFile,
): Promise<string | undefined> {
  const { format = 'csv', encoding = 'utf-8' } = source;
  // By the block's ending: a server may give the file any name.
  const name = `${path.parse(file).name}${path.extname(source.file)}`;
  const found = detectFormat(await firstBytes(folder, file), name);
  if (isDelimited(found) !== isDelimited(format) || (!isDelimited(found) && found !== format)) {
    return `is ${found} now; block.json reads ${format}`;
  }
  if (!isDelimited(format)) return undefined;
  const readBytes = () => bytesOf(folder, file);
  const expected = new TextDecoder(encoding).encoding;
  const { encoding: its, why } = await findEncoding(readBytes, file);
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
export function isDelimited(format: string): boolean {
  return format === 'csv' || format === 'tsv';
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
 * A block as it reads another file than its own. Notes and totals below the table stand at other
 * records there, so they are found anew, unless `commentRows` names others than are found in its own.
 * A total that adds up in no column is a row, unless the block leaves out such a one of its own.
 */
export async function withItsComments(
  block: BlockFile,
  own: GivenFile,
  given: GivenFile,
): Promise<{ readonly block: BlockFile; readonly leftOut: readonly string[] }> {
  const asRead = { block, leftOut: [] };
  const { commentRows: known, ...others } = block.dialect ?? {};
  const isKnown = ({ dialect }: Pick<SniffedDialect, 'dialect'>) =>
    String(known) === String(dialect.commentRows);
  let found = await sniffed(block, given);
  if (found === undefined) return asRead;
  if (!isKnown(found) || found.unsureTotals.length > 0) {
    const before = await sniffed(block, own);
    if (before === undefined) return asRead;
    if (!isKnown(before)) {
      const dropped = before.unsureTotals.length > 0 && (await sniffed(block, own, 'drop'));
      if (!dropped || !isKnown(dropped)) return asRead;
      found = (await sniffed(block, given, 'drop')) ?? found;
    }
  }
  const { commentRows } = found.dialect;
  const dialect = { ...others, ...(commentRows === undefined ? {} : { commentRows }) };
  return {
    block: isKnown(found) ? block : { ...block, dialect },
    leftOut: found.leftOut,
  };
}

/** Undefined for a format without such, or if it cannot be read as the block says: its reader tells. */
async function sniffed(
  { format = 'csv', encoding = 'utf-8', dialect = {} }: BlockFile,
  { folder, file }: GivenFile,
  totals?: TotalsWish,
): Promise<Omit<SniffedDialect, 'alternatives'> | undefined> {
  if (!isDelimited(format) && format !== 'xlsx') return undefined;
  const { delimiter = format === 'tsv' ? '\t' : ',', quoteChar = '"', header = true } = dialect;
  const { sheetName: sheet } = dialect;
  const wish = totals === undefined ? {} : { totals };
  const said = { delimiter, quoteChar, header, ...wish };
  try {
    if (format === 'xlsx') {
      const named = sheet === undefined ? wish : { ...wish, sheet };
      return await sniffSheet(path.join(folder, file), file, named);
    }
    return await sniffDialect(() => bytesOf(folder, file), file, encoding, said);
  } catch (error) {
    if (error instanceof SeedError) return undefined;
    throw error;
  }
}
