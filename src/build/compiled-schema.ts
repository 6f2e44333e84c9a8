import path from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { newAjv } from '../arguments/compile-schema.ts';
import type { Block } from '../block/block.ts';
import { schemaOfValue } from '../block/schema.ts';

/**
 * Replaces ajv with the checks of a block's arguments, compiled at build time; ajv would compile
 * them at every cold start. Parameters of one form share a check: the 169 of the census have 12.
 */
export function compiledSchema({ parameters, options }: Block): Plugin {
  const ajv = newAjv({ source: true, esm: true });
  const forms = new Set([...parameters, ...options].map((p) => JSON.stringify(schemaOfValue(p))));
  const names = [...forms].map((form, i): [string, string] => [`check${i}`, form]);
  for (const [name, form] of names) ajv.addSchema(JSON.parse(form), name);
  const exported = Object.fromEntries(names.map(([name]) => [name, name]));
  const code = (standaloneCode as unknown as typeof standaloneCode.default)(ajv, exported);
  const checks = names.map(([name, form]) => `[${JSON.stringify(form)}, ${name}]`);
  return {
    name: 'compiled-schema',
    setup(build) {
      build.onLoad(
        { filter: /[\\/]src[\\/]arguments[\\/]compile-schema\.[jt]s$/ },
        ({ path: file }) => ({
          contents: `${code}
const CHECKS = new Map([${checks}]);
export function compileSchema(schema) {
  const check = CHECKS.get(JSON.stringify(schema));
  return (value) => (check(value) ? [] : check.errors);
}`,
          loader: 'js',
          resolveDir: path.dirname(file),
        }),
      );
    },
  };
}
