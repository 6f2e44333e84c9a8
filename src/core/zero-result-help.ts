import type { DatasetFacts } from './dataset-facts.ts';
import { editDistance } from './edit-distance.ts';
import { fold } from './fold.ts';
import { isWildcard } from './pattern.ts';
import type { Condition, Predicate, TextCondition } from './predicate.ts';

/** What one filter has to do with an answer of no rows. Null is not known, and never a guess. */
export type FilterHelp = {
  /** The parameters that state it: one, or both ends of a range. */
  readonly parameters: readonly string[];
  /** Rows that it matches by itself. */
  readonly alone: number | null;
  /** Rows that all the others match: what is left when it is dropped. */
  readonly without: number | null;
  /** Whether the set is empty for its sake: by itself, or together with the others. */
  readonly empties: boolean | null;
  /** Rows that all match with its text within theirs, where none is that text alone. */
  readonly containing: number | null;
  /** Values of the dataset that the text may have meant, the nearest first. */
  readonly nearest: readonly string[];
};

/** Counts rows, and lists a text field's values, where that costs no read. */
export type RowCounts = {
  count(predicate: Predicate): number;
  /** By value as it is compared: one spelling of it, and how many rows have it. */
  values(field: string): Iterable<{ key: string; text: string; rows: number }>;
};

/** Help where rows can be counted. Called where the predicate matches none. */
export function helpByCounting(predicate: Predicate, counts: RowCounts): FilterHelp[] {
  return predicate.map((condition) => {
    const alone = counts.count([condition]);
    const without = counts.count(predicate.filter((other) => other !== condition));
    return {
      parameters: parametersOf(condition),
      alone,
      without,
      empties: alone === 0 || without > 0,
      containing: alone === 0 ? countContaining(condition, predicate, counts) : null,
      nearest:
        condition.kind === 'text' && alone === 0
          ? nearestValues(condition, counts.values(condition.field))
          : [],
    };
  });
}

/** Null for what is no plain text; digits within digits have rules of their own for a leading 1. */
function countContaining(
  condition: Condition,
  predicate: Predicate,
  counts: RowCounts,
): number | null {
  if (condition.kind !== 'text' || condition.digits || condition.anyOf.some(isWildcard))
    return null;
  const anyOf = condition.anyOf.map((pattern) => ['', ...pattern, '']);
  return counts.count(
    predicate.map((other) => (other === condition ? { ...condition, anyOf } : other)),
  );
}

/** Help from what the importer learned, where counting would be reading. */
export function helpByFacts(predicate: Predicate, facts: DatasetFacts): FilterHelp[] {
  return predicate.map((condition) => {
    // The only one matched none: that is what was asked.
    const isOnly = predicate.length === 1;
    const isNone = isOnly || matchesNone(condition, facts);
    const values = facts.fields[condition.field]?.values ?? [];
    return {
      parameters: parametersOf(condition),
      alone: isNone ? 0 : null,
      without: isOnly ? facts.rows : null,
      empties: isNone ? true : null,
      containing: null,
      nearest:
        isNone && condition.kind === 'text'
          ? nearestValues(
              condition,
              values.map((text) => ({ key: fold(text), text, rows: 1 })),
            )
          : [],
    };
  });
}

/** Whether the facts alone say that no row satisfies a condition. */
function matchesNone(condition: Condition, { fields, rows }: DatasetFacts): boolean {
  const facts = fields[condition.field];
  if (facts === undefined) return false;
  if (facts.nulls === rows) return true;
  if (condition.kind === 'range') {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = condition;
    return min > (facts.max ?? max) || max < (facts.min ?? min);
  }
  const { values } = facts;
  if (values === undefined || condition.digits || condition.anyOf.some(isWildcard)) return false;
  const keys = new Set(values.map(fold));
  return condition.anyOf.every(([key]) => !keys.has(key as string));
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

const MOST_NEAREST = 3;

/** Beyond this many distinct values none is looked at: it would take longer than the answer. */
const MOST_VALUES = 20_000;

/** Edits, as a share of the longer text, that still count as near. */
const NEAR = 0.4;

/** One wrong digit of ten, or a pair of them changed about. */
const NEAR_DIGITS = 0.2;

function nearestValues(
  condition: TextCondition,
  values: Iterable<{ key: string; text: string; rows: number }>,
): string[] {
  const wanted = condition.anyOf.map((pattern) => pattern.filter((part) => part !== '').join(' '));
  const found: { text: string; rows: number; far: number }[] = [];
  let seen = 0;
  for (const { key, text, rows } of values) {
    if (++seen > MOST_VALUES) break;
    const far = Math.min(...wanted.map((asked) => farness(asked, key)));
    if (far <= (condition.digits ? NEAR_DIGITS : NEAR)) found.push({ text, rows, far });
  }
  return found
    .sort((a, b) => a.far - b.far || b.rows - a.rows || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_NEAREST)
    .map(({ text }) => text);
}

/** From 0, the same, to 1: the whole text against the whole, or against as many of its words. */
function farness(asked: string, key: string): number {
  if (asked === '') return 1;
  if (key.includes(asked)) return asked.length < 3 ? 1 : 0.1;
  const words = key.split(' ');
  const length = asked.split(' ').length;
  const parts = [
    key,
    ...words
      .slice(0, words.length - length + 1)
      .map((_, i) => words.slice(i, i + length).join(' ')),
  ];
  return Math.min(
    ...parts.map((part) => {
      const longest = Math.max(asked.length, part.length);
      const most = Math.floor(longest * NEAR);
      return editDistance(asked, part, most) / longest;
    }),
  );
}
