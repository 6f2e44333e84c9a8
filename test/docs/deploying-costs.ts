import { figures } from '../../bench/report/markdown-table.ts';
import { ACCESS_CASES } from '../../bench/scaling/access-case.ts';
import { SHAPES } from '../../bench/scaling/dataset-shape.ts';
import { gbSeconds, pathCost } from '../../bench/scaling/path-cost.ts';
import { PRICES as SCALING_PRICES } from '../../bench/scaling/prices.ts';
import { residentCost } from '../../bench/scaling/resident-cost.ts';

type Price = {
  readonly what: string;
  readonly usd: number;
  readonly unit: string;
  /** Of each month, in an account; the calculation leaves it out. */
  readonly free: string;
  readonly source: string;
  /** Whose page was seen to name it, among the stored ones that could be searched. */
  readonly seen: 'AWS' | 'others' | 'none';
};

const page = (name: string, path: string) => `[${name}](https://aws.amazon.com/${path}/)`;
const API_GATEWAY = page('API Gateway', 'api-gateway/pricing');
const LAMBDA = page('Lambda', 'lambda/pricing');
const DYNAMODB = page('DynamoDB', 'dynamodb/pricing/on-demand');
const CLOUDWATCH = page('CloudWatch', 'cloudwatch/pricing');

/** us-east-1, on demand; the document has their date. */
export const PRICES = {
  calls: {
    what: 'requests to a REST API, the first 333 million',
    usd: 3.5,
    unit: 'million',
    free: '',
    source: API_GATEWAY,
    seen: 'AWS',
  },
  invocations: {
    what: 'calls of a function',
    usd: SCALING_PRICES.usdPerMillionInvocations,
    unit: 'million',
    free: '1 million',
    source: LAMBDA,
    seen: 'others',
  },
  duration: {
    what: "a function's time, arm64",
    usd: SCALING_PRICES.usdPerGbSecond,
    unit: 'GB-second',
    free: '400,000',
    source: LAMBDA,
    seen: 'others',
  },
  reads: {
    what: 'read units, on demand',
    usd: SCALING_PRICES.usdPerMillionReadUnits,
    unit: 'million',
    free: '',
    source: DYNAMODB,
    seen: 'others',
  },
  storage: {
    what: 'a table or index, kept',
    usd: SCALING_PRICES.usdPerGbMonth,
    unit: 'GB-month',
    free: '25 GB',
    source: DYNAMODB,
    seen: 'AWS',
  },
  import: {
    what: 'an import, uncompressed',
    usd: SCALING_PRICES.usdPerImportedGb,
    unit: 'GB',
    free: '',
    source: DYNAMODB,
    seen: 'none',
  },
  files: {
    what: "files in the CDK's bucket",
    usd: 0.023,
    unit: 'GB-month',
    free: '',
    source: page('S3', 's3/pricing'),
    seen: 'none',
  },
  logs: {
    what: 'log lines, written',
    usd: 0.5,
    unit: 'GB',
    free: '5 GB',
    source: CLOUDWATCH,
    seen: 'others',
  },
  logsKept: {
    what: 'log lines, kept (compressed)',
    usd: 0.03,
    unit: 'GB-month',
    free: '',
    source: CLOUDWATCH,
    seen: 'others',
  },
  metrics: {
    what: 'a metric of ours, by the hours in which it is sent',
    usd: 0.3,
    unit: 'month',
    free: '10',
    source: CLOUDWATCH,
    seen: 'others',
  },
  alarms: {
    what: 'an alarm',
    usd: 0.1,
    unit: 'month',
    free: '10',
    source: CLOUDWATCH,
    seen: 'none',
  },
  dashboard: {
    what: 'a dashboard',
    usd: 3,
    unit: 'month',
    free: '3',
    source: CLOUDWATCH,
    seen: 'others',
  },
  traces: {
    what: 'traces',
    usd: 5,
    unit: 'million',
    free: '100,000',
    source: page('X-Ray', 'xray/pricing'),
    seen: 'AWS',
  },
  transfer: {
    what: 'answers, out to the internet',
    usd: 0.09,
    unit: 'GB',
    free: '100 GB',
    source: page('EC2', 'ec2/pricing/on-demand'),
    seen: 'others',
  },
} satisfies Readonly<Record<string, Price>>;

/** As DynamoDB counts, and here the others too. */
export const GB = 2 ** 30;

/** What a run writes, in bytes; the test measures real lines. CloudWatch adds 26 to each. */
export const LOG_BYTES = { run: 290, metrics: 420, access: 240 } as const;
/** AWS: PutLogEvents, how a batch is measured. */
export const BYTES_OF_AN_EVENT = 26;

/** An assumption: the authorizer looks at three strings; Lambda bills whole milliseconds. */
export const AUTHORIZER_MS = 2;

/** The authorizer's call, for a million requests. */
export function usdOfAuthorizer(): number {
  return PRICES.invocations.usd + gbSeconds(AUTHORIZER_MS) * PRICES.duration.usd * 1e6;
}

/** Of the log lines of a million runs. */
export function gbOfLogs(): number {
  const bytes = Object.values(LOG_BYTES).reduce((sum, line) => sum + line + BYTES_OF_AN_EVENT, 0);
  return (bytes * 1e6) / GB;
}

/** CloudWatch keeps lines compressed; its price page reckons with 0.15 of their size. */
const KEPT_SHARE = 0.15;

/** The log lines of a million runs, written and kept for a month. */
export function usdOfLogs(): number {
  return gbOfLogs() * (PRICES.logs.usd + PRICES.logsKept.usd * KEPT_SHARE);
}

export type CostedRequest = {
  readonly title: string;
  readonly milliseconds: number;
  readonly units: number;
};

/** The requests of the document's table: what docs/scaling.md's model says of them. */
export function requests(): readonly CostedRequest[] {
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
export function usdPerMillion({ milliseconds, units }: Omit<CostedRequest, 'title'>) {
  const lambda = PRICES.invocations.usd + gbSeconds(milliseconds) * PRICES.duration.usd * 1e6;
  const reads = units * PRICES.reads.usd;
  const logs = usdOfLogs();
  const open = PRICES.calls.usd + lambda + reads + logs;
  return { lambda, reads, logs, open, keys: open + usdOfAuthorizer() };
}

/**
 * Calls that run at once, by their time; and at most ten a second for each that may run at once,
 * over all functions of an account (AWS: "Understanding Lambda function scaling"). With keys a
 * request is two calls, one after the other.
 */
export function requestsPerSecond(
  milliseconds: number,
  concurrency: number,
  access: 'open' | 'keys' = 'open',
): number {
  const [calls, time] = access === 'open' ? [1, milliseconds] : [2, milliseconds + AUTHORIZER_MS];
  return Math.min((10 * concurrency) / calls, (concurrency * 1000) / time);
}

/** The rows of the document's tables, as they are to be written. */
export function priceRows(): string[][] {
  return Object.values(PRICES).map(({ what, usd, unit, free, source, seen }) => [
    what,
    plain(usd),
    unit,
    free,
    source,
    seen,
  ]);
}

export type Shipped = {
  readonly alarms: number;
  /** Of the tables with their indexes, each item with its overhead. */
  readonly tableBytes: number;
  /** Of the code and the items that a deploy uploads, before they are packed. */
  readonly fileBytes: number;
};

/** The least that the bucket's part is reckoned with, so that a build's size does not matter. */
const FILES_GB = 0.02;

export function idleUsd({ alarms, tableBytes, fileBytes }: Shipped) {
  if (fileBytes > FILES_GB * GB) throw new RangeError(`A deploy uploads ${fileBytes} bytes.`);
  const items = [
    { what: 'alarms', amount: String(alarms), usd: alarms * PRICES.alarms.usd },
    {
      what: 'tables with their indexes',
      amount: `${(tableBytes / GB).toPrecision(2)} GB`,
      usd: (tableBytes / GB) * PRICES.storage.usd,
    },
    {
      what: "code and items in the CDK's bucket",
      amount: `at most ${FILES_GB} GB`,
      usd: FILES_GB * PRICES.files.usd,
    },
    { what: 'API, functions, reads, logs, metrics, traces', amount: 'none', usd: 0 },
  ];
  return { items, total: items.reduce((sum, { usd }) => sum + usd, 0) };
}

export function idleRows(shipped: Shipped): string[][] {
  const { items, total } = idleUsd(shipped);
  return [
    ...items.map(({ what, amount, usd }) => [what, amount, usd.toFixed(4)]),
    ['together', '', total.toFixed(2)],
  ];
}

export function requestRows(): string[][] {
  return requests().map((request) => {
    const { lambda, reads, logs, open, keys } = usdPerMillion(request);
    return [
      request.title,
      figures(request.milliseconds),
      request.units.toLocaleString('en-US'),
      ...[lambda, reads, logs, open, keys].map((usd) => (usd === 0 ? '0' : figures(usd))),
    ];
  });
}

export function dataRows(): string[][] {
  const wholeRead = (GB / 4096 / 2 / 1e6) * PRICES.reads.usd;
  return [
    ['kept in the table, a month', plain(PRICES.storage.usd)],
    ['kept in an index, a month each', plain(PRICES.storage.usd)],
    ['imported, once for each version', plain(PRICES.import.usd)],
    ["its file in the CDK's bucket, gzipped, a month: at most", plain(PRICES.files.usd)],
    ['read whole, as a load of 1 GB would', figures(wholeRead)],
  ];
}

export function rateRows(): string[][] {
  return requests().map(({ title, milliseconds }) => [
    title,
    figures(requestsPerSecond(milliseconds, 10)),
    figures(requestsPerSecond(milliseconds, 1000)),
    figures(requestsPerSecond(milliseconds, 1000, 'keys')),
  ]);
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
