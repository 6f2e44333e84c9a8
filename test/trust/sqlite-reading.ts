import { typeOf } from '../../src/values/field-types.ts';
import type { OtherReading } from './checks.ts';
import { whereOf } from './sql-clause.ts';
import { bound, openSqlite } from './sqlite.ts';
import type { TrustSet } from './trust-set.ts';

/**
 * Reads queries from the keys of all rows in SQLite: numbers, and times as numbers, by value; texts
 * by their bytes, wildcards as GLOB. Wildcards on digits are left out, since their texts are no keys.
 */
export function sqliteReading({ block, rows }: TrustSet): OtherReading {
  const database = openSqlite();
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
      insert.run(position, ...names.map((name) => bound(keys[name] ?? null)));
    }
  })();
  return ({ predicate, sort }, most) => {
    const clause = whereOf(predicate);
    if (clause === undefined) return undefined;
    const { sql: where } = clause;
    const values = clause.values.map(bound);
    const order = [sort, sort?.second].flatMap((by) =>
      by === undefined ? [] : `"${by.field}" ${by.descending ? 'DESC' : 'ASC'} NULLS LAST`,
    );
    const page = `SELECT position FROM rows${where} ORDER BY ${[...order, 'position'].join()} LIMIT ${most}`;
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
