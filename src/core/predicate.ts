import type { Members } from './arguments.ts';
import type { Budget } from './budget.ts';
import type { Field } from './field.ts';
import { fold, stepsOfFolding } from './fold.ts';
import {
  allDigits,
  digitsKey,
  isWildcard,
  matchesPattern,
  type Pattern,
  parseDigitsPattern,
  parsePattern,
} from './pattern.ts';

/** A text field that matches any of these patterns. */
export type TextCondition = {
  readonly kind: 'text';
  readonly field: string;
  readonly digits: boolean;
  readonly anyOf: readonly Pattern[];
};

/** A numeric field within these ends, both inclusive; at least one is there. */
export type RangeCondition = {
  readonly kind: 'range';
  readonly field: string;
  readonly min?: number;
  readonly max?: number;
};

export type Condition = TextCondition | RangeCondition;

/** What a row must satisfy: all of these. Plain data; none is everything. */
export type Predicate = readonly Condition[];

/** A row with its texts as they are compared, by field; no key where there is no value. */
export type KeyedRow = {
  readonly values: Readonly<Record<string, string | number | null>>;
  readonly keys: Readonly<Record<string, string>>;
};

/** The predicate that valid arguments state over these fields. */
export function predicateOf(fields: readonly Field[], values: Members, budget: Budget): Predicate {
  const named = new Set(Object.keys(values).map((name) => name.replace(/_(?:min|max)$/, '')));
  return fields.flatMap((field): Condition[] => {
    if (!named.has(field.name) && !Object.hasOwn(values, field.name)) return [];
    const { name } = field;
    if (field.kind === 'carried') return [];
    if (field.kind === 'range') {
      const min = values[`${name}_min`] as number | undefined;
      const max = values[`${name}_max`] as number | undefined;
      if (min === undefined && max === undefined) return [];
      return [
        {
          kind: 'range',
          field: name,
          ...(min === undefined ? {} : { min }),
          ...(max === undefined ? {} : { max }),
        },
      ];
    }
    const value = values[name] as string | readonly string[] | undefined;
    if (value === undefined) return [];
    const digits = field.compare === 'digits';
    const texts = typeof value === 'string' ? [value] : value;
    for (const text of texts) budget.spend(stepsOfFolding(text), name);
    const patterns = texts.map(digits ? parseDigitsPattern : parsePattern);
    return [{ kind: 'text', field: name, digits, anyOf: withoutRepeats(patterns) }];
  });
}

/** The parameters that state a condition. */
export function parametersOf(condition: Condition): string[] {
  const { field } = condition;
  if (condition.kind === 'text') return [field];
  return [
    ...(condition.min === undefined ? [] : [`${field}_min`]),
    ...(condition.max === undefined ? [] : [`${field}_max`]),
  ];
}

/**
 * The steps that it takes to look at so many values, of so many characters in all, one by one: each
 * pattern is tried on each text, from its beginning to where the last piece is found.
 */
export function stepsOfMatching(condition: Condition, values: number, characters = 0): number {
  if (condition.kind === 'range') return values / 8;
  const pieces = condition.anyOf.reduce((sum, pattern) => sum + pattern.length, 0);
  return values * (condition.anyOf.length + pieces) + (characters * condition.anyOf.length) / 8;
}

/** The text of a row as this field compares it. */
function keyOf(field: Field, text: string): string {
  return field.kind === 'text' && field.compare === 'digits' ? digitsKey(text) : fold(text);
}

/** A row with its keys; a text that folds to nothing has none, and no filter matches it. */
export function keyRow(fields: readonly Field[], values: KeyedRow['values']): KeyedRow {
  const keys: Record<string, string> = Object.create(null);
  for (const field of fields) {
    const value = values[field.name];
    if (typeof value !== 'string') continue;
    const key = keyOf(field, value);
    if (key !== '') keys[field.name] = key;
  }
  return { values, keys };
}

/** Whether a row satisfies the predicate. A row with no value in a field fails its condition. */
export function matches(predicate: Predicate, row: KeyedRow): boolean {
  return predicate.every((condition) =>
    condition.kind === 'range'
      ? matchesRange(condition, row.values[condition.field])
      : matchesText(condition, row),
  );
}

function matchesRange({ min, max }: RangeCondition, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

/** Whether a text matches: `key` as an equality compares it, `raw` as it is stored. */
function matchesTextKey(condition: TextCondition, key: string, raw: string): boolean {
  return condition.anyOf.some((pattern) =>
    matchesPattern(pattern, condition.digits && isWildcard(pattern) ? allDigits(raw) : key),
  );
}

function matchesText(condition: TextCondition, { keys, values }: KeyedRow): boolean {
  const key = Object.hasOwn(keys, condition.field) ? keys[condition.field] : undefined;
  return key !== undefined && matchesTextKey(condition, key, values[condition.field] as string);
}

function withoutRepeats(patterns: readonly Pattern[]): Pattern[] {
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}
