import type { Dimension, Measure } from '../../src/block/grouping.ts';
import { type Expression, plainMeasure, type SqlEngine, sqlColumns, sqlKey } from './sql-groups.ts';
import { bound, openSqlite } from './sqlite.ts';
import type { TrustSet } from './trust-set.ts';

const TYPES = { text: 'TEXT', number: 'REAL', time: 'TEXT' } as const;

/** Groups in SQLite: sums are floating point unless they are of integers; there are no medians. */
export function sqliteGroups({ block, rows }: TrustSet): SqlEngine {
  const database = openSqlite();
  const columns = sqlColumns(block.fields).flatMap(({ name, kind, of }) =>
    kind === 'units' ? [] : [{ name, type: TYPES[kind], of }],
  );
  const declared = columns.map(({ name, type }) => `"${name}" ${type}`);
  database.exec(`CREATE TABLE rows (${declared.join(', ')})`);
  const insert = database.prepare(`INSERT INTO rows VALUES (${columns.map(() => '?').join(', ')})`);
  database.transaction(() => {
    for (const row of rows) insert.run(...columns.map(({ of }) => bound(of(row))));
  })();
  return {
    name: 'SQLite',
    dimension,
    measure,
    says: () => true,
    all: async (sql, values) =>
      database
        .prepare(sql)
        .raw()
        .all(...values.map(bound)) as unknown[][],
  };
}

function dimension({ field, part, width, text, cells }: Dimension): Expression | undefined {
  // It need not have the functions of angles.
  if (cells !== undefined) return undefined;
  const column = `"${field.name}"`;
  if (width !== undefined) {
    if (field.type !== 'integer') return undefined;
    const { length } = width.split('.')[1] ?? '';
    const wide = Number(width.replace('.', ''));
    const units = `CAST(${column} AS INTEGER) * ${10 ** length}`;
    return {
      sql: `(${units} - ((${units} % ${wide}) + ${wide}) % ${wide}) / ${wide}`,
      read: (index) => Number(`${index * BigInt(wide)}e-${length}`),
    };
  }
  if (part === undefined) return { sql: column, keyOf: (value) => sqlKey(field, value) };
  const clock = `"clock_${field.name}"`;
  const number = (format: string) => `CAST(strftime('${format}', ${clock}) AS INTEGER)`;
  const parts: Readonly<Record<string, string>> = {
    year: number('%Y'),
    quarter: `strftime('%Y-Q', ${clock}) || ((${number('%m')} + 2) / 3)`,
    month: `strftime('%Y-%m', ${clock})`,
    week: `strftime('%G-W%V', ${clock})`,
    day: `date(${clock})`,
    month_of_year: number('%m'),
    week_of_year: number('%V'),
    weekday: number('%u'),
    weekend: `CASE WHEN ${number('%u')} > 5 THEN 'weekend' WHEN ${clock} IS NOT NULL THEN 'weekday' END`,
    hour: number('%H'),
  };
  return { sql: parts[text.slice(field.name.length + 1)] as string };
}

function measure(asked: Measure): Expression | undefined {
  const { of, field } = asked;
  // It has no medians, percentiles or shares.
  if (of === 'median' || /^(?:p\d\d$|share:)/.test(of)) return undefined;
  if (of !== 'sum' || field === undefined) return plainMeasure(asked);
  const sql = `sum("${field.name}")`;
  return field.type === 'integer' ? { sql } : { sql, size: `sum(abs("${field.name}"))` };
}
