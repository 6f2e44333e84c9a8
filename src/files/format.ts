import type { Dialect } from '../block/declaration.ts';
import type { ReadBytes, SourceTable } from './source-table.ts';

/** A format of files that are read. To add one, write it beside its reader and list it in formats.ts. */
export type FileFormat = {
  /** As people are told of it: `CSV`. */
  readonly title: string;
  /** The ends of such files' names, without the dot. */
  readonly endings: readonly string[];
  /** Whether its files are no text: then its name tells nothing. */
  readonly isBinary?: true;
  /** Whether a file is of it, by how it begins; absent if its name alone tells. */
  isIn?(beginning: Beginning): boolean;
  /**
   * What `add` finds out of such a file, or asks, before it reads the table: the dialect with the
   * encoding; a sheet's titles and totals; which list of a document has the rows. Nothing if absent.
   */
  readonly asks?: 'dialect' | 'sheet' | 'property';
  /** The delimiter that its dialect need not name, unless that is a comma. */
  readonly delimiter?: string;
  /** Opens the table. Throws a SeedError if it cannot be read. */
  read(written: WrittenFile, at: FileAt): Promise<SourceTable>;
};

/** A file of rows, and how it is written. */
export type WrittenFile = {
  readonly file: string;
  /** A label of the Encoding Standard; `utf-8` if absent. */
  readonly encoding?: string;
  readonly dialect?: Dialect;
};

/** Where a file's bytes are. */
export type FileAt = { readonly path: string; readonly readBytes: ReadBytes };

/** What a file begins with. */
export type Beginning = {
  readonly bytes: Buffer;
  /** Some of it, a character for each byte. */
  readonly start: string;
  /** Whether it holds bytes that no text has. */
  readonly isBinary: boolean;
  /** Without a byte order mark, and without white space at the start. */
  readonly text: string;
  /** The end of the file's name, without the dot; blank if it has none. */
  readonly ending: string;
};
