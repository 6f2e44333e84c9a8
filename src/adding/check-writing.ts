import path from 'node:path';
import type { TableFile } from '../block/block-file.ts';
import { bytesOf } from '../importer/seed-files.ts';
import { detectFormat } from '../readers/detect-format.ts';
import { findEncoding } from '../readers/encoding.ts';
import { firstBytes } from './open-file.ts';

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
