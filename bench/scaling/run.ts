import { writeFile } from 'node:fs/promises';
import { machine } from '../report/machine.ts';
import { disagreements } from './compare.ts';
import { measureColumns, measureSizes } from './measure-columns.ts';
import { measureRequests } from './measure-requests.ts';
import {
  KINDS,
  MEASURED_FILE,
  type Measured,
  type MeasuredColumns,
  type MeasuredRequest,
} from './measured.ts';
import { speedsOf } from './speeds.ts';

/**
 * `npm run bench:scaling`; `-- --quick` leaves out the large sizes, and writes nothing. The tables
 * of docs/scaling.md are written by `npm run generate` of the root.
 */
const isQuick = process.argv.includes('--quick');
const columns: MeasuredColumns[] = [];
const requests: MeasuredRequest[] = [];
for (const kind of KINDS) {
  for (const rows of isQuick ? [1e3, 1e4] : [1e3, 1e4, 1e5, 1e6]) {
    console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${kind}, ${rows} rows`);
    columns.push(measureColumns(kind, rows));
    // Dynalite would take too long with the items of a million rows.
    if (rows < 1e6) requests.push(...(await measureRequests(kind, rows)));
  }
}
const measured: Measured = {
  machine: `${new Date().toISOString().slice(0, 10)}, ${machine().split(';')[0]}`,
  datasets: { census: measureSizes('census'), directory: measureSizes('directory') },
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
if (!isQuick) await writeFile(MEASURED_FILE, `${text}\n`);
const wrong = disagreements(measured);
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
