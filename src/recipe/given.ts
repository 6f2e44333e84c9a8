import type { GivenWriting } from '../files/file-format.ts';
import { defined } from '../values/field-type.ts';
import type { FieldTypeName } from '../values/field-types.ts';
import type { GivenOfColumn } from './evidence/column-decision.ts';

/**
 * What is given about a file's recipe, and need not be found out: by the options of a line, by
 * answers, or by `block.json` for the next file of a block.
 */
export type Given = Omit<GivenWriting, 'headerRecord'> &
  Pick<GivenOfColumn, 'dates' | 'decimal' | 'calendar' | 'zone'> & {
    /** The block's name. */
    readonly name?: string;
    /** The publisher's words about the data, for the block's page. */
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
    /** The columns that identify a row, separated by commas. `none` if none do. */
    readonly key?: string;
    /** The column that names a row. */
    readonly main?: string;
    /** The column whose texts are places. */
    readonly places?: string;
    /** The file to take from a zip archive of several. */
    readonly innerPath?: string;
    /** Whether all cells that do not fit their column's chosen type are blank. */
    readonly oddCells?: 'blank';
    /** What becomes of bad rows. */
    readonly badRows?: 'mend' | 'skip' | 'stop';
    /** What becomes of rows that are called totals. */
    readonly totals?: 'end' | 'keep' | 'drop';
    /** Types by the columns' names or headers. */
    readonly types?: ReadonlyMap<string, FieldTypeName>;
    /** Patterns of dates or times, by the columns' names or headers. */
    readonly formats?: ReadonlyMap<string, string>;
    /** Words for nothing by the columns. If one is blank, the known words are values. */
    readonly nothing?: ReadonlyMap<string, readonly string[]>;
  };

/** Adds more to what is given. Later values win; a column's words for nothing add up. */
export function andGiven(before: Given, more: Given): Given {
  const { types, formats, nothing } = more;
  const words = new Map(before.nothing);
  for (const [column, added] of nothing ?? []) {
    words.set(column, [...new Set([...(words.get(column) ?? []), ...added])]);
  }
  return {
    ...before,
    ...defined(more),
    types: types ? new Map([...(before.types ?? []), ...types]) : before.types,
    formats: formats ? new Map([...(before.formats ?? []), ...formats]) : before.formats,
    nothing: nothing ? words : before.nothing,
  };
}

/** A column, by what options name it. */
type NamedColumn = { readonly name: string; readonly header: string };

/** What is given for a column. */
export function givenFor(given: Given, column: NamedColumn): GivenOfColumn {
  const { dates, decimal, calendar, zone } = given;
  const type = givenOf(given.types, column);
  const nothing = givenOf(given.nothing, column);
  const format = givenOf(given.formats, column);
  return defined({ type, dates, decimal, calendar, nothing, format, zone });
}

/** One thing that is given for a column, by its name or its header. */
export function givenOf<T>(
  of: ReadonlyMap<string, T> | undefined,
  { name, header }: NamedColumn,
): T | undefined {
  return of?.get(name) ?? of?.get(header);
}
