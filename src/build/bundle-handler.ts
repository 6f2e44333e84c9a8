import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

export type Bundle = {
  /** From the root of the checkout. */
  readonly entry: string;
  /** Takes the bundle and its source map. */
  readonly folder: string;
  readonly root: string;
  readonly plugins?: readonly Plugin[];
  /** The name of what is made; `index.mjs` where absent. */
  readonly file?: string;
};

/** Bundles a handler with all that it imports, the SDK too, as Lambda's Node 24 runs it. */
export async function bundleHandler({
  entry,
  folder,
  root,
  plugins = [],
  file = 'index.mjs',
}: Bundle): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: path.join(folder, file),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // The SDK as ES modules: what is not used of it is left out.
    mainFields: ['module', 'main'],
    // Beside the code, read when an error is first traced; without the sources' text.
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    // What is CommonJS inside calls `require`, which a module does not have.
    banner: {
      js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
    },
    metafile: true,
    logLevel: 'error',
    logOverride: { 'import-is-undefined': 'error' },
    // `import()` of what Node brings would make a module of it too: see below.
    supported: { 'dynamic-import': false },
    plugins: [requiredBuiltins, environmentCredentials, loadedLater, ...plugins],
  });
  return metafile;
}

/** What bundles call of it; esbuild names one that is missing here. */
const CRYPTO_FUNCTIONS = [
  'createHash',
  'createHmac',
  'getRandomValues',
  'hash',
  'randomInt',
  'timingSafeEqual',
];

/**
 * Takes what Node brings by `require`. Imported, a module of it is made that has every export,
 * and so all is loaded that they lead to: by `node:http`, all of undici.
 */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path: name, kind }) =>
      kind === 'require-call' ? { path: name, external: true } : { path: name, namespace: 'node' },
    );
    // Powertools asks for it at the start, and for nothing in it before it samples.
    build.onLoad({ filter: /^node:crypto$/, namespace: 'node' }, () => ({
      contents: `const later = (name) => (...args) => require('node:crypto')[name](...args);
${CRYPTO_FUNCTIONS.map((name) => `export const ${name} = later('${name}');`).join('\n')}`,
    }));
    build.onLoad({ filter: /./, namespace: 'node' }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)});`,
    }));
  },
};

/** The file beside a function's code that makes pages; loaded by the first request for one. */
const PAGES = 'pages.mjs';

/** The file beside Slack's code that fetches its secret. */
const SECRETS = 'secrets.mjs';

/**
 * Leaves out what most requests do not want, and a start would read: pages, and the clients of AWS
 * that fetch secrets. Nothing that is told by its class, as an error is, may come from them.
 */
const loadedLater: Plugin = {
  name: 'loaded-later',
  setup(build) {
    const later = (filter: RegExp, file: string) =>
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${file}`, external: true },
      );
    later(/[\\/]page[\\/]pages\.ts$/, PAGES);
    later(/[\\/]fetch-secret\.ts$/, SECRETS);
  },
};

/** Bundles what fetches secrets, as Slack's function finds it in its folder. */
export async function bundleSecrets(root: string, folder: string): Promise<string> {
  await bundleHandler({ entry: 'src/lambda/fetch-secret.ts', folder, root, file: SECRETS });
  return path.join(folder, SECRETS);
}

/** Bundles what makes pages, as the functions that have pages find it in their folder. */
export async function bundlePages(root: string, folder: string): Promise<string> {
  const file = path.join(folder, PAGES);
  await build({
    absWorkingDir: root,
    entryPoints: ['src/page/pages.ts'],
    outfile: file,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'error',
  });
  return file;
}

/**
 * Lambda gives a function its credentials in the environment. The SDK's own search brings clients
 * for all the other places: a sixth of the bundle, compiled at every start.
 */
const environmentCredentials: Plugin = {
  name: 'environment-credentials',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]@aws-sdk[\\/]credential-provider-node[\\/]/ },
      ({ path: file }) => ({
        contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
        resolveDir: path.dirname(file),
      }),
    );
  },
};

/**
 * Bundles the channel of MCP. Its package comes as for browsers, without ajv, since the blocks check
 * arguments. The condition `browser` would do that too, and change the AWS SDK with it.
 */
export async function bundleMcp(root: string, folder: string): Promise<void> {
  const plugins = [packageForBrowsers];
  await bundleHandler({ entry: 'bin/mcp-handler.ts', folder, root, plugins });
}

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
