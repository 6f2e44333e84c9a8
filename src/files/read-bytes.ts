import { closeSync, openSync, readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FileAt } from './file-format.ts';
import { SeedError } from './source-table.ts';

/** A file on disk. */
export type FileIn = { readonly folder: string; readonly file: string };

/** Access to a file on disk, as a format's reader takes it. */
export function fileAt({ folder, file }: FileIn): FileAt {
  return { path: path.join(folder, file), readBytes: () => bytesOf(folder, file) };
}

/** Bytes that are read at a time. */
const AT_ONCE = 2 ** 18;

/**
 * Streams a file's bytes. Throws a SeedError if it cannot be read. A stream of Node's would read each
 * piece in another thread, which takes the processor from the one that waits for it.
 */
export async function* bytesOf(folder: string, file: string): AsyncGenerator<Uint8Array> {
  let opened: number | undefined;
  try {
    opened = openSync(path.join(folder, file), 'r');
    for (;;) {
      const bytes = Buffer.allocUnsafeSlow(AT_ONCE);
      const length = readSync(opened, bytes, 0, AT_ONCE, null);
      if (length === 0) return;
      yield bytes.subarray(0, length);
      // What else this thread has to do gets its turn.
      await setImmediate();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SeedError(file, code === 'ENOENT' ? `is missing in ${folder}` : message);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

export async function readWhole(folder: string, file: string): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const bytes of bytesOf(folder, file)) read.push(bytes);
  return Buffer.concat(read);
}

/** Reads at most `most` of a file's first bytes. Throws a SeedError if there is no such file. */
export async function firstBytes({ folder, file }: FileIn, most: number): Promise<Uint8Array> {
  const whole = path.join(folder, file);
  const found = await stat(whole).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw new SeedError(file, 'is no file on the disk; write it to one, since it is read again');
  }
  const handle = await open(whole).catch((error: NodeJS.ErrnoException) => {
    throw new SeedError(file, error.code === 'ENOENT' ? `is not in ${folder}` : error.message);
  });
  try {
    const { bytesRead, buffer } = await handle
      .read(Buffer.alloc(most), 0, most, 0)
      .catch((error: NodeJS.ErrnoException) => {
        throw new SeedError(
          file,
          error.code === 'EISDIR' ? 'is a folder; name the file in it' : error.message,
        );
      });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
