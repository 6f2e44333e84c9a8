import type { Dimension, Grouping, Measure } from '../../src/block/grouping.ts';
import type { KeyedRow } from '../../src/query/predicate.ts';
import type { Query } from '../../src/query/row-store.ts';
import type { Value } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import { compared } from '../support/naive.ts';
import { fractionOf, naiveSorted } from '../support/naive-groups.ts';
import { type Counts, count, type Fail } from './checks.ts';
import { type Clause, whereOf } from './sql-clause.ts';

/** What is compared: a value as SQL has it. */
export type Cell = string | number | null;

/** What an engine's SQL says of one column of the groups. */
export type Expression = {
  readonly sql: string;
  /** Which rows it cannot say this of. */
  readonly unfit?: string;
  /** How large the numbers are that it adds as floating point: its result is only near. */
  readonly size?: string;
  /** What SQL has for the answer's value. */
  keyOf?(value: Value): Cell;
  /** What the engine's result means, null aside. */
  read?(found: bigint): number;
};

/** A database that groups the same rows. */
export type SqlEngine = {
  readonly name: string;
  /** Undefined for what it does not say in the same way. */
  dimension(dimension: Dimension): Expression | undefined;
  measure(measure: Measure): Expression | undefined;
  says(clause: Clause): boolean;
  all(sql: string, values: Clause['values']): Promise<readonly (readonly unknown[])[]>;
};

/** A column that an engine is given. */
export type SqlColumn = {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'time' | 'units';
  of(row: KeyedRow): string | number | null;
};

/** Decimals of the whole units in which exact numbers are given. */
export const UNIT_DECIMALS = 22;
const UNITS = 10n ** BigInt(UNIT_DECIMALS);

/** Numbers of more units are left out: so many rows of fewer cannot exceed 128 bits. */
const MOST_UNITS = 10n ** 31n;

/** Each field's keys; the clock's time of times; the exact units of numbers. */
export function sqlColumns(fields: readonly Field[]): SqlColumn[] {
  return fields.flatMap((field): SqlColumn[] => {
    const { name, type } = field;
    const kind = typeOf(field).comparedBy;
    // An engine may have two zeros.
    const keys = ({ keys: its }: KeyedRow) => {
      const key = its[name] ?? null;
      return key === 0 ? 0 : key;
    };
    const columns: SqlColumn[] = [{ name, kind, of: keys }];
    if (type === 'date' || type === 'datetime') {
      const clock = ({ values }: KeyedRow) =>
        values[name] == null ? null : String(values[name]).slice(0, 19).replace('T', ' ');
      columns.push({ name: `clock_${name}`, kind: 'time', of: clock });
    }
    if (type === 'number' || type === 'integer') {
      columns.push({
        name: `units_${name}`,
        kind: 'units',
        of: ({ values }) => unitsOf(values[name] as number | null),
      });
    }
    return columns;
  });
}

function unitsOf(value: number | null): string | null {
  if (value === null) return null;
  const { over, under } = fractionOf(value);
  if (UNITS % under !== 0n) return null;
  const units = over * (UNITS / under);
  return units > -MOST_UNITS && units < MOST_UNITS ? String(units) : null;
}

/** What SQL has for a field's value: days, milliseconds, a folded text. */
export function sqlKey(field: Field, value: Value): Cell {
  if (value === null) return null;
  if (field.type === 'date') return Date.parse(String(value)) / 86_400_000;
  if (field.type === 'datetime') return Date.parse(field.local ? `${value}Z` : String(value));
  return typeof value === 'string' ? compared(field, value) || null : Number(value);
}

/** The measures that both engines say in the same way; the rest they say themselves. */
export function plainMeasure({ of, field }: Measure): Expression | undefined {
  if (field === undefined) return { sql: 'count(*)' };
  const column = `"${field.name}"`;
  switch (of) {
    case 'count':
      return { sql: `count(${column})` };
    case 'distinct':
      return { sql: `count(DISTINCT ${column})` };
    case 'min':
    case 'max':
      return { sql: `${of}(${column})`, keyOf: (value) => sqlKey(field, value) };
    case 'avg':
      return { sql: `avg(${column})`, size: `max(abs(${column}))` };
  }
  return undefined;
}

/** By how much of the greatest number a result of floating point may be off. */
const NEAR = 1e-10;

type Asked = {
  readonly fields: readonly Field[];
  readonly query: Query;
  readonly grouping: Grouping;
};

/** That an engine has the same groups, in the same order where it can say the order. */
export async function compareEngine(
  engine: SqlEngine,
  { fields, query, grouping }: Asked,
  groups: readonly Record<string, Value>[],
  counts: Counts,
  fail: Fail,
): Promise<void> {
  const where = whereOf(query.predicate);
  const dimensions = grouping.dimensions.map((one) => ({
    name: one.column.name,
    ...engine.dimension(one),
  }));
  const columns = [
    ...dimensions,
    ...grouping.measures.map((one) => ({ name: one.column.name, ...engine.measure(one) })),
  ].filter((column): column is Expression & { name: string } => column.sql !== undefined);
  const isSaid = dimensions.every(({ sql }) => sql !== undefined) && columns.length > 0;
  if (where === undefined || !engine.says(where) || !isSaid) {
    count(counts, `groupings that ${engine.name} does not say`);
    return;
  }
  const { sort } = query;
  // In two orders, the groups are compared in the order of their values.
  // By numbers that are only near, or left out, or rounded by the answer alone, the order may differ.
  // Cells are sorted by their texts, which an engine does not have.
  const sorted = columns.findIndex(({ name, size, unfit }, i) => {
    return (
      name === sort?.field &&
      sort?.second === undefined &&
      grouping.dimensions[i]?.cells === undefined &&
      size === undefined &&
      (unfit === undefined || i < dimensions.length)
    );
  });
  const order = [
    ...(sorted < 0 ? [] : [`${3 * sorted + 1} ${sort?.descending ? 'DESC' : 'ASC'} NULLS LAST`]),
    ...dimensions.map((_, i) => `${3 * i + 1} NULLS LAST`),
  ];
  const selected = columns.map(({ sql, size = 'NULL', unfit }) => {
    return `${sql}, ${size}, ${unfit === undefined ? '0' : `count(*) FILTER (WHERE ${unfit})`}`;
  });
  const found = await engine.all(
    [
      `SELECT ${selected.join(', ')} FROM rows${where.sql}`,
      dimensions.length === 0 ? '' : `GROUP BY ${dimensions.map((_, i) => 3 * i + 1).join()}`,
      order.length === 0 ? '' : `ORDER BY ${order.join()}`,
    ].join(' '),
    where.values,
  );
  const isUnfit = found.some((row) => dimensions.some((_, i) => Number(row[3 * i + 2]) > 0));
  if (isUnfit) {
    count(counts, `groupings that ${engine.name} does not say`);
    return;
  }
  count(counts, `groupings compared with ${engine.name}`);
  if (found.length !== groups.length)
    fail(`${engine.name} has other groups`, found.length, groups.length);
  const isDown = sort?.descending ? '-' : '';
  const by = sorted < 0 ? undefined : `${isDown}${sort?.field}`;
  const texts = {
    _group: grouping.dimensions.map(({ text }) => text),
    _measure: grouping.measures.map(({ text }) => text),
  };
  for (const [at, group] of naiveSorted(groups, fields, texts, by).entries()) {
    const row = found[at] as readonly unknown[];
    for (const [i, { name, size, keyOf, read }] of columns.entries()) {
      if (Number(row[3 * i + 2]) > 0) {
        count(counts, `values that ${engine.name} does not say`);
        continue;
      }
      const value = group[name] ?? null;
      const wanted = keyOf === undefined ? value : keyOf(value);
      const its = cellOf(row[3 * i], read);
      const isSame =
        size === undefined || its === null || wanted === null
          ? its === wanted
          : Math.abs(Number(its) - Number(wanted)) <= NEAR * Number(row[3 * i + 1]);
      if (!isSame) fail(`${engine.name} has another ${name}`, its, wanted, JSON.stringify(group));
      count(counts, `values compared with ${engine.name}`);
    }
  }
}

function cellOf(found: unknown, read: Expression['read']): Cell {
  if (found === null || typeof found === 'string') return found as Cell;
  const number = read === undefined ? Number(found) : read(BigInt(found as bigint));
  return number === 0 ? 0 : number;
}
