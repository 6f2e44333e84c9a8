import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of blockyard's own code: a checkout, or `dist` in an installed package. Bundles of it
 * are in a folder of a folder of it, as this file is.
 */
export const OWN_CODE = fileURLToPath(new URL('../../', import.meta.url));

/** Whether that code is compiled, as in a package. A checkout's is TypeScript, whatever runs. */
export const IS_COMPILED = import.meta.url.endsWith('.js');

/** Whether bundles of a checkout run, and not its sources by a loader. */
const IS_BUNDLE = import.meta.url.endsWith('.mjs');

/** What `--blocks` means, for a command's usage. */
export const BLOCKS_USAGE = `where functions/ and seed-data/ are; else BLOCKYARD_BLOCKS, else ${IS_COMPILED ? 'here' : 'the checkout'}`;

/** The file of a source: `bin/app.ts`, or `bin/app.js` in a package. */
export function ownFile(source: string): string {
  return IS_COMPILED ? source.replace(/\.tsx?$/, '.js') : source;
}

/** The bundle of a checkout that has a source's exports: `bin~main.mjs`. */
export function bundleOf(source: string): string {
  return source.replaceAll('/', '~').replace(/\.tsx?$/, '.mjs');
}

/** The file to import for a source of our own; none if it was not there when we were bundled. */
export function runningFile(source: string): string | undefined {
  const file = IS_BUNDLE
    ? fileURLToPath(new URL(bundleOf(source), import.meta.url))
    : path.join(OWN_CODE, ownFile(source));
  return existsSync(file) ? file : undefined;
}

/** The schema with which editors complete a `block.json`. */
export const SCHEMA_FILE = path.join(
  OWN_CODE,
  ...(IS_COMPILED ? ['..'] : []),
  'docs',
  'block.schema.json',
);

/** The sources of the modules that blocks in other folders may import, by name. */
export const PUBLIC_MODULES: ReadonlyMap<string, string> = new Map(
  ['rows', 'block', 'handler'].map((name) => [`blockyard/${name}`, `src/package/${name}.ts`]),
);

/** Whether a file lies in a folder or below it. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}
