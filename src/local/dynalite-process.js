// Runs a DynamoDB on 127.0.0.1 in its own process, since it would block our event loop.
// It ends when its parent does, however that happens, because the IPC channel closes.
import dynalite from 'dynalite';
import stores from 'dynalite/db/index.js';

const [path] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
// Ctrl-C signals the whole process group, but requests under way still need the data.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

if (path !== undefined) await dropHalfMadeTables(path);
const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

/** Drops tables whose creation was interrupted: dynalite would never finish or delete them. */
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
