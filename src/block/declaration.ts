/** What is wrong with a block's declaration, and which of its members has it. */
export class DeclarationFault extends TypeError {
  readonly reason: string;
  /** The way to the member: `fields`, 2, `name`. */
  readonly at: readonly (string | number)[];

  constructor(block: string, reason: string, at: readonly (string | number)[]) {
    super(`Block ${block}: ${reason}`);
    this.reason = reason;
    this.at = at;
  }
}

/** How a file is written: members of Frictionless Table Dialect; absent is its default. */
export type Dialect = {
  /** One character; default `,`. */
  readonly delimiter?: string;
  /**
   * One character, doubled within; default `"`. Null if the file quotes nothing, and `"` is a character
   * like others.
   */
  readonly quoteChar?: string | null;
  /** Set if a quote in a quoted cell is not doubled, but has a backslash before it. */
  readonly escapeChar?: '\\';
  /** Spaces beside a delimiter belong to no cell. */
  readonly skipInitialSpace?: true;
  /** False if the file has no header. */
  readonly header?: false;
  /**
   * The header's record, or records, if titles stand above it. Records are counted from 1, without
   * blank lines; several are joined with a space; a blank cell of an upper one
   * has what stands left of it. Those of a sheet have its own numbers.
   */
  readonly headerRows?: readonly number[];
  /** Records that are no data, such as totals and notes, counted likewise. */
  readonly commentRows?: readonly number[];
  /** Set if rows that are equal to the header are rows: it may be none. */
  readonly keepsRepeatedHeaders?: true;
  /** Set if rows may lack cells at their end, which are then blank. */
  readonly fillsShortRows?: true;
  /** Rows that cannot be read as they stand are mended if there is one sure way, or all left out. */
  readonly badRows?: 'mend' | 'skip';
  /**
   * Bytes that are no text of the file's encoding are read as U+FFFD, and zero bytes are left out. If
   * absent, a byte of the first kind stops the reading.
   */
  readonly badBytes?: 'replace';
  /** The sheet of a workbook, by its name or its number from 1; the first that is shown if absent. */
  readonly sheetName?: string;
  /** The way to the list of rows in a JSON document: `data.items`. */
  readonly property?: string;
};

/** The delimiters that are looked for: each further one makes finding the right one less certain. */
export const DELIMITERS: readonly string[] = [',', ';', '\t', '|'];

const NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
};

/** What a delimiter is called. */
export function nameOfDelimiter(delimiter: string): string {
  return NAMES[delimiter] ?? JSON.stringify(delimiter);
}
