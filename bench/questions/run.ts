import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { install } from '../../test/support/install.ts';
import { datasettePython } from '../datasette-python.ts';
import { machine } from '../report/machine.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { geometricMean, median } from '../report/ratios.ts';
import { blockyard, datasette, duckdb, type Engine, sqlite } from './engines.ts';
import { QUESTIONS, type Question } from './questions.ts';

/**
 * `npm run bench:questions [-- size…]`: questions beside SQLite, DuckDB and Datasette on the same
 * rows. Answers are compared before anything is timed. Without sizes, it writes RESULTS.md.
 * `WITHOUT_DATASETTE=1` leaves Datasette out, where its Python packages cannot be installed.
 */
const MOST_ROWS = 1_000_000;
const { isSmoke, args } = commandArguments();
const asked = isSmoke ? [1000] : args.map(Number);
const SIZES = asked.length > 0 ? asked : [10_000, 100_000, MOST_ROWS];
const MOST_ROUNDS = isSmoke ? 1 : 200;
const LEAST_ROUNDS = 3;
/** A question is asked no more once its rounds took so long. */
const ENOUGH_MS = 3000;
/** In its turn, an engine is asked as often as takes so long: of once alone, half is what others left. */
const TURN_MS = 20;
const MOST_IN_TURN = isSmoke ? 1 : 50;

const OURS = 'blockyard';

/** Sums of floating point differ by their order. */
const NEAR = 1e-9;

type Measured = {
  readonly question: Question;
  /** Of ours, the first time that it is asked. */
  readonly first: number;
  /** Milliseconds of processor time by engine; none where it does not answer. */
  readonly ms: ReadonlyMap<string, number>;
};

await install('test/trust');
const withDatasette = process.env.WITHOUT_DATASETTE === undefined;
const python = withDatasette ? await datasettePython() : undefined;
const sections: string[] = [];
const ratios: number[] = [];
/** Our questions over 250 ms at 1,000,000 rows, once these are measured. */
let slowest: string[] | undefined;
for (const size of SIZES) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-bench-'));
  const engines: Engine[] = [];
  try {
    const file = path.join(folder, 'data.db');
    engines.push(blockyard(size), sqlite(size, file), await duckdb(size));
    if (python !== undefined) engines.push(await datasette(size, file, python));
    const measured: Measured[] = [];
    for (const question of QUESTIONS) measured.push(await measure(question, engines));
    const section = sectionOf(size, engines, measured);
    console.log(section);
    sections.push(section);
    if (size === MOST_ROWS) slowest = [];
    for (const one of measured) {
      if (isOfGroups(one.question)) ratios.push(ratioTo(one, 'SQLite'));
      if (size === MOST_ROWS && !((one.ms.get(OURS) ?? Number.NaN) <= 250)) {
        slowest?.push(one.question.name);
      }
    }
    if (asked.length === 0) await writeFile(new URL('RESULTS.md', import.meta.url), report());
  } finally {
    for (const engine of engines) engine.close();
    await rm(folder, { recursive: true });
  }
}

function isOfGroups({ arguments: its }: Question): boolean {
  return '_group' in its || '_facets' in its;
}

/** One round after another, each engine once in each, so that other work on the machine slows all. */
async function measure(question: Question, engines: readonly Engine[]): Promise<Measured> {
  let wanted: unknown[][] | undefined;
  let first = 0;
  const asked: Engine[] = [];
  for (const engine of engines) {
    const began = engine.cpuMs();
    const text = await engine.ask(question).catch((error: Error) => {
      console.error(`${engine.name}, ${question.name}: ${error.message.slice(0, 200)}`);
    });
    if (text === undefined) continue;
    asked.push(engine);
    const rows = engine.read(question, text);
    if (engine.name === OURS) first = engine.cpuMs() - began;
    wanted ??= rows;
    const difference = differenceOf(wanted, rows);
    if (difference !== undefined) {
      throw new Error(`${engine.name} answers “${question.name}” differently: ${difference}`);
    }
  }
  const rounds = new Map(asked.map(({ name }): [string, number[]] => [name, []]));
  const times = new Map<Engine, number>();
  for (const engine of asked) {
    const began = performance.now();
    await engine.ask(question);
    const once = performance.now() - began;
    times.set(engine, Math.max(1, Math.min(MOST_IN_TURN, Math.floor(TURN_MS / once))));
  }
  const began = performance.now();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (round >= LEAST_ROUNDS && performance.now() - began > ENOUGH_MS) break;
    for (let i = 0; i < asked.length; i++) {
      const engine = asked[(round + i) % asked.length] as Engine;
      const from = engine.cpuMs();
      const inTurn = times.get(engine) as number;
      for (let time = 0; time < inTurn; time++) await engine.ask(question);
      rounds.get(engine.name)?.push((engine.cpuMs() - from) / inTurn);
    }
  }
  return {
    question,
    first,
    ms: new Map([...rounds].map(([name, times]) => [name, middleOf(name, times)])),
  };
}

/** The median; of another process, whose time has ticks of 10 ms, the mean. */
function middleOf(name: string, times: readonly number[]): number {
  if (name !== 'Datasette') return median(times);
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function ratioTo({ ms }: Measured, name: string): number {
  return (ms.get(name) ?? Number.NaN) / (ms.get(OURS) ?? Number.NaN);
}

function differenceOf(a: readonly unknown[][], b: readonly unknown[][]): string | undefined {
  if (a.length !== b.length) return `${a.length} rows, ${b.length} rows`;
  for (const [i, row] of a.entries()) {
    const other = b[i] as unknown[];
    const isSame = row.every((cell, at) => {
      const its = other[at];
      return typeof cell === 'number' && typeof its === 'number'
        ? Math.abs(cell - its) <= NEAR * Math.abs(cell)
        : cell === its;
    });
    if (!isSame || row.length !== other.length) return JSON.stringify([i, row, other]);
  }
  return undefined;
}

function sectionOf(
  size: number,
  engines: readonly Engine[],
  measured: readonly Measured[],
): string {
  const others = engines.slice(1).map(({ name }) => name);
  const rows = measured.map((one) => [
    one.question.name,
    figures(one.first),
    figures(one.ms.get(OURS) ?? Number.NaN),
    ...others.map((name) => figures(ratioTo(one, name))),
  ]);
  const header = ['question', 'blockyard, first ms', 'ms', ...others.map((name) => `${name}, ×`)];
  return `## ${size.toLocaleString('en-US')} rows\n\n${markdownTable(header, rows)}`;
}

function report(): string {
  const missed = ratios.filter((ratio) => !(ratio >= 5)).length;
  const load = os.loadavg().map((load) => load.toFixed(1));
  return `# Questions beside other engines

\`npm run bench:questions\` writes this page. *ms* is processor time, the median of ${LEAST_ROUNDS} to ${MOST_ROUNDS} rounds, *first* that of the first time that a question is asked; × is how many times blockyard's time another takes. [README.md](../README.md#questions) says how it is measured.${withDatasette ? '' : ' Datasette was left out of this run.'}

${sections.join('\n')}
## Aims

- Groups and facets at least 5 × as fast as SQLite with indexes that hold each question's columns: ${figures(geometricMean(ratios.filter(Number.isFinite)))} × as the geometric mean; ${missed} of ${ratios.length} are below 5 ×.
- No question over 250 ms at 1,000,000 rows: ${standing(slowest)}.

Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}. The machine had other work: its load was ${load.join(', ')}.
`;
}

function standing(slow: readonly string[] | undefined): string {
  if (slow === undefined) return 'not measured in this run';
  return slow.length === 0 ? 'none is' : `missed by ${slow.map((name) => `“${name}”`).join(', ')}`;
}
