import { isWildcard } from '../core/pattern.ts';
import {
  type Condition,
  matchesTextKey,
  type RangeCondition,
  type TextCondition,
} from '../core/predicate.ts';
import type { Column, NumberColumn, TextColumn } from './columns.ts';

/** One condition over a column: how many rows it selects, which, and whether one is among them. */
export type Selection = {
  readonly count: number;
  /** The rows it selects, in no particular order. */
  rows(): Iterable<number>;
  has(row: number): boolean;
};

export function select(condition: Condition, column: Column): Selection {
  return condition.kind === 'range'
    ? selectRange(condition, column as NumberColumn)
    : selectText(condition, column as TextColumn);
}

function selectRange({ min, max }: RangeCondition, column: NumberColumn): Selection {
  const { values, ascending, sorted } = column;
  const from = min === undefined ? 0 : firstAtLeast(sorted, min);
  const to = max === undefined ? sorted.length : firstAbove(sorted, max);
  const low = min ?? Number.NEGATIVE_INFINITY;
  const high = max ?? Number.POSITIVE_INFINITY;
  return {
    count: Math.max(0, to - from),
    rows: () => ascending.subarray(from, Math.max(from, to)),
    has: (row) => {
      const value = values[row] as number;
      return value >= low && value <= high;
    },
  };
}

function selectText(condition: TextCondition, column: TextColumn): Selection {
  const { codes, rows } = column;
  const selected = selectedCodes(condition, column);
  const only = selected.length === 1 ? selected[0] : undefined;
  const among = new Set(selected);
  return {
    count: selected.reduce((sum, code) => sum + (rows[code] as Uint32Array).length, 0),
    rows: function* () {
      for (const code of selected) yield* rows[code] as Uint32Array;
    },
    has:
      only === undefined ? (row) => among.has(codes[row] as number) : (row) => codes[row] === only,
  };
}

function selectedCodes(condition: TextCondition, { keys, raws, codesOfKey }: TextColumn): number[] {
  if (!condition.anyOf.some(isWildcard)) {
    return condition.anyOf.flatMap(([key]) => codesOfKey.get(key as string) ?? []);
  }
  const codes: number[] = [];
  for (let code = 1; code < keys.length; code++) {
    if (matchesTextKey(condition, keys[code] as string, raws[code] as string)) codes.push(code);
  }
  return codes;
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  return firstWhere(sorted, (x) => x >= value);
}

function firstAbove(sorted: Float64Array, value: number): number {
  return firstWhere(sorted, (x) => x > value);
}

/** The first index whose value passes, where all behind it pass too. */
function firstWhere(sorted: Float64Array, passes: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(sorted[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
