import { PROBLEMS } from '../../src/problem/errors.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { AWS_PRICES } from './aws-prices.ts';
import type { Measured } from './measured.ts';
import type { CaseName } from './request-case.ts';
import { ASSUMED, requestCost } from './request-cost.ts';

/** What docs/scaling.md has of costs, by the name that its markers have there. */
export function costTables(measured: Measured): Readonly<Record<string, string>> {
  return {
    prices: prices(),
    idle: idleTable(),
    million: `${millionTable(measured)}\n${onTop()}`,
  };
}

/** What each is for, its unit, how much is free each month, and whose page named it. */
const PRICED: Readonly<Record<keyof typeof AWS_PRICES, readonly string[]>> = {
  millionApiCalls: ['requests to a REST API', 'million', '', 'AWS'],
  millionInvocations: ['calls of a function', 'million', '1 million', 'others'],
  gbSecond: ["a function's time (arm64)", 'GB-second', '400,000', 'others'],
  millionReadUnits: ['read units', 'million', '', 'others'],
  tableGbMonth: ['a table or index', 'GB-month', '25 GB', 'AWS'],
  importedGb: ['an import', 'GB', '', 'none'],
  fileGbMonth: ["files in the CDK's bucket", 'GB-month', '', 'none'],
  loggedGb: ['log lines', 'GB', '5 GB', 'others'],
  logGbMonth: ['log lines kept compressed', 'GB-month', '', 'others'],
  metricMonth: ['a metric of ours', 'month', '10', 'others'],
  alarmMonth: ['an alarm', 'month', '10', 'none'],
  dashboardMonth: ['a dashboard', 'month', '3', 'others'],
  millionTraces: ['traces', 'million', '100,000', 'AWS'],
  sentGb: ['answers', 'GB', '100 GB', 'others'],
};

function prices(): string {
  const texts = Object.entries(PRICED).map(([name, [what, unit, free, seen]]) => {
    const usd = plain(AWS_PRICES[name as keyof typeof AWS_PRICES]);
    return `${what} ${usd} a ${unit} (${free === '' ? '' : `${free} free, `}${seen})`;
  });
  return `${texts.join('; ')}.\n`;
}

/** As DynamoDB counts, and here the others too. */
export const GB = 2 ** 30;

/** What a run writes, in bytes; a test measures real lines. CloudWatch adds 26 to each. */
export const LOG_BYTES = {
  ...{ run: 290, metrics: 420, access: 275 },
  // Lambda's own two lines of a call, by AWS's examples ("Telemetry API Event schema reference").
  ...{ start: 140, report: 330 },
} as const;

/** The log lines of a million runs, written and kept for a month, compressed to 0.15. */
export function usdOfLogs(): number {
  const bytes = Object.values(LOG_BYTES).reduce((sum, line) => sum + line + 26, 0);
  return ((bytes * 1e6) / GB) * (AWS_PRICES.loggedGb + AWS_PRICES.logGbMonth * 0.15);
}

/** What ships, by default: as many alarms, and at most so many GB of tables and of files. */
export const IDLE = { alarms: 7, tableGb: 0.001, fileGb: 0.02 } as const;

function idleTable(): string {
  const { alarms, tableGb, fileGb } = IDLE;
  const lines = [
    ['alarms', String(alarms), alarms * AWS_PRICES.alarmMonth],
    ['tables with their indexes', `at most ${tableGb} GB`, tableGb * AWS_PRICES.tableGbMonth],
    ["code and items in the CDK's bucket", `at most ${fileGb} GB`, fileGb * AWS_PRICES.fileGbMonth],
  ] as const;
  const together = lines.reduce((sum, [, , usd]) => sum + usd, 0);
  return markdownTable(
    ['what', 'how much', 'USD a month'],
    [
      ...lines.map(([what, much, usd]) => [what, much, usd.toFixed(4)]),
      ['together', '', together.toFixed(2)],
    ],
    [1],
  );
}

/** An assumption: the authorizer looks at three strings; Lambda bills whole milliseconds. */
const AUTHORIZER_MS = 2;

function usdOfCalls(milliseconds: number): number {
  const gbSeconds = (Math.ceil(milliseconds) / 1000) * (ASSUMED.memoryMb / 1024);
  return AWS_PRICES.millionInvocations + gbSeconds * AWS_PRICES.gbSecond * 1e6;
}

const SHOWN: readonly (readonly [string, CaseName, rows: number, isWarm: boolean])[] = [
  ['columns in memory, 10,000 rows', 'two', 1e4, true],
  ['columns in memory, 1,000,000 rows', 'two', 1e6, true],
  ['an index: one row', 'key', 1e6, false],
  ['an index: one of 36 types of 100,000 rows', 'type', 1e5, false],
  ['two columns of 1,000,000 rows, read each time', 'two', 1e6, false],
];

/** A million of some requests, and how many there may be in a second. */
function millionTable(measured: Measured): string {
  return markdownTable(
    ['request', 'ms', 'units', 'USD', 'with keys', '10 at once', '1,000', '12,000 units'],
    SHOWN.map(([title, name, rows, isWarm]) => {
      const { warmMs, coldMs, units } = requestCost(name, rows, measured);
      const [ms, read] = isWarm ? [warmMs, 0] : [coldMs, units];
      const usd = usdOfCalls(ms) + read * AWS_PRICES.millionReadUnits;
      const open = AWS_PRICES.millionApiCalls + usd + usdOfLogs();
      // Lambda begins at most ten calls a second for each that may run at once.
      const rates = [10, 1000].map((calls) => Math.min(10 * calls, (calls * 1000) / ms));
      return [
        title,
        figures(ms),
        plain(read),
        ...[open, open + usdOfCalls(AUTHORIZER_MS), ...rates].map(figures),
        read === 0 ? 'no limit' : figures(ASSUMED.unitsPerSecond / read),
      ];
    }),
  );
}

/** What comes on top of a million requests. */
function onTop(): string {
  const { metricMonth, millionTraces, sentGb } = AWS_PRICES;
  // Seven of every run, that of the access log, and a Refusals of each code.
  const metrics = 7 + 1 + Object.keys(PROBLEMS).length;
  const sent = ((10 * 1024 * 1e6) / GB) * sentGb;
  return `On top: traces ${(0.05 * millionTraces).toFixed(2)} for a million at once (X-Ray takes 5 %), ${millionTraces.toFixed(2)} for a million a second apart, twice that with keys (\`tracing=false\` saves it); metrics ${(4 * metricMonth).toFixed(2)} a month if used every hour, ${(metrics * metricMonth).toFixed(2)} with every kind of refusal; answers of 10 KiB ${figures(sent)}. MCP and Slack call a second function, which waits for the block's.
`;
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** As it is, with two decimals at least where it is not whole. */
export function plain(value: number): string {
  if (Number.isInteger(value)) return count(value);
  const text = String(value).includes('e') ? value.toFixed(10) : String(value);
  return /\.\d$/.test(text) ? `${text}0` : text;
}
