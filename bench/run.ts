import { writeFile } from 'node:fs/promises';
import { commandArguments } from '../test/support/command-arguments.ts';
import { install } from '../test/support/install.ts';
import { FULL, QUICK, SMOKE } from './effort.ts';
import { startLoadGenerator } from './load/load-generator.ts';
import { measureSet, type SetResult } from './measure-set.ts';
import { measureColors } from './naming/measure-colors.ts';
import { machine } from './report/machine.ts';
import { report } from './report/report.ts';

/** `npm run bench`; `-- --quick` for a look that leaves RESULTS.md alone. */
const { isSmoke, args } = commandArguments();
const isQuick = args.includes('--quick');
const effort = isSmoke ? SMOKE : isQuick ? QUICK : FULL;
await install('bench');
await install('test/trust');
const began = performance.now();

const load = await startLoadGenerator();
const sets: SetResult[] = [];
try {
  for (const set of effort.sets) {
    progress(`${set.kind}, ${set.size} rows`);
    sets.push(await measureSet(set, effort, load));
  }
} finally {
  await load.stop();
}
progress('colours');
const colors = await measureColors(effort);

const minutes = ((performance.now() - began) / 60_000).toFixed(1);
const tables = report({ sets, colors });
const measuredOn = `Measured on ${new Date().toISOString().slice(0, 10)} in ${minutes} minutes: ${machine()}.`;
console.log(`\n${tables}\n\n${measuredOn}`);
if (effort === FULL) {
  await writeFile(
    new URL('RESULTS.md', import.meta.url),
    `# The last full run\n\n${measuredOn} [README.md](README.md) says what each row is.\n\n${tables}\n`,
  );
}

function progress(what: string): void {
  console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}
