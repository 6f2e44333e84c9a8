import type { Dialect } from '../block/declaration.ts';
import type { RowRange } from './leave-out.ts';
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
  /** What may be given of how such a file is written. */
  readonly takes: readonly (keyof GivenWriting)[];
  /** The delimiter that its dialect need not name, unless that is a comma. */
  readonly delimiter?: string;
  /**
   * Finds out how such a file is written: its dialect, titles, notes and totals. Absent if its bytes
   * leave nothing open. Throws a SeedError if it is no table.
   */
  sniff?(written: WrittenFile, at: FileAt, given: GivenWriting): Promise<Sniffed>;
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

/** What is given of how a file is written. */
export type GivenWriting = {
  readonly encoding?: string;
  readonly badBytes?: 'replace';
  readonly delimiter?: string;
  /** The sign around cells; null if there is none. */
  readonly quoteChar?: string | null;
  readonly header?: boolean;
  /** How many rows the header has. */
  readonly headerRows?: number;
  /** The line where the header begins; in a sheet, the row. */
  readonly headerLine?: number;
  /** The same, as block.json has it. */
  readonly headerRecord?: number;
  /** The lines that are no data; in a sheet, the rows. */
  readonly leaveOut?: readonly RowRange[];
  /** Whether the cells that a row lacks at its end are blank. */
  readonly shortRows?: true;
  /** Which of several tables, or that all are one. */
  readonly table?: number | 'all';
  readonly sheet?: string;
  /** The way to the list of rows in a JSON document. */
  readonly property?: string;
};

/** How a file is written, as was found out, with what was decisive. */
export type Sniffed = {
  readonly dialect: Dialect;
  /** A clause for each decision. */
  readonly reasons: readonly string[];
  /** Those of the reasons that tell of records below the table. */
  readonly leftOut: readonly string[];
  /** The numbers of records at the end that are called totals. */
  readonly totalsBelow: readonly number[];
  /** Readings that are nearly as good, each with what speaks for it: a person must decide. */
  readonly alternatives: readonly Alternative[];
  /** The tables that blank lines part, if several have a header of their own: a person must decide. */
  readonly tables?: readonly TableChoice[];
  /** Set if the header may have so many rows instead: a person must decide. */
  readonly mayHaveRows?: number;
};

/** One of several tables of a file. */
export type TableChoice = {
  readonly table: number;
  readonly line: number;
  readonly rows: number;
  readonly header: readonly string[];
};

export type Alternative = { readonly dialect: Dialect; readonly why: string };

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
