#!/usr/bin/env node
// npx runs this file with Node alone; the sources are TypeScript.
import { register } from 'tsx/esm/api';

register();
const { runCommandLine } = await import('../src/command-line/run-command-line.ts');

// `… | head` has read enough.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const { BLOCKYARD_URL: url, BLOCKYARD_KEY: key } = process.env;
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    url,
    key,
    fetch,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    columns: process.stdout.columns,
  });
} catch (error) {
  // An answer of a shape that no service of ours gives.
  console.error(`blockyard cannot read what answers: ${error.message}`);
  process.exitCode = 2;
}
