import type { PackedColumns } from '../columns/encode-chunk.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { Field } from '../values/field-types.ts';

/** What a dataset is imported for: what it takes, and how many bytes that has there. */
export type Storage = {
  /** The shape of a table with these fields, which is part of a dataset's version. */
  readonly tableShape: (fields: readonly Field[]) => object;
  /** What it would refuse in a table with these fields; empty if nothing. */
  readonly tableFaults: (fields: readonly Field[]) => readonly string[];
  /** Why it would refuse a row; `field` is the field at fault, if it is a single one. */
  readonly rowFault: (
    fields: readonly Field[],
    row: KeyedRow,
    position: number,
  ) => { readonly reason: string; readonly field?: string } | undefined;
  /** Why it would refuse the columns of this version. */
  readonly columnsFault: (columns: PackedColumns, version: string) => string | undefined;
  readonly holdsNumber: (value: number) => boolean;
  readonly mostBytesOfRow: number;
  /** Of a text by whose key rows are looked up. */
  readonly mostBytesOfKey: number;
  /** Rows are read together in shards of at most so many bytes. */
  readonly bytesOfShard: number;
  /** What a row takes beside its fields. */
  readonly bytesOfRow: number;
  readonly bytesOfNumber: (value: number) => number;
  /** What a field's value and its key take beside their own bytes. A number is its own key. */
  readonly bytesBeside: (name: string) => { readonly value: number; readonly key: number };
};
