import path from 'node:path';
import type { BlockFile } from '../block/block-file.ts';
import { bytesOf } from '../importer/seed-files.ts';
import type { TotalsWish } from '../readers/find-comments.ts';
import { SeedError } from '../readers/seed-error.ts';
import { type SniffedDialect, sniffDialect } from '../readers/sniff-dialect.ts';
import { sniffSheet } from '../readers/sniff-sheet.ts';
import { type GivenFile, isDelimited } from './check-writing.ts';

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
