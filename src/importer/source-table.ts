/** What every reader of a file gives: its headers, and its records as they are read. */
export type SourceTable = {
  /** As written, without white space around them; blank where the file has none. */
  readonly headers: readonly string[];
  readonly records: AsyncIterable<SourceRecord>;
};

/** One record: a cell for each header, as written, blank where there is none; and its line. */
export type SourceRecord = { readonly cells: readonly string[]; readonly line: () => number };

/** Reads a file's bytes from the beginning; called again to tell where a fault is. */
export type ReadBytes = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
