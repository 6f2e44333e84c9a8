import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OWN_CODE } from '../src/import/own-code.ts';

/** `npm pack` runs this: compiles the sources into `dist`, which is what a package holds. */
const dist = path.join(OWN_CODE, 'dist');

/** What runs as it is. */
const COPIED = ['src/assets/style'];

rmSync(dist, { recursive: true, force: true });
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.package.json'], {
  cwd: OWN_CODE,
  stdio: 'inherit',
});
for (const file of COPIED) {
  cpSync(path.join(OWN_CODE, file), path.join(dist, file), { recursive: true });
}
const cdk = JSON.parse(readFileSync(path.join(OWN_CODE, 'cdk.json'), 'utf8'));
writeFileSync(path.join(dist, 'cdk.json'), JSON.stringify({ ...cdk, app: 'node bin/app.js' }));
