import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Message, type OnResolveResult, type Plugin } from 'esbuild';
import { isWithin, OWN_CODE, ownFile, PUBLIC_MODULES, runningFile } from './own-code.ts';

/**
 * Imports a TypeScript module from a block's folder. Bundles one outside the checkout first: Node
 * or a loader then need not know TypeScript, and `blockyard/rows` is the running code itself.
 */
export async function importSource(file: string): Promise<unknown> {
  const own = isWithin(OWN_CODE, file) ? runningFile(path.relative(OWN_CODE, file)) : undefined;
  if (own !== undefined) return import(pathToFileURL(own).href);
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
const runningModules = publicModules((source) => ({
  path: pathToFileURL(runningFile(source) as string).href,
  external: true,
}));

/** Bundles our modules together with the block's, for a function. */
export const bundledModules = publicModules((source) => ({
  path: path.join(OWN_CODE, ownFile(source)),
}));

function publicModules(resolved: (source: string) => OnResolveResult): Plugin {
  return {
    name: 'public-modules',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^blockyard\// }, ({ path: name }) => {
        const source = PUBLIC_MODULES.get(name);
        if (source !== undefined) return resolved(source);
        const known = [...PUBLIC_MODULES.keys()].join(', ');
        return { errors: [{ text: `${name} is not a module of blockyard; these are: ${known}` }] };
      }),
  };
}
