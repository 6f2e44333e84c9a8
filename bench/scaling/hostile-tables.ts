import { OPTIONS } from '../../lib/deployment-options.ts';
import { isTooSlow, STALLED_MS } from '../../src/http/answer.ts';
import { STREAM_WITHIN_MS } from '../../src/http/present-data.ts';
import { STREAM_BYTES } from '../../src/lambda/function-settings.ts';
import { MOST_ANSWER_BYTES } from '../../src/values/row-texts.ts';
import { RUN_WITHIN_MS } from '../../src/work/budget.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { AWS_PRICES } from './aws-prices.ts';
import { count, GB, usdOfLogs } from './cost-tables.ts';
import { ASSUMED } from './request-cost.ts';

/** What an account may run at once: a new one, and a usual one. */
const ACCOUNTS = [10, 1000] as const;

const DAY_S = 86_400;
const MONTH_DAYS = 30;

/** A request: how long it takes a function, and the bytes of its answer that are taken. */
type Asked = { readonly what: string; readonly seconds: number; readonly bytes: number };

const MOST_S = STREAM_WITHIN_MS / 1000;
/** How long Lambda streams the longest answer: 6 MB at full speed, and then 2 MB a second. */
const DOWNLOAD_S = (STREAM_BYTES - 6e6) / 2e6;
/** How few bytes keep a download going until its end. */
const LEAST_BYTES = bytesInTime(STREAM_WITHIN_MS);

const SLOW_READERS: readonly Asked[] = [
  { what: 'nothing', seconds: STALLED_MS / 1000, bytes: 0 },
  // The wait in which the time is over may be a whole one.
  { what: 'a byte now and then', seconds: (longestMs(0) + STALLED_MS) / 1000, bytes: 0 },
  // The function goes on to the answer's end, and whether its bytes are paid is not known.
  { what: 'a few bytes of the longest answer, and hangs up', seconds: DOWNLOAD_S, bytes: 0 },
  { what: 'just enough of a large dataset', seconds: MOST_S, bytes: LEAST_BYTES },
];

const RUN_S = RUN_WITHIN_MS / 1000;

const FLOODS: readonly Asked[] = [
  { what: 'a small answer, from memory', seconds: 0.001, bytes: 1024 },
  { what: 'the longest search', seconds: RUN_S, bytes: 1024 },
  { what: 'the longest search, with a page of 4 MB', seconds: RUN_S, bytes: MOST_ANSWER_BYTES },
  {
    what: 'the longest answers, as fast as Lambda sends',
    seconds: DOWNLOAD_S,
    bytes: STREAM_BYTES,
  },
];

/** What docs/deploying.md has of slow readers and floods, by the name that its markers have there. */
export function hostileTables(): Readonly<Record<string, string>> {
  return { 'slow-readers': slowReadersTable(), flood: floodTable() };
}

function slowReadersTable(): string {
  return markdownTable(
    [
      'takes',
      'seconds',
      '1,000 of them, USD',
      'a second hold 10',
      'hold 1,000',
      'USD a day, 10',
      '1,000',
    ],
    SLOW_READERS.map((asked) => [
      asked.what,
      count(asked.seconds),
      figures(1000 * usdOf(asked)),
      ...ACCOUNTS.map((calls) => figures(calls / asked.seconds)),
      ...ACCOUNTS.map((calls) => figures((calls / asked.seconds) * DAY_S * usdOf(asked))),
    ]),
  );
}

function floodTable(): string {
  const rate = Number(OPTIONS.throttleRate.default);
  return markdownTable(
    ['asks for', 'calls, of 10', 'of 1,000', 'USD a day, 10', '1,000', 'USD a month, 10', '1,000'],
    FLOODS.map((asked) => {
      const held = ACCOUNTS.map((calls) => Math.min(calls, rate * asked.seconds));
      const usd = held.map((calls) => {
        const served = calls / asked.seconds;
        // API Gateway is paid for those too that find no function free.
        const refused = ((rate - served) * AWS_PRICES.millionApiCalls) / 1e6;
        return (served * usdOf(asked) + refused) * DAY_S;
      });
      return [asked.what, ...[...held, ...usd, ...usd.map((day) => day * MONTH_DAYS)].map(figures)];
    }),
  );
}

/** A request in USD; one is counted for each 10 MB begun. */
function usdOf({ seconds, bytes }: Asked): number {
  const { millionApiCalls, millionInvocations, gbSecond, sentGb } = AWS_PRICES;
  const calls = Math.max(1, Math.ceil(bytes / 10e6)) * millionApiCalls + millionInvocations;
  const time = seconds * (ASSUMED.memoryMb / 1024) * gbSecond;
  return (calls + usdOfLogs()) / 1e6 + time + (bytes / GB) * sentGb;
}

/** How long a reader may take so many bytes, in milliseconds. */
function longestMs(bytes: number): number {
  return least((ms) => isTooSlow(bytes, ms)) - 1;
}

/** How few bytes keep a reader for so long. */
function bytesInTime(ms: number): number {
  return least((bytes) => !isTooSlow(bytes, ms));
}

/** The least whole number for which something holds, as it does for all greater ones. */
function least(holds: (value: number) => boolean): number {
  let [below, at] = [-1, 2 ** 40];
  while (at - below > 1) {
    const middle = Math.floor((below + at) / 2);
    if (holds(middle)) at = middle;
    else below = middle;
  }
  return at;
}
