import Fastify from 'fastify';
import { openSqlite, type Sqlite, type Statement } from '../../test/trust/sqlite.ts';
import { type GeneratedSet, generatedSet } from '../data/generated-set.ts';
import type { Arguments } from '../data/queries.ts';
import { announce, setToServe } from './announce.ts';

/**
 * SQLite in process behind Fastify: an index on every column, ANALYZE, prepared statements kept by
 * their text. It trusts every request: no schema, no unknown names.
 */
const database = openDatabase(generatedSet(setToServe()));
const statements = new Map<string, Statement>();

const app = Fastify();
app.post('/', (request) => {
  const { _limit, ...conditions } = request.body as Arguments;
  const { where, values } = whereOf(conditions);
  const count = statement(`SELECT count(*) FROM rows${where}`).pluck();
  const page = statement(`SELECT * FROM rows${where} ORDER BY rowid LIMIT ?`);
  return Promise.resolve({ results: page.all(...values, _limit), total: count.get(...values) });
});
await app.ready();
announce(app.server);

function statement(sql: string): Statement {
  const kept = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, kept);
  return kept;
}

function whereOf(conditions: Omit<Arguments, '_limit'>) {
  const clauses = Object.entries(conditions).map(([name, value]) => {
    if (typeof value === 'number') {
      return `"${name.slice(0, -4)}" ${name.endsWith('_min') ? '>=' : '<='} ?`;
    }
    return value.includes('*') ? `"${name}" LIKE ?` : `"${name}" = ?`;
  });
  return {
    where: clauses.length === 0 ? '' : ` WHERE ${clauses.join(' AND ')}`,
    values: Object.values(conditions).map((value) =>
      typeof value === 'string' ? value.replaceAll('*', '%') : value,
    ),
  };
}

function openDatabase({ block, rows }: GeneratedSet): Sqlite {
  const opened = openSqlite();
  const names = block.fields.map(({ name }) => name);
  const columns = block.fields.map(
    ({ type, name }) => `"${name}" ${type === 'text' || type === 'phone' ? 'TEXT' : 'REAL'}`,
  );
  opened.exec(`CREATE TABLE rows (${columns.join(', ')})`);
  const insert = opened.prepare(`INSERT INTO rows VALUES (${names.map(() => '?').join(', ')})`);
  opened.transaction(() => {
    for (const row of rows) insert.run(...names.map((name) => row[name] ?? null));
  })();
  for (const name of names) opened.exec(`CREATE INDEX "by_${name}" ON rows ("${name}")`);
  opened.exec('ANALYZE');
  return opened;
}
