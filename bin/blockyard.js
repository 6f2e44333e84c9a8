#!/usr/bin/env node
// A package holds compiled code. A checkout holds TypeScript, which Node 20 runs only by a loader.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const isCheckout = existsSync(new URL('../src', import.meta.url));
if (isCheckout) {
  // The loader would look for these settings, JSX's among them, in the folder that one is in.
  process.env.TSX_TSCONFIG_PATH ??= fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  (await import('tsx/esm/api')).register();
}
const { main } = await import(isCheckout ? './main.ts' : '../dist/bin/main.js');
await main(process.argv.slice(2));
