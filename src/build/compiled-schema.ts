import path from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { newAjv } from '../arguments/compile-schema.ts';
import type { Block } from '../block/block.ts';
import { schemaOfArguments } from '../block/schema.ts';

/**
 * Puts a block's check of arguments, compiled now, in the place of ajv, which would compile it at
 * every cold start: `compileSchema` then gives that one check, whatever it is asked for.
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
