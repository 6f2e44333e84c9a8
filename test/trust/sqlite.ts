import { createRequire } from 'node:module';

/** As much of a statement as is used. */
export type Statement = {
  /** Its rows are lists. */
  raw(): Statement;
  /** Its rows are the values of their first column. */
  pluck(): Statement;
  run(...values: unknown[]): void;
  all(...values: unknown[]): readonly unknown[];
  get(...values: unknown[]): unknown;
};

export type Sqlite = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  transaction(change: () => void): () => void;
  close(): void;
};

type Package = {
  readonly DatabaseSync: new (file: string) => object;
  enhance(database: object): Sqlite;
};

/**
 * A value as SQLite gets it without a change. The package takes a number for a whole one if it is
 * less than 2.2e-16 above it; SQLite reads a text exactly, where a number is stored or compared.
 */
export function bound(value: unknown): unknown {
  const isNearWhole =
    typeof value === 'number' &&
    !Number.isInteger(value) &&
    value - Math.floor(value) < Number.EPSILON;
  return isNearWhole ? String(value) : value;
}

/**
 * Opens SQLite in process. Its package is a dependency of this folder alone: it brings SQLite built
 * for each platform, where others build it for a minute, and it runs on Node 20.
 */
export function openSqlite(file = ':memory:'): Sqlite {
  const { DatabaseSync, enhance } = createRequire(import.meta.url)(
    '@photostructure/sqlite',
  ) as Package;
  return enhance(new DatabaseSync(file));
}
