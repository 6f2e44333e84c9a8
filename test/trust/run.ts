import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { markdownTable } from '../../bench/report/markdown-table.ts';
import { commandArguments } from '../support/command-arguments.ts';
import { install } from '../support/install.ts';
import { type Counts, count } from './checks.ts';
import { IMPORT_HEAP_MIB } from './memory.ts';
import { type Result, runSection, type Section } from './section.ts';

/**
 * `npm run trust [-- share [seed [check]]]`: 100,000 queries, 20,000 questions about groups and 8,000
 * about words, places and alternatives, or a share of them, or one check alone; each section in a
 * process of its own, two at a time. A failure prints the query, the fault and the seed that repeat
 * it; the other sections go on.
 */
const { isSmoke, args } = commandArguments();
const [share = '1', seed = '1', only] = args;

const LARGE = 2 ** 15;

const SECTIONS: readonly Omit<Section, 'seed'>[] = [
  { check: 'ways', rows: 300_000, rowsPerChunk: 2 ** 16, count: 1_500, costlyEvery: 40 },
  { check: 'ways', rows: 300_000, rowsPerChunk: 2 ** 16, count: 1_500, costlyEvery: 40 },
  { check: 'ways', rows: LARGE - 1, rowsPerChunk: LARGE, count: 9_000, costlyEvery: 40 },
  { check: 'ways', rows: LARGE, rowsPerChunk: LARGE, count: 9_000, costlyEvery: 40 },
  { check: 'ways', rows: LARGE + 1, rowsPerChunk: LARGE, count: 9_000, costlyEvery: 40 },
  { check: 'ways', rows: LARGE - 1, rowsPerChunk: 2 ** 12, count: 9_000, costlyEvery: 80 },
  { check: 'ways', rows: LARGE, rowsPerChunk: 2 ** 12, count: 9_000, costlyEvery: 80 },
  { check: 'ways', rows: LARGE + 1, rowsPerChunk: 2 ** 12, count: 9_000, costlyEvery: 80 },
  { check: 'reads', rows: 300, rowsPerChunk: 40, count: 40 },
  { check: 'reads', rows: LARGE + 1, rowsPerChunk: LARGE, count: 12 },
  { check: 'walks', rows: 3000, rowsPerChunk: 400, count: 300 },
  { check: 'walks', rows: LARGE + 1, rowsPerChunk: LARGE, count: 40 },
  { check: 'silence', rows: 500, rowsPerChunk: 60, count: 30 },
  { check: 'groups', rows: LARGE + 1, rowsPerChunk: 2 ** 12, count: 150 },
  { check: 'groups', rows: 20_000, rowsPerChunk: LARGE, count: 250 },
  { check: 'groups', rows: 1500, rowsPerChunk: 400, count: 3_600 },
  { check: 'groups', rows: 200, rowsPerChunk: 60, count: 6_000 },
  { check: 'groups', rows: 1, rowsPerChunk: LARGE, count: 1_000 },
  { check: 'groups', rows: 0, rowsPerChunk: LARGE, count: 1_000 },
  { check: 'groups', block: 'business-directory', rows: 120, rowsPerChunk: 50, count: 4_000 },
  { check: 'groups', block: 'census-neighborhoods', rows: 56, rowsPerChunk: 20, count: 4_000 },
  { check: 'searches', rows: 20_000, rowsPerChunk: 2 ** 12, count: 60 },
  { check: 'searches', rows: 1500, rowsPerChunk: 400, count: 900 },
  { check: 'searches', rows: 130, rowsPerChunk: 50, count: 3_000 },
  { check: 'searches', rows: 1, rowsPerChunk: LARGE, count: 240 },
  { check: 'searches', block: 'business-directory', rows: 120, rowsPerChunk: 50, count: 2_000 },
  { check: 'searches', block: 'census-neighborhoods', rows: 56, rowsPerChunk: 20, count: 1_800 },
  { check: 'held', rows: 300_000, rowsPerChunk: 2 ** 16, count: 1 },
  { check: 'served', rows: 300_000, rowsPerChunk: 2 ** 16, count: 300 },
  { check: 'import', rows: 300_000, rowsPerChunk: 2 ** 16, count: 1 },
  { check: 'ways', rows: 1500, rowsPerChunk: 400, count: 8_000, costlyEvery: 10 },
  { check: 'ways', rows: 1, rowsPerChunk: LARGE, count: 20_000, costlyEvery: 10 },
  { check: 'ways', rows: 0, rowsPerChunk: LARGE, count: 15_000, costlyEvery: 10 },
];

/** For `--smoke`: of few queries, but as many rows as the memory of columns is measured by. */
const SMALL_SECTIONS: readonly Omit<Section, 'seed'>[] = [
  { check: 'ways', rows: 300, rowsPerChunk: 100, count: 8 },
  { check: 'reads', rows: 30, rowsPerChunk: 30, count: 2, kinds: ['failed', 'flipped-bit'] },
  { check: 'walks', rows: 100, rowsPerChunk: 40, count: 4 },
  { check: 'silence', rows: 30, rowsPerChunk: 30, count: 2 },
  { check: 'groups', rows: 300, rowsPerChunk: 100, count: 8 },
  { check: 'searches', rows: 300, rowsPerChunk: 100, count: 8 },
  { check: 'held', rows: 15_000, rowsPerChunk: 4096, count: 1 },
  { check: 'served', rows: 300, rowsPerChunk: 100, count: 8 },
  { check: 'import', rows: 300, rowsPerChunk: 100, count: 1 },
];

const AT_ONCE = 2;

await install('test/trust');
// A run that waits for a store which never answers is ended by a timer that keeps no process alive.
const alive = setInterval(() => {}, 60_000);
const began = new Date();
const asked = isSmoke
  ? SMALL_SECTIONS
  : SECTIONS.map((section) => {
      return { ...section, count: Math.max(10, Math.ceil(section.count * Number(share))) };
    });
const sections = asked
  .map((section, i): Section => ({ ...section, seed: Number(seed) + 100 * i }))
  .filter(({ check }) => only === undefined || check === only);
const results = new Map<Section, Result>();
const failed: string[] = [];
const left = sections.values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const section of left) {
      try {
        results.set(section, await resultOf(section));
        console.log(nameOf(section), JSON.stringify(results.get(section)));
      } catch (error) {
        failed.push(nameOf(section));
        console.error(nameOf(section), 'failed:', JSON.stringify(section), error);
      }
    }
  }),
);
clearInterval(alive);
const seconds = Math.round((Date.now() - began.getTime()) / 1000);
if (failed.length > 0) {
  console.error(`${failed.length} of ${sections.length} sections failed: ${failed.join('; ')}`);
  process.exitCode = 1;
} else if (!isSmoke) {
  const file = only === undefined ? 'RESULTS.md' : `RESULTS-${only}.md`;
  writeFileSync(path.join(import.meta.dirname, file), report());
}

/** In a process of its own, unless it is a small one whose memory is not measured. */
function resultOf(section: Section): Promise<Result> {
  const isOfMemory = ['held', 'served', 'import'].includes(section.check);
  return isSmoke && !isOfMemory ? runSection(section) : resultOfProcess(section);
}

function resultOfProcess(section: Section): Promise<Result> {
  return new Promise((resolve, reject) => {
    const heap = section.check === 'import' ? [`--max-old-space-size=${IMPORT_HEAP_MIB}`] : [];
    const child = fork(
      path.join(import.meta.dirname, 'section-process.ts'),
      [JSON.stringify(section)],
      { execArgv: [...process.execArgv, '--expose-gc', ...heap] },
    );
    let result: Result | undefined;
    child.on('message', (sent) => {
      result = sent as Result;
    });
    child.on('exit', (code) => {
      if (code === 0 && result !== undefined) resolve(result);
      else reject(new Error(`Its process ended with ${code}.`));
    });
  });
}

function nameOf({ check, block, rows, rowsPerChunk }: Section): string {
  return `${check}, ${block ?? 'generated'}, ${rows} rows, ${rowsPerChunk} a chunk`;
}

function report(): string {
  const rows = sections.map((section) => {
    const { check, count, seed } = section;
    const name = section.block === undefined ? check : `${check}, ${section.block}`;
    const numbers = [section.rows, section.rowsPerChunk, count, section.costlyEvery ?? 1, seed];
    const { seconds } = results.get(section) as Result;
    return [name, ...[...numbers, seconds].map((number) => number.toLocaleString('en-US'))];
  });
  const questions = [
    ['ways', 'queries in one way and another'],
    ['groups', 'questions about groups and facets'],
    ['searches', 'questions with words, places or alternatives'],
  ].flatMap(([check, what]) => {
    const its = sections.filter((section) => section.check === check);
    const number = its.reduce((sum, { count }) => sum + count, 0);
    return number === 0 ? [] : [`${number.toLocaleString('en-US')} ${what}`];
  });
  const checks = [...new Set(sections.map(({ check }) => check))];
  const header = ['check', 'rows', 'rows a chunk', 'queries', 'costly ways: one of', 'seed', 's'];
  const machine = `${os.availableParallelism()} cores, ${os.type()} ${os.arch()}, Node ${process.version}`;
  return [
    `# What \`npm run trust -- ${[share, seed, only].join(' ').trim()}\` counted\n`,
    `${questions.join(', ')}, on ${began.toISOString().slice(0, 10)}, in ${Math.ceil(seconds / 60)} minutes (${machine}), without a failure. [CONTRIBUTING.md](../../CONTRIBUTING.md#trust) says what is checked.\n`,
    markdownTable(header, rows),
    ...checks.map((check) => countsOf(check)),
  ].join('\n');
}

function countsOf(check: string): string {
  const sums: Counts = {};
  for (const [section, { counts }] of results) {
    if (section.check !== check) continue;
    for (const [what, number] of Object.entries(counts)) count(sums, what, number);
  }
  const rows = Object.entries(sums)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, number]) => [what, number.toLocaleString('en-US')]);
  return `## ${check}\n\n${markdownTable(['what', 'number'], rows)}`;
}
