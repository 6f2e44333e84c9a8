import type { SourceRecord, SourceTable } from './source-table.ts';

/**
 * A table of a format that is no CSV. Its records can be gone through several times, and `line()`
 * of a record counts what `counts` names.
 */
export type CountedTable<R extends SourceRecord = SourceRecord> = SourceTable & {
  readonly records: AsyncIterable<R>;
  readonly counts: 'line' | 'record' | 'feature' | 'row';
  /** What the reader left out or chose, a clause each; complete once all records were read. */
  readonly notes: () => readonly string[];
};

/** Records that start anew each time somebody goes through them. */
export function repeatable<T>(records: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: records };
}
