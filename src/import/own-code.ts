import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of blockyard's own code: a checkout, or `dist` in an installed package. */
export const OWN_CODE = fileURLToPath(new URL('../../', import.meta.url));

/** Whether the code is compiled, as in a package. It then runs without a loader. */
export const IS_COMPILED = import.meta.url.endsWith('.js');

/** What `--blocks` means, for a command's usage. */
export const BLOCKS_USAGE = `where functions/ and seed-data/ are; else BLOCKYARD_BLOCKS, else ${IS_COMPILED ? 'here' : 'the checkout'}`;

/** The file to run for a source: `bin/app.ts`, or `bin/app.js` in a package. */
export function ownFile(source: string): string {
  return IS_COMPILED ? source.replace(/\.tsx?$/, '.js') : source;
}

/** The schema with which editors complete a `block.json`. */
export const SCHEMA_FILE = path.join(
  OWN_CODE,
  ...(IS_COMPILED ? ['..'] : []),
  'docs',
  'block.schema.json',
);

/** The modules that blocks in other folders may import, by name. */
export const PUBLIC_MODULES: ReadonlyMap<string, string> = new Map(
  ['rows', 'block', 'handler'].map((name) => [
    `blockyard/${name}`,
    path.join(OWN_CODE, ownFile(`src/package/${name}.ts`)),
  ]),
);

/** Whether a file lies in a folder or below it. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}
