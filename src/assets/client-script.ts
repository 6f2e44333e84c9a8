import { build } from 'esbuild';
import { ownFile } from '../package/own-code.ts';

/** Builds the client for browsers as one minified ES module; `root` is the checkout. */
export async function clientScript(root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [ownFile('client/src/client.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return (outputFiles[0] as (typeof outputFiles)[0]).text;
}
