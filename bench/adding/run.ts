import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runAdd } from '../../src/commands/add-command.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { install } from '../../test/support/install.ts';
import { datasettePython } from '../datasette-python.ts';
import { machine } from '../report/machine.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';

/**
 * How long a file takes to become an answer: with `blockyard add` and `npm start`, and with DuckDB,
 * sqlite-utils and Datasette, on the same files in one run. Writes RESULTS.md.
 */

const ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
const { isSmoke } = commandArguments();
const ROUNDS = isSmoke ? 1 : 3;
const PORT = 8791;
/** Makes a table of a CSV file, in a process as a person would start one. */
const DUCKDB = path.join(ROOT, 'bench/adding/duckdb.cjs');

await install('test/trust');
const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-bench-'));
const bin = path.dirname(await datasettePython());

/** A file that is added, and a question of one of its rows. */
type BenchFile = {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: number;
  readonly cells: (row: number) => readonly string[];
  readonly query: string;
};

let seed = 5;
const random = (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const two = (number: number) => String(number).padStart(2, '0');
const many = (count: number, cell: () => string) => Array.from({ length: count }, cell);
const day = () => `20${two(10 + random(15))}-${two(1 + random(12))}-${two(1 + random(28))}`;
const oneOf = (texts: readonly string[]) => texts[random(texts.length)] as string;

const ALL_FILES: readonly BenchFile[] = [
  {
    // Ids, texts, whole numbers, decimals, dates, yes and no, and one with gaps.
    name: 'wide',
    header: Array.from({ length: 34 }, (_, i) => `col_${i}`),
    rows: 100_000,
    cells: (row) => [
      `A${String(row).padStart(7, '0')}`,
      oneOf(['Red', 'Green', 'Blue']),
      `Name ${random(50_000)}`,
      ...many(15, () => String(random(1_000_000))),
      ...many(10, () => (random(1_000_000) / 100).toFixed(2)),
      ...many(4, day),
      random(2) === 0 ? 'yes' : 'no',
      random(3) === 0 ? '' : 'x',
    ],
    query: 'col_1=Red',
  },
  {
    // As cities publish their service requests.
    name: 'long',
    header: [
      ...['id', 'created', 'closed', 'agency', 'complaint', 'descriptor', 'zip', 'address'],
      ...['city', 'status', 'borough', 'latitude', 'longitude'],
    ],
    rows: 1_000_000,
    cells: (row) => [
      String(30_000_000 + row),
      `${day()}T${two(random(24))}:${two(random(60))}:00`,
      random(10) === 0 ? '' : day(),
      oneOf(['NYPD', 'HPD', 'DOT', 'DSNY', 'DEP']),
      `Complaint of kind ${random(200)}`,
      `Descriptor ${random(1200)}`,
      String(10_001 + random(1500)),
      `${random(9999)} STREET ${random(400)}`,
      oneOf(['BROOKLYN', 'QUEENS', 'BRONX', 'NEW YORK']),
      oneOf(['Open', 'Closed']),
      oneOf(['BROOKLYN', 'QUEENS', 'BRONX', 'MANHATTAN', 'STATEN ISLAND']),
      (40.5 + random(400_000) / 1e6).toFixed(6),
      (-74.2 + random(500_000) / 1e6).toFixed(6),
    ],
    query: 'agency=NYPD',
  },
];

const FILES = isSmoke ? ALL_FILES.slice(0, 1).map((file) => ({ ...file, rows: 200 })) : ALL_FILES;
const BLOCKS = isSmoke ? 2 : 100;
const STARTS = isSmoke ? ['first start'] : ['first start', 'next start'];

const pathOf = ({ name }: BenchFile) => path.join(folder, `${name}.csv`);

async function writeRows(file: BenchFile): Promise<void> {
  const out = createWriteStream(pathOf(file));
  out.write(`${file.header.join(',')}\n`);
  for (let row = 0; row < file.rows; row++) {
    if (!out.write(`${file.cells(row).join(',')}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

type Command = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

function launch({ command, args, env = {} }: Command) {
  return spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore' });
}

/** Seconds until a command has ended, and the most memory it had, in MB, looked at ten times a second. */
async function timeOf(command: Command): Promise<{ seconds: number; megabytes: number }> {
  const began = performance.now();
  const child = launch(command);
  let megabytes = 0;
  const look = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    megabytes = Math.max(megabytes, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1000);
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(look);
  if (code !== 0) throw new Error(`${command.command} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, megabytes };
}

/** Seconds from the start of a server until its first answer; it is then stopped. */
async function timeToAnswer(command: Command, url: string): Promise<number> {
  const began = performance.now();
  const child = launch(command);
  const ended = once(child, 'exit');
  for (;;) {
    const status = await fetch(url).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    if (status === 200) break;
    if (performance.now() - began > 300_000) throw new Error(`${url} does not answer`);
    await sleep(20);
  }
  const seconds = (performance.now() - began) / 1000;
  child.kill('SIGINT');
  await ended;
  return seconds;
}

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] as number;

/** A hundred blocks, or fewer, of 300 rows and 8 columns, with a map each. */
async function addHundred(blocks: string): Promise<void> {
  const silent = { out: () => {}, err: (line: string) => console.error(line), columns: 80 };
  for (let block = 0; block < BLOCKS; block++) {
    const rows = Array.from({ length: 300 }, (_, row) => {
      const at = (block * 300 + row) % 997;
      const date = `20${10 + (at % 15)}-0${1 + (at % 9)}-1${at % 10}`;
      const place = `39.${1000 + at},-76.${1000 + ((at * 7) % 997)}`;
      return `A${String(row).padStart(6, '0')},Place ${at} of ${block},${at % 3 ? 'Red' : 'Blue'},${date},${at}.5,${place},\n`;
    });
    const file = path.join(folder, `set-${block}.csv`);
    await writeFile(file, `id,name,kind,opened,amount,latitude,longitude,note\n${rows.join('')}`);
    await runAdd([file, '--yes', '--blocks', blocks], silent, { blocks });
  }
}

const hundred = path.join(folder, 'hundred');
for (const file of FILES) await writeRows(file);
await addHundred(hundred);
type Line = { readonly what: string; readonly rows: number; readonly group: string };
type Measured = { readonly seconds: number; readonly megabytes?: number };
const measured = new Map<string, { line: Line; all: Measured[] }>();
const note = (line: Line, its: Measured) => {
  const key = `${line.group}: ${line.what}`;
  const known = measured.get(key) ?? { line, all: [] };
  known.all.push(its);
  measured.set(key, known);
  console.log(`${its.seconds.toFixed(1).padStart(6)} s  ${key}`);
};
const blockyard = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [path.join(ROOT, 'bin/blockyard.js'), ...args],
});

async function benchFile(file: BenchFile, round: number): Promise<void> {
  const { name, rows, query } = file;
  const csv = pathOf(file);
  const blocks = path.join(folder, `blocks-${name}-${round}`);
  const line = (what: string) => ({ what, rows, group: name });
  note(line('blockyard add'), await timeOf(blockyard('add', csv, '--yes', '--blocks', blocks)));
  const start = { ...blockyard('start', '--blocks', blocks), env: { PORT: String(PORT) } };
  const url = `http://127.0.0.1:${PORT}/api_v2/blocks/${name}?_limit=1&${query}`;
  for (const which of STARTS) {
    note(line(`blockyard, ${which}`), { seconds: await timeToAnswer(start, url) });
  }
  const duck = path.join(folder, `${name}-${round}.duckdb`);
  const load = { command: process.execPath, args: [DUCKDB, duck, csv] };
  note(line('DuckDB, a table of a CSV file, which detects types'), await timeOf(load));
  const db = path.join(folder, `${name}-${round}.db`);
  const insert = ['insert', db, name, csv, '--csv', '--silent'];
  note(
    line('sqlite-utils insert, which detects types'),
    await timeOf({ command: path.join(bin, 'sqlite-utils'), args: insert }),
  );
  const serve = {
    command: path.join(bin, 'datasette'),
    args: ['serve', db, '--port', String(PORT)],
  };
  const table = `http://127.0.0.1:${PORT}/${name}-${round}/${name}.json?_size=1&${query}`;
  for (const which of STARTS) {
    note(line(`Datasette, ${which}`), { seconds: await timeToAnswer(serve, table) });
  }
  await rm(blocks, { recursive: true });
  await rm(db);
  await rm(duck);
}

// The first command of a checkout compiles it.
await timeOf(blockyard('--help'));
try {
  for (let round = 0; round < ROUNDS; round++) {
    const data = { DATA_DIR: path.join(folder, `data-${round}`), BLOCKYARD_BLOCKS: hundred };
    const many = { ...blockyard('start'), env: { PORT: String(PORT), ...data } };
    const one = `http://127.0.0.1:${PORT}/api_v2/blocks/set-${BLOCKS - 1}?_limit=1&kind=Red`;
    for (const which of STARTS) {
      const line = { what: `blockyard, ${which}`, rows: 30_000, group: 'hundred' };
      note(line, { seconds: await timeToAnswer(many, one) });
    }
    for (const file of FILES) await benchFile(file, round);
  }
  const rows = [...measured.values()].map(({ line, all }) => {
    const seconds = median(all.map((its) => its.seconds));
    const megabytes = median(all.map((its) => its.megabytes ?? 0));
    const memory = megabytes === 0 ? '' : figures(megabytes);
    return [line.group, line.what, seconds.toFixed(1), figures(line.rows / seconds), memory];
  });
  const sizes = await Promise.all(
    FILES.map(async (file) => {
      const { size } = await stat(pathOf(file));
      const count = `${file.rows.toLocaleString('en')} rows and ${file.header.length} columns`;
      return `\`${file.name}\` has ${count} (${figures(size / 1e6)} MB)`;
    }),
  );
  const text = `# From a file to an answer

\`npm run bench:adding\` writes this page. ${sizes.join(', ')}; \`hundred\` are 100 blocks of 300 rows and 8 columns with a map each. Median of ${ROUNDS} rounds; starts are until the first answer. sqlite-utils takes texts, whole numbers and floats; DuckDB dates too; \`add\` also finds booleans, keys, places and words for nothing, and shows what decided.

${markdownTable(['file', 'what', 'seconds', 'rows a second', 'MB of memory'], rows)}

Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}.
`;
  if (!isSmoke) await writeFile(path.join(ROOT, 'bench/adding/RESULTS.md'), text);
} finally {
  await rm(folder, { recursive: true });
}
