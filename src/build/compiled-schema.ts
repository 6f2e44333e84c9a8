import path from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { newAjv } from '../arguments/compile-schema.ts';
import type { Block } from '../block/block.ts';
import { schemaOfArguments } from '../block/schema.ts';

/**
 * Replaces ajv with a block's check of arguments, compiled at build time; ajv would compile it at
 * every cold start. `compileSchema` then always returns this one check.
 */
export function compiledSchema({ parameters, options }: Block): Plugin {
  const ajv = newAjv({ source: true, esm: true });
  const check = ajv.compile(schemaOfArguments([...parameters, ...options]));
  const code = (standaloneCode as unknown as typeof standaloneCode.default)(ajv, check);
  return {
    name: 'compiled-schema',
    setup(build) {
      build.onLoad(
        { filter: /[\\/]src[\\/]arguments[\\/]compile-schema\.ts$/ },
        ({ path: file }) => ({
          contents: `${code}
export function compileSchema() {
  return (value) => (validate(value) ? [] : validate.errors);
}`,
          loader: 'js',
          resolveDir: path.dirname(file),
        }),
      );
    },
  };
}
