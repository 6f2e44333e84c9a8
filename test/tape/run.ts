import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandArguments } from '../support/command-arguments.ts';
import { ROOT } from '../support/service.ts';
import { PARTS, partsOf } from './parts.ts';
import { startPlayer } from './play.ts';
import { MESSY_FILES, printOf } from './print.ts';
import { type Difference, differencesOf, outsideOf, scopeOf, tableOf } from './renewal.ts';
import { kindOf, tapeRequest } from './requests.ts';

/**
 * `npm run tape` sends all of the tape's requests, and says how many answers of each kind differ from
 * the recorded ones, and in which part. A move that changes no behaviour changes none.
 *
 * - `--smoke` sends three requests of each kind.
 * - `show <number>…` prints requests with their answers.
 * - `compare <number>…` prints where answers differ from those of the commit that recorded the tape.
 * - `renew <kinds> <parts>` records the answers of today, if nothing else differs: `renew pages words`.
 * - `files [renew|show <number>…]` does the same with messy files, and with what `add` and `check`
 *   print for them.
 */
const FILE = path.join(import.meta.dirname, 'answers.txt');
const VERSIONS = path.join(import.meta.dirname, 'versions.json');
const PRINTS = path.join(import.meta.dirname, 'prints.txt');
const REQUESTS = 50_000;
const SMOKE = 3;
const SHOWN = 20;
const COMPARED = 3;

const { isSmoke, args } = commandArguments();
const [task, ...rest] = args;

switch (task) {
  case 'files':
    await playFiles(rest);
    break;
  case 'show':
    await show(rest.map(Number));
    break;
  case 'compare':
    await compare(rest.map(Number));
    break;
  case 'renew':
    await renew(rest);
    break;
  case undefined:
    await check();
    break;
  default:
    throw new Error(`"${task}" is none of show, compare, renew, files.`);
}

async function check(): Promise<void> {
  const { answers } = await play(isSmoke ? fewOfEachKind() : allNumbers());
  const differences = differencesOf(answers, recorded());
  report(differences);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

async function renew(given: readonly string[]): Promise<void> {
  const scope = scopeOf(given);
  const { answers, versions } = await play(allNumbers());
  const differences = differencesOf(answers, recorded());
  report(differences);
  const outside = outsideOf(scope, differences);
  if (outside.length > 0) {
    console.log(`Nothing is recorded: ${outside.length} answers differ in what you did not name.`);
    console.log(tableOf(outside));
    process.exitCode = 1;
    return;
  }
  const isSame = JSON.stringify(versions) === JSON.stringify(JSON.parse(readText(VERSIONS)));
  if (!isSame && !scope.parts.includes('data')) {
    console.log(
      'Nothing is recorded: the datasets have other versions, and you did not name data.',
    );
    process.exitCode = 1;
    return;
  }
  await compare(differences.slice(0, COMPARED).map(({ number }) => number));
  writeFileSync(FILE, `${[...answers.values()].join('\n')}\n`);
  if (!isSame) writeFileSync(VERSIONS, `${JSON.stringify(versions, undefined, 2)}\n`);
}

async function play(numbers: readonly number[]) {
  const player = await startPlayer();
  const answers = new Map<number, string>();
  for (const number of numbers) {
    answers.set(number, (await player.play(tapeRequest(number))).entry);
  }
  await player.stop();
  const statuses: Record<string, number> = {};
  for (const entry of answers.values()) {
    const [status = ''] = entry.split(' ');
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  console.log(`${answers.size} requests; by status: ${JSON.stringify(statuses)}`);
  return { answers, versions: player.versions };
}

function report(differences: readonly Difference[]): void {
  console.log(`${differences.length} answers differ.`);
  if (differences.length === 0) return;
  console.log(tableOf(differences));
  for (const { number, kind, parts } of differences.slice(0, SHOWN)) {
    const { method, path, body = '' } = tapeRequest(number);
    console.log(
      `${number} (${kind}; ${parts.join(', ')}): ${method} ${path} ${body.slice(0, 200)}`,
    );
  }
  const [first] = differences;
  console.log(`See what differs: npm run tape -- compare ${first?.number}`);
}

async function show(numbers: readonly number[]): Promise<void> {
  const player = await startPlayer();
  for (const number of numbers) {
    const request = tapeRequest(number);
    console.log(number, JSON.stringify(request, undefined, 1));
    console.log((await player.play(request)).text);
  }
  await player.stop();
}

/** Prints the first difference of each part, before and now. Each answer is a service's first. */
async function compare(numbers: readonly number[]): Promise<void> {
  const earlier = earlierAnswers(numbers);
  for (const number of numbers) {
    const player = await startPlayer();
    const then = partsOf(earlier.get(number) ?? '');
    const now = partsOf((await player.play(tapeRequest(number))).text);
    await player.stop();
    const parts = PARTS.filter((part) => then[part] !== now[part]);
    if (parts.length === 0) console.log(`${number} (${kindOf(number)}): no difference.`);
    for (const part of parts) {
      const at = [...now[part]].findIndex((character, i) => character !== then[part][i]);
      const from = Math.max(0, (at < 0 ? now[part].length : at) - 60);
      const around = (text: string) =>
        JSON.stringify(Buffer.from(text.slice(from, from + 200), 'latin1').toString());
      console.log(`${number} (${kindOf(number)}), ${part}:`);
      console.log(`  was ${around(then[part])}\n  is  ${around(now[part])}`);
    }
  }
}

/** The answers of the commit that recorded the tape, which is checked out beside this checkout. */
function earlierAnswers(numbers: readonly number[]): Map<number, string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const commit = git('log', '-1', '--format=%H', '--', path.relative(ROOT, FILE));
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'blockyard-tape-')), 'checkout');
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  try {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    return new Map(
      numbers.map((number) => {
        const args = ['--import', 'tsx', 'test/tape/run.ts', 'show', String(number)];
        const settings = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
        // After the number and the request, which ends with a brace alone on its line.
        const shown = execFileSync(process.execPath, args, settings);
        return [number, shown.slice(shown.indexOf('\n}\n') + 3, -1)];
      }),
    );
  } finally {
    git('worktree', 'remove', '--force', folder);
    rmSync(path.dirname(folder), { recursive: true });
  }
}

async function playFiles([what, ...shown]: readonly string[]): Promise<void> {
  if (what === 'show') {
    for (const number of shown.map(Number)) console.log((await printOf(number)).text);
    return;
  }
  const entries: string[] = [];
  for (let number = 0; number < MESSY_FILES; number++) entries.push((await printOf(number)).entry);
  if (what === 'renew') writeFileSync(PRINTS, `${entries.join('\n')}\n`);
  const kept = readText(PRINTS).split('\n');
  const differing = entries.flatMap((entry, number) => (entry === kept[number] ? [] : number));
  console.log(
    `${MESSY_FILES} files; those whose prints differ: ${differing.join(', ') || 'none'}.`,
  );
  process.exitCode = differing.length === 0 ? 0 : 1;
}

function allNumbers(): number[] {
  return Array.from({ length: REQUESTS }, (_, number) => number);
}

/** Without _explain: it says what a request read, which depends on the requests before it. */
function fewOfEachKind(): number[] {
  const taken = new Map<string, number>();
  return allNumbers().filter((number) => {
    const kind = kindOf(number);
    const count = taken.get(kind) ?? 0;
    // To make a request takes longer than to tell its kind.
    if (count === SMOKE || tapeRequest(number).path.includes('_explain')) return false;
    taken.set(kind, count + 1);
    return true;
  });
}

function recorded(): string[] {
  return readText(FILE).split('\n');
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
