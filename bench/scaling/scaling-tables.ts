import { Budget } from '../../src/query/budget.ts';
import { queryOf } from '../../src/query/query.ts';
import { DEFAULT_RESIDENT_BYTES, planQuery } from '../../src/query/query-plan.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { ACCESS_CASES, type AccessCase } from './access-case.ts';
import { ASSUMED } from './assumptions.ts';
import { costTables } from './cost-tables.ts';
import { type DatasetShape, type Kind, SHAPES, statisticsOf } from './dataset-shape.ts';
import type { Measured } from './measured-case.ts';
import { type PathCost, pathCost } from './path-cost.ts';
import { fits, loadsAtAll, loadsWithinARun, mostRows, residentCost } from './resident-cost.ts';
import { storageCost } from './storage-cost.ts';

const KINDS: readonly Kind[] = ['census', 'directory'];
const SIZES = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7];
const MEMORIES = [512, 1024, 1769, 3008, 10_240];
const NOT_MEASURED = '';

/** All that docs/scaling.md has of the model, by the name that its markers have there. */
export function scalingTables(measured: Measured): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(ACCESS_CASES.map((access) => [access.name, pathTable(access, measured)])),
    ...Object.fromEntries(KINDS.map((kind) => [`resident-${kind}`, residentTable(kind, measured)])),
    ends: endsTable(),
    memory: memoryTable(),
    rates: ratesTable(),
    storage: storageTable(),
    ...costTables(),
  };
}

function pathTable(access: AccessCase, { cases }: Measured): string {
  return markdownTable(
    [
      'rows',
      'items',
      'pages',
      'capacity units',
      'USD a million',
      'AWS, ms',
      'the answer',
      'measured: items',
      'pages',
      'units',
      'here, ms',
    ],
    SIZES.map((rows) => {
      const cost = pathCost(access, rows);
      const found = cases.find((one) => one.name === access.name && one.rows === rows);
      return [
        count(rows),
        count(cost.items),
        count(cost.pages),
        cost.capacityUnits.toLocaleString('en-US'),
        figures(cost.usdPerMillion),
        figures(cost.milliseconds),
        answerOf(cost),
        ...(found === undefined
          ? [NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, NOT_MEASURED]
          : [
              count(found.items),
              count(found.pages),
              found.capacityUnits.toLocaleString('en-US'),
              figures(found.milliseconds),
            ]),
      ];
    }),
  );
}

function answerOf({ inTime, canSort, hasTotal }: PathCost): string {
  if (!inTime) return '503';
  if (canSort) return 'whole; total, sort';
  return hasTotal ? 'whole; total' : '`next`; no total';
}

function residentTable(kind: Kind, { loads }: Measured): string {
  return markdownTable(
    [
      'rows',
      'items, MiB',
      'AWS, ms',
      'USD a million',
      'a load: units',
      's',
      'USD a thousand',
      'held, MiB',
      'at most, MiB',
      `at ${count(ASSUMED.memoryMb)} MB`,
      'measured: load, s',
      'held, MiB',
      'at most, MiB',
      'a query, ms',
    ],
    SIZES.map((rows) => {
      const cost = residentCost(SHAPES[kind], rows);
      const found = loads.find((one) => one.kind === kind && one.rows === rows);
      return [
        count(rows),
        mebibytes(cost.bytes),
        figures(cost.milliseconds),
        figures(cost.usdPerMillion),
        cost.load.capacityUnits.toLocaleString('en-US'),
        figures(cost.load.milliseconds / 1000),
        figures(cost.load.usd * 1000),
        mebibytes(cost.heldBytes),
        mebibytes(cost.peakBytes),
        loadOf(SHAPES[kind], rows),
        ...(found === undefined
          ? [NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, NOT_MEASURED]
          : [
              figures(found.milliseconds / 1000),
              mebibytes(found.heldBytesPerRow * rows),
              mebibytes(found.peakBytesPerRow * rows),
              figures(found.queryMilliseconds),
            ]),
      ];
    }),
  );
}

function loadOf(shape: DatasetShape, rows: number): string {
  const { memoryMb } = ASSUMED;
  if (!fits(shape, rows, memoryMb)) return 'does not fit';
  return loadsWithinARun(shape, rows, memoryMb)
    ? 'first request waits'
    : 'first requests go to the table';
}

/** The most rows for which each thing holds, by the model. */
function endsTable(): string {
  const rowsOf = (holds: (shape: DatasetShape, rows: number, kind: Kind) => boolean) =>
    KINDS.map((kind) => figures(mostRows((rows) => holds(SHAPES[kind], rows, kind))));
  const { memoryMb } = ASSUMED;
  return markdownTable(
    ['holds up to so many rows', ...KINDS],
    [
      [
        'resident by default: `RESIDENT_BYTES` of 64 MiB',
        ...rowsOf((shape, rows) => rows * shape.itemBytes <= DEFAULT_RESIDENT_BYTES),
      ],
      [
        `a load fits in ${count(memoryMb)} MB of memory`,
        ...rowsOf((shape, rows) => fits(shape, rows, memoryMb)),
      ],
      [
        `a load ends while the first request waits, at ${count(memoryMb)} MB`,
        ...rowsOf((shape, rows) => loadsWithinARun(shape, rows, memoryMb)),
      ],
      [
        'the same at 1,769 MB or more',
        ...rowsOf((shape, rows) => loadsWithinARun(shape, rows, ASSUMED.mbPerVcpu)),
      ],
      [
        `a load ends before it counts as failed, at ${count(memoryMb)} MB`,
        ...rowsOf((shape, rows) => loadsAtAll(shape, rows, memoryMb)),
      ],
      [
        'the same at 1,769 MB or more',
        ...rowsOf((shape, rows) => loadsAtAll(shape, rows, ASSUMED.mbPerVcpu)),
      ],
      [
        'the shards are all read in one request: total, sort',
        ...rowsOf((shape, rows) => readsAll(shape, rows, {})),
      ],
      ['the same without a filter, in time by the model', inTimeOf('shards-first'), '—'],
      [
        'the commonest key of `type_of_business` likewise',
        '—',
        figures(
          mostRows((rows) => readsAll(SHAPES.directory, rows, { type_of_business: 'Laundries' })),
        ),
      ],
      ['the same, in time by the model', '—', inTimeOf('index-common')],
    ],
  );
}

function inTimeOf(name: string): string {
  const access = ACCESS_CASES.find((one) => one.name === name) as AccessCase;
  return figures(mostRows((rows) => rows === 0 || pathCost(access, rows).canSort));
}

function readsAll(shape: DatasetShape, rows: number, values: Record<string, string>): boolean {
  if (rows === 0) return true;
  const manifest = statisticsOf(shape, rows);
  const plan = planQuery(
    queryOf(shape.block, manifest, values, new Budget()),
    shape.block,
    manifest,
    0,
  );
  return plan.path !== 'resident' && plan.readsAll;
}

function memoryTable(): string {
  return markdownTable(
    ['function memory, MB', ...KINDS.flatMap((kind) => [`${kind}: rows`, 'items, MiB', 'load, s'])],
    MEMORIES.map((memoryMb) => [
      count(memoryMb),
      ...KINDS.flatMap((kind) => {
        const rows = mostRows((some) => fits(SHAPES[kind], some, memoryMb));
        const { bytes, load } = residentCost(SHAPES[kind], rows, memoryMb);
        return [figures(rows), mebibytes(bytes), figures(load.milliseconds / 1000)];
      }),
    ]),
  );
}

/** AWS's defaults; each can be raised. */
const CONCURRENCY = 1000;
const INVOCATIONS = 10 * CONCURRENCY;
const UNITS_OF_A_NEW_TABLE = 12_000;
const UNITS_OF_A_TABLE = 40_000;
const UNITS_OF_A_PARTITION = 3_000;

function ratesTable(): string {
  const rows = 1e5;
  const resident = residentCost(SHAPES.census, rows);
  const rate = (total: number, each: number) => figures(total / each);
  const lambdaRate = (milliseconds: number) =>
    figures(Math.min(INVOCATIONS, (CONCURRENCY * 1000) / milliseconds));
  const loads = [UNITS_OF_A_NEW_TABLE, UNITS_OF_A_TABLE].map((units) =>
    rate(units, resident.load.capacityUnits),
  );
  return markdownTable(
    [
      `requests a second at ${count(rows)} rows`,
      'Lambda: 1,000 at once',
      'one partition: 3,000 units/s',
      'a new table: 12,000',
      'a table: 40,000',
    ],
    [
      ['resident', lambdaRate(resident.milliseconds), ...noLimits()],
      ['functions started, a load each', '—', '—', ...loads],
      ...ACCESS_CASES.map((access) => {
        const { milliseconds, capacityUnits } = pathCost(access, rows);
        return [
          access.title,
          lambdaRate(milliseconds),
          rate(UNITS_OF_A_PARTITION, capacityUnits),
          rate(UNITS_OF_A_NEW_TABLE, capacityUnits),
          rate(UNITS_OF_A_TABLE, capacityUnits),
        ];
      }),
    ],
  );
}

function noLimits(): string[] {
  return ['no limit', 'no limit', 'no limit'];
}

function storageTable(): string {
  return markdownTable(
    ['rows', ...KINDS.flatMap((kind) => [`${kind}: kept, GB`, 'USD a month', 'import, USD'])],
    [1e5, 1e6, 1e7].map((rows) => [
      count(rows),
      ...KINDS.flatMap((kind) => {
        const { storedGb, usdPerMonth, usdOfImport } = storageCost(SHAPES[kind], rows);
        return [storedGb, usdPerMonth, usdOfImport].map(figures);
      }),
    ]),
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function mebibytes(bytes: number): string {
  return figures(bytes / 2 ** 20);
}
