import { type ChildProcess, spawn } from 'node:child_process';

// `npm run test:busy`: the tests, with four processes beside them that never rest. Slowness is no
// defect: what passes alone passes so too. Takes what `npm test` takes: `npm run test:busy -- test/http`.

/** A process that works until its parent is gone, however that ends. */
const BUSY =
  "process.on('disconnect', () => process.exit()); setInterval(() => { for (const end = Date.now() + 100; Date.now() < end; ); });";

const busy = Array.from({ length: 4 }, () =>
  spawn(process.execPath, ['-e', BUSY], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
);
const tests: ChildProcess = spawn('npm', ['test', '--', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => tests.kill(signal));
}
const code = await new Promise<number>((resolve, reject) => {
  tests.once('error', reject);
  tests.once('close', (exit) => resolve(exit ?? 1));
}).finally(() => {
  for (const one of busy) one.kill();
});
process.exitCode = code;
