import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../load/start-process.ts';
import { markdownTable } from '../report/markdown-table.ts';
import type { Effort } from './effort.ts';
import { wideBlock } from './wide-set.ts';

const PAGE = '/api_v2/blocks/wide?_format=html';
const OPENAPI = '/openapi.json';
const PARQUET = '/api_v2/blocks/wide?_format=parquet';

/** Who asks at the same time, each again as soon as an answer is there. */
const WIDE_CROWDS: readonly { readonly name: string; readonly paths: readonly string[] }[] = [
  { name: 'nobody', paths: [] },
  { name: '10 first pages and 10 OpenAPI, the first ones', paths: [...ten(PAGE), ...ten(OPENAPI)] },
  { name: '10 first pages', paths: ten(PAGE) },
  { name: '10 pages with `_limit=1000`', paths: ten(`${PAGE}&_limit=1000`) },
  { name: '10 OpenAPI', paths: ten(OPENAPI) },
  { name: '1 Parquet', paths: [PARQUET] },
  { name: '10 Parquet', paths: ten(PARQUET) },
  {
    name: 'all of these at once',
    paths: [PAGE, `${PAGE}&_limit=1000`, OPENAPI, PARQUET].flatMap(ten),
  },
];

/** How long a crowd stays for its first answer, if it came for less. */
const FIRST_ANSWER_MS = 60_000;

function ten(path: string): string[] {
  return Array.from({ length: 10 }, () => path);
}

/**
 * How long somebody else waits for a colour while a crowd asks for pages, files and the document of
 * a block of 401 columns, and what the crowd gets: a table.
 */
export async function askWideCrowds(
  { wideRows, wideCrowdMs }: Effort,
  progress: (what: string) => void,
): Promise<string> {
  const server = await startProcess<{ port: number }>(new URL('wide-process.ts', import.meta.url), [
    String(wideRows),
  ]);
  const url = `http://127.0.0.1:${server.hello.port}`;
  const colours = await startProcess(new URL('colour-client.ts', import.meta.url), [url]);
  const waits: number[] = [];
  colours.child.on('message', ({ took }: { took: number }) => waits.push(took));
  const rows: string[][] = [];
  let idle: number | undefined;
  try {
    for (const { name, paths } of WIDE_CROWDS) {
      progress(`401 columns: ${name}`);
      waits.length = 0;
      const crowd = new AbortController();
      const answers: Answer[] = [];
      for (const path of paths) askUntil(crowd.signal, url + path, answers);
      // Node's fetch may leave the reading of a body without an end if it is aborted.
      await sleep(wideCrowdMs);
      const latest = performance.now() + FIRST_ANSWER_MS;
      while (answers.length === 0 && paths.length > 0) {
        if (performance.now() > latest) throw new Error(`${name}: nobody has an answer.`);
        await sleep(20);
      }
      crowd.abort();
      const shares = sharesOf(waits);
      const late = Number(shares[1]);
      idle ??= late;
      rows.push([name, ...told(answers), ...shares, (late / idle).toFixed(1)]);
    }
  } finally {
    await colours.stop();
    await server.stop();
  }
  const header = ['crowd', 'answers', 'p50 s', 'worst s', 'other than 200', 'colours: p50 ms'];
  const table = markdownTable([...header, 'p99 ms', 'worst ms', 'p99 to nobody’s'], rows);
  return `Against ${wideRows.toLocaleString('en')} rows of ${wideBlock.fields.length} columns: crowds that ask for ${wideCrowdMs / 1000} s, each member again as soon as it has its answer; *colours* is how long somebody else waits for a colour meanwhile.\n\n${table}`;
}

type Answer = { readonly seconds: number; readonly status: number };

/** Asks until the signal. What is under way then is no answer; one that breaks off has status 0. */
async function askUntil(signal: AbortSignal, url: string, answers: Answer[]): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    let status = 0;
    try {
      const response = await fetch(url, { signal, headers: { 'accept-encoding': 'gzip' } });
      await response.arrayBuffer();
      status = response.status;
    } catch {
      if (signal.aborted) return;
    }
    answers.push({ seconds: (performance.now() - began) / 1000, status });
  }
}

function told(answers: readonly Answer[]): string[] {
  const [half, , worst] = sharesOf(answers.map(({ seconds }) => seconds)) as [
    string,
    string,
    string,
  ];
  const others = answers.filter(({ status }) => status !== 200);
  return [String(answers.length), half, worst, String(others.length)];
}

/** The median, the 99th of a hundred, and the most. */
function sharesOf(values: readonly number[]): string[] {
  const sorted = [...values].sort((a, b) => a - b);
  return [0.5, 0.99, 1].map((share) => {
    const found = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return found === undefined ? '' : found.toFixed(1);
  });
}
