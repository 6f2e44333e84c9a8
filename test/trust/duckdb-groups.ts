import { createRequire } from 'node:module';
import type { Dimension, Measure } from '../../src/block/grouping.ts';
import type { Field } from '../../src/values/field-types.ts';
import { MapCells } from '../../src/values/map-cells.ts';
import {
  type Expression,
  plainMeasure,
  type SqlEngine,
  sqlColumns,
  sqlKey,
  UNIT_DECIMALS,
} from './sql-groups.ts';
import type { TrustSet } from './trust-set.ts';

/** As much of @duckdb/node-api as is used; it is a dependency of this folder's own package. */
export type Appender = {
  appendVarchar(value: string): void;
  appendDouble(value: number): void;
  appendNull(): void;
  endRow(): void;
  closeSync(): void;
};
type Connection = {
  run(sql: string): Promise<unknown>;
  runAndReadAll(
    sql: string,
    values: readonly unknown[],
    types: readonly object[],
  ): Promise<{ getRowsJS(): readonly (readonly unknown[])[] }>;
  createAppender(table: string): Promise<Appender>;
};
type DuckDb = {
  DOUBLE: object;
  VARCHAR: object;
  DuckDBInstance: {
    create(
      file: string,
      options: Record<string, string>,
    ): Promise<{ connect(): Promise<Connection> }>;
  };
};

const TYPES = { text: 'VARCHAR', number: 'DOUBLE', time: 'TIMESTAMP', units: 'HUGEINT' } as const;

/** Groups in DuckDB: sums and ranges are exact, by whole units of 128 bits. */
export async function duckdbGroups({ block, rows }: TrustSet): Promise<SqlEngine> {
  const { DuckDBInstance, DOUBLE, VARCHAR } = createRequire(import.meta.url)(
    '@duckdb/node-api',
  ) as DuckDb;
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const columns = sqlColumns(block.fields);
  // Times and units are read from texts.
  const given = columns.map(({ name, kind }) => {
    return `"${name}" ${kind === 'number' ? 'DOUBLE' : 'VARCHAR'}`;
  });
  await connection.run(`CREATE TABLE given (${given.join(', ')})`);
  const appender = await connection.createAppender('given');
  for (const row of rows) {
    for (const { of } of columns) {
      const cell = of(row);
      if (cell === null) appender.appendNull();
      else if (typeof cell === 'number') appender.appendDouble(cell);
      else appender.appendVarchar(cell);
    }
    appender.endRow();
  }
  appender.closeSync();
  const read = columns.map(({ name, kind }) => `CAST("${name}" AS ${TYPES[kind]}) AS "${name}"`);
  await connection.run(`CREATE TABLE rows AS SELECT ${read.join(', ')} FROM given`);
  await connection.run('DROP TABLE given');
  return {
    name: 'DuckDB',
    dimension,
    measure,
    // In its GLOB, a backslash is an escape.
    says: ({ values }) => !values.some((value) => String(value).includes('\\')),
    all: async (sql, values) => {
      // Whole numbers would be bound as integers of 64 bits, which 1e100 is not.
      const types = values.map((value) => (typeof value === 'number' ? DOUBLE : VARCHAR));
      return (await connection.runAndReadAll(sql, values, types)).getRowsJS();
    },
  };
}

function dimension({
  field,
  part,
  width,
  text,
  cells,
  longitude,
}: Dimension): Expression | undefined {
  if (cells !== undefined) return cellExpression(text, longitude, field);
  const column = `"${field.name}"`;
  if (width !== undefined) {
    const { length } = width.split('.')[1] ?? '';
    const wide = BigInt(width.replace('.', ''));
    const units = `"units_${field.name}"`;
    const step = `CAST('${wide * 10n ** BigInt(UNIT_DECIMALS - length)}' AS HUGEINT)`;
    return {
      // Its division cuts off the fraction, also of negative numbers.
      sql: `(${units} - ((${units} % ${step}) + ${step}) % ${step}) // ${step}`,
      unfit: unfit(field.name),
      read: (index) => Number(`${index * wide}e-${length}`),
    };
  }
  if (part === undefined) return { sql: column, keyOf: (value) => sqlKey(field, value) };
  const clock = `"clock_${field.name}"`;
  // NULL must stay NULL, which printf would write.
  const written = (sql: string) => `CASE WHEN ${clock} IS NOT NULL THEN ${sql} END`;
  const year = `year(${clock})`;
  const month = `printf('%04d-%02d', ${year}, month(${clock}))`;
  const parts: Readonly<Record<string, string>> = {
    year,
    quarter: written(`printf('%04d-Q%d', ${year}, quarter(${clock}))`),
    month: written(month),
    week: written(`printf('%04d-W%02d', isoyear(${clock}), week(${clock}))`),
    day: written(`${month} || printf('-%02d', day(${clock}))`),
    month_of_year: `month(${clock})`,
    week_of_year: `week(${clock})`,
    weekday: `isodow(${clock})`,
    weekend: written(`if(isodow(${clock}) > 5, 'weekend', 'weekday')`),
    hour: `hour(${clock})`,
  };
  return { sql: parts[text.slice(field.name.length + 1)] as string };
}

/** The index of a cell's band and box: of the last border that is not beyond the place. */
function cellExpression(text: string, longitude: Field | undefined, latitude: Field): Expression {
  const [, number = '', unit = ''] = /^place\.([\d.]+)(\w+)$/.exec(text) ?? [];
  const width = Number(number) * ({ m: 1, km: 1000, mi: 1609.344, ft: 0.3048 }[unit] as number);
  const radius = 6_371_008.8;
  const [lat, lon] = [`"${latitude.name}"`, `"${longitude?.name}"`];
  const part = (at: string, from: number, range: number, parts: string) => {
    const about = `floor((${at} - (${from})) / ${range} * ${parts})`;
    const border = (i: string) => `round((${from} + ${range} * (${i}) / ${parts}) * 1e6) / 1e6`;
    return `least(${parts} - 1, CASE WHEN ${at} < ${border(about)} THEN ${about} - 1 WHEN ${at} >= ${border(`${about} + 1`)} THEN ${about} + 1 ELSE ${about} END)`;
  };
  const bands = String(Math.max(1, Math.round((Math.PI * radius) / width)));
  const band = part(lat, -90, 180, `${bands}.0::DOUBLE`);
  const middle = `radians(-90 + 180 * (${band} + 0.5) / ${bands}.0::DOUBLE)`;
  const boxes = `greatest(1.0::DOUBLE, round(${2 * Math.PI * radius} * cos(${middle}) / ${width}))`;
  const box = part(`(CASE WHEN ${lon} = 180 THEN -180 ELSE ${lon} END)`, -180, 360, boxes);
  const isPlace = `abs(${lon}) <= 180 AND abs(${lat}) <= 90`;
  return {
    sql: `CASE WHEN ${isPlace} THEN ${band} * 5e6::DOUBLE + ${box} END`,
    keyOf: (centre) => {
      if (centre === null) return null;
      const key = new MapCells(`${number}${unit}`).keyOf(
        ...(String(centre).split(',').map(Number) as [number, number]),
      );
      return Math.floor(key / 2 ** 22) * 5e6 + (key % 2 ** 22);
    },
  };
}

function measure(asked: Measure): Expression | undefined {
  const { of, field } = asked;
  const [, hundredths] = /^p(\d\d)$/.exec(of) ?? [];
  if (field !== undefined && hundredths !== undefined) {
    const sql = `quantile_cont("${field.name}", 0.${hundredths})`;
    return { sql, size: `max(abs("${field.name}"))` };
  }
  if (of === 'share:count' || of === 'share:sum') return undefined;
  if (field === undefined || (of !== 'sum' && of !== 'median')) return plainMeasure(asked);
  if (of === 'median') {
    return { sql: `median("${field.name}")`, size: `max(abs("${field.name}"))` };
  }
  return {
    sql: `sum("units_${field.name}")`,
    unfit: unfit(field.name),
    read: (units) => Number(`${units}e-${UNIT_DECIMALS}`),
  };
}

/** Numbers too large, or of too many decimals, for whole units. */
function unfit(name: string): string {
  return `"${name}" IS NOT NULL AND "units_${name}" IS NULL`;
}
