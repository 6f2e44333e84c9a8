// Runs a DynamoDB on 127.0.0.1 in its own process, since it would block our event loop.
// It ends when its parent does, however that happens, because the IPC channel closes.
import { createHash, timingSafeEqual } from 'node:crypto';
import dynalite from 'dynalite';
import stores from 'dynalite/db/index.js';

const [path] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
// Ctrl-C signals the whole process group, but requests under way still need the data.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// By the channel, because other processes can read a command and an environment.
process.once('message', ({ secret }) => start(secret));

async function start(secret) {
  if (path !== undefined) await dropHalfMadeTables(path);
  const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  const answers = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isParents(request, secret, server.address().port)) return refuse(request, response);
    for (const answer of answers) answer(request, response);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
}

/**
 * Whether a request is the parent's, who alone has the secret. A page in a browser here would send
 * its origin, or a name that was bound to this machine; dynalite itself would answer any of them.
 */
function isParents({ headers }, secret, port) {
  const [, key = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/,]*)\//.exec(headers.authorization ?? '') ?? [];
  return (
    timingSafeEqual(digest(key), digest(secret)) &&
    headers.origin === undefined &&
    headers.host === `127.0.0.1:${port}`
  );
}

/** Texts of any length as bytes of one length, which `timingSafeEqual` needs. */
function digest(text) {
  return createHash('sha256').update(text).digest();
}

/** Answers without reading what was sent. */
function refuse(request, response) {
  response.writeHead(403, { connection: 'close', 'content-length': 0 });
  response.end(() => request.destroy());
}

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
