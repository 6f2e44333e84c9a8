import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildService } from '../../../src/build/build-service.ts';
import { ROOT } from '../service.ts';

// The built service that suites share. Its folder goes when who started this ends.
const folder = mkdtempSync(path.join(tmpdir(), 'blockyard-test-'));
process.on('disconnect', () => process.exit());
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

process.send?.(await buildService({ root: ROOT, blocks: ROOT, out: path.join(folder, 'build') }));
