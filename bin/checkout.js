import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// How a checkout starts: from bundles of its sources in `.blockyard`, which the first command after
// a change of them makes. Where it cannot, a loader compiles each source as it is imported.

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

/** The folders of the sources that are compiled. */
const FOLDERS = ['bin', 'functions', 'lib', 'src'];

/** What else says how they are compiled, and with which packages. */
const SETTINGS = [
  'package.json',
  'package-lock.json',
  // What is installed, which may be older than the lock file.
  'node_modules/.package-lock.json',
  'tsconfig.json',
];

/** Imports the module of the commands. */
export async function load() {
  const { files, folder } = readSources();
  if (!isWhole(folder)) {
    // The loader would look for these settings, JSX's among them, in the folder that one is in.
    process.env.TSX_TSCONFIG_PATH ??= path.join(CHECKOUT, 'tsconfig.json');
    const unregister = (await import('tsx/esm/api')).register();
    const { compileCheckout } = await import('./compile-checkout.ts');
    const isStill = () => readSources().folder === folder;
    const given = { checkout: CHECKOUT, files: new Set(files), folder, isStill, isWhole };
    if (!(await compileCheckout(given))) return import('./main.ts');
    await unregister();
    console.error('blockyard is compiled: until its sources change, its commands start sooner.');
  }
  markUsed(folder);
  const bundle = (name) => import(pathToFileURL(path.join(folder, name)).href);
  const { sourcePlaces } = await bundle('src~lambda~source-places.mjs');
  // Called when a stack is read. `--enable-source-maps` would read every map at every start.
  Error.prepareStackTrace = (error, calls) =>
    sourcePlaces([Error.prototype.toString.call(error), ...calls].join('\n    at '));
  return bundle('bin~main.mjs');
}

/**
 * Lists the sources, and names the folder of what is compiled of them by a hash of their contents:
 * a file's times and size may be those of another content, and 500 files are read in 20 ms.
 */
function readSources() {
  const hash = createHash('sha256').update(process.version);
  const files = FOLDERS.filter((folder) => existsSync(path.join(CHECKOUT, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(CHECKOUT, folder), { recursive: true })
        .filter((name) => isSource(folder, name) && !name.includes('node_modules'))
        .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`),
    )
    .sort();
  for (const file of [...files, ...SETTINGS]) {
    hash.update(`\0${file}\0`);
    try {
      hash.update(readFileSync(path.join(CHECKOUT, file)));
    } catch ({ code }) {
      hash.update(`\0${code}`);
    }
  }
  const key = hash.digest('hex').slice(0, 20);
  return { files, folder: path.join(CHECKOUT, '.blockyard', `code-${key}`) };
}

/** Code, or data that code imports; a block's declaration is read when it is served. */
function isSource(folder, name) {
  return /\.[cm]?[jt]sx?$/.test(name) || (folder === 'src' && name.endsWith('.json'));
}

/** Whether a folder has all that was written into it: a machine may lose its power. */
function isWhole(folder) {
  try {
    const bytes = JSON.parse(readFileSync(path.join(folder, 'files.json'), 'utf8'));
    return Object.keys(bytes).every(
      (name) => statSync(path.join(folder, name)).size === bytes[name],
    );
  } catch {
    return false;
  }
}

/** Keeps the folder from being removed while this process may load more of it. */
function markUsed(folder) {
  const mark = path.join(folder, `used-by-${process.pid}`);
  try {
    writeFileSync(mark, '');
  } catch {
    // Who cannot write here cannot remove either.
    return;
  }
  process.once('exit', () => rmSync(mark, { force: true }));
}
