import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPlayer } from './play.ts';
import { MESSY_FILES, printOf } from './print.ts';
import { tapeRequest } from './requests.ts';

/**
 * `npm run tape [-- renew|show <number>…]`: asks all of the tape's requests, and compares what is
 * kept of the answers. A move that changes no behaviour changes none. `renew` writes the answers of
 * today; `show` prints a request with its answer. `npm run tape -- files [renew|show <number>…]` does
 * the same with messy files, and with what `add` and `check` print for them.
 */
const FILE = path.join(import.meta.dirname, 'answers.txt');
const VERSIONS = path.join(import.meta.dirname, 'versions.json');
const REQUESTS = 50_000;
const SHOWN = 20;

const PRINTS = path.join(import.meta.dirname, 'prints.txt');

const [task, ...numbers] = process.argv.slice(2);
if (task === 'files') {
  const [what, ...shown] = numbers;
  if (what === 'show') {
    for (const number of shown.map(Number)) console.log((await printOf(number)).text);
    process.exit();
  }
  const entries: string[] = [];
  for (let number = 0; number < MESSY_FILES; number++) entries.push((await printOf(number)).entry);
  if (what === 'renew') writeFileSync(PRINTS, `${entries.join('\n')}\n`);
  const kept = readFileSync(PRINTS, 'utf8').split('\n');
  const differing = entries.flatMap((entry, number) => (entry === kept[number] ? [] : number));
  console.log(
    `${MESSY_FILES} files; those whose prints differ: ${differing.join(', ') || 'none'}.`,
  );
  process.exit(differing.length === 0 ? 0 : 1);
}
const player = await startPlayer();
if (task === 'show') {
  for (const number of numbers.map(Number)) {
    const request = tapeRequest(number);
    console.log(number, JSON.stringify(request, undefined, 1));
    console.log((await player.play(request)).text);
  }
} else {
  const kept = task === 'renew' ? [] : readFileSync(FILE, 'utf8').split('\n');
  const entries: string[] = [];
  const differing: number[] = [];
  for (let number = 0; number < REQUESTS; number++) {
    const { entry } = await player.play(tapeRequest(number));
    if (entry !== kept[number]) differing.push(number);
    entries.push(entry);
  }
  const statuses: Record<string, number> = {};
  for (const entry of entries) {
    const [status = ''] = entry.split(' ');
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  console.log(`${REQUESTS} requests; by status: ${JSON.stringify(statuses)}`);
  if (task === 'renew') {
    writeFileSync(FILE, `${entries.join('\n')}\n`);
    writeFileSync(VERSIONS, `${JSON.stringify(player.versions, undefined, 2)}\n`);
  } else {
    for (const number of differing.slice(0, SHOWN)) {
      const { method, path, body = '' } = tapeRequest(number);
      console.log(
        `${number}: ${kept[number]} is now ${entries[number]}: ${method} ${path} ${body.slice(0, 200)}`,
      );
    }
    console.log(`${differing.length} answers differ.`);
    process.exitCode = differing.length === 0 ? 0 : 1;
  }
}
await player.stop();
