#!/usr/bin/env node
// npx runs this file with plain Node, but the sources are TypeScript.
import { once } from 'node:events';
import { register } from 'tsx/esm/api';

register();
const { runCommandLine } = await import('../src/command-line/run-command-line.ts');

process.stdout.on('error', ({ code }) => {
  // The reader of the pipe, such as `head`, has read enough.
  if (code === 'EPIPE') process.exit(0);
  console.error(`blockyard cannot write what it was answered: ${code}`);
  process.exit(2);
});

if (['add', 'try', 'check', 'refresh'].includes(process.argv[2])) {
  const { runOwnData } = await import('./own-data.ts');
  process.exit(await runOwnData(process.argv[2], process.argv.slice(3)));
}

const { BLOCKYARD_URL: url, BLOCKYARD_KEY: key } = process.env;
process.exitCode = await runCommandLine(process.argv.slice(2), {
  url,
  key,
  fetch,
  out: (text) => process.stdout.write(text) || once(process.stdout, 'drain'),
  err: (text) => process.stderr.write(text),
  columns: process.stdout.columns,
});
