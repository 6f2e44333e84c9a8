import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import runCircus from 'jest-circus/runner';
import { register as registerTypeScript } from 'tsx/esm/api';
import { setJestGlobals } from './globals.js';

const require = createRequire(import.meta.url);
const asyncHooks = require('node:async_hooks');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

registerTypeScript();
// The package itself throws outside of a context of Jest's.
register(
  `data:text/javascript,${encodeURIComponent(
    `export const resolve = (name, context, next) => name === '@jest/globals'
      ? { url: ${JSON.stringify(new URL('globals.js', import.meta.url).href)}, shortCircuit: true }
      : next(name, context);`,
  )}`,
);

/**
 * Jest's `testRunner`: a suite runs as Node itself runs modules, in the worker's own context. Jest
 * would link every module anew for each suite, without Node's cache, and in a context of its own
 * each use of a global is a call. So suites of one worker share the modules of the product, whose
 * state is in objects: see docs/architecture.md.
 */
export default function runSuite(globalConfig, config, environment, _runtime, file, send) {
  const natively = {
    enterTestCode: () => {},
    leaveTestCode: () => {},
    requireInternalModule: requireAnew,
    requireModule: require,
    resetModules: () => {},
    setGlobalsForRuntime: (globals) => setJestGlobals({ ...globals, jest: environment.jest }),
    unstable_importModule: (name) => import(pathToFileURL(name).href),
    unstable_shouldLoadAsEsm: () => true,
  };
  // Jest's has only the maps of what it transformed itself. Node has those of the loader.
  Error.prepareStackTrace = undefined;
  return runCircus.default(globalConfig, config, environment, natively, file, send);
}

/** Circus keeps a suite's tests where it is loaded, and its handlers in the context. */
function requireAnew(file) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = OneAfterAnother;
  try {
    delete require.cache[file];
    delete globalThis[EVENT_HANDLERS];
    return require(file);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/**
 * What circus keeps of the test under way. Node's own follows each promise, so that of tests which
 * run at once each finds its own; that takes a tenth of the time of suites that wait much. Here no
 * tests of a suite run at once.
 */
class OneAfterAnother {
  #stored;

  getStore() {
    return this.#stored;
  }

  async run(stored, call) {
    const before = this.#stored;
    this.#stored = stored;
    try {
      return await call();
    } finally {
      this.#stored = before;
    }
  }
}
