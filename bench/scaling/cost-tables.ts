import { AWS_PRICES } from '../../src/dynamodb/aws-prices.ts';
import { PROBLEMS } from '../../src/problem/errors.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { ACCESS_CASES } from './access-case.ts';
import { ASSUMED } from './assumptions.ts';
import { SHAPES } from './dataset-shape.ts';
import { gbSeconds, pathCost } from './path-cost.ts';
import { residentCost } from './resident-cost.ts';

/** What docs/scaling.md has of costs, by the name that its markers have there. */
export function costTables(): Readonly<Record<string, string>> {
  return {
    prices: priceTable(),
    assumed: assumptions(),
    idle: idleTable(),
    requests: requestTable(),
    calculation: calculation(),
    'on-top': onTop(),
    data: dataTable(),
    'lambda-rates': rateTable(),
  };
}

const page = (name: string, path: string) => `[${name}](https://aws.amazon.com/${path}/)`;
const API_GATEWAY = page('API Gateway', 'api-gateway/pricing');
const LAMBDA = page('Lambda', 'lambda/pricing');
const DYNAMODB = page('DynamoDB', 'dynamodb/pricing/on-demand');
const CLOUDWATCH = page('CloudWatch', 'cloudwatch/pricing');

/** What each is for, its unit, how much is free each month, its page, and whose page named it. */
const PRICED: Readonly<Record<keyof typeof AWS_PRICES, readonly string[]>> = {
  millionApiCalls: [
    'requests to a REST API, the first 333 million',
    'million',
    '',
    API_GATEWAY,
    'AWS',
  ],
  millionInvocations: ['calls of a function', 'million', '1 million', LAMBDA, 'others'],
  gbSecond: ["a function's time, arm64", 'GB-second', '400,000', LAMBDA, 'others'],
  millionReadUnits: ['read units, on demand', 'million', '', DYNAMODB, 'others'],
  tableGbMonth: ['a table or index, kept', 'GB-month', '25 GB', DYNAMODB, 'AWS'],
  importedGb: ['an import, uncompressed', 'GB', '', DYNAMODB, 'none'],
  fileGbMonth: ["files in the CDK's bucket", 'GB-month', '', page('S3', 's3/pricing'), 'none'],
  loggedGb: ['log lines, written', 'GB', '5 GB', CLOUDWATCH, 'others'],
  logGbMonth: ['log lines, kept (compressed)', 'GB-month', '', CLOUDWATCH, 'others'],
  metricMonth: [
    'a metric of ours, by the hours in which it is sent',
    'month',
    '10',
    CLOUDWATCH,
    'others',
  ],
  alarmMonth: ['an alarm', 'month', '10', CLOUDWATCH, 'none'],
  dashboardMonth: ['a dashboard', 'month', '3', CLOUDWATCH, 'others'],
  millionTraces: ['traces', 'million', '100,000', page('X-Ray', 'xray/pricing'), 'AWS'],
  sentGb: [
    'answers, out to the internet',
    'GB',
    '100 GB',
    page('EC2', 'ec2/pricing/on-demand'),
    'others',
  ],
};

function priceTable(): string {
  const rows = Object.entries(PRICED).map(([name, [what = '', ...others]]) => [
    what,
    plain(AWS_PRICES[name as keyof typeof AWS_PRICES]),
    ...others,
  ]);
  return markdownTable(['for', 'USD', 'a', 'free each month', 'page', 'seen'], rows, [2, 3, 4, 5]);
}

/** As DynamoDB counts, and here the others too. */
const GB = 2 ** 30;

/** What a run writes, in bytes; the test measures real lines. CloudWatch adds 26 to each. */
export const LOG_BYTES = { run: 290, metrics: 420, access: 240 } as const;
/** AWS: PutLogEvents, how a batch is measured. */
const BYTES_OF_AN_EVENT = 26;

/** An assumption: the authorizer looks at three strings; Lambda bills whole milliseconds. */
const AUTHORIZER_MS = 2;

/** The authorizer's call, for a million requests. */
function usdOfAuthorizer(): number {
  return AWS_PRICES.millionInvocations + gbSeconds(AUTHORIZER_MS) * AWS_PRICES.gbSecond * 1e6;
}

/** Of the log lines of a million runs. */
function gbOfLogs(): number {
  const bytes = Object.values(LOG_BYTES).reduce((sum, line) => sum + line + BYTES_OF_AN_EVENT, 0);
  return (bytes * 1e6) / GB;
}

/** CloudWatch keeps lines compressed; its price page reckons with 0.15 of their size. */
const KEPT_SHARE = 0.15;

/** The log lines of a million runs, written and kept for a month. */
function usdOfLogs(): number {
  return gbOfLogs() * (AWS_PRICES.loggedGb + AWS_PRICES.logGbMonth * KEPT_SHARE);
}

type CostedRequest = {
  readonly title: string;
  readonly milliseconds: number;
  readonly units: number;
};

/** The requests of the document's table: what docs/scaling.md's model says of them. */
function requests(): readonly CostedRequest[] {
  const resident = (rows: number): CostedRequest => ({
    title: `\`resident\`, ${count(rows)} census rows`,
    milliseconds: residentCost(SHAPES.census, rows).milliseconds,
    units: 0,
  });
  const fromTable = (name: string, rows: number): CostedRequest => {
    const access = ACCESS_CASES.find((one) => one.name === name);
    if (access === undefined) throw new TypeError(`${name} is no case of bench/scaling`);
    const { milliseconds, capacityUnits } = pathCost(access, rows);
    return { title: titleOf(name, rows), milliseconds, units: capacityUnits };
  };
  return [
    resident(10_000),
    resident(85_000),
    fromTable('index-one', 100_000),
    fromTable('index-common', 10_000),
    fromTable('index-common', 100_000),
    fromTable('shards-all', 10_000),
    fromTable('shards-all', 100_000),
    fromTable('shards-half', 100_000),
    fromTable('shards-first', 100_000),
  ];
}

function titleOf(name: string, rows: number): string {
  const of = `of ${count(rows)} rows`;
  const titles: Record<string, string> = {
    'index-one': '`index`: a key of one row, whatever the number of rows',
    'index-common': `\`index\`: the commonest type ${of}`,
    'shards-all': `\`shards\`: a filter that few ${of} match`,
    'shards-half': `\`shards\`: a filter that half ${of} match`,
    'shards-first': `\`shards\`: no filter, the first page ${of}`,
  };
  return titles[name] as string;
}

/** A million of these requests. */
function usdPerMillion({ milliseconds, units }: Omit<CostedRequest, 'title'>) {
  const lambda =
    AWS_PRICES.millionInvocations + gbSeconds(milliseconds) * AWS_PRICES.gbSecond * 1e6;
  const reads = units * AWS_PRICES.millionReadUnits;
  const logs = usdOfLogs();
  const open = AWS_PRICES.millionApiCalls + lambda + reads + logs;
  return { lambda, reads, logs, open, keys: open + usdOfAuthorizer() };
}

/**
 * Calls that run at once, by their time; and at most ten a second for each that may run at once,
 * over all functions of an account (AWS: "Understanding Lambda function scaling"). With keys a
 * request is two calls, one after the other.
 */
function requestsPerSecond(
  milliseconds: number,
  concurrency: number,
  access: 'open' | 'keys' = 'open',
): number {
  const [calls, time] = access === 'open' ? [1, milliseconds] : [2, milliseconds + AUTHORIZER_MS];
  return Math.min((10 * concurrency) / calls, (concurrency * 1000) / time);
}

/** What ships, by default: as many alarms, and at most so many GB of tables and of files. */
export const IDLE = { alarms: 4, tableGb: 0.001, fileGb: 0.02 } as const;

function idleTable(): string {
  const usd = [
    IDLE.alarms * AWS_PRICES.alarmMonth,
    IDLE.tableGb * AWS_PRICES.tableGbMonth,
    IDLE.fileGb * AWS_PRICES.fileGbMonth,
  ] as const;
  return markdownTable(
    ['what', 'how much', 'USD a month'],
    [
      ['alarms', String(IDLE.alarms), usd[0].toFixed(4)],
      ['tables with their indexes', `at most ${IDLE.tableGb} GB`, usd[1].toFixed(4)],
      ["code and items in the CDK's bucket", `at most ${IDLE.fileGb} GB`, usd[2].toFixed(4)],
      ['API, functions, reads, logs, metrics, traces', 'none', '0.0000'],
      ['together', '', (usd[0] + usd[1] + usd[2]).toFixed(2)],
    ],
    [1],
  );
}

function requestTable(): string {
  const rows = requests().map((request) => {
    const { lambda, reads, logs, open, keys } = usdPerMillion(request);
    return [
      request.title,
      figures(request.milliseconds),
      request.units.toLocaleString('en-US'),
      ...[lambda, reads, logs, open, keys].map((usd) => (usd === 0 ? '0' : figures(usd))),
    ];
  });
  return markdownTable(
    ['request', 'ms', 'read units', 'Lambda', 'DynamoDB', 'logs', 'open', 'keys'],
    rows,
  );
}

/** How a line of the table is made. */
function calculation(): string {
  const shown = requests().find(({ title }) => title.includes('few of 100,000 rows'));
  if (shown === undefined) throw new TypeError('no such request');
  const { lambda, reads, logs, open } = usdPerMillion(shown);
  const { millionApiCalls, millionInvocations, gbSecond, millionReadUnits } = AWS_PRICES;
  const { run, metrics, access } = LOG_BYTES;
  const seconds = Math.ceil(shown.milliseconds) / 1000;
  const units = shown.units.toLocaleString('en-US');
  const logged = figures(gbOfLogs());
  const kept = `${AWS_PRICES.logGbMonth} × ${KEPT_SHARE}`;
  return `\`\`\`text
Lambda    ${millionInvocations.toFixed(2)} + 1,000,000 × ${seconds} s × 1 GB × ${gbSecond} = ${figures(lambda)}
DynamoDB  ${units} × ${millionReadUnits} = ${figures(reads)}
logs      (${run} + ${metrics} + ${access} + 3 × ${BYTES_OF_AN_EVENT}) bytes × 1,000,000 / 2^30 = ${logged} GB
          ${logged} × (${AWS_PRICES.loggedGb.toFixed(2)} + ${kept}) = ${figures(logs)}
open      ${millionApiCalls.toFixed(2)} + ${figures(lambda)} + ${figures(reads)} + ${figures(logs)} = ${figures(open)}
\`\`\`
`;
}

/** What the tables take for granted. */
function assumptions(): string {
  const { memoryMb, mbPerVcpu, leastPageMs, fullPageMs } = ASSUMED;
  const { census, directory } = SHAPES;
  return `- **Rows** are those of the blocks that ship: a census item is ${census.itemBytes.toFixed(0)} bytes, a directory item ${directory.itemBytes.toFixed(0)}, as DynamoDB counts them. Wider rows reach each limit sooner, in proportion.
- **A page** of DynamoDB takes ${leastPageMs} ms (a few items: "single-digit millisecond") to ${fullPageMs} ms (a full one).
- **CPU** was measured here, on one core, for each row that comes over the wire (${census.rowMicroseconds} µs for a census row, ${directory.rowMicroseconds} for a directory row), each Query and each request; a function of ${count(memoryMb)} MB has ${(memoryMb / mbPerVcpu).toFixed(2)} of a core ([${count(mbPerVcpu)} MB are one](https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html)).
`;
}

/** What comes on top of a million requests. */
function onTop(): string {
  const { metricMonth, millionInvocations, millionTraces, sentGb } = AWS_PRICES;
  // Seven of every run, that of the access log, and a Refusals of each code.
  const metrics = 7 + 1 + Object.keys(PROBLEMS).length;
  const sent = (10 * 1024 * 1e6) / GB;
  const time = figures(usdOfAuthorizer() - millionInvocations);
  return `- **Keys.** The authorizer's call: ${millionInvocations.toFixed(2)}, and ${time} for ${AUTHORIZER_MS} ms (an assumption). Who sends wrong keys makes you pay for the authorizer; API Gateway does not bill what it refuses ([an answer on re:Post](https://repost.aws/questions/QUY2x146iORPmsJHpff8u0eA/will-i-get-charged-for-these-invalid-api-key-quota-exceeded-or-throttled-request-errors), not its price page).
- **Traces.** X-Ray takes the first request of each second and 5 % of the others: ${(0.05 * millionTraces).toFixed(2)} for a million at once, ${millionTraces.toFixed(2)} for a million that are a second apart; with keys up to twice that, since the authorizer is a function too. \`tracing=false\` saves it. It can be the dearest line of a small service.
- **Metrics.** Each of ours is ${metricMonth.toFixed(2)} for a month in every hour of which it is sent: ${(4 * metricMonth).toFixed(2)} for the four that come in every hour in which a dataset is asked and a function starts (\`Runs\`, \`Duration\`, \`Rows\`, \`ColdStarts\`), at most ${(metrics * metricMonth).toFixed(2)} if every kind of refusal comes in every hour too.
- **Answers.** 10 KiB each are ${figures(sent)} GB: ${figures(sent * sentGb)}. The first 100 GB a month are free.
- **A slower run.** Every 10 ms more are ${figures(gbSeconds(10) * AWS_PRICES.gbSecond * 1e6)}.
`;
}

function dataTable(): string {
  const { tableGbMonth, importedGb, fileGbMonth, millionReadUnits } = AWS_PRICES;
  const wholeRead = (GB / 4096 / 2 / 1e6) * millionReadUnits;
  return markdownTable(
    ['what', 'USD'],
    [
      ['kept in the table, a month', plain(tableGbMonth)],
      ['kept in an index, a month each', plain(tableGbMonth)],
      ['imported, once for each version', plain(importedGb)],
      ["its file in the CDK's bucket, gzipped, a month: at most", plain(fileGbMonth)],
      ['read whole, as a load of 1 GB would', figures(wholeRead)],
    ],
  );
}

function rateTable(): string {
  return markdownTable(
    ['request', '10 at once', '1,000 at once', '1,000, keys'],
    requests().map(({ title, milliseconds }) => [
      title,
      figures(requestsPerSecond(milliseconds, 10)),
      figures(requestsPerSecond(milliseconds, 1000)),
      figures(requestsPerSecond(milliseconds, 1000, 'keys')),
    ]),
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** As it is, with two decimals at least where it is not whole. */
function plain(value: number): string {
  if (Number.isInteger(value)) return count(value);
  const text = String(value).includes('e') ? value.toFixed(10) : String(value);
  return /\.\d$/.test(text) ? `${text}0` : text;
}
