import type { Dialect } from '../block/declaration.ts';
import type { RowRange } from './leave-out.ts';
import type { ReadBytes, SourceTable } from './source-table.ts';

/**
 * A format of files that are read. To add one, write it beside its reader and list it in
 * formats.ts.
 */
export type FileFormat = {
  /** The name for people: `CSV`. */
  readonly title: string;
  /** The endings of its files' names, without the dot. */
  readonly endings: readonly string[];
  /** Set if its files are not text. Their names then do not show the format. */
  readonly isBinary?: true;
  /** Whether a file that begins so has this format. Absent if only the name shows it. */
  isIn?(beginning: Beginning): boolean;
  /** What may be given about how its files are written. */
  readonly takes: readonly (keyof GivenWriting)[];
  /** The delimiter that a dialect need not name. A comma if absent. */
  readonly delimiter?: string;
  /**
   * Finds out how a file is written: its dialect, titles, notes and totals. Absent if the bytes
   * leave nothing open. Throws a SeedError if the file is not a table.
   */
  sniff?(file: string, at: FileAt, given: GivenWriting): Promise<Sniffed>;
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

/** Access to a file's bytes. */
export type FileAt = { readonly path: string; readonly readBytes: ReadBytes };

/** What is given about how a file is written. */
export type GivenWriting = {
  readonly encoding?: string;
  readonly badBytes?: 'replace';
  readonly delimiter?: string;
  /** The quote sign around cells. Null if there is none. */
  readonly quoteChar?: string | null;
  readonly header?: boolean;
  /** The number of rows in the header. */
  readonly headerRows?: number;
  /** The line where the header begins; in a sheet, the row. */
  readonly headerLine?: number;
  /** The number of the header's first record, as in block.json. */
  readonly headerRecord?: number;
  /** The lines that are not data; in a sheet, the rows. */
  readonly leaveOut?: readonly RowRange[];
  /** Whether missing cells at the end of a row are blank. */
  readonly shortRows?: true;
  /** The number of the table to take, or `all` if the whole file is one table. */
  readonly table?: number | 'all';
  readonly sheet?: string;
  /** The path to the list of rows in a JSON document. */
  readonly property?: string;
  /** Which coordinate is first in the positions of a GeoJSON file. */
  readonly axisOrder?: 'lat-lon' | 'lon-lat';
};

/** How a file was found to be written, and why. */
export type Sniffed = {
  readonly dialect: Dialect;
  /** A clause for each decision. */
  readonly reasons: readonly string[];
  /** The reasons that are about records below the table. */
  readonly leftOut: readonly string[];
  /** The numbers of records at the end that are called totals. */
  readonly totalsBelow: readonly number[];
  /** Readings that are nearly as good, each with its reason. A person must decide. */
  readonly alternatives: readonly Alternative[];
  /** The tables between blank lines, if several have their own header. A person must decide. */
  readonly tables?: readonly TableChoice[];
  /** Set if the header may have this number of rows instead. A person must decide. */
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

/** The beginning of a file. */
export type Beginning = {
  readonly bytes: Buffer;
  /** The first bytes, as one character each. */
  readonly start: string;
  /** Whether it has bytes that no text has. */
  readonly isBinary: boolean;
  /** The text without a byte order mark, or white space at the start. */
  readonly text: string;
  /** The ending of the file's name, without the dot. Blank if there is none. */
  readonly ending: string;
};
