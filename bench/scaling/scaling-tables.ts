import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { indexedFields } from '../../src/dynamodb/item.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { AWS_PRICES } from './aws-prices.ts';
import { allColumns, heldBytes } from './column-model.ts';
import { costTables, count, GB, plain } from './cost-tables.ts';
import { BLOCKS, type ColumnSizes, KINDS, type Kind, type Measured } from './measured.ts';
import { CASE_NAMES, type CaseName, REQUEST_CASES } from './request-case.ts';
import { ASSUMED, type RequestCost, requestCost } from './request-cost.ts';
import { speedsOf } from './speeds.ts';

const SIZES = [1e3, 1e4, 1e5, 1e6, 1e7];
const MIB = 2 ** 20;

/** All that docs/scaling.md has of the model, by the name that its markers have there. */
export function scalingTables(measured: Measured): Readonly<Record<string, string>> {
  return {
    assumed: assumptions(measured),
    columns: `${columnTable(measured)}\n${fieldBytes(measured)}`,
    requests: requestTable(measured),
    ends: endsTable(measured),
    storage: storageTable(measured),
    ...costTables(measured),
  };
}

function assumptions(measured: Measured): string {
  const { itemMs, mibMs, searchNs, orderNs, lookupUs } = speedsOf(measured);
  const { memoryMb, mbPerVcpu, roundMs, unitsPerSecond } = ASSUMED;
  const [census, directory] = KINDS.map((kind) => measured.datasets[kind].item.toFixed(0));
  return `- **Rows** are [generated](../bench/data): a census row, of 40 fields, is an item of ${census} bytes; a directory row, of 13, one of ${directory}.
- **CPU** was measured on one core (${measured.machine}): ${figures(itemMs)} ms for each item with columns and ${figures(mibMs)} ms for each MiB of them, ${figures(searchNs)} ns to search a row by a condition, ${figures(orderNs)} ns to sort one, ${figures(lookupUs)} µs for a row that an index finds. A function of ${count(memoryMb)} MB has ${(memoryMb / mbPerVcpu).toFixed(2)} of a core.
- **Assumed**: ${roundMs} ms for a round of requests to DynamoDB, and ${count(unitsPerSecond)} read units a second.
`;
}

/** Measured figures stand behind a slash. */
function columnTable({ datasets, columns }: Measured): string {
  const cells = (kind: Kind, rows: number) => {
    const { items, bytes, units } = allColumns(datasets[kind], rows);
    const held = heldBytes(Object.values(datasets[kind].columns), rows);
    const found = columns.find((one) => one.kind === kind && one.rows === rows);
    const measured = found === undefined ? '' : ` / ${count(found.units)}`;
    return [count(items), figures(bytes / MIB), `${count(units)}${measured}`, figures(held / MIB)];
  };
  return markdownTable(
    ['rows', ...KINDS.flatMap((kind) => [`${kind}: items`, 'MiB', 'units', 'MiB in memory'])],
    SIZES.map((rows) => [count(rows), ...KINDS.flatMap((kind) => cells(kind, rows))]),
  );
}

const SHOWN_FIELDS: readonly (readonly [Kind, field: string, what: string])[] = [
  ['census', 'neighborhood_2', 'a running number'],
  ['directory', 'category', 'a text of 6 values'],
  ['census', 'neighborhood_1', 'one of 1,024'],
  ['directory', 'location_1_location', 'an address'],
  ['directory', 'phone_number', 'a phone number'],
  ['census', 'under_5', 'a count up to 5,000'],
  ['census', 'centerpoint_x', 'a coordinate'],
];

function fieldBytes({ datasets }: Measured): string {
  const texts = SHOWN_FIELDS.map(([kind, field, what]) => {
    const { packed, held } = datasets[kind].columns[field] as ColumnSizes;
    const ofRow = (bytes: readonly number[]) => ((bytes.at(-1) as number) / CHUNK_ROWS).toFixed(1);
    return `${what} ${ofRow(packed)} (${ofRow(held)})`;
  });
  return `Bytes a row, packed (in memory): ${texts.join(', ')}.\n`;
}

/** What does not stay in memory is in italics. */
function requestTable(measured: Measured): string {
  const short = (value: number) => count(Number(value.toPrecision(value < 100 ? 2 : 3)));
  const cell = (name: CaseName, rows: number) => {
    const { units, coldMs, stays, inTime, path } = requestCost(name, rows, measured);
    const text = `${short(units)} / ${inTime ? short(coldMs) : '503'}`;
    if (path !== 'columns') return `${text} i`;
    return stays ? text : `*${text}*`;
  };
  return markdownTable(
    ['read units / ms, by rows', ...SIZES.map(count)],
    CASE_NAMES.map((name) => [REQUEST_CASES[name].title, ...SIZES.map((rows) => cell(name, rows))]),
  );
}

/** The most rows for which each thing holds, by the model. */
function endsTable(measured: Measured): string {
  const rowsOf = (name: CaseName, holds: (cost: RequestCost) => boolean) =>
    mostRows((rows) => holds(requestCost(name, rows, measured)));
  const allIn = (bytes: number) =>
    KINDS.map((kind) =>
      mostRows((rows) => heldBytes(Object.values(measured.datasets[kind].columns), rows) <= bytes),
    );
  const cacheOf = (memoryMb: number) => Math.floor(0.8 * memoryMb - PROCESS_MIB);
  return markdownTable(
    ['holds up to so many rows', ...KINDS],
    [
      ['whole rows stay in memory, by default', ...allIn(DEFAULT_CACHE_BYTES / 2)],
      ...[1769, 10_240].map((memoryMb) => [
        `the same, ${count(memoryMb)} MB and a cache of ${count(cacheOf(memoryMb))} MiB`,
        ...allIn((cacheOf(memoryMb) * MIB) / 2),
      ]),
      ['the two columns of a search stay, by default', rowsOf('two', ({ stays }) => stays), '—'],
      ['their first search ends in 2.8 s', rowsOf('two', ({ inTime }) => inTime), '—'],
      ['the first page of whole rows, sorted, does', rowsOf('sort', ({ inTime }) => inTime), '—'],
    ],
  );
}

/** A fifth of a function's memory stays free for V8; so much is the process without its cache. */
const PROCESS_MIB = 150;

/** The most rows for which something holds; it must hold for fewer, too. */
function mostRows(holds: (rows: number) => boolean): string {
  let [low, high] = [1000, 1e8];
  while (high / low > 1.002) {
    const middle = Math.round(Math.sqrt(low * high));
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return figures(low);
}

/** That DynamoDB bills for each item, in a table and in an index (AWS: "DynamoDB Item sizes"). */
const OVERHEAD_BYTES = 100;

function storageTable({ datasets }: Measured): string {
  const cells = (kind: Kind, rows: number) => {
    const { item, line } = datasets[kind];
    const { bytes, items } = allColumns(datasets[kind], rows);
    const copies = 1 + indexedFields(BLOCKS[kind].fields).length;
    const ofRows = rows * copies * (item + OVERHEAD_BYTES);
    const gb = (ofRows + bytes + items * OVERHEAD_BYTES) / GB;
    // An import has bytes in base64.
    const imported = (rows * line + (bytes * 4) / 3) / GB;
    return [gb, gb * AWS_PRICES.tableGbMonth, imported * AWS_PRICES.importedGb].map(figures);
  };
  const { tableGbMonth, importedGb, fileGbMonth, millionReadUnits } = AWS_PRICES;
  const wholeRead = (GB / 4096 / 2 / 1e6) * millionReadUnits;
  const table = markdownTable(
    ['rows', ...KINDS.flatMap((kind) => [`${kind}: GB`, 'USD a month', 'import, USD'])],
    [1e6, 1e7].map((rows) => [count(rows), ...KINDS.flatMap((kind) => cells(kind, rows))]),
  );
  return `${table}
A GB costs ${plain(tableGbMonth)} a month in the table and in each index, ${plain(importedGb)} to import, at most ${plain(fileGbMonth)} a month as a file in the CDK's bucket, ${figures(wholeRead)} to read whole.
`;
}
