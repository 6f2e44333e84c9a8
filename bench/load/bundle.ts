import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { COMMANDS_IN_BUNDLES } from '../../bin/command-bundles.ts';

/** As deep as the sources, which look for the blocks relative to where they are. */
const FOLDER = new URL('../../.blockyard/bench/', import.meta.url);

/**
 * A server's source as one file, as `npm start` runs the product. By tsx, each function that is made
 * would be named, which takes several times as long as making it.
 */
export async function bundled(source: URL): Promise<URL> {
  const name = fileURLToPath(source).replace(/^.*[\\/]|\.ts$/g, '');
  await build({
    ...COMMANDS_IN_BUNDLES,
    splitting: false,
    entryPoints: { [name]: fileURLToPath(source) },
    outdir: fileURLToPath(FOLDER),
    outExtension: { '.js': '.mjs' },
    loader: { '.node': 'empty' },
    logLevel: 'error',
  });
  return pathToFileURL(fileURLToPath(new URL(`${name}.mjs`, FOLDER)));
}
