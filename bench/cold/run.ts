import { execFileSync, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildService } from '../../src/build/build-service.ts';
import { bundleHandlers, EVENT_STREAMS } from '../../src/build/bundle-handler.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { lambdaRuntime } from '../../test/deploy/lambda-runtime.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { importDataset } from '../../test/support/datasets.ts';
import { type Marks, markedFunction, moduleCosts } from './module-costs.ts';

/**
 * How long a function takes from its process's start to its first answer, as a ratio to one that
 * answers with nothing: the bundles that a deploy uploads, with Lambda's Node and variables, and a DynamoDB in
 * another process. The contenders take turns; the first round is not counted.
 */
const { isSmoke } = commandArguments();
const ROUNDS = isSmoke ? 1 : 25;

const root = path.resolve(import.meta.dirname, '../..');
const node = path.join(await lambdaRuntime(), 'node');

const ONE_ITEM = 'one item by the SDK';

/** As API Gateway has it, of which the run's id is. */
const REQUEST = { requestId: '0b4950c5-75f1-4e23-8f2a-5ad323b7f9e7' };

type Contender = {
  readonly name: string;
  readonly code: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly event: object;
  /** At most this many times the empty one; for a dataset, without what the SDK's item costs. */
  readonly aim?: number;
  readonly readsTable?: boolean;
  /** Its source, if its modules are told. */
  readonly source?: string;
};

type Start = {
  readonly began: number;
  /** From the process's start to its answer, as seen from outside; all in ms. */
  readonly total: number;
  readonly imported: number;
  readonly answered: number;
  /** The function's own files that were loaded. Empty of a start that is timed. */
  readonly loads: readonly string[];
  /** Of a function with marks. */
  readonly marks?: Marks['marks'];
  readonly builtins: Marks['builtins'];
};

async function contenders(out: string, endpoint: string): Promise<Contender[]> {
  const seedData = path.join(root, 'seed-data');
  const service = await buildService({ root, blocks: root, out: path.join(out, 'build') });
  const client = createClient({ endpoint });
  const tables = new Map<string, string>();
  for (const loaded of await loadBlocks(path.join(root, 'functions'))) {
    if (loaded.kind === 'value') continue;
    const imported = await importDataset(loaded.block, loaded.dataset, seedData);
    const { manifest } = imported;
    await seedTable(client, imported);
    tables.set(loaded.block.name, tableName(manifest));
  }
  client.destroy();
  const empty = path.join(out, 'empty');
  await mkdir(empty);
  await writeFile(
    path.join(empty, 'index.mjs'),
    'export const handler = async () => ({ statusCode: 200, body: "" });',
  );
  await bundleHandlers({
    entries: { 'one-item/index': 'bench/cold/one-item.ts' },
    folder: out,
    root,
    without: EVENT_STREAMS,
  });
  const [TABLE_NAME = ''] = tables.values();
  const get = { httpMethod: 'GET', path: '/api_v2/blocks', headers: {}, requestContext: REQUEST };
  return [
    { name: 'empty', code: empty, environment: {}, event: get },
    {
      name: ONE_ITEM,
      code: path.join(out, 'one-item'),
      environment: { TABLE_NAME, DYNAMODB_ENDPOINT: endpoint },
      event: get,
    },
    {
      name: 'catalogue',
      code: service.catalog,
      environment: {},
      event: get,
      aim: 1.25,
      source: 'lambda/catalog.ts',
    },
    ...service.blocks.flatMap(({ block, code, environment, table }) => {
      const own = {
        code,
        environment: {
          ...environment,
          ...(table === undefined
            ? {}
            : { TABLE_NAME: tables.get(block.name) ?? '', DYNAMODB_ENDPOINT: endpoint }),
        },
      };
      const path = `/api_v2/blocks/${block.name}`;
      const json = {
        ...{ httpMethod: 'POST', path, headers: { 'content-type': 'application/json' } },
        ...{ body: JSON.stringify(block.examples[0]?.arguments), isBase64Encoded: false },
        requestContext: REQUEST,
      };
      const page = { ...get, path, headers: { accept: 'text/html' } };
      return [
        {
          ...own,
          name: block.name,
          event: json,
          aim: table === undefined ? 1.4 : 2.6,
          readsTable: table !== undefined,
          source: `functions/${block.name}/handler.ts`,
        },
        { ...own, name: `${block.name}, its page`, event: page },
      ];
    }),
  ];
}

function start(
  { code, environment, event }: Contender,
  isListed = false,
  builtins: readonly string[] = [],
): Promise<Start> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(node, [path.join(import.meta.dirname, 'first-answer.mjs')], {
      env: {
        CODE: path.join(code, 'index.mjs'),
        EVENT: JSON.stringify(event),
        ...(isListed ? { LOADS: 'yes' } : {}),
        BUILTINS: JSON.stringify(builtins),
        ...{ SERVICE_NAME: 'blockyard', ACCESS: 'open', ALLOW_ORIGIN: '*', ALLOW_FRAMES: '*' },
        AWS_LAMBDA_FUNCTION_NAME: 'bench',
        AWS_REGION: 'local',
        TZ: ':UTC',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        ...environment,
      },
      // Lambda's log is behind a pipe.
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    child.stdout?.resume();
    let text = '';
    child.stdio[3]?.on('data', (chunk) => {
      text += chunk;
      const total = performance.now() - began;
      const { statusCode, began: called, ...told } = JSON.parse(text);
      if (statusCode !== 200) reject(new Error(`answered ${statusCode}`));
      resolve({ total, began: called, ...told });
    });
    child.once('error', reject);
    child.once('close', (status) => {
      if (text === '') reject(new Error(`ended with ${status} and no answer`));
    });
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

/** A row for each function: medians over the rounds, ratios taken within a round. */
function report(
  all: readonly Contender[],
  starts: ReadonlyMap<string, Start[]>,
  loads: ReadonlyMap<string, readonly string[]>,
): string {
  const of = (name: string) => starts.get(name) as Start[];
  const ratioOf = (name: string) =>
    median(of(name).map(({ total }, i) => total / (of('empty')[i] as Start).total));
  const ofSdk = ratioOf(ONE_ITEM) - 1;
  const rows = all.map(({ name, code, aim, readsTable }) => {
    const ratio = ratioOf(name);
    const most = aim === undefined ? undefined : aim + (readsTable ? ofSdk : 0);
    return [
      name,
      ratio.toFixed(2),
      most === undefined ? '' : `${most.toFixed(2)}: ${ratio <= most ? 'met' : 'NOT met'}`,
      median(of(name).map(({ total }) => total)).toFixed(0),
      median(of(name).map(({ began, imported }) => imported - began)).toFixed(0),
      median(of(name).map(({ imported, answered }) => answered - imported)).toFixed(0),
      (loads.get(name) ?? []).map((file) => `${file} ${kilobytes(code, file)}`).join(', '),
    ];
  });
  const columns = ['function', '÷ empty', 'aim', 'ms', 'import, ms', 'first call, ms', 'loads, KB'];
  const table = [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return `# Cold starts

Written by \`npm run bench:cold\` on Node ${lambdaNode}, ${ROUNDS} rounds, each function in turn. From the
process's start to its first answer, beside a function that answers with nothing. Its parts: the
import of the bundle, and the first call, which for a dataset waits for DynamoDB (dynalite, in
another process) and the load into memory. The rest is Node's own start. "One item by the SDK" only
makes the SDK's client and reads an item: what every function costs that reads DynamoDB by it. A
dataset's aim is 2.60, and what that costs above the empty function in the same run. The last column has the files of the function that its first answer loads.
[why.md](why.md) has the parts.

${table.join('\n')}
`;
}

/** Starts from which the least time of a module is taken, and how many of the dearest are listed. */
const MARKED_STARTS = isSmoke ? 1 : 9;
const MOST_MODULES = 12;

/** What the modules of a function cost: those that take longest, and the largest of the others. */
async function costsOf(one: Contender, source: string): Promise<string> {
  const marked = await markedFunction(source, { code: one.code, root, out });
  const marks: Marks[] = [];
  for (let i = 0; i < MARKED_STARTS; i++) {
    const started = await start({ ...one, code: marked.code }, false, marked.builtins);
    marks.push({ marks: started.marks ?? [], builtins: started.builtins });
  }
  const all = moduleCosts(marked, marks);
  const slow = all.slice(0, MOST_MODULES);
  const large = all.slice(MOST_MODULES).sort((a, b) => b.bytes - a.bytes);
  const rows = [...slow, ...large.slice(0, MOST_MODULES)].map(
    ({ name, bytes, ms }) =>
      `| ${name.replace(/^.*(?=node_modules)/, '')} | ${ms.toFixed(2)} | ${(bytes / 1000).toFixed(1)} |`,
  );
  const [sum, bytes] = [all.reduce((ms, each) => ms + each.ms, 0), marked.bytes.size];
  return `## What the modules of ${one.name} cost

To evaluate, the least of ${MARKED_STARTS} starts, and in the bundle; the first are those that take longest, then the
largest of the others. All ${bytes} modules, with Node's, take ${sum.toFixed(1)} ms; the rest of the import is to find and
to compile the file.

| module | ms | KB |
| --- | ---: | ---: |
${rows.join('\n')}
`;
}

const kilobytes = (code: string, file: string) =>
  (statSync(path.join(code, file)).size / 1000).toFixed(0);

const lambdaNode = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
const out = await mkdtemp(path.join(tmpdir(), 'blockyard-cold-'));
const emulator = await startEmbeddedDynamodb();
try {
  const all = await contenders(out, emulator.endpoint);
  const starts = new Map<string, Start[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (let i = 0; i < all.length; i++) {
      const contender = all[(i + round) % all.length] as Contender;
      const measured = await start(contender);
      if (round > 0) starts.get(contender.name)?.push(measured);
    }
  }
  const loads = new Map<string, readonly string[]>();
  for (const one of all) loads.set(one.name, (await start(one, true)).loads);
  const costs: string[] = [];
  for (const one of all) if (one.source !== undefined) costs.push(await costsOf(one, one.source));
  const text = `${report(all, starts, loads)}\n${costs.join('\n')}`;
  console.log(text);
  if (!isSmoke) await writeFile(path.join(import.meta.dirname, 'RESULTS.md'), text);
} finally {
  await emulator.stop();
  await rm(out, { recursive: true, force: true });
}
