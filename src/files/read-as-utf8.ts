import { BadBytes, decodeText } from './decode-text.ts';
import type { WrittenFile } from './format.ts';
import type { ReadBytes, SourceTable } from './source-table.ts';

/**
 * Opens a table of a format that is UTF-8 by its standard, from a file in another encoding, or with
 * bytes that are to be replaced.
 */
export async function readAsUtf8<T extends SourceTable>(
  { file, encoding = 'utf-8', dialect }: WrittenFile,
  readBytes: ReadBytes,
  read: (readBytes: ReadBytes) => Promise<T>,
): Promise<T> {
  if (encoding === 'utf-8' && dialect?.badBytes === undefined) return read(readBytes);
  let notes: readonly string[] = [];
  const table = await read(async function* () {
    const bad = dialect?.badBytes === undefined ? undefined : new BadBytes();
    for await (const text of decodeText(readBytes, encoding, file, bad)) yield Buffer.from(text);
    // A reading that ends before the file has not counted all.
    notes = bad?.notes(encoding.toUpperCase()) ?? [];
  });
  return {
    ...table,
    get notes() {
      return [...notes, ...table.notes];
    },
  };
}
