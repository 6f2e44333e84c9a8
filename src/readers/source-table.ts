/** What every reader of a file gives: its headers, and its records as they are read. */
export type SourceTable<R extends SourceRecord = SourceRecord> = {
  /** As written, without white space around them; blank where the file has none. */
  readonly headers: readonly string[];
  /** The line of the header; 0 if each record names its members. */
  readonly headerLine: number;
  readonly records: AsyncIterable<R>;
  /** What `line()` of a record, and `headerLine`, count. */
  readonly counts: 'line' | 'record' | 'feature' | 'row';
  /** What was left out or chosen, a clause each; complete once all records are read. */
  readonly notes: readonly string[];
};

/** One record: a cell for each header, as written, blank where there is none; and its line. */
export type SourceRecord = { readonly cells: readonly string[]; readonly line: () => number };

/** Reads a file's bytes from the beginning; called again to tell where a fault is. */
export type ReadBytes = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Records that start anew each time somebody goes through them. */
export function repeatable<T>(records: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: records };
}
