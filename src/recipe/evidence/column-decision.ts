import { shorten } from '../../text/wording.ts';
import type { Value } from '../../values/field-type.ts';
import type { FieldTypeName } from '../../values/field-types.ts';
import type { DecimalChar } from '../../values/spelled-number.ts';
import type { Spelling } from '../../values/spelling.ts';

/** What whoever adds the file has decided. Orders and decimals settle what no cell settles. */
export type GivenOfColumn = {
  readonly type?: FieldTypeName;
  readonly dates?: DateOrder;
  readonly decimal?: DecimalChar;
  /** Words that mean nothing is there; with a blank one, those that are known do not. */
  readonly nothing?: readonly string[];
  /** The pattern of its dates or times; `%s`, `%Q` and `excel` count from a moment. */
  readonly format?: string;
  /** The zone in which the days of times with an offset are counted. */
  readonly zone?: string;
};

/** A type for a column, and how its cells are written. */
export type Reading = {
  readonly type: FieldTypeName;
  readonly spelling: Spelling;
  readonly unit?: string;
  /** For times without an offset. */
  readonly local?: true;
  /** For times with an offset: the zone of their days, UTC if absent, and why it is that. */
  readonly timeZone?: string;
  readonly whyZone?: string;
  /** Set if no zone has the offsets of all cells, and none is given. */
  readonly isZoneOpen?: true;
  readonly range?: Range<number> | Range<string>;
  /** A clause that says why: `has leading zeros`. */
  readonly why: string;
  /** The cells that decided it. */
  readonly deciding: readonly SeenCell[];
  /** The cell that its number is furthest from, if binary64 does not hold all digits. */
  readonly rounded?: Rounded;
  /** The first number with a minus behind it or in brackets, or after an apostrophe. */
  readonly signed?: SeenCell;
  /** The first cell whose time is cut to a millisecond. */
  readonly cut?: SeenCell;
  /** The cells that are not of the type, and blank for that reason. */
  readonly odd?: OddCells;
};

/** A reading among several. */
export type OpenReading = Reading & {
  /** What chooses it, if it is given. */
  readonly given: GivenOfColumn;
  /** What the first deciding cell is in it. */
  readonly value: Value | undefined;
};

/** A cell whose number is only near what is written, and how far from it. */
export type Rounded = SeenCell & { readonly rounding: number };

/** Cells that are not of a column's type. */
export type OddCells = {
  readonly count: number;
  /** The first of the distinct ones. */
  readonly first: readonly CountedCell[];
};

/** A type that nearly all cells of a text are of. */
export type NearType = {
  readonly reading: Reading;
  /** How many of the cells are of it, and how many there are. */
  readonly fit: number;
  readonly of: number;
  readonly odd: OddCells;
  /** Set if the odd cells are one word, or numbers with a mark, so that a person should be asked. */
  readonly asks?: {
    /** What may mean that nothing is there. */
    readonly word?: CountedCell;
    /** Whether nobody would take the word for a value. */
    readonly isSafe: boolean;
    /** Set if the type reads the odd cells too, if it is chosen: their minus stands elsewhere. */
    readonly areRead?: true;
  };
};

/** What is decided of a column, and what is known of it. */
export type ColumnDecision = Reading & {
  /**
   * Where the cells allow several readings: all of them, the safest last, which the decision then
   * is: the text, which is never wrong, or numbers that may be times.
   */
  readonly readings?: readonly OpenReading[];
  /** The first cell that is not of the type that was chosen; the column is then a text. */
  readonly unfit?: Denial;
  /** The words for nothing that the type leaves out, with the first line of each. */
  readonly missing: readonly CountedCell[];
  /** Of a text: the type that it nearly has. */
  readonly near?: NearType;
  /** Of a text: the type that its cells allow, and the header does not settle. */
  readonly perhaps?: FieldTypeName;
  /** Of a text whose cells are months or quarters: the pattern that makes them their first days. */
  readonly periodFormat?: string;
  /** Of numbers: one of nines that repeats far from the others, and may mean that nothing is known. */
  readonly standIn?: CountedCell;
  /** Of whole numbers that may name things: how many digits each has. */
  readonly mayBeNames?: number;
  readonly filled: number;
  readonly blanks: number;
  /** How many distinct cells there are, not counting words for nothing; more if not exact. */
  readonly distinct: { readonly count: number; readonly isExact: boolean };
  /** Whether no two cells are equal, none is blank and none a word for nothing. */
  readonly isUnique: boolean;
  /** The length of the longest cell, in UTF-16 units. */
  readonly longest: number;
  /** The first distinct cells; how often each occurs, if there are at most 500. */
  readonly samples: readonly { readonly cell: string; readonly count?: number }[];
};

/** Which of two numbers is the month. */
export type DateOrder = 'dmy' | 'mdy';

/** A cell of a column, and the line where its record begins. */
export type SeenCell = { readonly cell: string; readonly line: number };

/** A cell, how often it stands in its column, and the line where it stands first. */
export type CountedCell = SeenCell & { readonly count: number };

/** A cell that is not of a type, and what it is instead: `is no number`. */
export type Denial = SeenCell & { readonly because: string };

/**
 * Keeps a cell, cut to what is shown. It is a copy: a text cut out of another keeps that in memory,
 * which may be a whole piece of the file.
 */
export function seenCell(cell: string, line: number): SeenCell {
  return { cell: Buffer.from(shorten(cell)).toString(), line };
}

/** The least and the greatest value of a column. */
export type Range<T> = { readonly min: T; readonly max: T };

export function widened<T extends number | string>(
  range: Range<T> | undefined,
  value: T,
): Range<T> {
  if (range === undefined) return { min: value, max: value };
  if (value < range.min) return { min: value, max: range.max };
  return value > range.max ? { min: range.min, max: value } : range;
}

/** Collects evidence from cells of one kind, and ignores others. */
export type CellEvidence = {
  /** Takes a cell, trimmed and not blank. Returns why it is not of the kind: `is no number`. */
  add(text: string, line: number): string | undefined;
};

/** Whether a cell passes a test. */
export class ShapeEvidence implements CellEvidence {
  private readonly test: (text: string) => boolean;
  private readonly because: string;

  constructor(test: (text: string) => boolean, because: string) {
    this.test = test;
    this.because = because;
  }

  add(text: string): string | undefined {
    return this.test(text) ? undefined : this.because;
  }
}
