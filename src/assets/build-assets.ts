import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { ownFile } from '../import/own-code.ts';

/** A file that browsers fetch. `Assets` has each by its path below the service's root. */
type Asset = { readonly type: string; readonly text: string };
type Assets = Readonly<Record<string, Asset>>;

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The scripts of pages; that of a page with a map has all of the other one, for one request. */
const SCRIPTS = ['page', 'map'] as const;

/** Builds the files that pages and other people's scripts load from a checkout's sources. */
export async function buildAssets(root: string): Promise<Assets> {
  const folder = path.join(root, 'src', 'assets');
  const [scripts, style, client] = await Promise.all([
    build({
      entryPoints: SCRIPTS.map((name) => path.join(folder, ownFile(`${name}.ts`))),
      outdir: folder,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'error',
    }),
    styleOf(path.join(folder, 'style')),
    clientScript(root),
  ]);
  const ofScripts = SCRIPTS.map((name, i) => {
    const text = scripts.outputFiles[i]?.text ?? '';
    return [`assets/${name}.js`, { type: SCRIPT, text }] as const;
  });
  return {
    ...Object.fromEntries(ofScripts),
    'assets/page.css': { type: STYLE, text: style },
    'client.js': { type: SCRIPT, text: client },
  };
}

/**
 * What the styles are about, in the order in which the later may change the earlier. Pages load all
 * as one file: one view's style would be a further request, and the next page's another.
 */
const STYLES = [
  ...['frame', 'table', 'strip', 'figure', 'story', 'columns', 'embed', 'filters', 'row', 'forms'],
  ...['catalog', 'print'],
];

async function styleOf(folder: string): Promise<string> {
  const texts = await Promise.all(
    STYLES.map((name) => readFile(path.join(folder, `${name}.css`), 'utf8')),
  );
  return (await transform(texts.join('\n'), { loader: 'css', minify: true })).code;
}

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
