/** Says what is wrong with a block's declaration, and which of its members is at fault. */
export class DeclarationFault extends TypeError {
  readonly reason: string;
  /** The path to the member: `fields`, 2, `name`. */
  readonly at: readonly (string | number)[];

  constructor(block: string, reason: string, at: readonly (string | number)[]) {
    super(`Block ${block}: ${reason}`);
    this.reason = reason;
    this.at = at;
  }
}

/** Rows that are totals of others, and no data: those that are called so in a column. */
export type TotalsRule = {
  /** The name that is made of the column's header. */
  readonly column: string;
  /**
   * What such rows are called there; `*` at one end stands for the name of a group. Blank for the
   * last row, if its cell there is blank.
   */
  readonly is: string;
};

/**
 * How a file is written, in members of Frictionless Table Dialect. An absent member has its
 * default.
 */
export type Dialect = {
  /** One character, or `||`; default `,`. */
  readonly delimiter?: string;
  /**
   * One character, which is doubled inside a quoted cell; default `"`. Null if the file has no
   * quotes, and `"` is an ordinary character.
   */
  readonly quoteChar?: string | null;
  /** Present if a quote inside a quoted cell has a backslash before it instead of being doubled. */
  readonly escapeChar?: '\\';
  /** Present if spaces next to a delimiter do not belong to a cell. */
  readonly skipInitialSpace?: true;
  /** False if the file has no header. */
  readonly header?: false;
  /**
   * The record that is the header, or several records if titles stand above it. Records are counted
   * from 1, without blank lines, and several are joined with a space. A blank cell of an upper record
   * has what stands left of it. The records of a sheet have the sheet's own numbers.
   */
  readonly headerRows?: readonly number[];
  /** Records that are not data, such as notes, counted in the same way. */
  readonly commentRows?: readonly number[];
  /** Rows that are totals of others. */
  readonly totals?: readonly TotalsRule[];
  /** The names of columns whose labels stand once a group: a blank cell has the value above it. */
  readonly filledDown?: readonly string[];
  /** Present if rows that equal the header are data. Such a file may have no header. */
  readonly keepsRepeatedHeaders?: true;
  /** Present if rows may have fewer cells than the header. The missing cells are blank. */
  readonly fillsShortRows?: true;
  /**
   * What to do with rows that cannot be read as they are: mend them where there is only one way to
   * do so, or leave all of them out.
   */
  readonly badRows?: 'mend' | 'skip';
  /**
   * Bytes that are no text of the file's encoding are read as U+FFFD, and zero bytes are left out. If
   * absent, a byte of the first kind stops the reading.
   */
  readonly badBytes?: 'replace';
  /**
   * Which of a file's tables this is, from 1, if blank lines part several. Its records, in a sheet its
   * rows, are counted from its first.
   */
  readonly table?: number;
  /**
   * The sheet of a workbook, by its name or by its number from 1. Absent means the first sheet that
   * is not hidden.
   */
  readonly sheetName?: string;
  /** The path to the list of rows in a JSON document: `data.items`. */
  readonly property?: string;
  /** Present if the positions of a GeoJSON or GeoParquet file have the latitude first, against RFC 7946. */
  readonly axisOrder?: 'lat-lon';
};

/**
 * The delimiters that are tried. Each further one would make it less certain that the right one is
 * found.
 */
export const DELIMITERS: readonly string[] = [',', ';', '\t', '|', '¦'];

const NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
  '||': 'double vertical bar',
  '¦': 'broken bar',
};

/** The name of a delimiter in English. */
export function nameOfDelimiter(delimiter: string): string {
  return NAMES[delimiter] ?? JSON.stringify(delimiter);
}
