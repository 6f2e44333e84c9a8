import type { Chunk, Narrow } from './chunk.ts';
import type { StoredDictionary } from './column-directory.ts';

/** A chunk's rows as codes, and what is stored to tell what they stand for. */
export type Coded = Pick<Chunk, 'codes' | 'firstKey' | 'size'> & {
  readonly nulls: number;
  readonly distinct: number;
  readonly dictionary: StoredDictionary;
  /** The parts that are stored behind the codes. */
  readonly parts: readonly (Narrow | Float64Array)[];
  readonly bounds?: readonly [min: string | number, max: string | number];
};
