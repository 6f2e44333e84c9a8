// `npm run house [-- --files]`: the sizes that say how much of the code a reader must hold. It is a smoke
// as it is, since it takes seconds and writes nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleSource } from '../../src/build/build-block.ts';
import { start } from '../../src/local/start.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { moduleState } from './module-state.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A filter and a sort, as the architecture page follows them. */
const REQUEST =
  '/api_v2/blocks/census-neighborhoods?vacant_units_min=1700&_sort=-vacant_units&_limit=3';

const sources = ['src', 'lib', 'bin', 'functions'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|js)$/.test(file))
    .map((file) => path.join(folder, file)),
);
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Lines that are neither blank, nor a comment, nor part of an import. */
function codeLines(text: string): number {
  return text
    .replace(/^import\s[^;]*;$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length;
}

/** In which variables modules may keep something from one request for the next; memos, mostly. */
const variables = sources
  .filter((file) => file.startsWith('src/') && !file.startsWith('src/assets/'))
  .flatMap((file) => moduleState(textOf(file)).map((name) => `${file} ${name}`));

/** The files of our own in a dataset's function, and the size of its code in bytes. */
async function bundle(): Promise<{ files: number; bytes: number }> {
  const out = mkdtempSync(path.join(tmpdir(), 'blockyard-house-'));
  try {
    const code = await bundleSource('bin/dataset-handler.ts', ROOT, out);
    const map = JSON.parse(readFileSync(`${code}.map`, 'utf8'));
    const own = map.sources.filter((file: string) =>
      /(?:^|\/)(?:src|bin)\/[^:]*\.tsx?$/.test(file),
    );
    return { files: own.length, bytes: statSync(code).size };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** The files whose code runs for one request, from its socket to the last byte of its answer. */
async function filesOfRequest(): Promise<string[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'blockyard-house-'));
  const { url, stop } = await start({ root: ROOT, port: 0, dataFolder, record: () => {} });
  const session = new Session();
  session.connect();
  try {
    const ask = async () => {
      const answer = await fetch(url + REQUEST);
      if (!answer.ok) throw new Error(`${REQUEST} is answered with ${answer.status}`);
      await answer.arrayBuffer();
    };
    await ask();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await ask();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => url)
      .filter((url) => url.startsWith(pathToFileURL(ROOT).href) && !url.includes('node_modules'))
      .map((url) => path.relative(ROOT, fileURLToPath(url)))
      .filter((file) => file.startsWith('src/'));
  } finally {
    session.disconnect();
    await stop();
    rmSync(dataFolder, { recursive: true });
  }
}

const words = textOf('docs/architecture.md')
  .split(/\s+/)
  .filter((word) => /\w/.test(word)).length;
const { files, bytes } = await bundle();
const ran = await filesOfRequest();
console.log(`files in src, lib, bin, functions   ${sources.length}
lines of code in them               ${sources.reduce((sum, file) => sum + codeLines(textOf(file)), 0)}
circles of imports                  0, held by test/architecture.test.ts
files run by one GET                ${ran.length}
files in a dataset's function       ${files}, ${Math.round(bytes / 1000)} KB
words of docs/architecture.md       ${words}
variables of modules                ${variables.length}: ${variables.join(', ')}`);
if (commandArguments().args.includes('--files')) console.log(ran.sort().join('\n'));
process.exit();
