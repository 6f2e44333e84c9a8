import type { Interval } from '../fields/field-type.ts';
import type { Budget } from '../query/budget.ts';
import { isWildcard, matchesPattern } from '../query/pattern.ts';
import { type Condition, type PatternsTest, stepsOfMatching } from '../query/predicate.ts';
import type { Column, NumberColumn, TextColumn } from './columns.ts';

/**
 * The rows that one condition selects from a column. This code is hot, so it has plain loops over
 * typed arrays, and classes, whose methods are not made anew for each selection.
 */
export type Selection = {
  readonly count: number;
  /** All of the rows in any order, in an array that the caller may change. */
  rows(): Uint32Array;
  /** All of the rows in ascending order, found by scanning every row. */
  scan(): Uint32Array;
  /** Moves the selected ones of the first `length` rows to the front; returns their number. */
  keep(rows: Uint32Array, length: number): number;
};

/**
 * Lets other requests proceed while a wildcard is tried on every text; the caller has spent the
 * steps.
 */
export async function select(
  condition: Condition,
  column: Column,
  budget: Budget,
): Promise<Selection> {
  if (column.kind === 'text') {
    const codes =
      condition.test === 'patterns' ? await selectedCodes(condition, column, budget) : [0];
    return textRows(condition.not ? otherCodes(codes, column) : codes, column);
  }
  const [range, ...others] = condition.test === 'ranges' ? condition.anyOf : [];
  return range === undefined || others.length > 0 || condition.not
    ? markedRows(condition, column)
    : new RangeOfRows(range, column);
}

/** The cost of finding a condition's rows and then checking each of this many rows. */
export function stepsOfSelecting(condition: Condition, column: Column, rows: number): number {
  if (condition.test === 'ranges') return (rows * (1 + Math.min(condition.anyOf.length, 8))) / 8;
  if (condition.test === 'empty' || column.kind === 'number') return rows / 4;
  const { keys, characters } = column;
  const looked = (rows + keys.length) / 8;
  return condition.anyOf.some(isWildcard)
    ? looked + stepsOfMatching(condition, keys.length, characters)
    : looked + condition.anyOf.length;
}

/** All codes except these; code 0, for rows without a value, counts too. */
function otherCodes(codes: readonly number[], { keys }: TextColumn): number[] {
  const left = new Uint8Array(keys.length);
  for (const code of codes) left[code] = 1;
  return [...left.keys()].filter((code) => left[code] === 0);
}

/** Selects by a mark for each row: for several ranges, no range, empty values and negations. */
function markedRows(condition: Condition, column: NumberColumn): Selection {
  const { values, ascending, sorted } = column;
  const marks = new Uint8Array(values.length);
  if (condition.test === 'empty') {
    for (let row = 0; row < values.length; row++) {
      if (Number.isNaN(values[row] as number)) marks[row] = 1;
    }
  } else if (condition.test === 'ranges') {
    for (const [min, max] of condition.anyOf) {
      const to = firstWhere(sorted, max, false);
      for (let at = firstWhere(sorted, min, true); at < to; at++)
        marks[ascending[at] as number] = 1;
    }
  }
  let marked = 0;
  for (const mark of marks) marked += mark;
  return condition.not
    ? new CodedRows(marks, Uint8Array.of(1, 0), marks.length - marked)
    : new CodedRows(marks, Uint8Array.of(0, 1), marked);
}

function textRows(selected: readonly number[], { codes, rows }: TextColumn): Selection {
  const isSelected = new Uint8Array(rows.length);
  const lists = selected.map((code) => rows[code] as Uint32Array);
  for (const code of selected) isSelected[code] = 1;
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  return new CodedRows(codes, isSelected, count, lists);
}

/** Selects one range, which is a run of the sorted values. */
class RangeOfRows implements Selection {
  readonly count: number;
  readonly #range: Interval;
  readonly #column: NumberColumn;
  readonly #from: number;

  constructor(range: Interval, column: NumberColumn) {
    const [low, high] = range;
    this.#range = range;
    this.#column = column;
    this.#from = firstWhere(column.sorted, low, true);
    this.count = Math.max(0, firstWhere(column.sorted, high, false) - this.#from);
  }

  rows(): Uint32Array {
    return this.#column.ascending.slice(this.#from, this.#from + this.count);
  }

  scan(): Uint32Array {
    const { values } = this.#column;
    const [low, high] = this.#range;
    const rows = new Uint32Array(this.count);
    for (let row = 0, found = 0; found < rows.length; row++) {
      const value = values[row] as number;
      if (value >= low && value <= high) rows[found++] = row;
    }
    return rows;
  }

  keep(rows: Uint32Array, length: number): number {
    const { values } = this.#column;
    const [low, high] = this.#range;
    let kept = 0;
    for (let i = 0; i < length; i++) {
      const row = rows[i] as number;
      const value = values[row] as number;
      if (value >= low && value <= high) rows[kept++] = row;
    }
    return kept;
  }
}

/** Selects the rows with a selected code; `lists` has the rows of each such code, if known. */
class CodedRows implements Selection {
  readonly count: number;
  readonly #codes: Uint32Array | Uint8Array;
  readonly #isSelected: Uint8Array;
  readonly #lists: readonly Uint32Array[] | undefined;

  constructor(
    codes: Uint32Array | Uint8Array,
    isSelected: Uint8Array,
    count: number,
    lists?: readonly Uint32Array[],
  ) {
    this.count = count;
    this.#codes = codes;
    this.#isSelected = isSelected;
    this.#lists = lists;
  }

  rows(): Uint32Array {
    if (this.#lists === undefined) return this.scan();
    const rows = new Uint32Array(this.count);
    let at = 0;
    for (const list of this.#lists) {
      rows.set(list, at);
      at += list.length;
    }
    return rows;
  }

  scan(): Uint32Array {
    const codes = this.#codes;
    const isSelected = this.#isSelected;
    const rows = new Uint32Array(this.count);
    for (let row = 0, found = 0; found < rows.length; row++) {
      if (isSelected[codes[row] as number] === 1) rows[found++] = row;
    }
    return rows;
  }

  keep(rows: Uint32Array, length: number): number {
    const codes = this.#codes;
    const isSelected = this.#isSelected;
    let kept = 0;
    for (let i = 0; i < length; i++) {
      const row = rows[i] as number;
      if (isSelected[codes[row] as number] === 1) rows[kept++] = row;
    }
    return kept;
  }
}

/** Texts examined without a pause. */
const TEXTS_AT_ONCE = 1024;

async function selectedCodes(
  condition: PatternsTest & Condition,
  { keys, searched, codesOfKey, characters }: TextColumn,
  budget: Budget,
): Promise<readonly number[]> {
  const { anyOf } = condition;
  if (!anyOf.some(isWildcard)) {
    return anyOf.flatMap(([key]) => codesOfKey.get(key as string) ?? []);
  }
  const steps = stepsOfMatching(condition, 1, characters / keys.length);
  const codes: number[] = [];
  for (let from = 1; from < keys.length; from += TEXTS_AT_ONCE) {
    const to = Math.min(keys.length, from + TEXTS_AT_ONCE);
    for (let code = from; code < to; code++) {
      for (const pattern of anyOf) {
        const text = isWildcard(pattern) ? searched[code] : keys[code];
        if (!matchesPattern(pattern, text as string)) continue;
        codes.push(code);
        break;
      }
    }
    await budget.turn((to - from) * steps);
  }
  return codes;
}

/** The first index whose value is above this one, or, if `inclusive`, not below it. */
function firstWhere(sorted: Float64Array, value: number, inclusive: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] as number;
    if (found > value || (inclusive && found === value)) high = middle;
    else low = middle + 1;
  }
  return low;
}
