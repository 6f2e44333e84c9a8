import { isWildcard, type Pattern } from '../../src/query/pattern.ts';
import type { Condition, FieldCondition, Predicate } from '../../src/query/predicate.ts';

/** What SQL says in exactly the same way: a condition, and the values of its variables. */
export type Clause = { readonly sql: string; readonly values: readonly (string | number)[] };

/**
 * The rows that match, by their keys: numbers, and times as numbers, by value; texts by their bytes,
 * wildcards as GLOB. Undefined for wildcards on digits, since their texts are no keys.
 */
export function whereOf(predicate: Predicate): Clause | undefined {
  const clauses = predicate.map(clauseOf);
  if (clauses.includes(undefined)) return undefined;
  const all = clauses as readonly Clause[];
  return {
    sql: all.length === 0 ? '' : ` WHERE ${all.map(({ sql }) => sql).join(' AND ')}`,
    values: all.flatMap(({ values }) => values),
  };
}

function clauseOf(condition: Condition): Clause | undefined {
  if (!('field' in condition)) return undefined;
  const test = testOf(condition);
  if (test === undefined) return undefined;
  // NULL is neither true nor false, and a row without a value fails every test but `empty`.
  return condition.not ? { ...test, sql: `(${test.sql}) IS NOT TRUE` } : test;
}

function testOf(condition: FieldCondition): Clause | undefined {
  const column = `"${condition.field}"`;
  if (condition.test === 'empty') return { sql: `${column} IS NULL`, values: [] };
  if (condition.test === 'ranges') {
    const tests = condition.anyOf.map(() => `${column} BETWEEN ? AND ?`);
    return { sql: anyOf(tests), values: condition.anyOf.flat() };
  }
  if (condition.byDigits && condition.anyOf.some(isWildcard)) return undefined;
  const tests = condition.anyOf.map((one) => `${column} ${isWildcard(one) ? 'GLOB' : '='} ?`);
  return { sql: anyOf(tests), values: condition.anyOf.map(textOf) };
}

function anyOf(tests: readonly string[]): string {
  return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`;
}

function textOf(pattern: Pattern): string {
  if (!isWildcard(pattern)) return pattern[0] as string;
  return pattern.map((piece) => piece.replace(/[*?[]/g, '[$&]')).join('*');
}
