import { oneOf, seededRandom } from '../../bench/data/seeded-random.ts';
import type { Query } from '../../src/query/row-store.ts';
import { queryOf } from '../../src/query/run.ts';
import { ampleBudget } from '../support/ample.ts';
import { asRead } from '../support/naive.ts';
import { HARMLESS, hashOf, KINDS, type Kind, nthFails, seededFaults } from './fault-plan.ts';
import { NaiveAnswers, naiveLimit } from './naive-answers.ts';
import {
  type Answer,
  type Ask,
  askOf,
  storeOf,
  type Values,
  type Way,
  waysOf,
} from './trust-service.ts';
import type { TrustSet } from './trust-set.ts';

/** Numbers by what they count. */
export type Counts = Record<string, number>;

export function count(counts: Counts, what: string, by = 1): void {
  counts[what] = (counts[what] ?? 0) + by;
}

/** A second reading, such as SQLite's: all positions that a query finds up to a number, and the total. */
export type OtherReading = (
  query: Query,
  most: number,
) => { readonly positions: readonly number[]; readonly total: number } | undefined;

type Compared = {
  readonly queries: readonly Values[];
  /** Of this many queries, one is answered in all ways. */
  readonly costlyEvery?: number;
  /** Of this many queries, one is asked for all of its rows, if these are not too many. */
  readonly wholeEvery?: number;
  readonly other?: OtherReading;
};

/** Pages that are compared, of every third query. */
const MOST_PAGES = 2;

/** Of this many queries, one is read by SQLite too. */
const OTHER_EVERY = 10;

const MOST_ATTEMPTS = 5;

/** Results of more rows are not asked for whole. */
const MOST_WHOLE = 20_000;

/** Whether a query is answered in a way: one of some in all, the others in the cheap ways by turns. */
function isTaken(name: string, i: number, costlyEvery: number): boolean {
  if (i % costlyEvery === 0 || name === 'all') return true;
  return name === (i % 2 === 0 ? 'no bounds' : 'no orders');
}

/** A machine with other work may not answer in a run's time, which says nothing of its answers. */
export function patient(ask: Ask, counts: Counts): Ask {
  return async (store, sent) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(store, sent);
      if (answer.status !== 503 || attempt === MOST_ATTEMPTS) return answer;
      count(counts, 'asked again, since the machine was busy');
    }
  };
}

/** Each query has the same bytes in every way, and these are the naive reading. */
export async function compareWays(
  set: TrustSet,
  { queries, costlyEvery = 1, wholeEvery = 9, other }: Compared,
): Promise<Counts> {
  const counts: Counts = {};
  const ask = patient(askOf(set), counts);
  const naive = new NaiveAnswers(
    set.block,
    set.rows.map((row) => row.values),
  );
  const ways = waysOf(set).map(([name, way]) => ({ name, ...storeOf(set, way) }));
  for (const [i, values] of queries.entries()) {
    const expected = naive.positions(values);
    const fail = failing({ query: i, values });
    if (other !== undefined && i % Math.min(OTHER_EVERY, costlyEvery) === 0) {
      const query = queryOf(set, asRead(values), ampleBudget());
      compareReading(other(query, query.limit), expected, counts, fail);
    }
    let cursor: string | undefined;
    for (let page = 0; page < (i % 3 === 0 ? MOST_PAGES : 1); page++) {
      const sent = cursor === undefined ? values : { ...values, _cursor: cursor };
      let first: Answer | undefined;
      for (const { name, store } of ways) {
        if (!isTaken(name, i, costlyEvery)) continue;
        const answer = await ask(store, sent);
        count(counts, `answers, ${name}`);
        first ??= answer;
        if (answer.bytes !== first.bytes) fail(`${name} differs`, first.bytes, answer.bytes);
      }
      const { status, next } = first as Answer;
      count(counts, `status ${status}`);
      if (status !== 200) {
        const code = JSON.parse((first as Answer).text).code;
        if (code !== 'too-much-work') fail(`refused: ${code}`);
        break;
      }
      checkPage(first as Answer, naive, expected, page, values, fail);
      cursor = next;
      if (cursor === undefined) break;
    }
    // Each way is asked for a whole whenever it is taken for a reason of its own.
    const isCostly = i % costlyEvery === 0;
    if ((isCostly || i % wholeEvery === 0) && expected.length <= MOST_WHOLE) {
      const rows = naive.lines(expected, fieldsOf(values));
      for (const { name, store } of ways) {
        if (!isTaken(name, i, costlyEvery)) continue;
        const { text } = await ask(store, wholeOf(values));
        if (text !== rows) fail(`${name} has not all rows`, rows, text);
        count(counts, 'whole results');
      }
    }
    count(counts, 'queries');
    if (expected.length > 0) count(counts, 'queries with rows');
  }
  for (const { name, handler } of ways)
    count(counts, `requests to DynamoDB, ${name}`, handler.calls);
  return counts;
}

function fieldsOf({ _fields }: Values): readonly string[] | undefined {
  return _fields as readonly string[] | undefined;
}

/** A request for all rows of a query. */
function wholeOf({ _limit: _, ...values }: Values): Values {
  return { ...values, _format: 'ndjson' };
}

export type Fail = (what: string, ...details: unknown[]) => never;

export function failing(where: object): Fail {
  return (what, ...details) => {
    const shown = details.map((one) => String(one).slice(0, 2000)).join('\n');
    throw new Error(`${what}: ${JSON.stringify(where)}\n${shown}`);
  };
}

function compareReading(
  read: ReturnType<OtherReading>,
  expected: Uint32Array,
  counts: Counts,
  fail: Fail,
): void {
  if (read === undefined) {
    count(counts, 'queries that SQL does not say');
    return;
  }
  count(counts, 'queries compared with SQLite');
  const { positions, total } = read;
  if (total !== expected.length) fail('SQLite counts differently', total, expected.length);
  for (const [i, position] of positions.entries()) {
    if (position !== expected[i]) fail('SQLite has another row', i, position, expected[i]);
  }
}

/** That a page has exactly the rows that follow, and says whether more do. */
function checkPage(
  { text, next }: Answer,
  naive: NaiveAnswers,
  expected: Uint32Array,
  page: number,
  values: Values,
  fail: Fail,
): void {
  const { _format: format = 'json', _limit } = values;
  const limit = naiveLimit(_limit);
  const its = expected.subarray(page * limit, (page + 1) * limit);
  const rows = Array.from(its, (position) => naive.rowText(position, fieldsOf(values)));
  const isLast = (page + 1) * limit >= expected.length;
  if (isLast !== (next === undefined)) fail('wrong about more pages', text);
  if (format === 'csv') return;
  const beginning = `{"params":{"results":[${rows.join()}],"count":${rows.length},"total":${expected.length},"next":${isLast ? 'null' : `"${next}"`}`;
  const wanted = format === 'ndjson' ? rows.map((row) => `${row}\n`).join('') : beginning;
  const isWanted = format === 'ndjson' ? text === wanted : text.startsWith(wanted);
  if (!isWanted) fail('not the naive rows', wanted, text);
}

type Failed = {
  readonly seed: number;
  readonly requests: readonly Values[];
  readonly kinds?: readonly Kind[];
  /** The set whose chunks come by mistake. */
  readonly other: TrustSet;
};

/** Caches in which requests meet failures: none, too small a one, and a large one. */
function cachesOf({ manifest }: TrustSet): readonly Way[] {
  return [{ cacheBytes: 0 }, { cacheBytes: manifest.rows * 24 }, {}];
}

/** How many cases wait for the SDK's retries at the same time. */
const AT_ONCE = 32;

/** For each request, each of its reads fails in each way: the answer is right, or a refusal; later it is right. */
export async function failEachRead(
  set: TrustSet,
  { seed, requests, kinds = KINDS, other }: Failed,
): Promise<Counts> {
  const counts: Counts = {};
  const ask = askOf(set);
  const caches = cachesOf(set);
  const cases: (() => Promise<void>)[] = [];
  for (const [i, values] of requests.entries()) {
    const way = caches[i % caches.length] as Way;
    const whole = storeOf(set, way);
    const right = await ask(whole.store, values);
    if (right.status !== 200) failing({ seed, values })('refused without a fault', right.bytes);
    count(counts, 'requests');
    for (let n = 1; n <= whole.handler.invocations; n++) {
      for (const kind of kinds) {
        for (const isForGood of [false, true]) {
          const fail = failing({ seed, values, way, n, kind, isForGood });
          count(counts, `met ${kind}`);
          const plan = nthFails(n, kind, isForGood, hashOf(`${seed}/${i}/${n}/${kind}`));
          cases.push(async () => {
            const { store } = storeOf(set, way, plan, other.table);
            for (let time = 1; ; time++) {
              const answer = await ask(store, values);
              checkAnswer(answer, right, kind, counts, fail);
              if (answer.status === 200) return;
              // What was joined while it was failing may fail once more.
              if (time === 3) fail('never right again', answer.bytes);
            }
          });
        }
      }
    }
  }
  count(counts, 'reads that failed', cases.length);
  await allOf(cases);
  return counts;
}

/** An answer is the right one, or a refusal that is documented. */
function checkAnswer(
  { status, bytes, text, retryAfter }: Answer,
  right: Answer,
  kind: Kind | undefined,
  counts: Counts,
  fail: Fail,
): void {
  if (status === 200) {
    count(counts, 'right answers');
    if (bytes !== right.bytes) fail('a wrong answer', right.bytes, bytes);
    return;
  }
  const { code } = JSON.parse(text);
  count(counts, `refusals, ${code}`);
  if (kind !== undefined && HARMLESS.includes(kind)) fail('refused for no reason', bytes);
  if (status !== 503 || retryAfter !== '1') fail('not a refusal of the store', bytes);
  if (code !== 'store-unavailable' && code !== 'service-unavailable') fail('another code', bytes);
}

type Walked = {
  readonly seed: number;
  readonly walks: readonly Values[];
  /** The share of requests to DynamoDB that meet a fault. */
  readonly share: number;
  readonly other: TrustSet;
};

const MOST_TRIES = 200;

/** How often a walk's rows are also asked for all at once. */
const MOST_STREAMS = 3;

/**
 * Walks along `next` have each row once and in order, however often a page is refused; a result that
 * is asked for at once has all rows, or is refused, or breaks off.
 */
export async function walkUnderFaults(
  set: TrustSet,
  { seed, walks, share, other }: Walked,
): Promise<Counts> {
  const counts: Counts = {};
  const ask = askOf(set);
  const naive = new NaiveAnswers(
    set.block,
    set.rows.map((row) => row.values),
  );
  const caches = cachesOf(set);
  const cases = walks.map((values, i) => async () => {
    const random = seededRandom(hashOf(`${seed}/${i}`));
    const expected = naive.positions(values);
    const limit = Math.min(1000, Math.max(1, Math.ceil(expected.length / 8)));
    const asked = { ...values, _format: 'ndjson', _limit: limit };
    const plan = seededFaults(hashOf(`${seed}/faults/${i}`), share, (kind) =>
      count(counts, `met ${kind}`),
    );
    const { store } = storeOf(set, oneOf(random, caches), plan, other.table);
    const fail = failing({ seed, walk: i, values: asked });
    let text = '';
    let cursor: string | undefined;
    for (let tries = 0; ; ) {
      const sent = cursor === undefined ? asked : { ...asked, _cursor: cursor };
      // Two at once, which share what they read.
      const [answer, twin] = await Promise.all([ask(store, sent), ask(store, sent)]);
      for (const one of [answer, twin]) checkAnswer(one, one, undefined, counts, fail);
      if (answer.status === twin.status && answer.bytes !== twin.bytes) {
        fail('two answers', answer.bytes, twin.bytes);
      }
      if (answer.status === 200) {
        text += answer.text;
        cursor = answer.next;
        if (cursor === undefined) break;
      } else if (++tries > MOST_TRIES) fail('never answered', answer.bytes);
    }
    const rows = naive.lines(expected, fieldsOf(values));
    if (text !== rows) fail('not each row once', rows, text);
    for (let tries = 0; tries < MOST_STREAMS; tries++) {
      const answer = await ask(store, wholeOf(values)).catch(() => undefined);
      if (answer === undefined) count(counts, 'whole results that broke off');
      else {
        checkAnswer(answer, answer, undefined, counts, fail);
        if (answer.status === 200 && answer.text !== rows) fail('not all rows', rows, answer.text);
      }
    }
    count(counts, 'walks');
    count(counts, 'rows walked', expected.length);
  });
  await allOf(cases);
  return counts;
}

async function allOf(cases: readonly (() => Promise<void>)[]): Promise<void> {
  const left = cases.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await one();
    }),
  );
}

/** Milliseconds that a run waits for a silent store, fewer than usual. */
const SILENT_WITHIN_MS = 300;

/** For each request, each of its reads is not answered: it is refused as soon as its time is over. */
export async function silenceEachRead(set: TrustSet, requests: readonly Values[]): Promise<Counts> {
  const counts: Counts = {};
  const ask = askOf(set);
  const cases: (() => Promise<void>)[] = [];
  for (const [i, values] of requests.entries()) {
    const way = cachesOf(set)[i % 3] as Way;
    const whole = storeOf(set, way);
    const right = await ask(whole.store, values);
    for (let n = 1; n <= whole.handler.invocations; n++) {
      const fail = failing({ values, way, n });
      cases.push(async () => {
        let end = () => {};
        const over = new Promise<void>((resolve) => {
          end = resolve;
        });
        const { store } = storeOf(set, way, nthFails(n, 'silent', true, n, over));
        const answer = await ask(store, values, SILENT_WITHIN_MS);
        end();
        checkAnswer(answer, right, 'silent', counts, fail);
        counts['longest run, ms'] = Math.max(counts['longest run, ms'] ?? 0, Math.round(answer.ms));
        for (let time = 1; ; time++) {
          const again = await ask(store, values);
          checkAnswer(again, right, 'silent', counts, fail);
          if (again.status === 200) return;
          if (time === 3) fail('never right again', again.bytes);
        }
      });
    }
  }
  count(counts, 'reads that were not answered', cases.length);
  await allOf(cases);
  return counts;
}
