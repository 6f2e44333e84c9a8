import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../test/support/service.ts';

/** Commands that are no benches, and that `npm run smoke` tries too. */
const OTHERS = ['fuzz', 'house', 'screenshots', 'tape', 'trust'];

/** The scripts of package.json, by their names. */
export const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
).scripts;

/** The commands that take `--smoke`: every bench, and the others. */
export const SMOKED: readonly string[] = Object.keys(SCRIPTS).filter(
  (name) => /^bench(?::|$)/.test(name) || OTHERS.includes(name),
);

/** Those that need Chromium. */
export const OF_BROWSER: readonly string[] = ['bench:files', 'bench:page', 'screenshots'];
