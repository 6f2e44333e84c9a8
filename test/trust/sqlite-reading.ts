import { createRequire } from 'node:module';
import { typeOf } from '../../src/fields/field-types.ts';
import { isWildcard, type Pattern } from '../../src/query/pattern.ts';
import type { Condition, FieldCondition } from '../../src/query/predicate.ts';
import type { OtherReading } from './checks.ts';
import type { TrustSet } from './trust-set.ts';

/** As much of better-sqlite3 as is used; it is a dependency of this folder's own package. */
type Statement = {
  run(...values: unknown[]): void;
  all(...values: unknown[]): readonly unknown[];
  get(...values: unknown[]): unknown;
  pluck(): Statement;
};
type Database = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  transaction(change: () => void): () => void;
};

/** What SQL says in exactly the same way: a condition, and the values of its variables. */
type Clause = { readonly sql: string; readonly values: readonly (string | number)[] };

/**
 * Reads queries from the keys of all rows in SQLite: numbers, and times as numbers, by value; texts
 * by their bytes, wildcards as GLOB. Wildcards on digits are left out, since their texts are no keys.
 */
export function sqliteReading({ block, rows }: TrustSet): OtherReading {
  const open = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Database;
  const database = new open(':memory:');
  const names = block.fields.map(({ name }) => name);
  const columns = block.fields.map(
    (field) => `"${field.name}" ${typeOf(field).comparedBy === 'text' ? 'TEXT' : 'REAL'}`,
  );
  database.exec(`CREATE TABLE rows (position INTEGER PRIMARY KEY, ${columns.join(', ')})`);
  const insert = database.prepare(
    `INSERT INTO rows VALUES (?, ${names.map(() => '?').join(', ')})`,
  );
  database.transaction(() => {
    for (const [position, { keys }] of rows.entries()) {
      insert.run(position, ...names.map((name) => keys[name] ?? null));
    }
  })();
  return ({ predicate, sort }, most) => {
    const clauses = predicate.map(clauseOf);
    if (clauses.includes(undefined)) return undefined;
    const all = clauses as readonly Clause[];
    const where = all.length === 0 ? '' : ` WHERE ${all.map(({ sql }) => sql).join(' AND ')}`;
    const values = all.flatMap((clause) => clause.values);
    const order =
      sort === undefined
        ? ''
        : `"${sort.field}" IS NULL, "${sort.field}" ${sort.descending ? 'DESC' : 'ASC'}, `;
    const page = `SELECT position FROM rows${where} ORDER BY ${order}position LIMIT ${most}`;
    const total = `SELECT count(*) FROM rows${where}`;
    return {
      positions: database
        .prepare(page)
        .pluck()
        .all(...values) as readonly number[],
      total: database
        .prepare(total)
        .pluck()
        .get(...values) as number,
    };
  };
}

function clauseOf(condition: Condition): Clause | undefined {
  if (!('field' in condition)) return undefined;
  const test = testOf(condition);
  if (test === undefined) return undefined;
  // NULL is neither true nor false, and a row without a value fails every test but `empty`.
  return condition.not ? { ...test, sql: `NOT coalesce(${test.sql}, 0)` } : test;
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
  return tests.length === 0 ? '0' : `(${tests.join(' OR ')})`;
}

function textOf(pattern: Pattern): string {
  if (!isWildcard(pattern)) return pattern[0] as string;
  return pattern.map((piece) => piece.replace(/[*?[]/g, '[$&]')).join('*');
}
