import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { COMMANDS_IN_BUNDLES } from '../../bin/command-bundles.ts';

/** What a package exports. Blocks import it, as the code that runs does. */
const EXPORTED = ['src/package/rows', 'src/package/block', 'src/package/handler'];

/** What runs in a thread of its own. */
const THREADS = ['src/import/packing-worker'];

/** What browsers load. A server bundles it once more. */
const OF_BROWSERS = ['src/assets/page', 'src/assets/map', 'client/src/client'];

/** Code that looks for files of its own expects to be two folders below `dist`. */
const BUNDLES = 'src/bundles';

/**
 * Makes blockyard as it is installed, from a checkout, in an empty folder. A package has a file for
 * each source. Here a few files have all of them, with what they import: Node loads these in half
 * the time. `npm run test:deploy` installs the package itself.
 */
export async function compileCheckout(checkout: string, folder: string): Promise<void> {
  const dist = path.join(folder, 'dist');
  const settings = { absWorkingDir: checkout, outdir: dist, logLevel: 'warning' } as const;
  await build({
    ...COMMANDS_IN_BUNDLES,
    ...settings,
    entryPoints: {
      [`${BUNDLES}/main`]: 'bin/main.ts',
      ...Object.fromEntries([...EXPORTED, ...THREADS].map((file) => [file, `${file}.ts`])),
    },
    chunkNames: `${BUNDLES}/[name]-[hash]`,
  });
  await build({
    ...settings,
    entryPoints: OF_BROWSERS.map((file) => `${file}.ts`),
    bundle: true,
    format: 'esm',
    outbase: checkout,
  });
  const copy = (file: string, to: string) => {
    cpSync(path.join(checkout, file), path.join(folder, to), { recursive: true });
  };
  copy('src/assets/style', 'dist/src/assets/style');
  copy('bin/blockyard.js', 'bin/blockyard.js');
  copy('package.json', 'package.json');
  mkdirSync(path.join(dist, 'bin'));
  writeFileSync(
    path.join(dist, 'bin/main.js'),
    `export * from ${JSON.stringify(`../${BUNDLES}/main.js`)};\n`,
  );
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
}
