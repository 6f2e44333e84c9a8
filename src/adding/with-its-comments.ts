import type { BlockFile } from '../block/block-file.ts';
import { bytesOf } from '../importer/seed-files.ts';
import { SeedError } from '../readers/seed-error.ts';
import { type SniffedDialect, sniffDialect } from '../readers/sniff-dialect.ts';
import { type GivenFile, isDelimited } from './check-writing.ts';

/**
 * A block as it reads another file than its own. Notes and totals below the table stand at other
 * records there, so they are found anew, unless `commentRows` names others than are found in its own.
 */
export async function withItsComments(
  block: BlockFile,
  own: GivenFile,
  given: GivenFile,
): Promise<{ readonly block: BlockFile; readonly leftOut: readonly string[] }> {
  const found = await sniffed(block, given);
  if (found === undefined) return { block, leftOut: [] };
  const { commentRows: known, ...others } = block.dialect ?? {};
  const { commentRows } = found.dialect;
  if (String(known) === String(commentRows)) return { block, leftOut: found.leftOut };
  const before = await sniffed(block, own);
  if (String(known) !== String(before?.dialect.commentRows)) return { block, leftOut: [] };
  const dialect = { ...others, ...(commentRows === undefined ? {} : { commentRows }) };
  return { block: { ...block, dialect }, leftOut: found.leftOut };
}

/** Undefined if it is no CSV, or cannot be cut as the block says: then its reader tells. */
async function sniffed(
  { format = 'csv', encoding = 'utf-8', dialect = {} }: BlockFile,
  { folder, file }: GivenFile,
): Promise<SniffedDialect | undefined> {
  if (!isDelimited(format)) return undefined;
  const { delimiter = format === 'tsv' ? '\t' : ',', quoteChar = '"', header = true } = dialect;
  const said = { delimiter, quoteChar, header };
  try {
    return await sniffDialect(() => bytesOf(folder, file), file, encoding, said);
  } catch (error) {
    if (error instanceof SeedError) return undefined;
    throw error;
  }
}
