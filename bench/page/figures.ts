import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { startServer } from '../../test/support/process.ts';
import { ROOT } from '../../test/support/service.ts';
import { oneOf, type Random, seededRandom, wholeNumber } from '../data/seeded-random.ts';
import { machine } from '../report/machine.ts';
import { markdownTable } from '../report/markdown-table.ts';
import { median } from '../report/ratios.ts';
import { writeSection } from '../report/write-section.ts';

/**
 * `npm run bench:figures [-- rows…]`: how soon the first byte of each kind of figure's page comes, once
 * the page was asked before. Without numbers of rows it writes its own part of `bench/RESULTS.md`.
 */
const { isSmoke, args } = commandArguments();
const asked = isSmoke ? [1000] : args.map(Number);
const SIZES = asked.length > 0 ? asked : [100_000, 1_000_000];
const TIMES = isSmoke ? 1 : 20;
/** Of the section that is written. */
const TITLE = 'First bytes of figures';
/** Rows that are written to the file at once. */
const ROWS_AT_ONCE = 10_000;

const KINDS = ['bus', 'tram', 'metro', 'ferry', 'train', 'bike'];
const STATES = ['Ohio', 'Maine', 'Texas', 'Utah', 'Iowa', 'Idaho', 'Nevada', 'Oregon'];
const HEADER = 'day,kind,state,distance_km,cost,delay,latitude,longitude';

/** A question by its name, and what it asks; the last ones count what no sum can tell. */
const FIGURES: Readonly<Record<string, string>> = {
  'as the block opens': '',
  'bars of a group': '_group=kind&_view=chart',
  'steps of a number': '_group=distance_km.5&_view=chart',
  'a line by month': '_group=day.month',
  'lines of all kinds': '_group=day.month,kind',
  'three picks': '_group=day.month,kind&kind=bus&kind=tram&kind=ferry',
  'picks as one': '_group=day.month,kind&kind=bus&kind=tram&_as_one=true',
  'shares, stacked': '_group=day.month,kind&_axis=share',
  'an index': '_group=day.month,kind&_measure=avg:cost&_axis=index',
  'two measures': '_group=day.month&_measure=avg:cost,avg:delay',
  'a band': '_group=day.month&_measure=min:cost,max:cost',
  seasons: '_group=day.month_of_year,day.year',
  'weekdays and weekends': '_group=day.month,day.weekend',
  'a heat table': '_group=kind,state',
  'two numbers': '_xy=distance_km,cost',
  'a map': '_view=map',
  'a map, closer': '_view=map&_frame=-100,35,-90,42',
  'a map of a group': '_group=place.100km',
  'a median': '_group=kind&_measure=median:cost',
  'distinct values': '_group=kind&_measure=distinct:state',
};

const random = seededRandom(60);
const sections: string[] = [];
for (const rows of SIZES) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-bench-'));
  try {
    await addTrips(folder, rows);
    const server = await startServer({ BLOCKYARD_BLOCKS: folder });
    const page = `${server.url}/api_v2/blocks/trips`;
    const lines: string[][] = [];
    for (const [name, query] of Object.entries(FIGURES)) {
      const times: number[] = [];
      const first = await firstByte(`${page}?${query}`);
      for (let i = 0; i < TIMES; i++) times.push((await firstByte(`${page}?${query}`)).ms);
      lines.push([
        name,
        `${first.status}`,
        first.ms.toFixed(0),
        median(times).toFixed(0),
        Math.max(...times).toFixed(0),
      ]);
      console.log(lines.at(-1)?.join('\t'));
    }
    const head = ['page', 'status', 'first time, ms', `median of ${TIMES}, ms`, 'slowest, ms'];
    sections.push(`${rows.toLocaleString('en')} rows:\n\n${markdownTable(head, lines)}`);
    server.kill('SIGTERM');
    await server.ended();
  } finally {
    await rm(folder, { recursive: true });
  }
}
if (asked.length === 0) {
  const date = new Date().toISOString().slice(0, 10);
  const how = `\`npm run bench:figures\`, ${date}, ${machine()}: the page of each figure, asked once, then ${TIMES} times.`;
  await writeSection(TITLE, [how, '', ...sections]);
}

/** A block of made trips over six years, in the middle of the United States. */
async function addTrips(folder: string, rows: number): Promise<void> {
  const file = path.join(folder, 'trips.csv');
  await writeFile(file, `${HEADER}\n`);
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, rows - from);
    await appendFile(file, Array.from({ length: count }, () => tripOf(random)).join(''));
  }
  const options = ['add', file, '--yes', '--blocks', folder];
  await promisify(execFile)(process.execPath, ['bin/blockyard.js', ...options], { cwd: ROOT });
}

function tripOf(random: Random): string {
  const day = new Date(Date.UTC(2018, 0, 1 + wholeNumber(random, 0, 6 * 365)));
  const distance = Math.round(400 * random() ** 3) / 10;
  const cells = [
    day.toISOString().slice(0, 10),
    oneOf(random, KINDS),
    oneOf(random, STATES),
    distance,
    (2 + distance * (1 + random())).toFixed(2),
    wholeNumber(random, -3, 40),
    (33 + 12 * random()).toFixed(4),
    (-110 + 30 * random()).toFixed(4),
  ];
  return `${cells.join(',')}\n`;
}

/** From the request to the first byte of the answer's body. The body is read to its end. */
function firstByte(address: string): Promise<{ readonly status: number; readonly ms: number }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
    request(address, { headers }, (answer) => {
      answer.once('data', () => {
        const ms = performance.now() - began;
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, ms }));
      });
      answer.once('error', reject).resume();
    })
      .once('error', reject)
      .end();
  });
}
