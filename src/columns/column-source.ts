import type { Reads } from '../query/row-store.ts';
import type { Row } from '../values/field-type.ts';
import type { ColumnDirectory } from './column-directory.ts';

/**
 * Where a dataset's columns and rows are read from. A promise that is rejected says nothing of the data: the
 * same call may succeed later.
 */
export type ColumnSource = {
  /** A column's directory, with the packed bytes of its only chunk if they come with it. */
  directory(
    field: string,
    reads: Reads,
  ): Promise<{ readonly directory: ColumnDirectory; readonly beside?: Uint8Array }>;
  /** The packed bytes of a chunk. */
  chunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    reads: Reads,
  ): Promise<Uint8Array>;
  /** The rows at some positions, in their order. Absent if there are only columns, which tell them. */
  rows?(positions: Uint32Array, reads: Reads): Promise<readonly Row[]>;
};
