import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { numberText } from '../text/wording.ts';
import type { Beginning } from './file-format.ts';
import { listed, SeedError } from './source-table.ts';

/** Files in a `.zip` file. */
const MAX_PARTS = 10_000;

/** The files in a zip archive, by their names in lower case. */
export class ZipParts {
  readonly #path: string;
  readonly #file: string;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(path: string, file: string, entries: ReadonlyMap<string, Entry>) {
    this.#path = path;
    this.#file = file;
    this.#entries = entries;
  }

  /** Reads the archive's directory. Throws a SeedError if it is damaged. */
  static async open(path: string, file: string): Promise<ZipParts> {
    const entries = new Map<string, Entry>();
    try {
      const zip = await openPromise(path);
      for await (const entry of zip.eachEntry()) {
        const name = entry.fileName.toLowerCase();
        if (entries.has(name)) throw new Error(`two files in it are called ${listed([name])}`);
        entries.set(name, entry);
        if (entries.size > MAX_PARTS)
          throw new Error(`it holds over ${numberText(MAX_PARTS)} files`);
      }
    } catch (error) {
      throw damaged(file, error);
    }
    return new ZipParts(path, file, entries);
  }

  /** The names of its files as written, without folders. */
  names(): string[] {
    const names = Array.from(this.#entries.values(), ({ fileName }) => fileName);
    return names.filter((name) => !name.endsWith('/'));
  }

  /** The packed bytes of a file in it. */
  packedSize(name: string): number {
    return this.#entries.get(name.toLowerCase())?.compressedSize ?? 0;
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * Yields a part's unpacked bytes. Refuses a part that declares more than `most`, or holds more
   * than it declares.
   */
  async *bytes(name: string, most: number): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined)
      throw new SeedError(this.#file, `${listed([name])} is missing in it; save it anew`);
    if (entry.uncompressedSize > most) {
      const reason = `${listed([name])} is over ${numberText(most / 2 ** 20)} MiB when unpacked; unpack it yourself, or save it as CSV`;
      throw new SeedError(this.#file, reason);
    }
    if (entry.isEncrypted()) {
      throw new SeedError(this.#file, 'it has a password; save it without one');
    }
    let sum = 0;
    try {
      const zip = await openPromise(this.#path, { autoClose: false });
      try {
        for await (const bytes of await zip.openReadStreamPromise(entry)) {
          sum = crc32(bytes, sum);
          yield bytes;
        }
      } finally {
        zip.close();
      }
      if (sum !== entry.crc32) throw new Error(`the checksum of ${listed([name])} is wrong`);
    } catch (error) {
      throw damaged(this.#file, error);
    }
  }
}

function damaged(file: string, error: unknown): SeedError {
  if (error instanceof SeedError) return error;
  return new SeedError(
    file,
    `a damaged zip archive: ${listed([(error as Error).message])}; get it anew from its source`,
  );
}

/** The name of a zip archive's first file. Undefined if it is not an archive. */
export function firstInZip({ bytes, start }: Beginning): string | undefined {
  if (!start.startsWith('PK\x03') && !start.startsWith('PK\x05')) return undefined;
  const length = bytes.length < 30 ? 0 : bytes.readUInt16LE(26);
  return bytes.toString('utf8', 30, 30 + length);
}
