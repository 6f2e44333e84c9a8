#!/usr/bin/env node
// A package holds compiled code. A checkout holds TypeScript, which its first command compiles.
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('../src', import.meta.url));
const { main } = isCheckout
  ? await (await import('./checkout.js')).load()
  : await import('../dist/bin/main.js');
await main(process.argv.slice(2));
