import { crc32, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { isDescribed, isEntry } from './check-chunk.ts';
import {
  type Chunk,
  type Dictionary,
  type Narrow,
  narrowArray,
  type TextRun,
  widthOf,
} from './chunk.ts';
import type { ChunkEntry } from './column-directory.ts';

/**
 * Unpacks a chunk. Rejects if its bytes are not those that its entry describes: no answer is better
 * than a wrong one.
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

/** Reads the parts of a chunk, once they are inflated. */
export function readParts(bytes: Buffer, entry: ChunkEntry): Chunk {
  const parts = new Parts(bytes);
  const { rows, size, firstKey, deltas } = entry;
  const codes = parts.numbers(narrowArray(size, rows));
  if (deltas) addUp(codes, size - 1);
  return { codes, firstKey, size, dictionary: dictionaryOf(parts, entry) };
}

/** Deflate makes no more of a byte: 258 bytes of 2 bits. */
const MOST_INFLATION = 1032;

function dictionaryOf(parts: Parts, { dictionary, rows, size, firstKey }: ChunkEntry): Dictionary {
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
    textCodes: parts.numbers(narrowArray(texts + 1, rows)),
  };
}

/** The unpacked bytes of a chunk. */
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

/** Reads what was packed, part by part. */
class Parts {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Fills an array with numbers that lie in planes. */
  numbers<T extends Narrow | Float64Array>(numbers: T): T {
    const { byteLength, BYTES_PER_ELEMENT: width } = numbers;
    const planes = this.#next(byteLength);
    const bytes = new Uint8Array(numbers.buffer);
    if (width === 1) bytes.set(planes);
    else {
      for (let plane = 0, at = 0; plane < width; plane++) {
        for (let i = plane; i < byteLength; i += width) bytes[i] = planes[at++] as number;
      }
    }
    return numbers;
  }

  /** Texts, at their codes: the first ones have `unused` before them. */
  texts(size: number, unused: number, length: number): TextRun {
    const ends = new Uint32Array(size);
    ends.set(this.numbers(new Uint32Array(size - unused)), unused);
    if (addUp(ends, length) !== length) throw damaged();
    // A copy, so that the other parts can be freed.
    const bytes = Buffer.allocUnsafeSlow(length);
    bytes.set(this.#next(length));
    return { bytes, ends };
  }

  #next(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Turns differences into the numbers themselves, none above `most`. Returns the last. */
function addUp(numbers: Narrow, most: number): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) {
    sum += numbers[i] as number;
    if (sum > most) throw damaged();
    numbers[i] = sum;
  }
  return sum;
}

/** Fewer bytes are inflated sooner than a thread has begun to. */
const FEW_BYTES = 2 ** 14;

/** Inflates beside the event loop, if that pays. */
async function inflated(bytes: Uint8Array, length: number): Promise<Buffer> {
  const options = { maxOutputLength: Math.max(1, length) };
  try {
    const whole =
      length <= FEW_BYTES ? inflateRawSync(bytes, options) : await inflateAside(bytes, options);
    if (whole.length === length) return whole;
  } catch {
    // What cannot be inflated is damaged too.
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
