// `npm run house [-- --files | --write]`: the sizes that say how much of the code a reader must hold,
// by room, beside what each may have (budget.json). It is red if a room has more. `--write` makes what
// there is the budget: a commit that raises it says why. It is a smoke as it is: it takes seconds.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleSource, withoutIn } from '../../src/build/build-block.ts';
import { start } from '../../src/local/start.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { moduleState } from './module-state.ts';
import { filesOfRooms, overBudget, type Size, sizesOfRooms } from './rooms.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A filter and a sort, as the architecture page follows them. */
const REQUEST =
  '/api_v2/blocks/census-neighborhoods?vacant_units_min=1700&_sort=-vacant_units&_limit=3';

const isSource = (file: string) => !file.startsWith('test/') && !file.endsWith('.mjs');
const sources = filesOfRooms(ROOT)
  .map(({ file }) => file)
  .filter(isSource);
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** In which variables modules may keep something from one request for the next; memos, mostly. */
const variables = sources
  .filter((file) => file.startsWith('src/') && !file.startsWith('src/assets/'))
  .flatMap((file) => moduleState(textOf(file)).map((name) => `${file} ${name}`));

/** The files of our own in a dataset's function, and the size of its code in bytes. */
async function bundle(): Promise<{ files: number; bytes: number }> {
  const out = mkdtempSync(path.join(tmpdir(), 'blockyard-house-'));
  try {
    const code = await bundleSource(
      { entry: 'lambda/dataset.ts', without: withoutIn({ kind: 'dataset' }) },
      ROOT,
      out,
    );
    const map = JSON.parse(readFileSync(`${code}.map`, 'utf8'));
    const own = map.sources.filter((file: string) =>
      /(?:^|\/)(?:src|lambda)\/[^:]*\.tsx?$/.test(file),
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

const BUDGET = path.join(ROOT, 'bench/house/budget.json');
const { args } = commandArguments();
const sizes = sizesOfRooms(ROOT);
if (args.includes('--write')) writeFileSync(BUDGET, `${JSON.stringify(sizes, null, 2)}\n`);
const budget: Record<string, Size> = JSON.parse(readFileSync(BUDGET, 'utf8'));
const wide = Math.max(...Object.keys(sizes).map((room) => room.length));
console.log(`${'room'.padEnd(wide)}  lines  (may)  dialect  (may)`);
for (const [room, { lines, dialect }] of Object.entries(sizes)) {
  const may = budget[room];
  const cells = [lines, may?.lines ?? 0, dialect, may?.dialect ?? 0];
  console.log(`${room.padEnd(wide)}  ${cells.map((n) => String(n).padStart(5)).join('  ')}`);
}

const words = textOf('docs/architecture.md')
  .split(/\s+/)
  .filter((word) => /\w/.test(word)).length;
const { files, bytes } = await bundle();
const ran = await filesOfRequest();
const sum = (isOne: (room: [string, Size]) => boolean) =>
  Object.entries(sizes)
    .filter(isOne)
    .reduce((all, [, { lines }]) => all + lines, 0);
console.log(`files in src, lib, bin, functions   ${sources.length}
lines of code in them               ${sum(([room]) => !room.startsWith('test'))}
circles of imports                  0, held by test/architecture.test.ts
files run by one GET                ${ran.length}
files in a dataset's function       ${files}, ${Math.round(bytes / 1000)} KB
words of docs/architecture.md       ${words}
variables of modules                ${variables.length}: ${variables.join(', ')}`);
if (args.includes('--files')) console.log(ran.sort().join('\n'));
const over = overBudget(sizes, budget);
for (const line of over) console.error(`${line}: bench/house/budget.json`);
process.exit(over.length > 0 ? 1 : 0);
