import { existsSync, readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { schemaBeside } from '../../src/build/build-block.ts';
import { bundleHandlers, EVENT_STREAMS } from '../../src/build/bundle-handler.ts';

/** A module of a function: what it adds to the bundle, and how long it takes to evaluate. */
export type ModuleCost = { readonly name: string; readonly bytes: number; readonly ms: number };

/** A copy of a function whose bundle tells when it comes to each of its modules. */
export type MarkedFunction = {
  readonly code: string;
  /** Bytes in the function's own bundle, by module. */
  readonly bytes: ReadonlyMap<string, number>;
  /** What it imports of Node. */
  readonly builtins: readonly string[];
};

/** Names each module before its code, which a minified bundle does not. */
const readable: Plugin = {
  name: 'readable',
  setup({ initialOptions }) {
    Object.assign(initialOptions, { minify: false, sourcemap: false });
  },
};

const MODULE = /^\/\/ ((?:\.\.\/)*(?:src|functions|lambda|bench|\S*node_modules)\/\S+)$/gm;

/** Bundles a function's source again, beside the files that it reads. */
export async function markedFunction(
  entry: string,
  { code, root, out }: { readonly code: string; readonly root: string; readonly out: string },
): Promise<MarkedFunction> {
  const folder = path.join(out, `marked-${path.basename(code)}`);
  await cp(code, folder, { recursive: true });
  const isBlock = existsSync(path.join(code, 'compiled-schema.mjs'));
  const bundle = (more: readonly Plugin[], into: string) => {
    const plugins = isBlock ? [schemaBeside, ...more] : more;
    const entries = { index: entry };
    return bundleHandlers({ entries, folder: into, root, plugins, without: EVENT_STREAMS });
  };
  const { outputs } = await bundle([], path.join(out, 'sizes'));
  const inputs = Object.values(outputs).flatMap(({ inputs: all }) => Object.entries(all));
  await bundle([readable], folder);
  const file = path.join(folder, 'index.mjs');
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    `globalThis.marks = []; const markOfBench = (name) => globalThis.marks.push([name, performance.now()]);
${text.replace(MODULE, (_, name) => `markOfBench(${JSON.stringify(name)});`)}
markOfBench('');`,
  );
  const own = readFileSync(path.join(code, 'index.mjs'), 'utf8');
  return {
    code: folder,
    bytes: new Map(inputs.map(([name, { bytesInOutput }]) => [name, bytesInOutput])),
    builtins: [...new Set([...own.matchAll(/from ?"(node:[^"]+)"/g)].map(([, name = '']) => name))],
  };
}

/** When a start came to each module, and at last to the end; and what Node's own modules took. */
export type Marks = {
  readonly marks: readonly (readonly [name: string, at: number])[];
  readonly builtins: Readonly<Record<string, number>>;
};

/** What each module costs: the least of several starts. */
export function moduleCosts({ bytes }: MarkedFunction, starts: readonly Marks[]): ModuleCost[] {
  const least = new Map<string, number>();
  const seen = (name: string, ms: number) =>
    least.set(name, Math.min(ms, least.get(name) ?? Number.POSITIVE_INFINITY));
  for (const { marks, builtins } of starts) {
    for (const [i, [name, at]] of marks.entries()) {
      const next = marks[i + 1];
      if (next !== undefined) seen(name, next[1] - at);
    }
    for (const [name, ms] of Object.entries(builtins)) seen(name, ms);
  }
  return [...least]
    .map(([name, ms]) => ({ name, ms, bytes: bytes.get(name) ?? 0 }))
    .sort((a, b) => b.ms - a.ms || b.bytes - a.bytes);
}
