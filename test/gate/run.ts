import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { endTree } from '../support/process-tree.ts';
import { type Told, told } from './failures.ts';
import { type Phase, RUNS } from './phases.ts';

/**
 * Runs the phases of the gate, after `npm ci`: `.ci/run` is the command; or those of `npm run
 * test:long`. What each prints goes to a file. The last screen says why a run is red, or how long
 * each phase took.
 */
const PHASES = RUNS[process.argv[2] as keyof typeof RUNS];
const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Processes of all phases that compute at a time: more than two for two cores, as the deployments
 * mostly wait, but few, since processes that compete for a core take a tenth more time in all.
 */
const AT_ONCE = 5;

/** How far the others stand back behind what is a chain: a third of its share (sched(7), nice). */
const NICE = 5;

/**
 * Programs in Go collect garbage once they have made four times what they keep: esbuild, which ends
 * soon, takes a fourth less of a processor.
 */
const GOGC = '400';

/** A phase that takes longer is stuck. CI ends the whole run after 90 minutes. */
const STUCK_AFTER_MS = 45 * 60_000;

/** How many failures are shown with their messages. */
const SHOWN = 6;

type Ended = Told & {
  readonly phase: Phase;
  readonly seconds: number;
  /** Of all its processes, by all processors. */
  readonly processorSeconds: number | undefined;
  readonly log: string;
};

/** Lines of a log that are worth telling of a green phase too. */
const NOTED = /^(?:Calls that got a 503|not all of these could be installed).*$/gm;

const logs = mkdtempSync(path.join(tmpdir(), 'blockyard-gate-'));
const running = new Map<Phase, ChildProcess>();
const ended: Ended[] = [];
let isOver = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(1)));
}

async function endAll(): Promise<void> {
  isOver = true;
  await Promise.all([...running.values()].map(({ pid }) => pid && endTree(pid)));
}

async function run(phase: Phase): Promise<void> {
  const began = performance.now();
  const name = phase.name.replaceAll(' ', '-');
  const log = path.join(logs, `${name}.log`);
  const results = path.join(logs, `${name}.json`);
  const [program, ...args] = phase.command;
  const forJest = phase.isJest === true ? ['--json', `--outputFile=${results}`] : [];
  const child = spawn(program, [...args, ...forJest], {
    cwd: ROOT,
    env: { ...process.env, GOGC, ...phase.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // What it starts has its priority.
  if (child.pid !== undefined && phase.isChain !== true) setPriority(child.pid, NICE);
  running.set(phase, child);
  const written = createWriteStream(log);
  child.stdout.pipe(written, { end: false });
  child.stderr.pipe(written, { end: false });
  const stuck = setTimeout(() => {
    written.write(
      `\nThe gate ended this phase: it took more than ${STUCK_AFTER_MS / 60_000} min.\n`,
    );
    if (child.pid !== undefined) void endTree(child.pid);
  }, STUCK_AFTER_MS);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => written.write(`${error.message}\n`, () => resolve(1)));
    child.once('close', resolve);
  });
  clearTimeout(stuck);
  await new Promise<void>((resolve) => written.end(resolve));
  running.delete(phase);
  if (isOver) return;
  const seconds = Math.round((performance.now() - began) / 1000);
  const processorSeconds = processorOfEnded();
  const text = readFileSync(log, 'utf8');
  const found = told(code, text, results, ROOT);
  const isEmpty = phase.isJest === true && found.passed === 0 && found.failures.length === 0;
  const failures = isEmpty ? ['No test ran.'] : found.failures;
  ended.push({ ...found, failures, phase, seconds, processorSeconds, log });
  const parts = [
    failures.length > 0 ? 'RED' : 'green',
    `${seconds} s`,
    ...(processorSeconds === undefined ? [] : [`${processorSeconds} s of a processor`]),
    ...(found.passed > 0 ? [`${found.passed} passed`] : []),
    ...(text.match(NOTED) ?? []),
  ];
  console.log(`${phase.name}: ${parts.join(', ')}`);
  if (failures.length > 0 && phase.endsAll === true) await endAll();
}

let processorBefore = 0;

/**
 * The processor's seconds of what has ended since the last call: of a phase, because a process has
 * those of all that it waited for only once it ends (proc(5), `cutime` and `cstime`, in hundredths).
 */
function processorOfEnded(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const now = (Number(fields[13]) + Number(fields[14])) / 100;
  const seconds = Math.round(now - processorBefore);
  processorBefore = now;
  return seconds;
}

/**
 * Begins each phase whose needs are met, in order, once there is room for it, until all have ended.
 * None overtakes one that waits for room: small ones are left for the end, beside large ones.
 */
async function runAll(): Promise<void> {
  const waiting = [...PHASES];
  const current = new Set<Promise<void>>();
  const isDone = (name: string) => ended.some(({ phase }) => phase.name === name);
  while (!isOver && (waiting.length > 0 || current.size > 0)) {
    const room = AT_ONCE - [...running.keys()].reduce((sum, { atOnce = 1 }) => sum + atOnce, 0);
    const next = waiting.find(({ needs = [] }) => needs.every(isDone));
    if (next !== undefined && (current.size === 0 || (next.atOnce ?? 1) <= room)) {
      waiting.splice(waiting.indexOf(next), 1);
      const work = run(next).finally(() => current.delete(work));
      current.add(work);
    } else {
      if (current.size === 0)
        throw new Error(`Nothing leads to ${waiting.map(({ name }) => name)}.`);
      await Promise.race(current);
    }
  }
}

const began = performance.now();
// `.ci/run` becomes this process, which then has the time of the install.
processorOfEnded();
await runAll();
const times = ended.map(({ phase, seconds }) => `${phase.name} ${seconds} s`).join(' · ');
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(`\n${times}\n${minutes} minutes`);
const passed = ended.reduce((sum, one) => sum + one.passed, 0);
const failed = ended.flatMap(({ phase, failures, log }) =>
  failures.map((failure) => ({ phase, failure, log })),
);
// So many that the last screen has them all; the names of the rest are above it.
for (const { phase, failure } of failed.slice(0, -SHOWN)) {
  console.log(`${phase.name}: ${failure.split('\n')[0]}`);
}
for (const { phase, failure, log } of failed.slice(-SHOWN)) {
  console.log(`\n${phase.name} (all of it: ${log})\n  ${failure}`);
}
if (failed.length === 0) rmSync(logs, { recursive: true });
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
