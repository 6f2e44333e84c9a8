import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { openBrowser, type Page } from '../../test/channels/browser/browser.ts';
import { bundleCheckout } from '../../test/deploy/bundled-checkout.ts';
import { CDK, deployWell, MEMORY } from '../../test/deploy/deployed-service.ts';
import { environmentOf } from '../../test/deploy/emulator.ts';
import { startEmulator } from '../../test/deploy/start-emulator.ts';
import { command, commandThatWorks } from '../../test/support/command.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { install } from '../../test/support/install.ts';
import { cleanUp, startServer } from '../../test/support/process.ts';
import { ROOT } from '../../test/support/service.ts';
import { virtualEnvironment } from '../../test/support/virtual-environment.ts';
import { machine } from '../report/machine.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { askHyparquet } from './ask-hyparquet.ts';
import { ByteCounter } from './byte-counter.ts';
import { type Asked, type Found, QUESTIONS, writeTables } from './questions.ts';

/**
 * `npm run bench:files [-- rows]`: what tools fetch of files at their addresses, and how long they take,
 * from `npm start` and from a deployment to the emulator of AWS. Without rows, it writes RESULTS.md.
 */
const { isSmoke, args } = commandArguments();
const ROWS = isSmoke ? 2000 : Number(args[0] ?? 1_000_000);
/** The emulator imports rows slowly: fewer, with so many letters more, make files that it leads to. */
const DEPLOYED = { rows: ROWS / 50, letters: 500 };
/** A tool that takes longer is ended. */
const WITHIN_MS = 300_000;

type Tool = { readonly name: string; readonly ask: (asked: Asked) => Promise<Found> };

await install('test/channels/tools');
const python = await virtualEnvironment(
  'bench-files',
  path.join(import.meta.dirname, 'requirements.txt'),
);
const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-bench-'));
const browser = await openBrowser();
const site = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1');

const ofPython = (name: string): Tool => ({
  name,
  ask: async ({ question, blocks, day, box }) => {
    const script = path.join(import.meta.dirname, 'ask.py');
    const given = [script, name, question, blocks, JSON.stringify([day, box])];
    const options = { cwd: folder, env: process.env, withinMs: WITHIN_MS };
    const { code, stdout, output } = await command(python, given, options);
    if (code !== 0) throw new Error(output.trimEnd().split('\n').at(-1));
    return JSON.parse(stdout);
  },
});

/** Takes hyparquet into a page, with a decompressor in JavaScript. */
async function pageThatAsks(): Promise<Page> {
  const contents = `import { gunzipSync } from 'fflate';
import { askHyparquet } from './ask-hyparquet.ts';
globalThis.ask = (asked) => askHyparquet(asked, { GZIP: (bytes) => gunzipSync(bytes) });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    nodePaths: [path.join(ROOT, 'test/channels/tools/node_modules')],
    bundle: true,
    format: 'iife',
    write: false,
  });
  const page = await browser.newPage();
  // One without an origin may not ask this machine.
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  await page.addScriptTag({ content: outputFiles[0]?.text });
  return page;
}

const TOOLS: readonly Tool[] = [
  ...[
    'DuckDB',
    'Polars, scan_parquet',
    'Polars, read_parquet',
    'pyarrow',
    'pandas',
    'geopandas',
  ].map(ofPython),
  {
    name: 'hyparquet, Node',
    ask: (asked) => askHyparquet(asked, { GZIP: (bytes) => gunzipSync(bytes) }),
  },
  {
    name: 'hyparquet, Chromium',
    ask: async (asked) => {
      const page = await pageThatAsks();
      try {
        return await page.evaluate(`ask(${JSON.stringify(asked)})`);
      } finally {
        await page.close();
      }
    },
  },
];

type Tables = Awaited<ReturnType<typeof addTables>>;

/** Makes the tables, and adds them to a folder of blocks. */
async function addTables(count: number, letters = 0) {
  const own = path.join(folder, String(count));
  await mkdir(own);
  const { files, ...tables } = await writeTables(own, count, letters);
  const blocks = path.join(own, 'blocks');
  for (const file of files) {
    const words = ['bin/blockyard.js', 'add', file, '--yes', '--blocks', blocks];
    await commandThatWorks(process.execPath, words, { cwd: ROOT, env: process.env });
  }
  return { ...tables, count, blocks, bytes: (await stat(files[0] as string)).size };
}

/** Asks all tools all questions at a service: a table. */
async function sectionOf(service: string, where: string, tables: Tables): Promise<string> {
  const { asked, answers, count, bytes } = tables;
  const { pathname } = new URL(service);
  // Locally the files are written now.
  const [parquet = 0] = await Promise.all(
    ['requests', 'districts'].map(async (name) => {
      const file = `${service}/api_v2/blocks/${name}.parquet`;
      const head = await fetch(file, { method: 'HEAD' });
      return Number(head.headers.get('content-length'));
    }),
  );
  const rows: string[][] = [];
  for (const { name, ask } of TOOLS) {
    const cells: string[] = [];
    for (const question of QUESTIONS) {
      const counter = new ByteCounter(service);
      await counter.start();
      const blocks = `${counter.url}${pathname.replace(/\/$/, '')}/api_v2/blocks`;
      const cell = await ask({ question, blocks, ...asked }).then(
        ({ answer, seconds }) => {
          const isRight = JSON.stringify(answer) === JSON.stringify(answers[question]);
          const told = `${figures(counter.bytes / 1e6)} MB, ${figures(seconds)} s`;
          return isRight ? told : `**wrong**: ${JSON.stringify(answer).slice(0, 60)}`;
        },
        (error: Error) => `**no**: ${error.message.split('\n')[0]?.replaceAll('|', '/')}`,
      );
      counter.stop();
      console.log(`${name}, ${question}: ${cell}`);
      cells.push(cell);
    }
    rows.push([name, ...cells]);
  }
  const [csv, file] = [bytes, parquet].map((one) => figures(one / 1e6));
  const lead = `\`requests\` has ${count.toLocaleString('en')} rows: ${csv} MB as CSV, ${file} MB as Parquet.`;
  return `## From ${where}\n\n${lead}\n\n${markdownTable(['', ...QUESTIONS], rows)}`;
}

async function atStart(): Promise<string> {
  const tables = await addTables(ROWS);
  const environment = { DATA_DIR: path.join(folder, 'data'), BLOCKYARD_BLOCKS: tables.blocks };
  const { url } = await startServer(environment);
  return sectionOf(url, '`npm start`', tables);
}

async function atDeployment(): Promise<string> {
  const tables = await addTables(DEPLOYED.rows, DEPLOYED.letters);
  const { emulator, stop } = await startEmulator();
  try {
    const options = { cwd: emulator.folder, env: environmentOf(emulator) };
    await commandThatWorks(CDK, ['bootstrap', 'aws://000000000000/us-east-1'], options);
    await bundleCheckout(emulator);
    const { slackSecret: _, ...context } = MEMORY.context;
    const service = { ...MEMORY, stackName: 'bench-files', context };
    const environment = { BLOCKYARD_BLOCKS: tables.blocks };
    const { url } = await deployWell(emulator, service, { environment, isBundled: true });
    return await sectionOf(url, 'a deployment, on the emulator of AWS', tables);
  } finally {
    await stop();
  }
}

function report(sections: readonly string[]): string {
  return `# Files that tools open in place

\`npm run bench:files\` writes this page. Each tool is asked each question once, in a process of its own: the MB of bodies that it fetched, and the seconds without its own start. Each answer was compared with the right one. \`requests\` has 13 columns and a place in each row, in the order of days; \`districts\`, with which it is joined, has 1,280 rows.

${sections.join('\n')}
On the emulator, pandas and geopandas cannot read a file that the function answers whole (\`districts\`): they send no \`Accept\`, and without one the emulator’s gateway sends headers alone, of a file as of JSON. The API has all media types as binary; whether AWS needs the header was not tried.

DuckDB reads with its extensions httpfs and spatial, pyarrow with fsspec. Polars, pandas and pyarrow have places as WKB, which shapely reads. Not tried: DuckDB-Wasm, Spark, QGIS and GDAL.

Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}. The machine had other work: its load was ${os.loadavg().map((load) => load.toFixed(1))}.
`;
}

try {
  const sections: string[] = [];
  for (const section of isSmoke ? [atStart] : [atStart, atDeployment]) {
    sections.push(await section());
    console.log(report(sections));
    if (isSmoke || args.length > 0) continue;
    await writeFile(new URL('RESULTS.md', import.meta.url), report(sections));
  }
} finally {
  site.close();
  await browser.close();
  await cleanUp();
  await rm(folder, { recursive: true, force: true });
}
