import type { RowRange } from '../files/leave-out.ts';
import type { FieldTypeName } from '../values/field-types.ts';

/**
 * What is given of a file's recipe, so that it need not be found out: by the options of a line, by
 * answers, or by `block.json` for the next file of a block.
 */
export type Given = {
  /** The block's name. */
  readonly name?: string;
  /** The publisher's words: what the block's page says of the data. */
  readonly title?: string;
  readonly description?: string;
  /** Who publishes the data, or their address. */
  readonly source?: string;
  /** A licence's identifier, or the address of its text. */
  readonly license?: string;
  /** The day or month the data are of, ISO 8601. */
  readonly updated?: string;
  /** The language of the titles and the data, a tag of BCP 47. */
  readonly lang?: string;
  /** The columns that identify a row, with commas between; `none` if none do. */
  readonly key?: string;
  /** The column that names a row. */
  readonly main?: string;
  /** The file that is meant in a zip archive of several. */
  readonly innerPath?: string;
  readonly encoding?: string;
  /** Whether bytes that are no text are read as U+FFFD, or left out if they are zero. */
  readonly badBytes?: 'replace';
  readonly delimiter?: string;
  /** The sign around cells; null if there is none. */
  readonly quoteChar?: string | null;
  readonly header?: boolean;
  /** How many rows the header has. */
  readonly headerRows?: number;
  /** The line where the header begins; in a sheet, the row. */
  readonly headerLine?: number;
  /** Whether the cells that a row lacks at its end are blank. */
  readonly shortRows?: true;
  /** Whether cells that are not of the type that was chosen for their column are blank, however many. */
  readonly oddCells?: 'blank';
  /** What becomes of rows that cannot be read as they stand. */
  readonly badRows?: 'mend' | 'skip' | 'stop';
  /** What becomes of rows that are called totals. */
  readonly totals?: 'end' | 'keep' | 'drop';
  /** The lines that are no data; in a sheet, the rows. */
  readonly leaveOut?: readonly RowRange[];
  /** Which of a file's tables is meant, or that all are one. */
  readonly table?: number | 'all';
  readonly sheet?: string;
  /** The way to the list of rows in a JSON document. */
  readonly property?: string;
  /** The order of a day and a month in `3/4/2020`. */
  readonly dates?: 'dmy' | 'mdy';
  /** The character before decimals. */
  readonly decimal?: '.' | ',';
  /** The zone in which the days of times with an offset are counted. */
  readonly zone?: string;
  /** Types by the columns' names or headers. */
  readonly types?: ReadonlyMap<string, FieldTypeName>;
  /** Patterns of dates or times, by the columns' names or headers. */
  readonly formats?: ReadonlyMap<string, string>;
  /** Words for nothing by the columns; with a blank one, those that are known are values. */
  readonly nothing?: ReadonlyMap<string, readonly string[]>;
};

/** What is given, and more of it: the later word counts; words for nothing of a column add up. */
export function andGiven(before: Given, more: Given): Given {
  const { types, formats, nothing } = more;
  const words = new Map(before.nothing);
  for (const [column, added] of nothing ?? []) {
    words.set(column, [...new Set([...(words.get(column) ?? []), ...added])]);
  }
  return {
    ...before,
    ...more,
    ...(types === undefined ? {} : { types: new Map([...(before.types ?? []), ...types]) }),
    ...(formats === undefined ? {} : { formats: new Map([...(before.formats ?? []), ...formats]) }),
    ...(nothing === undefined ? {} : { nothing: words }),
  };
}

/** What is given of a column, by its name or its header. */
export function givenOf<T>(
  of: ReadonlyMap<string, T> | undefined,
  { name, header }: { readonly name: string; readonly header: string },
): T | undefined {
  return of?.get(name) ?? of?.get(header);
}
