import type { Key } from '../values/field-type.ts';
import { widthOf } from './chunk.ts';

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
export type StoredDictionary =
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
