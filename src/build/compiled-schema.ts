import path from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build, type Plugin } from 'esbuild';
import { newAjv } from '../arguments/compile-schema.ts';
import type { Block, DatasetBlock } from '../block/block.ts';
import { oneRowOf } from '../block/row-key.ts';
import { schemaOfValue } from '../block/schema.ts';
import { FOR_LAMBDA } from './bundle-handler.ts';

/** The file beside a block's code that checks its arguments. */
const FILE = 'compiled-schema.mjs';

/** Lets a handler take the checks from the file beside it, so that blocks can share its bundle. */
export const schemaBeside: Plugin = {
  name: 'schema-beside',
  setup(build) {
    build.onResolve({ filter: /[\\/]compile-schema\.[jt]s$/ }, () => ({
      path: `./${FILE}`,
      external: true,
    }));
  },
};

/**
 * Writes the checks of a block's arguments, compiled at build time; ajv would compile them at every
 * cold start. Parameters of one form share a check: the 169 of the census have 12.
 */
export async function writeCompiledSchema(
  block: Block,
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<void> {
  const ajv = newAjv({ source: true, esm: true });
  const { parameters, options, answers } = block;
  const ofRows = answers === 'rows' ? oneRowOf(block as DatasetBlock).options : [];
  const all = [...parameters, ...options, ...ofRows];
  const forms = new Set(all.map((parameter) => JSON.stringify(schemaOfValue(parameter))));
  const names = [...forms].map((form, i): [string, string] => [`check${i}`, form]);
  for (const [name, form] of names) ajv.addSchema(JSON.parse(form), name);
  const exported = Object.fromEntries(names.map(([name]) => [name, name]));
  const code = (standaloneCode as unknown as typeof standaloneCode.default)(ajv, exported);
  const checks = names.map(([name, form]) => `[${JSON.stringify(form)}, ${name}]`);
  const contents = `${code.replaceAll('export const ', 'const ')}
const CHECKS = new Map([${checks}]);
export function compileSchema(schema) {
  const check = CHECKS.get(JSON.stringify(schema));
  return (value) => (check(value) ? [] : check.errors);
}`;
  await build({
    ...FOR_LAMBDA,
    absWorkingDir: root,
    stdin: { contents, loader: 'js', resolveDir: root },
    outfile: path.join(folder, FILE),
    sourcemap: false,
  });
}
