import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import path from 'node:path';

// One start of the services for a whole run of Jest: they only read, so suites can share them.
// Jest asks for this file as its globalSetup and its globalTeardown. Nothing is started before a
// suite asks for it, by `GET /` of the address in SHARED_SERVICES.

let child;
let broker;

/** The addresses of the services, as `startService` reads them; started by the first to ask. */
let addresses;

function start() {
  const script = path.join(import.meta.dirname, 'shared-services-process.ts');
  child = fork(script, [], { execArgv: ['--import', 'tsx'] });
  // What waits for them holds the run up, not they.
  child.unref();
  child.channel?.unref();
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => reject(new Error('The shared services did not start.')));
  });
}

export async function setUp() {
  broker = createServer(async (_, response) => {
    addresses ??= start();
    try {
      response.end(JSON.stringify(await addresses));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise((resolve) => broker.listen(0, '127.0.0.1', resolve));
  broker.unref();
  process.env.SHARED_SERVICES = `http://127.0.0.1:${broker.address().port}`;
}

export async function tearDown() {
  broker.close();
  if (child?.connected) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    child.disconnect();
    await ended;
  }
}
