import { isUtf8 } from 'node:buffer';
import { crc32, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { POWERS } from '../text/decimal.ts';
import type { TextRun } from '../text/text-run.ts';
import {
  boundOf,
  CHUNK_ROWS,
  type Chunk,
  type ChunkEntry,
  type Dictionary,
  keyAt,
  type UintArray,
  uintArrayFor,
  widthOf,
} from './chunk.ts';

/**
 * Unpacks a chunk. Rejects if the bytes are not those that the entry describes, because no answer
 * is better than a wrong one.
 */
export async function unpackChunk(bytes: Uint8Array, entry: ChunkEntry): Promise<Chunk> {
  if (!isEntry(entry) || bytes.length !== entry.bytes || crc32(bytes) !== entry.crc32) {
    throw damaged();
  }
  const length = lengthOf(entry);
  if (length > MOST_INFLATION * bytes.length) throw damaged();
  const chunk = readParts(await inflated(bytes, length), entry);
  if (!isDescribed(chunk, entry)) throw damaged();
  return chunk;
}

/** Unpacks a chunk that this process has packed, or another thread of it. */
export function readChunk(bytes: Uint8Array, entry: ChunkEntry): Chunk {
  const chunkSize = lengthOf(entry) + ROOM_LEFT;
  return readParts(inflateRawSync(bytes, { chunkSize }), entry);
}

/** Reads the parts of a chunk from its inflated bytes. */
function readParts(bytes: Buffer, entry: ChunkEntry): Chunk {
  const parts = new PackedParts(bytes);
  const { rows, size, firstKey, deltas } = entry;
  const codes = parts.numbers(uintArrayFor(size, rows));
  if (deltas) addUp(codes, size - 1);
  return { codes, firstKey, size, dictionary: dictionaryOf(parts, entry) };
}

/** The most bytes that deflate can make of one byte: 258 bytes take at least 2 bits. */
const MOST_INFLATION = 1032;

function dictionaryOf(
  parts: PackedParts,
  { dictionary, rows, size, firstKey }: ChunkEntry,
): Dictionary {
  if (dictionary.kind === 'frame') return dictionary;
  if (dictionary.kind === 'numbers') {
    const values = new Float64Array(size);
    values.set(parts.numbers(new Float64Array(size - firstKey)), firstKey);
    return { kind: 'numbers', values };
  }
  const { keyBytes, textBytes, texts } = dictionary;
  const keys = parts.texts(size, firstKey, keyBytes);
  if (textBytes === undefined) return { kind: 'texts', keys, texts: keys };
  if (texts === undefined) {
    return { kind: 'texts', keys, texts: parts.texts(size, firstKey, textBytes) };
  }
  return {
    kind: 'texts',
    keys,
    texts: parts.texts(texts + 1, 1, textBytes),
    textCodes: parts.numbers(uintArrayFor(texts + 1, rows)),
  };
}

/** The size of a chunk's unpacked bytes. */
function lengthOf({ rows, size, firstKey, dictionary }: ChunkEntry): number {
  const codes = widthOf(size) * rows;
  const listed = size - firstKey;
  if (dictionary.kind === 'frame') return codes;
  if (dictionary.kind === 'numbers') return codes + 8 * listed;
  const { keyBytes, textBytes, texts } = dictionary;
  const ofKeys = codes + 4 * listed + keyBytes;
  if (textBytes === undefined) return ofKeys;
  const ofTexts = 4 * (texts ?? listed) + textBytes;
  return ofKeys + ofTexts + (texts === undefined ? 0 : widthOf(texts + 1) * rows);
}

/** Reads the packed parts one after another. */
class PackedParts {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Fills an array with numbers that are stored as byte planes. */
  numbers<T extends UintArray | Float64Array>(numbers: T): T {
    const planes = this.#next(numbers.byteLength);
    if (numbers instanceof Uint8Array) numbers.set(planes);
    else if (numbers instanceof Uint16Array) joinPairs(planes, numbers);
    else if (numbers instanceof Uint32Array) joinQuads(planes, numbers, 0, 1);
    else {
      const halves = new Uint32Array(numbers.buffer);
      joinQuads(planes, halves, 0, 2);
      joinQuads(planes.subarray(4 * numbers.length), halves, 1, 2);
    }
    return numbers;
  }

  /** Reads texts by their codes. The first `unused` codes have no text. */
  texts(size: number, unused: number, length: number): TextRun {
    const ends = new Uint32Array(size);
    ends.set(this.numbers(new Uint32Array(size - unused)), unused);
    if (addUp(ends, length) !== length) throw damaged();
    // This is a copy, so that the memory of the other parts can be freed.
    const bytes = Buffer.allocUnsafeSlow(length);
    bytes.set(this.#next(length));
    return { bytes, ends };
  }

  #next(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Joins two planes of bytes. */
function joinPairs(planes: Uint8Array, numbers: Uint16Array): void {
  const { length } = numbers;
  for (let i = 0; i < length; i++) {
    numbers[i] = (planes[i] as number) | ((planes[length + i] as number) << 8);
  }
}

/** Joins four planes of bytes: to each number from one on that is so far from the one before. */
function joinQuads(planes: Uint8Array, numbers: Uint32Array, from: number, step: number): void {
  const length = numbers.length / step;
  for (let i = 0, at = from; i < length; i++, at += step) {
    numbers[at] =
      (planes[i] as number) |
      ((planes[length + i] as number) << 8) |
      ((planes[2 * length + i] as number) << 16) |
      ((planes[3 * length + i] as number) << 24);
  }
}

/** Turns differences back into numbers, none of them above `most`. Returns the last number. */
function addUp(numbers: UintArray, most: number): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) {
    sum += numbers[i] as number;
    if (sum > most) throw damaged();
    numbers[i] = sum;
  }
  return sum;
}

/** zlib's least size of a piece. */
const ROOM_LEFT = 64;

/** Inflating fewer bytes than this takes less time than handing them to a thread. */
const FEW_BYTES = 2 ** 14;

/** Inflates large chunks in a thread beside the event loop, and small ones at once. */
async function inflated(bytes: Uint8Array, length: number): Promise<Buffer> {
  // All bytes come at once, and zlib does not ask for room for more, which it would if none were
  // left. Of pieces of 16 KB, as usual, each takes a call.
  const chunkSize = length + ROOM_LEFT;
  const options = { maxOutputLength: Math.max(1, length), chunkSize };
  try {
    const whole =
      length <= FEW_BYTES ? inflateRawSync(bytes, options) : await inflateAside(bytes, options);
    if (whole.length === length) return whole;
  } catch {
    // Bytes that cannot be inflated are damaged too.
  }
  throw damaged();
}

function inflateAside(bytes: Uint8Array, options: ZlibOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    inflateRaw(bytes, options, (error, whole) => (error === null ? resolve(whole) : reject(error)));
  });
}

function damaged(): Error {
  return new Error('The chunk is not the one that its directory describes.');
}

/**
 * Tells whether the entry is possible at all. Unpacking trusts the counts in it and allocates
 * memory by them.
 */
function isEntry(entry: ChunkEntry): boolean {
  const { rows, nulls, distinct, size, firstKey, dictionary } = entry;
  const areCounts =
    isCount(rows, CHUNK_ROWS) &&
    isCount(nulls, rows) &&
    isCount(distinct, rows - nulls) &&
    isCount(size, 2 ** 32) &&
    firstKey === (nulls > 0 ? 1 : 0) &&
    distinct > 0 === nulls < rows;
  if (!areCounts) return false;
  if (dictionary.kind === 'frame') {
    const { first, power } = dictionary;
    return (
      Number.isSafeInteger(first) &&
      Number.isSafeInteger(first + size) &&
      Number.isInteger(power) &&
      isCount(Math.abs(power), POWERS.length - 1)
    );
  }
  if (distinct !== size - firstKey) return false;
  if (dictionary.kind === 'numbers') return true;
  const { kind, keyBytes, textBytes = 0, texts = 0 } = dictionary;
  return (
    kind === 'texts' &&
    isCount(keyBytes, MOST_TEXT_BYTES) &&
    isCount(textBytes, MOST_TEXT_BYTES) &&
    isCount(texts, rows) &&
    (dictionary.texts === undefined || dictionary.textBytes !== undefined)
  );
}

/** Offsets into texts have 32 bits. */
const MOST_TEXT_BYTES = 2 ** 32 - 1;

function isCount(number: number, most: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= most;
}

/**
 * Tells whether an unpacked chunk matches its entry, as far as one pass over the chunk can show.
 */
function isDescribed(chunk: Chunk, { nulls, size, min, max }: ChunkEntry): boolean {
  const { codes, firstKey, dictionary } = chunk;
  const { without, least, greatest } = extentOf(codes, firstKey);
  if (greatest >= size || without !== nulls) return false;
  if (dictionary.kind === 'numbers' && !isAscending(dictionary.values, firstKey)) return false;
  if (dictionary.kind === 'texts') {
    const { keys, texts, textCodes } = dictionary;
    if (!areTexts(keys) || (texts !== keys && !areTexts(texts))) return false;
    if (textCodes !== undefined && !areBelow(textCodes, texts.ends.length)) return false;
  }
  return boundAt(chunk, least) === min && boundAt(chunk, greatest) === max;
}

/** How many rows have no key, and the least and the greatest code of the others. */
function extentOf(codes: UintArray, firstKey: number) {
  let [without, least, greatest] = [0, 2 ** 32, -1];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey) without++;
    else if (code < least) least = code;
    if (code > greatest) greatest = code;
  }
  return { without, least, greatest };
}

function boundAt(chunk: Chunk, code: number): string | number | undefined {
  const key = code < chunk.firstKey || code >= chunk.size ? null : keyAt(chunk, code);
  return key === null ? undefined : boundOf(key);
}

function isAscending(values: Float64Array, from: number): boolean {
  for (let i = from + 1; i < values.length; i++) {
    if (!((values[i - 1] as number) < (values[i] as number))) return false;
  }
  return true;
}

function areBelow(codes: UintArray, size: number): boolean {
  for (let row = 0; row < codes.length; row++) if ((codes[row] as number) >= size) return false;
  return true;
}

/** Tells whether a run is valid UTF-8 and every text begins at a character's first byte. */
function areTexts({ bytes, ends }: TextRun): boolean {
  for (let i = 0; i < ends.length; i++) {
    if (((bytes[ends[i] as number] ?? 0) & 0b1100_0000) === 0b1000_0000) return false;
  }
  return isUtf8(bytes);
}
