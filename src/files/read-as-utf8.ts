import { BadBytes, decodeText } from './decode-text.ts';
import type { WrittenFile } from './file-format.ts';
import type { ReadBytes, SourceTable } from './source-table.ts';

/**
 * Opens a table whose format is UTF-8 by its standard, if the file is in another encoding or has
 * bytes to replace.
 */
export async function readAsUtf8(
  { file, encoding = 'utf-8', dialect }: WrittenFile,
  readBytes: ReadBytes,
  read: (readBytes: ReadBytes) => Promise<SourceTable>,
): Promise<SourceTable> {
  if (encoding === 'utf-8' && dialect?.badBytes === undefined) return read(readBytes);
  let notes: readonly string[] = [];
  const table = await read(async function* () {
    const bad = dialect?.badBytes === undefined ? undefined : new BadBytes();
    for await (const text of decodeText({ readBytes, file, encoding }, bad))
      yield Buffer.from(text);
    // A reading that stops early has not counted all.
    notes = bad?.notes(encoding.toUpperCase()) ?? [];
  });
  return {
    ...table,
    get notes() {
      return [...notes, ...table.notes];
    },
  };
}
