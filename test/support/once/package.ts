import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../service.ts';

// blockyard as it is installed: compiled, so that a command starts in half the time that a checkout
// takes. Its folder goes when who started this ends.
const folder = mkdtempSync(path.join(tmpdir(), 'blockyard-test-'));
process.on('disconnect', () => process.exit());
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// As bin/compile.ts does, less the types, which `npm run lint` checks.
const dist = path.join(folder, 'dist');
execFileSync(
  path.join(ROOT, 'node_modules/.bin/tsc'),
  ['-p', 'tsconfig.package.json', '--outDir', dist, '--noCheck', '--declaration', 'false'],
  { cwd: ROOT, stdio: 'inherit' },
);
for (const file of ['src/assets/page.css', 'src/local/dynalite-process.js']) {
  cpSync(path.join(ROOT, file), path.join(dist, file));
}
for (const file of ['package.json', 'bin/blockyard.js', 'docs']) {
  cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true });
}
symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));

process.send?.(folder);
