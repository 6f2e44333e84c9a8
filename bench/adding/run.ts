import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runAdd } from '../../src/commands/add-command.ts';
import { virtualEnvironment } from '../../test/support/virtual-environment.ts';
import { machine } from '../report/machine.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';

/**
 * How long a file takes to become an answer: with `blockyard add` and `npm start`, and with
 * sqlite-utils and Datasette, on the same file in one run. Writes RESULTS.md.
 */

const ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
const ROUNDS = 3;
const ROWS = 100_000;
const PORT = 8791;

const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-bench-'));
const csv = path.join(folder, 'big.csv');
const python = await virtualEnvironment(
  'bench-adding',
  path.join(ROOT, 'bench/adding/requirements.txt'),
);
const bin = path.dirname(python);

/** 34 columns: ids, texts, whole numbers, decimals, dates, yes and no, and one with gaps. */
async function writeRows(): Promise<void> {
  let seed = 5;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const two = (number: number) => String(number).padStart(2, '0');
  const many = (count: number, cell: () => string) => Array.from({ length: count }, cell);
  const out = createWriteStream(csv);
  out.write(`${Array.from({ length: 34 }, (_, i) => `col_${i}`).join(',')}\n`);
  for (let row = 0; row < ROWS; row++) {
    const cells = [
      `A${String(row).padStart(7, '0')}`,
      ['Red', 'Green', 'Blue'][random(3)] as string,
      `Name ${random(50_000)}`,
      ...many(15, () => String(random(1_000_000))),
      ...many(10, () => (random(1_000_000) / 100).toFixed(2)),
      ...many(4, () => `20${two(10 + random(15))}-${two(1 + random(12))}-${two(1 + random(28))}`),
      random(2) === 0 ? 'yes' : 'no',
      random(3) === 0 ? '' : 'x',
    ];
    if (!out.write(`${cells.join(',')}\n`)) await once(out, 'drain');
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

/** Seconds until a command has ended. */
async function timeOf(command: Command): Promise<number> {
  const began = performance.now();
  const [code] = await once(launch(command), 'exit');
  if (code !== 0) throw new Error(`${command.command} ended with ${code}`);
  return (performance.now() - began) / 1000;
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

/** A hundred blocks of 300 rows and 8 columns, with a map each. */
async function addHundred(blocks: string): Promise<void> {
  const silent = { out: () => {}, err: (line: string) => console.error(line), columns: 80 };
  for (let block = 0; block < 100; block++) {
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
await writeRows();
await addHundred(hundred);
const HUNDRED = ['blockyard, first start of 100 blocks', 'blockyard, their next start'];
const times: Record<string, number[]> = {};
const note = (what: string, seconds: number) => {
  times[what] = [...(times[what] ?? []), seconds];
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${what}`);
};
try {
  for (let round = 0; round < ROUNDS; round++) {
    const data = { DATA_DIR: path.join(folder, `data-${round}`) };
    const many = {
      command: process.execPath,
      args: ['bin/blockyard.js', 'start'],
      env: { BLOCKYARD_BLOCKS: hundred, PORT: String(PORT), ...data },
    };
    const one = `http://127.0.0.1:${PORT}/api_v2/blocks/set-99?_limit=1&kind=Red`;
    note(HUNDRED[0] as string, await timeToAnswer(many, one));
    note(HUNDRED[1] as string, await timeToAnswer(many, one));
    const blocks = path.join(folder, `blocks-${round}`);
    const db = path.join(folder, `${round}.db`);
    const block = path.join(ROOT, 'bin/blockyard.js');
    note(
      'blockyard add',
      await timeOf({ command: process.execPath, args: [block, 'add', csv, '--blocks', blocks] }),
    );
    const env = { BLOCKYARD_BLOCKS: blocks, PORT: String(PORT) };
    const start = { command: process.execPath, args: ['bin/blockyard.js', 'start'], env };
    const url = `http://127.0.0.1:${PORT}/api_v2/blocks/big?_limit=1&col_1=Red`;
    note('blockyard, first start', await timeToAnswer(start, url));
    note('blockyard, next start', await timeToAnswer(start, url));
    note(
      'sqlite-utils insert, which detects types',
      await timeOf({
        command: path.join(bin, 'sqlite-utils'),
        args: ['insert', db, 'big', csv, '--csv', '--silent'],
      }),
    );
    const serve = {
      command: path.join(bin, 'datasette'),
      args: ['serve', db, '--port', String(PORT)],
    };
    const table = `http://127.0.0.1:${PORT}/${round}/big.json?_size=1&col_1=Red`;
    note('Datasette, first start', await timeToAnswer(serve, table));
    note('Datasette, next start', await timeToAnswer(serve, table));
  }
  const bytes = (await stat(csv)).size;
  const rows = Object.entries(times).map(([what, all]) => {
    const seconds = median(all);
    const rows = HUNDRED.includes(what) ? 30_000 : ROWS;
    return [what, seconds.toFixed(1), figures(rows / seconds)];
  });
  await writeFile(
    path.join(ROOT, 'bench/adding/RESULTS.md'),
    `# From a file to an answer

\`npm run bench:adding\` writes this page. A file of ${ROWS.toLocaleString('en')} rows and 34 columns (${figures(bytes / 1e6)} MB), median of ${ROUNDS} rounds; starts are until the first answer. sqlite-utils takes texts, whole numbers and floats; \`add\` also finds dates, booleans, keys and words for nothing, and shows what decided. The hundred blocks have 300 rows and 8 columns each.

${markdownTable(['what', 'seconds', 'rows a second'], rows)}

Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}.
`,
  );
} finally {
  await rm(folder, { recursive: true });
}
