import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

export type WrittenFile = { readonly bytes: number; readonly sha256: string };

/** Writes a file that is there whole or not at all: what has its path is replaced at the end. */
export async function writeFileWhole(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const part = `${file}.${randomUUID()}.part`;
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(part, 'wx');
  try {
    try {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.byteLength;
        await handle.writeFile(piece);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
