import type { Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Boundaries, Geometry, OnMap } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import type { Scheduler } from '../work/scheduler.ts';

/** A complete output format. To add one, write it here and list it in formats.ts. */
export type OutputFormat = {
  /** What people call it. */
  readonly title: string;
  /** The value of Content-Type. */
  readonly contentType: string;
  /** The names that an Accept header may have for it. */
  readonly accepted: readonly string[];
  /** The extension of the file that an answer is saved as, if it is to be saved. */
  readonly extension?: string;
  /** Whether its files can be had packed by gzip too. */
  readonly isPackedToo?: true;
  /** Whether its bytes are no text. */
  readonly isBinary?: true;
  /** Whether a block has it; each has it if absent. */
  isOf?(block: { readonly isRows: boolean; readonly geometry?: Geometry | undefined }): boolean;
  /** Whether a block's groups have it; as its rows do if absent. */
  isOfGroups?(block: OnMap): boolean;
  /** Whether a row has it at its own address. */
  readonly isOfOneRow?: true;
  /** The options that it alone has. */
  readonly ownOptions?: readonly string[];
  /** Whether it has a place for counts of values. */
  readonly hasFacets?: true;
  /** Whether each row or group must have a place or an area. */
  readonly isOfPlaces?: true;
  /** Whether rows are read with all fields, whichever it answers with. */
  readonly readsAllFields?: true;
  /** The most rows that it holds; any number if absent. */
  readonly mostRows?: number;
  /** Throws a Problem if a whole answer is too large: so many rows, of about so many bytes as JSON. */
  checkSize?(rows: number, bytes: number): void;
  /**
   * About how many bytes a row has, by what is known of its columns. Characters that a format
   * escapes count once, so that a row may be a little longer.
   */
  rowBytes?(columns: readonly ColumnBytes[], places?: PlacesAsked): number;
  /** How many bytes it has before the first row, if that is more than a few. */
  headBytes?(columns: readonly ColumnBytes[]): number;
  /** Whether what `writer` makes writes rows that come as `ValueBatches` too. */
  readonly takesValues?: true;
  /** How rows alone are written; absent if answers have more than rows. */
  writer?(asked: RowsAsked, scheduler: Scheduler): WritePieces | Promise<WritePieces>;
};

/** A fact about the data, with its name. */
export type Fact = readonly [name: string, text: string];

/** What is asked of a file of rows. */
export type RowsAsked = {
  /** The members of each row, in order. */
  readonly columns: readonly string[];
  /** The same with their types, of a dataset's rows. */
  readonly typed: readonly TypedColumn[];
  /** The members to give of rows that have more; all if absent. */
  readonly fields?: readonly string[] | undefined;
  /** Whether CSV has texts as they are. */
  readonly raw?: boolean;
  /** Whether CSV begins with a byte order mark. */
  readonly bom?: boolean;
  /** Makes what a workbook tells about the data beside its rows: names and texts. */
  readonly about?: () => readonly Fact[];
  readonly places?: PlacesAsked | undefined;
  /** Whether it is kept, so that its writing may take longer than a reader would wait. */
  readonly isKept?: boolean;
};

/** How long a column's values are. */
export type ColumnBytes = {
  readonly name: string;
  readonly isText: boolean;
  /** The share of rows that have a value. */
  readonly filled: number;
  /** Of a value as text, on average over all rows. */
  readonly bytes: number;
};

/** A column's field, and the least and greatest of its values if they are known. */
export type TypedColumn = { readonly field: Field; readonly min?: number; readonly max?: number };

/** Where rows are on a map, and how that is to be written. */
export type PlacesAsked = {
  readonly geometry: Geometry;
  /** The shapes of regions. */
  readonly boundaries?: (() => Boundaries) | undefined;
  /** `point` gives the centres of regions. */
  readonly form?: 'polygon' | 'point' | undefined;
};

/** Rows as JSON texts, some at a time. */
export type Batches = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** Rows as lists of their values; dates and times are their keys. */
export type ValueBatches = AsyncIterable<readonly (readonly Value[])[]>;

/** The body of an answer in a format, in pieces. */
export type WritePieces = (batches: Batches, budget: Budget) => AsyncGenerator<string | Uint8Array>;

/** Writes rows as text, some at a time. */
export type RowsWriter = {
  readonly before: string;
  /** Some rows, given as JSON texts; `isFirst` if no row is before them. */
  rows(texts: readonly string[], isFirst: boolean): string;
  readonly behind: string;
};

/** How many rows, and of about how many characters, are written before others get their turn. */
const ROWS_AT_ONCE = 50;
const CHARACTERS_AT_ONCE = 2 ** 15;

/** The least length of a piece: each is a write of its own. */
const PIECE_LENGTH = 2 ** 16;

/** The work of writing a character of a row, in steps. */
const STEPS_PER_CHARACTER = 3;

/**
 * Writes rows as text, in pieces. Pauses so that others are answered too, and before each further
 * piece: many callers may be ready for theirs at once.
 */
export function textPieces({ before, rows, behind }: RowsWriter): WritePieces {
  return async function* (batches, budget) {
    // By itself, before any work: writing it may show that nobody is there.
    yield before;
    let piece = '';
    let isFirst = true;
    for await (const texts of batches) {
      // Rows have the same columns, so the first tells about how long the others are.
      const fitting = Math.ceil(CHARACTERS_AT_ONCE / Math.max(1, texts[0]?.length ?? 1));
      const atOnce = Math.min(ROWS_AT_ONCE, fitting);
      for (let from = 0; from < texts.length; from += atOnce) {
        const written = rows(texts.slice(from, from + atOnce), isFirst);
        isFirst = false;
        piece += written;
        if (piece.length >= PIECE_LENGTH) {
          yield piece;
          piece = '';
          await budget.pause();
        } else await budget.checkpoint(written.length * STEPS_PER_CHARACTER);
      }
    }
    yield piece + behind;
  };
}
