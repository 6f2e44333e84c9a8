import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Message, type OnResolveResult, type Plugin } from 'esbuild';

/** The folder of blockyard's own code: a checkout, or `dist` in an installed package. */
export const OWN_CODE = fileURLToPath(new URL('../../', import.meta.url));

/** Whether the code is compiled, as in a package, so that it runs without a loader. */
export const IS_COMPILED = import.meta.url.endsWith('.js');

/** What `--blocks` is, in a command's usage. */
export const BLOCKS_USAGE = `where functions/ and seed-data/ are; else BLOCKYARD_BLOCKS, else ${IS_COMPILED ? 'here' : 'the checkout'}`;

/** The file that a source is: `bin/app.ts`, or `bin/app.js` in a package. */
export function ownFile(source: string): string {
  return IS_COMPILED ? source.replace(/\.tsx?$/, '.js') : source;
}

/** The schema by which editors complete a `block.json`. */
export const SCHEMA_FILE = path.join(
  OWN_CODE,
  ...(IS_COMPILED ? ['..'] : []),
  'docs',
  'block.schema.json',
);

/** The modules that blocks in other people's folders may import, by their names. */
const PUBLIC_MODULES: ReadonlyMap<string, string> = new Map(
  ['rows', 'block', 'handler'].map((name) => [
    `blockyard/${name}`,
    path.join(OWN_CODE, ownFile(`src/package/${name}.ts`)),
  ]),
);

/** Whether a file lies somewhere in a folder. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}

/**
 * Imports a TypeScript module of a block's folder. One outside a checkout is bundled first: neither
 * Node nor a loader need know TypeScript, and `blockyard/rows` is the running code itself.
 */
export async function importSource(file: string): Promise<unknown> {
  if (isWithin(OWN_CODE, file)) return import(pathToFileURL(file).href);
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [runningModules],
  }).catch(({ errors }: BuildFailure) => {
    const { text, location } = errors[0] as Message;
    const { line = 1, column = 0 } = location ?? {};
    throw new SyntaxError(`${file}, line ${line}, column ${column + 1}: ${text}`);
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** Leaves our modules out, so that an error thrown by a block is of the class that we know. */
const runningModules = publicModules((file) => ({
  path: pathToFileURL(file).href,
  external: true,
}));

/** Bundles our modules with the block's, for a function. */
export const bundledModules = publicModules((file) => ({ path: file }));

function publicModules(resolved: (file: string) => OnResolveResult): Plugin {
  return {
    name: 'public-modules',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^blockyard\// }, ({ path: name }) => {
        const file = PUBLIC_MODULES.get(name);
        if (file !== undefined) return resolved(file);
        const known = [...PUBLIC_MODULES.keys()].join(', ');
        return { errors: [{ text: `${name} is not a module of blockyard; these are: ${known}` }] };
      }),
  };
}
