import type { DecimalParts } from '../text/decimal.ts';
import type { TextRun } from '../text/text-run.ts';
import type { Value } from '../values/field-type.ts';
import type { Field, FieldTypeName } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';

/**
 * What can be computed of each group of rows, such as a sum. To add one, write it in a file of this
 * folder and list it in measures.ts.
 */
export type MeasureKind<T extends Aggregate = Aggregate> = {
  /** What precedes a field's title: `Sum of`. */
  readonly title: string;
  /** Whether a field has it. */
  of(field: Field): boolean;
  /** The type of its results; the field's own if absent. */
  readonly type?: FieldTypeName;
  /** Between which numbers its results lie; if absent, between those of its field. */
  boundsOf?(ofField: Bounds, rows: number): Bounds;
  /** Its rank among those that a page's form offers, from 1 on; absent if it is not offered. */
  readonly rankInForm?: number;
  /** What goes through the rows. Measures of one field that have the same function share a tally. */
  readonly aggregate: (mostGroups: number) => T;
  /** The results of some groups, once all rows are tallied. */
  results(
    aggregate: T,
    groups: Uint16Array,
    field: Field,
    budget: Budget,
  ): Value[] | Promise<Value[]>;
};

export type Bounds = { readonly min: number; readonly max: number };

/** Collects what a measure needs of the matching rows, chunk by chunk. */
export type Aggregate = {
  /** Takes the matching rows of a chunk: each one's group, and the field's values if it has one. */
  add(
    groups: Uint16Array,
    values: MatchingValues | undefined,
    budget: Budget,
  ): void | Promise<void>;
  /**
   * Takes them by the codes of the field that they are grouped by: the groups of those that rows
   * have, and how many rows have each. Absent if it needs more of a row than its group.
   */
  addCodes?(groups: Uint16Array, rowsOfCodes: Uint32Array): void;
  /** The work of a row, in steps. */
  readonly steps: number;
  /** The memory that grows with the rows; absent if it does not. */
  readonly byteLength?: number;
};

/**
 * A field's values in the matching rows of a chunk. Each row has a code: in a chunk, equal values have
 * the same one, and greater values have greater ones.
 */
export type MatchingValues = {
  /** By row. */
  readonly codes: ArrayLike<number>;
  /** The least code of a value: if it is 1, code 0 stands for no value. */
  readonly firstKey: 0 | 1;
  /** The number of codes: all are below this. */
  readonly size: number;
  /** The codes of values that rows have, ascending. */
  readonly usedCodes: ArrayLike<number>;
  /** By code, what texts are compared by; absent for numbers. */
  readonly texts: TextRun | undefined;
  /** The number that a code of a value stands for, as it is compared. */
  numberAt(code: number): number;
  /** By row, its number; NaN if it has none. */
  readonly keys: Float64Array;
  /** The numbers of each group in ascending order. */
  sortedIn(groups: Uint16Array): SortedGroups;
  /** Each row's number as JSON writes it, in parts; 0 if it has none. */
  decimalParts(budget: Budget): Promise<PartsOfRows>;
};

/** The numbers of groups, one group after the other. */
export type SortedGroups = {
  readonly numbers: Float64Array;
  /** Where each group begins, and the last one ends. */
  readonly starts: Uint32Array;
};

/** The parts of each row's number are those at the row's code. */
export type PartsOfRows = DecimalParts & { readonly codes: ArrayLike<number> };

/** The greatest of some rows' groups; 0 if there are no rows. */
export function greatestOf(groups: Uint16Array): number {
  let most = 0;
  for (let i = 0; i < groups.length; i++) {
    if ((groups[i] as number) > most) most = groups[i] as number;
  }
  return most;
}
