import type {
  Condition,
  FieldCondition,
  Predicate,
  WithinCondition,
} from '../../src/query/predicate.ts';
import { isWildcard, type Pattern } from '../../src/text/pattern.ts';

/** What SQL says in exactly the same way: a condition, and the values of its variables. */
export type Clause = { readonly sql: string; readonly values: readonly (string | number)[] };

/**
 * The rows that match, by their keys: numbers, and times as numbers, by value; texts by their bytes,
 * wildcards as GLOB. Undefined for wildcards on digits, since their texts are no keys, and for words.
 */
export function whereOf(predicate: Predicate): Clause | undefined {
  const all = joined(predicate.map(clauseOf), ' AND ');
  return all && { ...all, sql: all.sql === '' ? '' : ` WHERE ${all.sql}` };
}

function joined(clauses: readonly (Clause | undefined)[], by: string): Clause | undefined {
  if (clauses.includes(undefined)) return undefined;
  const all = clauses as readonly Clause[];
  return {
    sql: all.map(({ sql }) => sql).join(by),
    values: all.flatMap(({ values }) => values),
  };
}

function clauseOf(condition: Condition): Clause | undefined {
  if (condition.test === 'words') return undefined;
  if (condition.test === 'within') return withinOf(condition);
  if (condition.test === 'any') {
    const any = joined(
      condition.alternatives.map((all) => joined(all.map(clauseOf), ' AND ')),
      ') OR (',
    );
    return any && { ...any, sql: `((${any.sql}))` };
  }
  const test = testOf(condition);
  if (test === undefined) return undefined;
  // NULL is neither true nor false, and a row without a value fails every test but `empty`.
  return condition.not ? { ...test, sql: `(${test.sql}) IS NOT TRUE` } : test;
}

/**
 * By the haversine formula. -180 is the same meridian as 180, of the place that is asked for too, and a
 * pole is one place.
 */
function withinOf({ at: [lon, lat], longitude, latitude, metres }: WithinCondition): Clause {
  const [x, y] = [
    `CASE "${longitude}" WHEN -180 THEN 180 ELSE "${longitude}" END`,
    `"${latitude}"`,
  ];
  const from = lon === -180 ? 180 : lon;
  const sine = (degrees: string) => `pow(sin((${degrees}) * pi() / 180 / 2), 2)`;
  const cosine = (degrees: string) =>
    `CASE abs(${degrees}) WHEN 90 THEN 0 ELSE cos((${degrees}) * pi() / 180) END`;
  const angle = `${sine(`${y} - (${lat})`)} + ${cosine(String(lat))} * ${cosine(y)} * ${sine(`${x} - (${from})`)}`;
  const root = `sqrt(${angle})`;
  return {
    sql: `(2 * 6371008.8 * asin(CASE WHEN ${root} > 1 THEN 1 ELSE ${root} END) <= ?)`,
    values: [metres],
  };
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
