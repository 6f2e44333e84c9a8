import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundledModules } from '../import/import-source.ts';
import { ownFile } from '../import/own-code.ts';

export type Bundles = {
  /** The sources, relative to the root of the checkout, by the bundles' paths without `.mjs`. */
  readonly entries: Readonly<Record<string, string>>;
  /** The folder for the bundles and their source maps. */
  readonly folder: string;
  readonly root: string;
  readonly plugins?: readonly Plugin[];
  /** Packages that are not bundled, since the handlers never load them. */
  readonly without?: readonly string[];
};

export const FOR_LAMBDA = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // The map is beside the code and read when an error is first traced; it omits the sources' text.
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'error',
} as const;

/**
 * Bundles handlers, each with all its imports, including the SDK, for Lambda's Node 24. What several
 * import is parsed once. But of a file that several import, each bundle has what any of them uses.
 */
export async function bundleHandlers({
  entries,
  folder,
  root,
  plugins = [],
  without = [],
}: Bundles): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    ...FOR_LAMBDA,
    // Takes the SDK as ES modules, so that unused code is dropped.
    mainFields: ['module', 'main'],
    // ES modules lack `require`. It is called for Node's own modules, for which making one would be
    // work for nothing.
    banner: {
      js: "const require=(name)=>process.getBuiltinModule(name)??process.getBuiltinModule('module').createRequire(import.meta.url)(name);",
    },
    metafile: true,
    external: [...KEY_SEARCH, ...without],
    alias: { '@modelcontextprotocol/server/_shims': shimsWithoutAjv() },
    supported: {
      // The SDK imports `node:http` so. As an ES module, it would load all of Node's `fetch`.
      'dynamic-import': false,
      // Where esbuild takes these for too new, it makes each literal a call, at each use.
      'regexp-set-notation': true,
      'regexp-unicode-property-escapes': true,
    },
    plugins: [loadedLater, bundledModules, ...plugins],
  });
  return metafile;
}

/** Where the SDK would search for keys, which its clients are given. It would be 120 KB of code. */
const KEY_SEARCH = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/**
 * What the SDK imports when an answer is a stream of events. DynamoDB has none; Lambda's client needs
 * it. Because of the `import()`, esbuild would wrap each module that it shares, which costs 5 ms.
 */
export const EVENT_STREAMS = ['@smithy/core/event-streams'];

/**
 * What the package of MCP takes in browsers, which lacks ajv, since the blocks check arguments. The
 * condition `browser` would do this too but also change the AWS SDK.
 */
function shimsWithoutAjv(): string {
  const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/server');
  return path.join(path.dirname(main), 'shimsBrowser.mjs');
}

/**
 * Files beside a function's code that make pages, each loaded on the first request for one: of a
 * dataset, of a block that computes a value, and of no block.
 */
const PAGES = {
  dataset: { source: 'src/views/views.ts', file: 'views.mjs' },
  value: { source: 'src/views/value.tsx', file: 'value.mjs' },
  catalog: { source: 'src/page/catalog-page.tsx', file: 'catalog.mjs' },
} as const;

/** The file beside a dataset's code that draws the earth; loaded with the first map that needs it. */
const EARTH = 'earth.mjs';

/** The files beside a dataset's code that write formats, each loaded on the first request for it. */
const WRITERS = ['parquet', 'xlsx'] as const;

/** The file beside a dataset's code that reads its files in a bucket. */
export const BUCKET = 'bucket.mjs';

/** The file beside Slack's code that fetches its secret. */
export const SECRETS = 'secrets.mjs';

/**
 * Leaves out code that most requests do not need and that would slow the start: pages, Parquet, Excel,
 * and the AWS clients of secrets and of files. Each of them has classes of its own: `Problem` is known by a mark
 * in all, and no other class may be tested by `instanceof` across them.
 */
const loadedLater: Plugin = {
  name: 'loaded-later',
  setup(build) {
    const later = (filter: RegExp, file: string) =>
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${file}`, external: true },
      );
    later(/[\\/]views[\\/]views\.[jt]s$/, PAGES.dataset.file);
    later(/[\\/]views[\\/]value\.[jt]sx?$/, PAGES.value.file);
    later(/[\\/]page[\\/]catalog-page\.[jt]sx?$/, PAGES.catalog.file);
    for (const format of WRITERS) {
      later(new RegExp(`^\\./${format}-writer\\.[jt]s$`), `${format}.mjs`);
    }
    later(/[\\/]fetch-secret\.[jt]s$/, SECRETS);
    later(/[\\/]read-bucket\.[jt]s$/, BUCKET);
  },
};

/** Leaves out what draws the earth, from the code that makes pages. */
const earthLater: Plugin = {
  name: 'earth-later',
  setup(build) {
    build.onResolve({ filter: /[\\/]earth[\\/]earth\.[jt]s$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${EARTH}`, external: true },
    );
  },
};

/** Copies a bundle, with its source map, beside a function's code. */
export async function copyBundle(file: string, folder: string): Promise<void> {
  for (const each of [file, `${file}.map`]) {
    await copyFile(each, path.join(folder, path.basename(each)));
  }
}

/** Bundles the code that makes pages into the file that functions with such pages load. */
export function bundlePages(of: keyof typeof PAGES, root: string, folder: string): Promise<string> {
  const { source, file } = PAGES[of];
  return bundleForLater(source, path.join(folder, file), root);
}

/** Bundles the code that draws the earth, with its outlines. */
export function bundleEarth(root: string, folder: string): Promise<string> {
  return bundleForLater('src/figure/earth/earth.ts', path.join(folder, EARTH), root);
}

/** Bundles the code that writes each of some formats into the files that datasets' functions load. */
export function bundleWriters(root: string, folder: string): Promise<string[]> {
  const bundled = WRITERS.map((format) => {
    const file = path.join(folder, `${format}.mjs`);
    return bundleForLater(`src/formats/${format}-writer.ts`, file, root);
  });
  return Promise.all(bundled);
}

async function bundleForLater(entry: string, file: string, root: string): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: [ownFile(entry)],
    outfile: file,
    ...FOR_LAMBDA,
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    plugins: [earthLater],
  });
  return file;
}
