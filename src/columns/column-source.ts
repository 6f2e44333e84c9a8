import type { Row } from '../fields/field.ts';
import type { ColumnDirectory } from './column-directory.ts';

/** Names one chunk of one column. */
export type ChunkName = { readonly field: string; readonly chunk: number };

/**
 * Where a dataset's columns and rows are read from. A promise that is rejected says nothing of the
 * data: the same call may succeed later.
 */
export type ColumnSource = {
  /** The directory of a field's column. */
  directory(field: string, reads: Reads, signal: AbortSignal): Promise<ColumnDirectory>;
  /** The packed bytes of some chunks of one column, in the order asked for. */
  chunks(
    field: string,
    chunks: readonly number[],
    directory: ColumnDirectory,
    reads: Reads,
    signal: AbortSignal,
  ): Promise<readonly Uint8Array[]>;
  /** The rows at some positions, in the order asked for. */
  rows(positions: Uint32Array, reads: Reads, signal: AbortSignal): Promise<readonly Row[]>;
};

/** Counts what a run has read from its source. */
export class Reads {
  chunksRead = 0;
  itemsRead = 0;
  capacityUnits = 0;
}
