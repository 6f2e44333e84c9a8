import { Problem } from '../problem/errors.ts';
import type { DecimalParts } from '../text/decimal.ts';
import type { TextRun } from '../text/text-run.ts';
import type { Value } from '../values/field-type.ts';
import type { Field, FieldTypeName } from '../values/field-types.ts';
import type { Work } from '../work/work.ts';

/**
 * A measure is something that can be computed of each group of rows, such as a sum. To add one,
 * write it in a file of this folder and list it in measures.ts.
 */
export type MeasureKind<T extends Aggregate = Aggregate> = {
  /** The words before a field's title: `Sum of`. */
  readonly title: string;
  /** Whether the measure can be computed of a field. */
  of(field: Field): boolean;
  /** The type of the results. If absent, it is the type of the field. */
  readonly type?: FieldTypeName;
  /** The bounds of the results. If absent, they are the bounds of the field. */
  boundsOf?(ofField: Bounds, rows: number): Bounds;
  /**
   * Its rank among the measures that a page's form offers, from 1 on. If absent, the form does not
   * offer it.
   */
  readonly rankInForm?: number;
  /** Whether it needs no more of a row's value than whether it equals others: a code will do. */
  readonly isOfCodes?: true;
  /**
   * Makes the object that goes through the rows. Measures of one field with the same function here
   * share that object.
   */
  readonly aggregate: (mostGroups: number) => T;
  /** Returns the results of some groups, after all rows have been added. */
  results(aggregate: T, groups: Uint32Array, field: Field, wholes: Wholes): Value[] | Work<Value[]>;
};

/** What groups are shares of. */
export type Wholes = {
  /** How many groups there are. */
  readonly groups: number;
  /** The number of each group's whole. Absent if all groups are parts of one whole, number 0. */
  readonly of?: Uint32Array | undefined;
  /** How many wholes there are. */
  readonly count: number;
};

export type Bounds = { readonly min: number; readonly max: number };

/** Collects what a measure needs from the matching rows, chunk by chunk. */
export type Aggregate = {
  /** Makes room for this many groups. Called before rows of these groups are added. */
  reserve(groups: number): void;
  /**
   * Adds the matching rows of a chunk: the group of each row, and the field's values if the measure
   * has a field.
   */
  add(groups: Uint32Array, values: MatchingValues | undefined): Work<void> | undefined;
  /**
   * Adds the matching rows by the codes of the field that they are grouped by, from the group of each
   * code, and its number of rows if that is known. Absent if the measure needs more of a row than its
   * group.
   */
  addCodes?(
    groups: Uint32Array,
    codes: ArrayLike<number>,
    rowsOfCodes: Uint32Array | undefined,
  ): void;
  /** The cost of a row, in steps. */
  readonly steps: number;
  /** The memory that grows with the rows. Absent if it does not grow. */
  readonly byteLength?: number;
  /** The memory that grows with the groups. */
  readonly bytesOfGroups: number;
};

/**
 * A field's values in the matching rows of a chunk. Each row has a code. Within a chunk, equal
 * values have equal codes, and greater values have greater codes.
 */
export type MatchingValues = {
  /** The code of each row. */
  readonly codes: ArrayLike<number>;
  /** The least code of a value. If it is 1, code 0 stands for no value. */
  readonly firstKey: 0 | 1;
  /** The number of codes. Every code is less than this. */
  readonly size: number;
  /** The codes of values that occur in the rows, ascending. */
  readonly usedCodes: ArrayLike<number>;
  /** For each code, the text that is compared. Absent for numbers. */
  readonly texts: TextRun | undefined;
  /**
   * Present if the values are texts of which only codes are known: what is added to a code, so that it
   * is equal in all chunks where the texts are. The sum is less than the number of rows.
   */
  readonly toCodes: number | undefined;
  /** Returns the number of a code, as comparisons use it. */
  numberAt(code: number): number;
  /** For each row, its number; NaN if it has none. */
  readonly keys: Float64Array;
  /** Returns the numbers of each group in ascending order. */
  sortedIn(groups: Uint32Array): SortedGroups;
  /** Splits each row's number, as JSON writes it, into parts. A row without a number gets 0. */
  decimalParts(): Work<PartsOfRows>;
};

/** The numbers of all groups, one group after another. */
export type SortedGroups = {
  readonly numbers: Float64Array;
  /** The start of each group's numbers, and the end of the last group's. */
  readonly starts: Uint32Array;
};

/** The parts of a row's number stand at the row's code. */
export type PartsOfRows = DecimalParts & {
  readonly codes: ArrayLike<number>;
  /** Present if each number is its code and this: then there are no parts. */
  readonly units?: number;
};

/** The greatest group of some rows; 0 if there are no rows. */
export function greatestOf(groups: Uint32Array): number {
  let most = 0;
  for (let i = 0; i < groups.length; i++) {
    if ((groups[i] as number) > most) most = groups[i] as number;
  }
  return most;
}

/**
 * What the groups of a question and their measures take in memory: groups beyond the 10,000 that
 * are listed, and what distinct values, medians and percentiles keep. Then 400 `too-much-work`.
 */
const MOST_BYTES = 2 ** 26;

/** Throws a Problem if a question takes more memory than it may. */
export function checkMemory(bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  const detail = `The groups and their measures must keep more than ${MOST_BYTES / 2 ** 20} MB of values at once, the most that a question may. Ask for fewer measures (distinct, median and percentiles keep the most), group by fewer fields or by a part of the values, or filter for fewer rows.`;
  throw new Problem('too-much-work', detail, { fault: { parameter: '_measure' } });
}
