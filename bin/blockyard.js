#!/usr/bin/env node
// A package holds compiled code. A checkout holds TypeScript, which Node 20 runs only by a loader.
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('../src', import.meta.url));
if (isCheckout) (await import('tsx/esm/api')).register();
const { main } = await import(isCheckout ? './main.ts' : '../dist/bin/main.js');
await main(process.argv.slice(2));
