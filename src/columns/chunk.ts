import { isAscii } from 'node:buffer';
import { POWERS } from '../text/decimal.ts';
import { bytesOfRun, startOf, type TextRun, textAt } from '../text/text-run.ts';
import type { Key } from '../values/field-type.ts';

/**
 * Every chunk of a column has this many rows, except the last one, which has the rest. So a row's
 * number in its chunk fits in 16 bits.
 */
export const CHUNK_ROWS = 2 ** 16;

/** The version of this format. A change of it gives every dataset a new version. */
export const COLUMN_FORMAT = 2;

/** An array of whole numbers from 0. Use the narrowest of the three that holds all of them. */
export type UintArray = Uint8Array | Uint16Array | Uint32Array;

/**
 * One chunk of a column, in memory: a code for each row. Codes ascend with the keys that they stand
 * for, and rows with equal keys have equal codes. If `firstKey` is 1, code 0 stands for no key.
 */
export type Chunk = {
  readonly codes: UintArray;
  readonly firstKey: 0 | 1;
  /** The number of codes. Every code is less than this. */
  readonly size: number;
  readonly dictionary: Dictionary;
};

/** What the codes stand for. The entry at the code for no key means nothing. */
export type Dictionary = FrameOfReference | NumberList | TextList;

/** Code `code` stands for the number `(first + code) * 10 ** power`. */
export type FrameOfReference = {
  readonly kind: 'frame';
  readonly first: number;
  readonly power: number;
};

/** The distinct numbers; a code is the index of its number. */
export type NumberList = { readonly kind: 'numbers'; readonly values: Float64Array };

/** The distinct keys, and the texts as they were written; a code is the index of its key. */
export type TextList = {
  readonly kind: 'texts';
  readonly keys: TextRun;
  /**
   * The texts as they are stored. If `textCodes` is absent, a key's code is also its text's code.
   */
  readonly texts: TextRun;
  /** Present if some key has several texts: for each row the code of its text, 0 if it has none. */
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

/** Counts how often each code occurs. All codes are less than `size`. */
export function countCodes(codes: UintArray, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}

let NUMBERS: Uint32Array | undefined;

/** The whole numbers from 0 to `count - 1`. `count` is at most the number of rows in a chunk. */
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
  // Dividing by a power of ten rounds once, exactly as parsing the decimal number does.
  return dictionary.power < 0
    ? whole / (POWERS[-dictionary.power] as number)
    : whole * (POWERS[dictionary.power] as number);
}

/** A run of at most this many bytes is decoded once, as one string; the texts are slices of it. */
const MOST_BYTES_AT_ONCE = 2 ** 16;

/**
 * Reads a run's texts by their indices. For many texts of a short run, this is several times as
 * fast as decoding each.
 */
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

/**
 * A column's directory is stored beside its chunks. It has an entry for each chunk, so that a query
 * reads only the chunks that it needs.
 */
export type ColumnDirectory = {
  readonly chunks: readonly ChunkEntry[];
  /** Present in the directory of the latitudes if `PLACE_COLUMNS` are stored. */
  readonly places?: PlaceOrder;
  /** Present in the directory of the first field that is searched if `WORD_COLUMNS` are stored. */
  readonly words?: WordOrder;
  /** Present in the directory of a text's field if `codesOf` the field is stored. */
  readonly codes?: true;
};

/**
 * The column with codes of a field's keys: numbers that are equal in all chunks where the keys are. No
 * field has such a name.
 */
export function codesOf(field: string): string {
  return `${field}~code`;
}

/** How many rows have a place, and how many of them are in a chunk of `PLACE_COLUMNS`. */
export type PlaceOrder = { readonly rows: number; readonly rowsPerChunk: number };

/**
 * How many runs of rows the words have, and how many of them are in a chunk of `WORD_COLUMNS`; and
 * the fields that are searched.
 */
export type WordOrder = {
  readonly rows: number;
  readonly rowsPerChunk: number;
  readonly fields: readonly string[];
};

/**
 * The columns of the words in their order, each with a run of rows that have it: how many rows are
 * between this run and the one before, and its length. No field has such a name.
 */
export const WORD_COLUMNS = { word: '~word', gap: '~gap', length: '~length' } as const;

/**
 * The columns of the places in the order of a curve, each with the position of its row. No field has
 * such a name.
 */
export const PLACE_COLUMNS = {
  longitude: '~longitude',
  latitude: '~latitude',
  position: '~position',
} as const;

/**
 * Rows of a chunk of such columns, if there are few of them; and chunks before each has twice as many
 * rows, up to those that any chunk may have.
 *
 * A search reads one to four chunks, and directories, which have some 200 bytes for each.
 */
const ORDERED_ROWS = 2 ** 12;
const MANY_CHUNKS = 2 ** 7;

/** How many rows the chunks of such columns have. */
export function orderedChunkRows(rows: number, rowsPerChunk: number): number {
  let inChunk = Math.min(ORDERED_ROWS, rowsPerChunk);
  while (rows > inChunk * MANY_CHUNKS && inChunk < CHUNK_ROWS) {
    inChunk = Math.min(2 * inChunk, CHUNK_ROWS);
  }
  return inChunk;
}

/** The columns that the directory of a field says are stored beside it, and how many rows they have. */
export function columnsBeside(
  field: string,
  { places, words, codes }: ColumnDirectory,
  rows: number,
): readonly { readonly name: string; readonly rows: number }[] {
  const named = (names: object, { rows }: { readonly rows: number }) =>
    Object.values(names).map((name: string) => ({ name, rows }));
  return [
    ...(places === undefined ? [] : named(PLACE_COLUMNS, places)),
    ...(words === undefined ? [] : named(WORD_COLUMNS, words)),
    ...(codes === undefined ? [] : [{ name: codesOf(field), rows }]),
  ];
}

/** How a chunk is packed, and what a query can know of it without unpacking it. */
export type ChunkEntry = {
  readonly rows: number;
  /** The number of rows without a key. */
  readonly nulls: number;
  /** The number of distinct keys. */
  readonly distinct: number;
  /** As in `Chunk`. */
  readonly size: number;
  readonly firstKey: 0 | 1;
  /**
   * The least and the greatest key, absent if no row has a key. Texts are cut to their first
   * `BOUND_LENGTH` units.
   */
  readonly min?: Key;
  readonly max?: Key;
  /** Whether each code is stored as its difference from the previous one. */
  readonly deltas: boolean;
  readonly dictionary: StoredDictionary;
  /** The number of packed bytes, and their CRC-32. */
  readonly bytes: number;
  readonly crc32: number;
};

/** The kind of dictionary, and what is needed to read it. */
type StoredDictionary =
  | { readonly kind: 'frame'; readonly first: number; readonly power: number }
  | { readonly kind: 'numbers' }
  /**
   * `keyBytes` is the size of all keys. `textBytes` is the size of all texts; it is absent if each
   * text is its key. `texts` is the number of texts, if some key has several.
   */
  | {
      readonly kind: 'texts';
      readonly keyBytes: number;
      readonly textBytes?: number;
      readonly texts?: number;
    };

/** The most UTF-16 units of a text that a directory gives as a bound. */
export const BOUND_LENGTH = 32;

/** Cuts a key to a bound: the first units of a text, without half a character. */
export function boundOf<K extends Key>(key: K): K {
  if (typeof key !== 'string') return key;
  const cut = key.slice(0, BOUND_LENGTH);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)) as K;
}

/** The bytes that a chunk takes in memory, not counting its sorted order. */
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

/** A chunk's rows as codes, and what must be stored so that a reader knows what the codes mean. */
export type EncodedColumn = Pick<Chunk, 'codes' | 'firstKey' | 'size'> & {
  readonly nulls: number;
  readonly distinct: number;
  readonly dictionary: StoredDictionary;
  /** The parts that are stored behind the codes. */
  readonly parts: readonly (UintArray | Float64Array)[];
  readonly bounds?: readonly [min: string | number, max: string | number];
};
