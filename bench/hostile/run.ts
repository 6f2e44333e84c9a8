import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { seededRandom } from '../data/seeded-random.ts';
import { startProcess } from '../load/start-process.ts';
import { machine } from '../report/machine.ts';
import { markdownTable } from '../report/markdown-table.ts';
import { CROWDS, type Crowd, sendCrowd } from './crowd.ts';
import { FULL, QUICK, SMOKE } from './effort.ts';
import {
  describeRequest,
  type HostileRequest,
  mutated,
  randomRequest,
  wireOf,
} from './hostile-request.ts';
import { hostileBlock } from './hostile-set.ts';
import { askWideCrowds } from './wide-crowds.ts';
import { WORST_QUESTIONS, type WorstQuestion } from './worst-questions.ts';

/**
 * `npm run bench:hostile`: a seeded search for the slowest request that a stranger can send, while
 * somebody else asks for a colour ten times a second, then the worst questions that we know of.
 * Last, crowds that ask for a block of 401 columns. `-- --quick` for a look that writes nothing,
 * `-- --questions` for the questions alone, `-- --wide` for the crowds of columns alone.
 */
const { isSmoke, args } = commandArguments();
const isOfQuestions = args.includes('--questions');
const isOfColumns = args.includes('--wide');
const EFFORT = isSmoke ? SMOKE : args.includes('--quick') ? QUICK : FULL;
const ROWS = EFFORT.rows;
const REPEATS = EFFORT.repeats;
const CROWD_MS = EFFORT.crowdMs;
/** Of each round, the slowest so far are each changed twice. */
const KEPT = 12;
const SHOWN = 10;
/** More of a download would only take the time of other requests. */
const MOST_READ_BYTES = 4 * 2 ** 20;
/** What the server's process may take for a crowd. */
const MOST_GROWTH_MIB = 300;

type Tried = {
  readonly request: HostileRequest;
  readonly ms: number;
  readonly status: number;
  readonly steps: number | null;
};

const began = performance.now();
const steps = new Map<string, number | null>();
const server = await startProcess<{ port: number }>(
  new URL('hostile-process.ts', import.meta.url),
  [String(ROWS), String(EFFORT.longTexts)],
);
let memory = 0;
let mostMemory = 0;
type Told = { readonly runId: string; readonly steps: number | null; readonly memory: number };
server.child.on('message', (told: Told) => {
  steps.set(told.runId, told.steps);
  memory = told.memory;
  mostMemory = Math.max(mostMemory, memory);
});
const url = `http://127.0.0.1:${server.hello.port}`;
const colours = await startProcess(new URL('colour-client.ts', import.meta.url), [url]);
const waits: number[] = [];
let complaints = 0;
let coloursRefused = 0;
colours.child.on('message', ({ took, status }: { took: number; status: number }) => {
  waits.push(took);
  if (status !== 200) coloursRefused++;
});
try {
  if (!isOfQuestions && !isOfColumns) await search();
  if (!isOfColumns) await askQuestions();
} finally {
  await colours.stop();
  await server.stop();
}
if (!isOfQuestions) await askForColumns();

async function search(): Promise<void> {
  progress('the first use of every column and sort, which builds something');
  for (const { name } of hostileBlock.fields) {
    for (const sign of ['', '-'])
      await send({ kind: 'json', arguments: { _sort: sign + name, _limit: 1 } });
  }
  const slowestBuild = Math.max(...waits);
  waits.length = 0;
  const random = seededRandom(2026);
  let slowest: Tried[] = [];
  let count = 0;
  const tryOne = async (request: HostileRequest) => {
    slowest.push(await send(request));
    count++;
  };
  progress(`${EFFORT.first} random requests`);
  for (let i = 0; i < EFFORT.first; i++) await tryOne(randomRequest(random));
  progress(`${EFFORT.rounds} rounds of changes to the slowest`);
  for (let round = 0; round < EFFORT.rounds; round++) {
    slowest = slowest.sort((a, b) => b.ms - a.ms).slice(0, KEPT);
    for (const { request } of [...slowest]) {
      await tryOne(mutated(request, random));
      await tryOne(mutated(request, random));
    }
  }
  slowest = slowest.sort((a, b) => b.ms - a.ms).slice(0, 2 * SHOWN);
  const again: Tried[] = [];
  for (const { request } of slowest) again.push(await median(request));
  const shown = again.sort((a, b) => b.ms - a.ms).slice(0, SHOWN);
  const sorted = [...waits].sort((a, b) => a - b);
  const crowds: string[][] = [];
  for (const crowd of CROWDS) {
    progress(crowd.name);
    crowds.push([crowd.name, ...(await amidst(crowd))]);
  }
  const lines = [
    `${count} requests against ${ROWS.toLocaleString('en')} rows of ${hostileBlock.fields.length} columns; the slowest, each the median of ${REPEATS}:`,
    '',
    markdownTable(
      ['ms', 'status', 'steps', 'request'],
      shown.map(({ ms, status, steps: spent, request }) => [
        ms.toFixed(0),
        String(status),
        spent === null ? '' : spent.toLocaleString('en'),
        `\`${describeRequest(request).replaceAll('|', '\\|').replaceAll('`', "'")}\``,
      ]),
    ),
    `Somebody else's ${sorted.length} requests for a colour meanwhile: p50 ${at(sorted, 0.5)} ms, p99 ${at(sorted, 0.99)} ms, worst ${at(sorted, 1)} ms. While the sort orders were built, each by its first use: worst ${slowestBuild.toFixed(0)} ms.`,
    '',
    `Amidst crowds that come at one moment and stay for ${CROWD_MS / 1000} s: requests for a colour, and searches with \`*\` through ${ROWS.toLocaleString('en')} texts, one after another.`,
    '',
    markdownTable(
      [
        'crowd',
        'colours: p50 ms',
        'p99 ms',
        'worst ms',
        'searches: p50 ms',
        'worst ms',
        'other than 200',
        'memory: MiB more',
      ],
      crowds,
    ),
  ];
  console.log(lines.join('\n'));
  if (EFFORT === FULL) {
    await writeFile(
      new URL('RESULTS.md', import.meta.url),
      `# The slowest requests that were found\n\n\`npm run bench:hostile\`, on ${new Date().toISOString().slice(0, 10)}: ${machine()}.\n\n${lines.join('\n')}\n`,
    );
  }
}

/** Each is answered in full or refused honestly, and others do not wait for it. */
async function askQuestions(): Promise<void> {
  const rows: string[][] = [];
  for (const question of WORST_QUESTIONS) {
    progress(question.name);
    rows.push(await rowOfQuestion(question));
  }
  const header = ['question', 'status', 'first ms', 'ms', 'steps', 'colours: p50 ms', 'worst ms'];
  const table = markdownTable(header, rows);
  console.log(table);
  if (EFFORT !== FULL) return;
  const load = os.loadavg().map((load) => load.toFixed(1));
  await writeFile(
    new URL('RESULTS-questions.md', import.meta.url),
    `# The worst questions\n\n\`npm run bench:hostile -- --questions\`, on ${new Date().toISOString().slice(0, 10)}: ${machine()}. The load of the machine: ${load.join(', ')}.\n\nAgainst ${ROWS.toLocaleString('en')} rows of ${hostileBlock.fields.length} columns, each the median of ${REPEATS} after the first, until the answer begins; *colours* is how long somebody else waits for a colour meanwhile.\n\n${table}`,
  );
}

async function askForColumns(): Promise<void> {
  const text = await askWideCrowds(EFFORT, progress);
  console.log(text);
  if (EFFORT !== FULL) return;
  const load = os.loadavg().map((load) => load.toFixed(1));
  await writeFile(
    new URL('RESULTS-wide.md', import.meta.url),
    `# A block of 401 columns\n\n\`npm run bench:hostile -- --wide\`, on ${new Date().toISOString().slice(0, 10)}: ${machine()}. The load of the machine: ${load.join(', ')}.\n\n${text}`,
  );
}

async function rowOfQuestion({ name, arguments: asked }: WorstQuestion): Promise<string[]> {
  waits.length = 0;
  const request: HostileRequest = { kind: 'json', arguments: asked };
  const first = await send(request);
  const tried: Tried[] = [];
  for (let i = 0; i < REPEATS; i++) tried.push(await send(request));
  // Somebody else comes ten times a second.
  await sleep(150);
  const sorted = [...waits].sort((a, b) => a - b);
  const statuses = [...new Set([first, ...tried].map(({ status }) => status))];
  if (!statuses.every((status) => [200, 400, 503].includes(status))) {
    throw new Error(`${name}: ${statuses.join(', ')}`);
  }
  const again = tried.sort((a, b) => a.ms - b.ms)[REPEATS >> 1] as Tried;
  const steps = again.steps === null ? '' : again.steps.toLocaleString('en');
  const times = [first.ms, again.ms].map((ms) => ms.toFixed(0));
  return [name, statuses.join(', '), ...times, steps, at(sorted, 0.5), at(sorted, 1)];
}

async function send(request: HostileRequest): Promise<Tried> {
  const { query, init } = wireOf(request);
  const from = performance.now();
  const response = await fetch(`${url}/api_v2/blocks/hostile${query}`, init);
  // A download takes as long as it is long; it counts until it begins.
  const ms = performance.now() - from;
  await readSome(response);
  const { status } = response;
  const runId = response.headers.get('x-run-id') ?? '';
  if ((status >= 500 || ms > 1000) && ++complaints <= 20) {
    console.error(`${status} after ${ms.toFixed(0)} ms: ${describeRequest(request)}`);
  }
  return { request, ms, status, steps: steps.get(runId) ?? null };
}

/** How long others wait amidst a crowd of downloads: for a colour, and for a search. */
async function amidst(crowd: Crowd): Promise<string[]> {
  waits.length = 0;
  mostMemory = memory;
  const memoryBefore = memory;
  const leave = sendCrowd(url, { ...crowd, count: Math.min(crowd.count, EFFORT.crowd) });
  const until = performance.now() + CROWD_MS;
  const searches: number[] = [];
  let refused = 0;
  coloursRefused = 0;
  for (let i = 0; performance.now() < until; i++) {
    const { ms, status } = await send({
      kind: 'json',
      arguments: { name: `*e*${i}*`, _limit: 1 },
    });
    searches.push(ms);
    if (status !== 200) refused++;
  }
  leave();
  const growth = Math.round((mostMemory - memoryBefore) / 2 ** 20);
  if (growth > MOST_GROWTH_MIB) {
    console.error(`${crowd.name}: ${growth} MiB more, over ${MOST_GROWTH_MIB}.`);
    process.exitCode = 1;
  }
  const [colours, found] = [waits, searches].map((its) => [...its].sort((a, b) => a - b));
  return [
    ...[0.5, 0.99, 1].map((share) => at(colours as number[], share)),
    ...[0.5, 1].map((share) => at(found as number[], share)),
    String(refused + coloursRefused),
    String(growth),
  ];
}

async function readSome({ body }: Response): Promise<void> {
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > MOST_READ_BYTES) return;
  }
}

async function median(request: HostileRequest): Promise<Tried> {
  const tried: Tried[] = [];
  for (let i = 0; i < REPEATS; i++) tried.push(await send(request));
  return tried.sort((a, b) => a.ms - b.ms)[REPEATS >> 1] as Tried;
}

function at(sorted: readonly number[], share: number): string {
  const index = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return (sorted[index] ?? Number.NaN).toFixed(1);
}

function progress(what: string): void {
  console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}
