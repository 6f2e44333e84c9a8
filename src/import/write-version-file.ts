import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type FileKind, fileTooLong } from '../formats/files.ts';

/**
 * Writes a file of a version, and waits until the disk has it. Returns the hash of its bytes. Throws
 * a Problem if these are more than `most`.
 */
export async function writeVersionFile(
  place: string,
  { isPacked }: FileKind,
  pieces: AsyncIterable<string | Uint8Array>,
  most: number,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(place, 'wx');
  try {
    for await (const piece of isPacked ? packed(pieces) : pieces) {
      const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
      bytes += data.length;
      if (bytes > most) throw fileTooLong(most);
      hash.update(data);
      await file.writeFile(data);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return nameOf(hash);
}

/** What a file is named by. */
export function nameOf(hash: Hash): string {
  return hash.digest('hex');
}

/** The pieces, compressed. */
function packed(pieces: AsyncIterable<string | Uint8Array>): AsyncIterable<Uint8Array> {
  // What fails on either side ends the other; who takes the pieces is told.
  return pipeline(pieces, createGzip(), () => {});
}
