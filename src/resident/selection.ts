import { isWildcard, matchesPattern, type Pattern } from '../core/pattern.ts';
import {
  type Condition,
  matchesTextKey,
  type RangeCondition,
  type TextCondition,
} from '../core/predicate.ts';
import type { Column, NumberColumn, TextColumn } from './columns.ts';

/** The rows that one condition selects of a column. Plain loops over typed arrays: this is hot. */
export type Selection = {
  readonly count: number;
  /** All of them, in no particular order, in an array of the caller's own. */
  rows(): Uint32Array;
  /** All of them in ascending order, by looking at every row. */
  scan(): Uint32Array;
  /** Moves those of the first `length` rows that are selected to the front; says how many. */
  keep(rows: Uint32Array, length: number): number;
};

export function select(condition: Condition, column: Column): Selection {
  return condition.kind === 'range'
    ? selectRange(condition, column as NumberColumn)
    : selectText(condition, column as TextColumn);
}

function selectRange({ min, max }: RangeCondition, column: NumberColumn): Selection {
  const { values, ascending, sorted } = column;
  const low = min ?? Number.NEGATIVE_INFINITY;
  const high = max ?? Number.POSITIVE_INFINITY;
  const from = firstWhere(sorted, low, true);
  const to = Math.max(from, firstWhere(sorted, high, false));
  return {
    count: to - from,
    rows: () => ascending.slice(from, to),
    scan: () => {
      const rows = new Uint32Array(to - from);
      for (let row = 0, found = 0; found < rows.length; row++) {
        const value = values[row] as number;
        if (value >= low && value <= high) rows[found++] = row;
      }
      return rows;
    },
    keep: (rows, length) => {
      let kept = 0;
      for (let i = 0; i < length; i++) {
        const row = rows[i] as number;
        const value = values[row] as number;
        if (value >= low && value <= high) rows[kept++] = row;
      }
      return kept;
    },
  };
}

function selectText(condition: TextCondition, column: TextColumn): Selection {
  const { codes, rows: rowsOf } = column;
  const selected = selectedCodes(condition, column);
  const isSelected = new Uint8Array(rowsOf.length);
  let count = 0;
  for (const code of selected) {
    isSelected[code] = 1;
    count += (rowsOf[code] as Uint32Array).length;
  }
  return {
    count,
    rows: () => {
      const rows = new Uint32Array(count);
      let at = 0;
      for (const code of selected) {
        const some = rowsOf[code] as Uint32Array;
        rows.set(some, at);
        at += some.length;
      }
      return rows;
    },
    scan: () => {
      const rows = new Uint32Array(count);
      for (let row = 0, found = 0; found < count; row++) {
        if (isSelected[codes[row] as number] === 1) rows[found++] = row;
      }
      return rows;
    },
    keep: (rows, length) => {
      let kept = 0;
      for (let i = 0; i < length; i++) {
        const row = rows[i] as number;
        if (isSelected[codes[row] as number] === 1) rows[kept++] = row;
      }
      return kept;
    },
  };
}

function selectedCodes(condition: TextCondition, column: TextColumn): readonly number[] {
  const { keys, raws, codesOfKey } = column;
  if (!condition.anyOf.some(isWildcard)) {
    return condition.anyOf.flatMap(([key]) => codesOfKey.get(key as string) ?? []);
  }
  const [only, ...others] = condition.anyOf as [Pattern, ...Pattern[]];
  const codes: number[] = [];
  if (others.length === 0 && !condition.digits) {
    for (let code = 1; code < keys.length; code++) {
      if (matchesPattern(only, keys[code] as string)) codes.push(code);
    }
    return codes;
  }
  for (let code = 1; code < keys.length; code++) {
    if (matchesTextKey(condition, keys[code] as string, raws[code] as string)) codes.push(code);
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
