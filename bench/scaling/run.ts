import { writeFile } from 'node:fs/promises';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { machine } from '../report/machine.ts';
import { disagreements } from './compare.ts';
import { measureColumns, measureSizes } from './measure-columns.ts';
import { measureRequests } from './measure-requests.ts';
import {
  KINDS,
  lastMeasured,
  MEASURED_FILE,
  type Measured,
  type MeasuredColumns,
  type MeasuredRequest,
} from './measured.ts';
import { speedsOf } from './speeds.ts';

/**
 * `npm run bench:scaling`; `-- --quick` leaves out the large sizes, and writes nothing. The tables
 * of docs/scaling.md are written by `npm run generate`. `--smoke` compares one size with the sizes
 * that were measured last.
 */
const { isSmoke, args } = commandArguments();
const isFull = !isSmoke && !args.includes('--quick');
const SIZES = isSmoke ? [1e3] : isFull ? [1e3, 1e4, 1e5, 1e6] : [1e3, 1e4];
const ROUNDS = isSmoke ? { cold: 1, warm: 1 } : { cold: 7, warm: 41 };
const columns: MeasuredColumns[] = [];
const requests: MeasuredRequest[] = [];
for (const kind of KINDS) {
  for (const rows of SIZES) {
    console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${kind}, ${rows} rows`);
    columns.push(measureColumns(kind, rows));
    // Dynalite would take too long with the items of a million rows.
    if (rows < 1e6) requests.push(...(await measureRequests(kind, rows, ROUNDS)));
  }
}
const measured: Measured = {
  machine: `${new Date().toISOString().slice(0, 10)}, ${machine().split(';')[0]}`,
  datasets: isSmoke
    ? lastMeasured().datasets
    : { census: measureSizes('census'), directory: measureSizes('directory') },
  columns,
  requests,
};
console.table([...columns]);
console.table([...requests]);
console.log(speedsOf(measured));
// Lists of numbers stand on one line, as `npm run lint` wants them.
const text = JSON.stringify(measured, null, 2).replace(/\[[\d\s,]+\]/g, (list) =>
  list.replace(/\s+/g, '').replaceAll(',', ', '),
);
if (isFull) await writeFile(MEASURED_FILE, `${text}\n`);
const wrong = disagreements(measured);
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
