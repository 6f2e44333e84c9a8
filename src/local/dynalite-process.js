// A DynamoDB on 127.0.0.1, in a process of its own: in ours it would block the event loop.
// Ends with its parent, however that ends: the channel between them closes.
import dynalite from 'dynalite';
import stores from 'dynalite/db/index.js';

const [path] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
// Ctrl-C goes to the whole group; requests that are under way still need the data.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

if (path !== undefined) await dropHalfMadeTables(path);
const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

/** A table whose making was cut short has no items, and dynalite would never finish or delete it. */
async function dropHalfMadeTables(path) {
  const { db, tableDb } = stores.create({ path });
  await db.open();
  const names = [];
  for await (const table of tableDb.createValueStream({})) {
    if (table.TableStatus === 'CREATING') names.push(table.TableName);
  }
  for (const name of names) {
    await new Promise((resolve, reject) => {
      tableDb.del(name, (error) => (error ? reject(error) : resolve()));
    });
  }
  await db.close();
}
