import { copyFile, readFile } from 'node:fs/promises';
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
}: Bundles): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    ...FOR_LAMBDA,
    // Takes the SDK as ES modules, so that unused code is dropped.
    mainFields: ['module', 'main'],
    // ES modules lack `require`. It is mostly called for Node's own modules, for which making one
    // would be work for nothing.
    banner: {
      js: "const require=(name)=>process.getBuiltinModule(name)??process.getBuiltinModule('module').createRequire(import.meta.url)(name);",
    },
    metafile: true,
    logOverride: { 'import-is-undefined': 'error' },
    supported: {
      // `import()` of a Node module would make an ES module of it: see `requiredBuiltins`.
      'dynamic-import': false,
      // Where esbuild takes these for too new, it makes each literal a call, at each use.
      'regexp-set-notation': true,
      'regexp-unicode-property-escapes': true,
    },
    plugins: [
      requiredBuiltins,
      smallerSdk,
      callsWithoutEffects,
      noEventStreams,
      loadedLater,
      bundledModules,
      packageForBrowsers,
      ...plugins,
    ],
  });
  return metafile;
}

/** The functions of `node:crypto` that bundles call; esbuild reports one missing here. */
const CRYPTO_FUNCTIONS = [
  'createHash',
  'createHmac',
  'getRandomValues',
  'hash',
  'randomInt',
  'randomUUID',
  'timingSafeEqual',
];

/**
 * Loads Node's own modules by `require`. Importing one makes an ES module with every export, which
 * loads everything behind them: for `node:http`, all of undici.
 */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path: name, kind }) => {
      if (kind === 'require-call') return { path: name, external: true };
      return { path: name, namespace: kind === 'dynamic-import' ? 'node-later' : 'node' };
    });
    // Loaded where it is first called: most answers need no hash.
    build.onLoad({ filter: /^node:crypto$/, namespace: 'node' }, () => ({
      contents: `const later = (name) => (...args) => require('node:crypto')[name](...args);
${CRYPTO_FUNCTIONS.map((name) => `export const ${name} = later('${name}');`).join('\n')}`,
    }));
    // Each name is an export that is left out where it is not used, since looking at all that a
    // module has takes longer than loading it.
    build.onLoad({ filter: /./, namespace: 'node' }, async ({ path: name }) => ({
      contents: `const builtin = require(${JSON.stringify(name)});
const named = (name) => builtin[name];
export default builtin;
${(await namesIn(name)).map((one) => `export const ${one} = /* @__PURE__ */ named('${one}');`).join('\n')}`,
    }));
    build.onLoad({ filter: /./, namespace: 'node-later' }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)});`,
    }));
  },
};

async function namesIn(builtin: string): Promise<string[]> {
  return Object.keys(await import(builtin)).filter(
    (name) => name !== 'default' && /^\w+$/.test(name),
  );
}

/** The file beside a function's code that makes pages; loaded on the first request for one. */
const PAGES = 'pages.mjs';

/** The file beside a dataset's code that draws figures; loaded on the first page with one. */
const FIGURES = 'figures.mjs';

/** The file beside a dataset's code that writes Parquet; loaded on the first request for it. */
const PARQUET = 'parquet.mjs';

/** The file beside Slack's code that fetches its secret. */
export const SECRETS = 'secrets.mjs';

/**
 * Leaves out code that most requests do not need and that would slow the start: pages, figures, Parquet, and
 * the AWS clients that fetch secrets. These must not export classes that are tested by `instanceof`, such
 * as errors.
 */
const loadedLater: Plugin = {
  name: 'loaded-later',
  setup(build) {
    const later = (filter: RegExp, file: string) =>
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${file}`, external: true },
      );
    later(/[\\/]page[\\/]pages\.[jt]s$/, PAGES);
    later(/[\\/]figure[\\/]figures\.[jt]s$/, FIGURES);
    later(/^\.\/parquet-writer\.[jt]s$/, PARQUET);
    later(/[\\/]fetch-secret\.[jt]s$/, SECRETS);
  },
};

/** Copies a bundle, with its source map, beside a function's code. */
export async function copyBundle(file: string, folder: string): Promise<void> {
  for (const each of [file, `${file}.map`]) {
    await copyFile(each, path.join(folder, path.basename(each)));
  }
}

/** Bundles the code that makes pages into the file that functions with pages load. */
export function bundlePages(root: string, folder: string): Promise<string> {
  return bundleForLater('src/page/pages.ts', path.join(folder, PAGES), root);
}

/** Bundles the code that draws figures into the file that datasets' functions load. */
export function bundleFigures(root: string, folder: string): Promise<string> {
  return bundleForLater('src/figure/figures.ts', path.join(folder, FIGURES), root);
}

/** Bundles the code that writes Parquet into the file that datasets' functions load. */
export function bundleParquet(root: string, folder: string): Promise<string> {
  return bundleForLater('src/formats/parquet-writer.ts', path.join(folder, PARQUET), root);
}

async function bundleForLater(entry: string, file: string, root: string): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: [ownFile(entry)],
    outfile: file,
    ...FOR_LAMBDA,
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
  });
  return file;
}

/** Modules of the SDK that do more at a start than a function in Lambda needs, and their place. */
const SMALLER = [
  {
    // Lambda passes credentials in the environment. The default search includes clients for all
    // other sources: a sixth of the bundle, compiled at every start.
    file: /[\\/]@aws-sdk[\\/]credential-provider-node[\\/]/,
    contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
  },
  {
    // Lambda has no ~/.aws, and settings in the environment come first. The first request would
    // wait until the files are not found.
    file: /[\\/]shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/,
    contents: `export { CONFIG_PREFIX_SEPARATOR } from './constants';
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  },
  {
    // The SDK takes the global `crypto`, at whose first use Node loads all of Web Crypto.
    file: /[\\/]serde[\\/]uuid[\\/]v4\.js$/,
    contents: `import { randomUUID } from 'node:crypto';
export const bindV4 = () => randomUUID;`,
  },
  {
    // Node's HTTP has no streams and blobs of the web; Node loads them when they are looked for.
    file: /[\\/]util-stream[\\/]stream-type-check\.js$/,
    contents: `export const isReadableStream = () => false;
export const isBlob = () => false;`,
  },
  {
    // Nobody signs a stream of events here.
    file: /[\\/]signature-v4[\\/]dist-es[\\/]HeaderFormatter\.js$/,
    contents: 'export class HeaderFormatter {}',
  },
];

const smallerSdk: Plugin = {
  name: 'smaller-sdk',
  setup(build) {
    for (const { file: filter, contents } of SMALLER) {
      build.onLoad({ filter }, ({ path: file }) => ({ contents, resolveDir: path.dirname(file) }));
    }
  },
};

/**
 * Says that the SDK only makes functions where it calls `bind…` as a module loads. Else a bundle that
 * asks whether an error is passing would keep the SDK's retries too, and its dates.
 */
const callsWithoutEffects: Plugin = {
  name: 'calls-without-effects',
  setup(build) {
    const filter = /[\\/]@smithy[\\/]core[\\/]dist-es[\\/]submodules[\\/]\w+[\\/]index\.js$/;
    build.onLoad({ filter }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      return {
        contents: text.replace(/^(export const \w+ = )(?=bind\w+\()/gm, '$1/* @__PURE__ */ '),
      };
    });
  },
};

/**
 * No request here is answered with a stream of events. The SDK would `import()` their code, and what
 * is imported so is kept whole, with all that it imports.
 */
const noEventStreams: Plugin = {
  name: 'no-event-streams',
  setup(build) {
    build.onResolve({ filter: /event-streams$/ }, ({ path: name, kind }) =>
      kind === 'dynamic-import' ? { path: name, external: true } : undefined,
    );
  },
};

/**
 * Takes the browser variant of the package of MCP, which lacks ajv, since the blocks check arguments.
 * The condition `browser` would do this too but also change the AWS SDK.
 */
const packageForBrowsers: Plugin = {
  name: 'package-for-browsers',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, async (shims) => {
      const { path: main } = await build.resolve('@modelcontextprotocol/server', {
        kind: shims.kind,
        resolveDir: shims.resolveDir,
      });
      return { path: path.join(path.dirname(main), 'shimsBrowser.mjs') };
    });
  },
};
