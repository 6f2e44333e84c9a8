import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileCheckout } from '../compile.ts';
import { ROOT } from '../service.ts';

// blockyard as it is installed. Its folder goes when who started this ends.
const folder = mkdtempSync(path.join(tmpdir(), 'blockyard-test-'));
process.on('disconnect', () => process.exit());
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await compileCheckout(ROOT, folder);
process.send?.(folder);
