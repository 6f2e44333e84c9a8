import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Message, type OnResolveResult, type Plugin } from 'esbuild';
import { isWithin, OWN_CODE, PUBLIC_MODULES } from './own-code.ts';

/**
 * Imports a TypeScript module from a block's folder. Bundles one outside the checkout first: Node
 * or a loader then need not know TypeScript, and `blockyard/rows` is the running code itself.
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

/** Leaves our modules out of the bundle, so that a block throws the error classes that we know. */
const runningModules = publicModules((file) => ({
  path: pathToFileURL(file).href,
  external: true,
}));

/** Bundles our modules together with the block's, for a function. */
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
