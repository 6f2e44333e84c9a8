import type { PackedColumns } from '../columns/encode-chunk.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { Field } from '../values/field-types.ts';

/** The storage that a dataset is imported for: what it accepts, and how many bytes that takes. */
export type Storage = {
  /** The shape of a table with these fields. It is part of a dataset's version. */
  readonly tableShape: (fields: readonly Field[]) => object;
  /** What the storage refuses in a table with these fields. Empty if nothing. */
  readonly tableFaults: (fields: readonly Field[]) => readonly string[];
  /** Says why the storage refuses a row. `field` is the field at fault, if there is only one. */
  readonly rowFault: (
    fields: readonly Field[],
    row: KeyedRow,
    position: number,
  ) => { readonly reason: string; readonly field?: string } | undefined;
  /** Says why the storage refuses the columns of this version. */
  readonly columnsFault: (columns: PackedColumns, version: string) => string | undefined;
  readonly holdsNumber: (value: number) => boolean;
  readonly mostBytesOfRow: number;
  /** Bytes of a text whose key finds rows, at most. */
  readonly mostBytesOfKey: number;
  /** Bytes of a shard at most. Rows of a shard are read together. */
  readonly bytesOfShard: number;
  /** Bytes of a row beside its fields. */
  readonly bytesOfRow: number;
  /** Bytes of a number. `most` decimals are enough to write it, if it is known. */
  readonly bytesOfNumber: (value: number, most?: number) => number;
  /** Bytes that a field's value and key take beside their own. A number is its own key. */
  readonly bytesBeside: (name: string) => { readonly value: number; readonly key: number };
};
