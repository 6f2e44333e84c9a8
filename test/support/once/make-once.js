import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

// What is made once for a whole run of Jest, which asks for this as its globalSetup and its
// globalTeardown. A script beside this file makes it, in a process that lives as long as the run;
// it is started by the first suite that asks for it: `GET /<script>` of the address in MADE_ONCE.

const SCRIPTS = ['services', 'build', 'package', 'recipes'];

/** By script: its process, and what it has made. */
const started = new Map();
let broker;
/** The temporary folder of the run: what a suite leaves there goes at the end. */
let temporary;

function start(script) {
  const child = fork(path.join(import.meta.dirname, `${script}.ts`), [], {
    execArgv: ['--import', 'tsx'],
  });
  // What waits for it holds the run up, not the process.
  child.unref();
  child.channel?.unref();
  const made = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Error(`${script}.ts ended before it had made what it is for.`)),
    );
  });
  return { child, made };
}

export async function setUp() {
  temporary = mkdtempSync(path.join(tmpdir(), 'blockyard-tests-'));
  process.env.TMPDIR = temporary;
  broker = createServer(async ({ url = '' }, response) => {
    const script = url.slice(1);
    if (!SCRIPTS.includes(script)) return response.writeHead(404).end(`No ${script} is made.`);
    if (!started.has(script)) started.set(script, start(script));
    try {
      response.end(JSON.stringify(await started.get(script).made));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise((resolve) => broker.listen(0, '127.0.0.1', resolve));
  broker.unref();
  process.env.MADE_ONCE = `http://127.0.0.1:${broker.address().port}`;
}

export async function tearDown() {
  broker.close();
  const running = [...started.values()].filter(({ child }) => child.connected);
  started.clear();
  await Promise.all(
    running.map(({ child }) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.ref();
      child.disconnect();
      return ended;
    }),
  );
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
}
