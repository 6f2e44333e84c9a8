import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { renderEnvelope } from '../../src/http/present-data.ts';
import { plansOf } from '../../src/query/run.ts';
import { Budget, RUN_STEPS } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { makeDataset } from '../../test/support/datasets.ts';
import type { Appender } from '../../test/trust/duckdb-groups.ts';
import { openSqlite } from '../../test/trust/sqlite.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { questionBlock, questionRows } from './question-set.ts';
import { type Question, rowsOf } from './questions.ts';

/** What answers questions: as JSON text, which is what is timed, and its rows to be compared. */
export type Engine = {
  readonly name: string;
  ask(question: Question): Promise<string>;
  read(question: Question, text: string): unknown[][];
  /** The processor time that it has taken so far, in milliseconds. */
  cpuMs(): number;
  close(): void;
};

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A machine with other work may take longer than a run may. */
const AMPLE_MS = 60_000;
const scheduler = new Scheduler();

/** The product in process, from the arguments to the answer as JSON; all columns in memory. */
export function blockyard(count: number): Engine {
  const block = questionBlock;
  const { manifest, columns } = makeDataset(block, questionRows(count), GENERATED_SOURCE);
  const dataset = { block, manifest, store: packedRows(block.fields, columns) };
  const readArguments = readArgumentsOf(block);
  return {
    name: 'blockyard',
    ask: async ({ arguments: body }) => {
      const budget = new Budget(scheduler, RUN_STEPS, AMPLE_MS);
      const given = { query: {}, body, isPost: true, isWebhook: false };
      const { values, warnings } = readArguments(given, budget);
      const output = await plansOf(dataset)(values, budget).run(budget);
      return String(renderEnvelope(output, warnings, 'params', false));
    },
    read: ({ arguments: asked }, text) => rowsOf(asked, text),
    cpuMs: ownCpuMs,
    close: () => {},
  };
}

/** The columns of a row in SQL; `clock` is the time in its zone, which SQL would have to compute. */
const COLUMNS = {
  ...{ number: 'INTEGER', category: 'TEXT', status: 'TEXT', borough: 'TEXT', kind: 'TEXT' },
  ...{ agency: 'TEXT', district: 'TEXT', name: 'TEXT', street: 'TEXT', units: 'INTEGER' },
  ...{ amount: 'DOUBLE', created: 'TEXT', longitude: 'DOUBLE', latitude: 'DOUBLE', clock: 'TEXT' },
} as const;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

function* sqlRows(count: number): Generator<(string | number | null)[]> {
  for (const row of questionRows(count)) {
    const clock = String(row.created).slice(0, 19);
    yield NAMES.map((name) => (name === 'clock' ? clock : row[name]) as string | number | null);
  }
}

const statementsOf = (statements: readonly string[], count: number) =>
  statements.map((sql) => sql.replaceAll('@rows', String(count)));

/** SQLite in process, on a file that its cache holds, with an index for each question. */
export function sqlite(count: number, file: string): Engine {
  const database = openSqlite(file);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA cache_size = -4000000');
  const columns = NAMES.map((name) => `${name} ${COLUMNS[name]}`);
  columns[0] = 'number INTEGER PRIMARY KEY';
  database.exec(`CREATE TABLE data (${columns.join(', ')})`);
  const insert = database.prepare(`INSERT INTO data VALUES (${NAMES.map(() => '?').join(', ')})`);
  database.transaction(() => {
    for (const row of sqlRows(count)) insert.run(...row);
  })();
  for (const [i, on] of [
    'category, status, borough',
    'category, status, borough, kind, agency, units',
    'status, category',
    'borough, category, status',
    'kind',
    'agency',
    'units',
    'district, amount',
    'category, amount',
    'category, name',
    'category, units, borough, amount',
    'substr(clock, 1, 7)',
  ].entries()) {
    database.exec(`CREATE INDEX index_${i} ON data (${on})`);
  }
  database.exec(`CREATE VIRTUAL TABLE places USING rtree(id, west, east, south, north);
    INSERT INTO places SELECT number, longitude, longitude, latitude, latitude FROM data;
    CREATE VIRTUAL TABLE words USING fts5(texts, content='', prefix='2 3 4');
    INSERT INTO words (rowid, texts) SELECT number, ${TEXTS.join(" || ' ' || ")} FROM data;
    INSERT INTO words (words) VALUES ('optimize');
    ANALYZE`);
  return {
    name: 'SQLite',
    ask: async ({ sqlite: statements }) =>
      JSON.stringify(
        statementsOf(statements, count).flatMap((sql) => database.prepare(sql).raw().all()),
      ),
    read: (_, text) => JSON.parse(text),
    cpuMs: ownCpuMs,
    close: () => database.close(),
  };
}

/** The texts that `_q` looks into. */
const TEXTS = ['category', 'status', 'borough', 'kind', 'agency', 'district', 'name', 'street'];

type Connection = {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowsJS(): readonly (readonly unknown[])[] }>;
  createAppender(table: string): Promise<Appender>;
  closeSync(): void;
};
type DuckDb = {
  DuckDBInstance: {
    create(file: string, options: object): Promise<{ connect(): Promise<Connection> }>;
  };
};

/** DuckDB in process, on one thread as the others. It is a dependency of `test/trust`'s package. */
export async function duckdb(count: number): Promise<Engine> {
  const trust = createRequire(new URL('../../test/trust/package.json', import.meta.url));
  const { DuckDBInstance } = trust('@duckdb/node-api') as DuckDb;
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const columns = NAMES.map((name) => `${name} ${COLUMNS[name] === 'TEXT' ? 'VARCHAR' : 'DOUBLE'}`);
  await connection.run(`CREATE TABLE given (${columns.join(', ')})`);
  const appender = await connection.createAppender('given');
  for (const row of sqlRows(count)) {
    for (const cell of row) {
      if (cell === null) appender.appendNull();
      else if (typeof cell === 'number') appender.appendDouble(cell);
      else appender.appendVarchar(cell);
    }
    appender.endRow();
  }
  appender.closeSync();
  await connection.run(
    `CREATE TABLE data AS SELECT * REPLACE (number::INTEGER AS number, units::INTEGER AS units), ${TEXTS.join(" || ' ' || ")} AS texts FROM given`,
  );
  await connection.run('DROP TABLE given');
  const written = (_: string, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value;
  return {
    name: 'DuckDB',
    ask: async ({ sqlite: same, duckdb: own = same }) => {
      const rows: unknown[] = [];
      for (const sql of statementsOf(own, count)) {
        rows.push(...(await connection.runAndReadAll(sql)).getRowsJS());
      }
      return JSON.stringify(rows, written);
    },
    read: (_, text) => JSON.parse(text),
    cpuMs: ownCpuMs,
    close: () => connection.closeSync(),
  };
}

const PORT = 8792;

/** Datasette over HTTP on SQLite's file, by its page for SQL; `python` is that of its environment. */
export async function datasette(count: number, file: string, python: string): Promise<Engine> {
  const settings = [
    ...['--setting', 'sql_time_limit_ms', '60000'],
    ...['--setting', 'max_returned_rows', '20000'],
  ];
  const command = path.join(path.dirname(python), 'datasette');
  const child: ChildProcess = spawn(
    command,
    ['serve', '-i', file, '--host', '127.0.0.1', '--port', String(PORT), ...settings],
    { stdio: 'ignore' },
  );
  const base = `http://127.0.0.1:${PORT}`;
  for (let tries = 0; ; tries++) {
    if (tries > 600 || child.exitCode !== null) throw new Error('Datasette does not answer.');
    if (
      await fetch(base).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break;
    await sleep(100);
  }
  const address = `${base}/${path.basename(file, '.db')}.json`;
  return {
    name: 'Datasette',
    ask: async ({ name, sqlite: statements }) => {
      const rows: string[] = [];
      for (const sql of statementsOf(statements, count)) {
        const query = new URLSearchParams({ sql, _shape: 'arrays' });
        const answer = await fetch(`${address}?${query}`);
        const text = await answer.text();
        if (answer.status !== 200)
          throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`);
        rows.push(text);
      }
      return `[${rows.join()}]`;
    },
    read: (_, text) => (JSON.parse(text) as { rows: unknown[][] }[]).flatMap(({ rows }) => rows),
    cpuMs: () => {
      // proc_pid_stat(5): the 14th and the 15th field are ticks of 10 ms.
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return (Number(user) + Number(system)) * 10;
    },
    close: () => child.kill('SIGINT'),
  };
}
