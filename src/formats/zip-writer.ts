import { crc32, deflateRawSync, constants as zlib } from 'node:zlib';

/** The length of a file in an archive, in 32 bits. Longer ones need a form that few programs read. */
export const MOST_FILE_BYTES = 2 ** 32 - 1;

/** A file in an archive (APPNOTE.TXT, 4.4). */
type ZipEntry = {
  readonly name: Buffer;
  readonly at: number;
  crc: number;
  packed: number;
  bytes: number;
};

/** Names are UTF-8, and lengths follow the bytes. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const VERSION = 20;

/** 1980-01-01, the first day of the format: the same rows are the same bytes. */
const DAY_ONE = 0x0021;

/** The end of what deflate has written: an empty last block. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** Writes a zip archive in pieces, a file after the other. Nothing of it stays in memory but its list. */
export class ZipWriter {
  readonly #entries: ZipEntry[] = [];
  #made: Uint8Array[] = [];
  #madeBytes = 0;
  #at = 0;

  /** Begins a file. */
  begin(name: string): void {
    const entry = { name: Buffer.from(name), at: this.#at, crc: 0, packed: 0, bytes: 0 };
    this.#entries.push(entry);
    this.#make(Buffer.concat([header(0x04034b50, [VERSION], entry), entry.name]));
  }

  /** Adds to the file that was begun last. Each part is packed by itself. Returns its bytes so far. */
  add(text: string): number {
    const entry = this.#entries.at(-1) as ZipEntry;
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes, { finishFlush: zlib.Z_FULL_FLUSH });
    entry.crc = crc32(bytes, entry.crc);
    entry.bytes += bytes.length;
    entry.packed += packed.length;
    this.#make(packed);
    return entry.bytes;
  }

  /** Ends the file that was begun last. */
  end(): void {
    const entry = this.#entries.at(-1) as ZipEntry;
    entry.packed += LAST_BLOCK.length;
    this.#make(LAST_BLOCK);
    this.#make(uint32s([0x08074b50, entry.crc, entry.packed, entry.bytes]));
  }

  /** Adds a whole file. */
  file(name: string, text: string): void {
    this.begin(name);
    this.add(text);
    this.end();
  }

  /** Ends the archive with the list of its files. */
  close(): void {
    const listAt = this.#at;
    for (const entry of this.#entries) {
      const place = Buffer.alloc(14);
      place.writeUInt32LE(entry.at, 10);
      this.#make(Buffer.concat([header(0x02014b50, [VERSION, VERSION], entry), place, entry.name]));
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#at - listAt, 12);
    end.writeUInt32LE(listAt, 16);
    this.#make(end);
  }

  /** How many bytes were made and not taken. */
  get waiting(): number {
    return this.#madeBytes;
  }

  take(): Uint8Array {
    const taken = Buffer.concat(this.#made);
    this.#made = [];
    this.#madeBytes = 0;
    return taken;
  }

  #make(bytes: Uint8Array): void {
    this.#made.push(bytes);
    this.#madeBytes += bytes.length;
    this.#at += bytes.length;
  }
}

/** What a file's own header and its line in the list have in common, up to the name's length. */
function header(mark: number, versions: readonly number[], entry: ZipEntry): Buffer {
  const { name, crc, packed, bytes } = entry;
  const shorts = Buffer.alloc(2 * (versions.length + 4));
  [...versions, FLAGS, DEFLATE, 0, DAY_ONE].forEach((value, i) => {
    shorts.writeUInt16LE(value, 2 * i);
  });
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(name.length, 0);
  return Buffer.concat([uint32s([mark]), shorts, uint32s([crc, packed, bytes]), lengths]);
}

function uint32s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value, 4 * i);
  });
  return bytes;
}
