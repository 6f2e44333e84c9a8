import type { SourceRecord, SourceTable } from './source-table.ts';

/**
 * A table of a format that is no CSV. Its records can be gone through several times; their `line`,
 * and `headerLine`, count what `counts` names. `headerLine` is 0 if each record names its members.
 */
export type CountedTable<R extends SourceRecord = SourceRecord> = SourceTable & {
  readonly records: AsyncIterable<R>;
  readonly counts: 'line' | 'record' | 'feature' | 'row';
};

/** Records that start anew each time somebody goes through them. */
export function repeatable<T>(records: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: records };
}
