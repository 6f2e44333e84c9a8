import { isAscii } from 'node:buffer';
import { POWERS } from '../text/decimal.ts';
import { bytesOfRun, startOf, type TextRun, textAt } from '../text/text-run.ts';
import type { Key } from '../values/field-type.ts';

/**
 * The rows in each chunk of a column; the last one has the rest. A row's place in its chunk fits in
 * 16 bits.
 */
export const CHUNK_ROWS = 2 ** 16;

/** Names this way of packing; another one gives a dataset another version. */
export const COLUMN_FORMAT = 2;

/** Whole numbers from 0, in the narrowest of these that holds them. */
export type UintArray = Uint8Array | Uint16Array | Uint32Array;

/**
 * One chunk of a column, in memory: a code for each row. Codes ascend with the keys that they stand
 * for, and rows with equal keys have equal codes. If `firstKey` is 1, code 0 stands for no key.
 */
export type Chunk = {
  readonly codes: UintArray;
  readonly firstKey: 0 | 1;
  /** The number of codes: all are below this. */
  readonly size: number;
  readonly dictionary: Dictionary;
};

/** What codes stand for; the entry at the code for no key means nothing. */
export type Dictionary = FrameOfReference | NumberList | TextList;

/** Code `code` stands for the number `(first + code) * 10 ** power`. */
export type FrameOfReference = {
  readonly kind: 'frame';
  readonly first: number;
  readonly power: number;
};

/** Distinct numbers, at their codes. */
export type NumberList = { readonly kind: 'numbers'; readonly values: Float64Array };

/** Texts, by the codes of their keys. */
export type TextList = {
  readonly kind: 'texts';
  readonly keys: TextRun;
  /** The texts as they are stored: by the codes of their keys, or by codes of their own. */
  readonly texts: TextRun;
  /** Given if some key has several texts: a code of a text for each row, 0 for none. */
  readonly textCodes?: UintArray;
};

/** How many bytes a code below `size` takes. */
export function widthOf(size: number): 1 | 2 | 4 {
  if (size <= 2 ** 8) return 1;
  return size <= 2 ** 16 ? 2 : 4;
}

export function uintArrayFor(size: number, length: number): UintArray {
  const width = widthOf(size);
  if (width === 1) return new Uint8Array(length);
  return width === 2 ? new Uint16Array(length) : new Uint32Array(length);
}

/** How many of some codes, all below `size`, each one is. */
export function countCodes(codes: UintArray, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}

let NUMBERS: Uint32Array | undefined;

/** The first whole numbers, at most as many as a chunk has rows. */
export function numbersBelow(count: number): Uint32Array {
  if (NUMBERS === undefined) {
    NUMBERS = new Uint32Array(CHUNK_ROWS);
    for (let number = 0; number < CHUNK_ROWS; number++) NUMBERS[number] = number;
  }
  return NUMBERS.subarray(0, count);
}

/** The number that a code with a key stands for. */
export function numberAt(dictionary: FrameOfReference | NumberList, code: number): number {
  if (dictionary.kind === 'numbers') return dictionary.values[code] as number;
  const whole = dictionary.first + code;
  // Dividing by a power of ten rounds once, as reading the decimal number does.
  return dictionary.power < 0
    ? whole / (POWERS[-dictionary.power] as number)
    : whole * (POWERS[dictionary.power] as number);
}

/** So many bytes are read as one string, of which texts are slices. */
const MOST_BYTES_AT_ONCE = 2 ** 16;

/** Reads texts of a run by their indices; many of a short run in a fraction of the time. */
export function textReader(run: TextRun): (index: number) => string {
  const { bytes, ends } = run;
  if (bytes.length > MOST_BYTES_AT_ONCE || !isAscii(bytes)) return (index) => textAt(run, index);
  const all = bytes.toString('latin1');
  return (index) => all.slice(startOf(run, index), ends[index]);
}

/** The key that a code stands for; null if none. */
export function keyAt({ dictionary, firstKey }: Chunk, code: number): Key | null {
  if (code < firstKey) return null;
  return dictionary.kind === 'texts' ? textAt(dictionary.keys, code) : numberAt(dictionary, code);
}

/** The text of a row; null if it has none. */
export function textOfRow({ codes, firstKey, dictionary }: Chunk, row: number): string | null {
  const { texts, textCodes } = dictionary as TextList;
  const code = (textCodes ?? codes)[row] as number;
  return code === 0 && (textCodes !== undefined || firstKey === 1) ? null : textAt(texts, code);
}

/** The bytes that a chunk takes in memory. */
export function bytesOfChunk({ codes, dictionary }: Chunk): number {
  if (dictionary.kind === 'frame') return codes.byteLength;
  if (dictionary.kind === 'numbers') return codes.byteLength + dictionary.values.byteLength;
  const { keys, texts, textCodes } = dictionary;
  const ofTexts = texts === keys ? 0 : bytesOfRun(texts) + (textCodes?.byteLength ?? 0);
  return codes.byteLength + bytesOfRun(keys) + ofTexts;
}

/** What is stored of a column beside its chunks: an entry for each, so that few need be read. */
export type ColumnDirectory = { readonly chunks: readonly ChunkEntry[] };

/** How a chunk is packed, and what is known of it without unpacking it. */
export type ChunkEntry = {
  readonly rows: number;
  /** The rows that have no key. */
  readonly nulls: number;
  /** The distinct keys. */
  readonly distinct: number;
  /** As in `Chunk`. */
  readonly size: number;
  readonly firstKey: 0 | 1;
  /**
   * The least and the greatest key; texts are cut to their first `BOUND_LENGTH` units. Absent if no
   * row has a key.
   */
  readonly min?: Key;
  readonly max?: Key;
  /** Whether each code is stored as its difference from the one before. */
  readonly deltas: boolean;
  readonly dictionary: StoredDictionary;
  /** The packed bytes: their number, and their CRC-32. */
  readonly bytes: number;
  readonly crc32: number;
};

/** The kind of dictionary, and what is needed to read it. */
type StoredDictionary =
  | { readonly kind: 'frame'; readonly first: number; readonly power: number }
  | { readonly kind: 'numbers' }
  /**
   * The bytes of all keys; and of all texts, unless each text is its key. `texts` is the number of
   * texts, if some key has several.
   */
  | {
      readonly kind: 'texts';
      readonly keyBytes: number;
      readonly textBytes?: number;
      readonly texts?: number;
    };

/** The most UTF-16 units of a text that a directory gives as a bound. */
export const BOUND_LENGTH = 32;

/** A key as a bound: the first units of a text, without half a character. */
export function boundOf<K extends Key>(key: K): K {
  if (typeof key !== 'string') return key;
  const cut = key.slice(0, BOUND_LENGTH);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)) as K;
}

/** The bytes that a chunk takes in memory, without its order. */
export function bytesInMemory({ rows, size, dictionary }: ChunkEntry): number {
  const codes = rows * widthOf(size);
  if (dictionary.kind === 'frame') return codes;
  if (dictionary.kind === 'numbers') return codes + 8 * size;
  const { keyBytes, textBytes, texts } = dictionary;
  const ofTexts =
    textBytes === undefined
      ? 0
      : texts === undefined
        ? textBytes + 4 * size
        : textBytes + 4 * (texts + 1) + rows * widthOf(texts + 1);
  return codes + keyBytes + 4 * size + ofTexts;
}

/** A chunk's rows as codes, and what is stored to tell what they stand for. */
export type EncodedColumn = Pick<Chunk, 'codes' | 'firstKey' | 'size'> & {
  readonly nulls: number;
  readonly distinct: number;
  readonly dictionary: StoredDictionary;
  /** The parts that are stored behind the codes. */
  readonly parts: readonly (UintArray | Float64Array)[];
  readonly bounds?: readonly [min: string | number, max: string | number];
};
