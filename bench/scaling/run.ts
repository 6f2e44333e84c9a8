import { writeFile } from 'node:fs/promises';
import { machine } from '../report/machine.ts';
import { disagreements } from './compare.ts';
import type { Kind } from './dataset-shape.ts';
import { MEASURED } from './last-measured.ts';
import { type MeasuredSize, measureSize } from './measure-scaling.ts';
import type { Measured } from './measured-case.ts';
import { results } from './results.ts';

/**
 * `npm run bench:scaling`; `-- --quick` leaves out 100,000 rows, and writes nothing. The tables of
 * docs/scaling.md are written by `npm run generate` of the root.
 */
const isQuick = process.argv.includes('--quick');
const measured = await measure();
const text = results(measured);
console.log(text);
if (!isQuick) {
  await writeFile(MEASURED, `${JSON.stringify(measured, null, 2)}\n`);
  await writeFile(new URL('RESULTS.md', import.meta.url), text);
}
const wrong = disagreements(measured);
for (const line of wrong) console.error(`model and measurement differ: ${line}`);
if (wrong.length > 0) process.exitCode = 1;

async function measure(): Promise<Measured> {
  const began = performance.now();
  const found: MeasuredSize[] = [];
  for (const kind of ['census', 'directory'] satisfies Kind[]) {
    for (const rows of isQuick ? [1e3, 1e4] : [1e3, 1e4, 1e5]) {
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      console.error(`${seconds.padStart(4)} s  ${kind}, ${rows.toLocaleString('en-US')} rows`);
      found.push(await measureSize(kind, rows));
    }
  }
  return {
    machine: `${new Date().toISOString().slice(0, 10)}, ${machine().split(';')[0]}`,
    cases: found.flatMap(({ cases }) => cases),
    loads: found.flatMap(({ loads }) => loads),
  };
}
