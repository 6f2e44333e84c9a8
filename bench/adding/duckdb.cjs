// node duckdb.cjs DATABASE FILE: makes a table of a CSV file, with the DuckDB of test/trust.
const { createRequire } = require('node:module');
const path = require('node:path');

const trust = createRequire(path.join(__dirname, '../../test/trust/package.json'));
const { DuckDBInstance } = trust('@duckdb/node-api');

(async () => {
  const [database, file] = process.argv.slice(2);
  const connection = await (await DuckDBInstance.create(database)).connect();
  await connection.run(`create table rows as select * from read_csv('${file}')`);
  connection.closeSync();
})();
