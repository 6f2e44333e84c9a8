/** A file's table, whatever its format: what every reader gives. */
export type SourceTable = {
  /** As written; '' where blank. */
  readonly headers: readonly string[];
  readonly records: AsyncIterable<SourceRecord>;
};

/** One record: its cells, '' where blank, as many as headers; and the line where it begins. */
export type SourceRecord = { readonly cells: readonly string[]; readonly line: () => number };
