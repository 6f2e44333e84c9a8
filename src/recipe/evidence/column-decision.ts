import { shorten } from '../../text/wording.ts';
import type { Value } from '../../values/field-type.ts';
import type { Field, FieldTypeName } from '../../values/field-types.ts';
import type { OtherCalendar } from '../../values/other-calendars.ts';
import type { DecimalChar } from '../../values/spelled-number.ts';
import type { Spelling } from '../../values/spelling.ts';
import type { PlainCell } from './plain-cell.ts';

/** Decisions of the person who adds the file. `dates` and `decimal` settle what no cell settles. */
export type GivenOfColumn = {
  readonly type?: FieldTypeName;
  /** The order of day and month in `3/4/2020`. */
  readonly dates?: DateOrder;
  readonly decimal?: DecimalChar;
  /** The calendar of dates with years of the Buddhist era and the like. */
  readonly calendar?: Calendar;
  /** Words that mean nothing is there. If one is blank, the known words are values. */
  readonly nothing?: readonly string[];
  /** The pattern of the column's dates or times. `%s`, `%Q` and `excel` count from a moment. */
  readonly format?: string;
  /** The zone in which the days of times with an offset are counted. */
  readonly zone?: string;
};

/** A calendar that a person may choose. */
export type Calendar = OtherCalendar | 'gregorian';

/** A type for a column, and the spelling of its cells. */
export type CellReading = {
  readonly type: FieldTypeName;
  readonly spelling: Spelling;
  readonly unit?: string;
  /** Set for times without an offset. */
  readonly local?: true;
  /**
   * For times with an offset: the zone that counts their days, UTC if absent, and the reason for
   * it.
   */
  readonly timeZone?: string;
  readonly whyZone?: string;
  /** Set if no zone fits the offsets of all cells and none is given. */
  readonly isZoneOpen?: true;
  readonly range?: Range<number> | Range<string>;
  /** The reason as a clause: `has leading zeros`. */
  readonly why: string;
  /** The cells that decided it. */
  readonly deciding: readonly SeenCell[];
  /** The cell with the largest rounding error, if binary64 does not hold all digits. */
  readonly rounded?: Rounded;
  /** The first number with a minus after it, in brackets, or after an apostrophe. */
  readonly signed?: SeenCell;
  /** For numbers: the character before decimals, if a cell shows it, and that cell. */
  readonly decimalShown?: SeenCell & { readonly decimal: DecimalChar };
  /** The first cell whose time is cut to a millisecond. */
  readonly cut?: SeenCell;
  /** The cells that do not fit the type, and are therefore blank. */
  readonly odd?: OddCells;
};

/** The field of a reading, without a name, which the reader of its cells does not need. */
export function namelessField({
  type,
  unit,
  local,
}: Pick<CellReading, 'type' | 'unit' | 'local'>): Field {
  return { type, name: '', title: '', unit, local };
}

/** The character before decimals that a file shows, for columns that leave it open. */
export type FileDecimal = {
  readonly decimal: DecimalChar;
  /** What shows it. */
  readonly by: string;
  /** Set if only the delimiter shows it: other cells with a comma are in quotes. */
  readonly isByDelimiter?: true;
};

/** One of several possible readings. */
export type OpenReading = CellReading & {
  /** What chooses this reading if it is given. */
  readonly given: GivenOfColumn;
  /** The value of the first deciding cell in this reading. */
  readonly value: Value | undefined;
};

/** A cell whose number is rounded, and by how much. */
export type Rounded = SeenCell & { readonly rounding: number };

/** Cells that do not fit a column's type. */
export type OddCells = {
  readonly count: number;
  /** The first distinct cells. */
  readonly first: readonly CountedCell[];
};

/** A type that nearly all cells of a text have. */
export type NearType = {
  readonly reading: CellReading;
  /** How many cells fit the type, and how many there are. */
  readonly fit: number;
  readonly of: number;
  readonly odd: OddCells;
  /** Set if the odd cells are one word or numbers with a mark: a person should then be asked. */
  readonly asks?: {
    /** A word that may mean nothing is there. */
    readonly word?: CountedCell;
    /** Whether nobody would take the word for a value. */
    readonly isSafe: boolean;
    /** Set if the type, once chosen, reads the odd cells too: their minus is elsewhere. */
    readonly areRead?: true;
  };
};

/** The decision on a column, with the facts about it. */
export type ColumnDecision = CellReading & {
  /**
   * All readings that the cells allow, if there are several. The last is the safest, and the one
   * decided on: the text, which is never wrong, or numbers that may be times.
   */
  readonly readings?: readonly OpenReading[];
  /** The first cell that does not fit the chosen type. The column is then a text. */
  readonly unfit?: Denial;
  /** The words for nothing that are left out, with the first line of each. */
  readonly missing: readonly CountedCell[];
  /** For a text: words for nothing that are values there. */
  readonly wordsKept: readonly CountedCell[];
  /** For a text: the type that it nearly has. */
  readonly near?: NearType;
  /** For a text: the type that its cells allow, but its header does not confirm. */
  readonly perhaps?: FieldTypeName;
  /** For a text of months or quarters: the pattern that reads them as their first days. */
  readonly periodFormat?: string;
  /** For numbers: a repeated one far from all others, which may mean unknown. */
  readonly standIn?: CountedCell;
  /** For whole numbers that may be names: the digits of each. */
  readonly mayBeNames?: number;
  /** The first number whose exponent stands for digits that it lacks, if half are such. */
  readonly lostDigits?: SeenCell;
  readonly filled: number;
  readonly blanks: number;
  /** The number of distinct cells without words for nothing. If not exact, there are more. */
  readonly distinct: { readonly count: number; readonly isExact: boolean };
  /** Whether no two cells are equal, none is blank, and none is a word for nothing. */
  readonly isUnique: boolean;
  /** The length of the longest cell in UTF-16 units. */
  readonly longest: number;
  /** The first distinct cells. Each has its count if there are at most 500. */
  readonly samples: readonly { readonly cell: string; readonly count?: number }[];
};

/** Which of two numbers is the month. */
export type DateOrder = 'dmy' | 'mdy';

/** A cell of a column, and the line where its record begins. */
export type SeenCell = { readonly cell: string; readonly line: number };

/** A cell, its number of occurrences, and the line of the first. */
export type CountedCell = SeenCell & { readonly count: number };

/** A cell that does not fit a type, and why: `is no number`. */
export type Denial = SeenCell & { readonly because: string };

/**
 * Keeps a cell, cut to the length that is shown. Copies it, because a text that is cut out of
 * another keeps the other in memory, perhaps a whole piece of the file.
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
  /**
   * Whether a cell would only be counted, because it is written as others are. If so, `count` counts
   * it. Absent if a text of the cell must be made to tell.
   */
  changesNothing?(cell: PlainCell): boolean;
  count?(cell: PlainCell): void;
  /**
   * Takes a cell, trimmed and not blank, and whether the file has typed it as a time. Returns why it
   * is not of the kind: `is no number`.
   */
  add(text: string, line: number, isTyped?: boolean): string | undefined;
};
