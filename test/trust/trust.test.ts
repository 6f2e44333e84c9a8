import { afterAll, describe, expect, test } from '@jest/globals';
import { CAUSED } from './caused.ts';
import { compareWays, failEachRead, silenceEachRead, walkUnderFaults } from './checks.ts';
import { compareGroups } from './group-checks.ts';
import { randomQueries, randomQuestions, randomSearchQuestions } from './random-queries.ts';
import { spotsSet, trustSet } from './trust-set.ts';

// `npm run trust` does the same with more queries and rows, and with SQLite.
describe('answers are the naive rows, and the same bytes with any shortcut, cache or index off', () => {
  test.each([
    { rows: 0, rowsPerChunk: 100, seed: 1, queries: 16 },
    { rows: 1, rowsPerChunk: 100, seed: 2, queries: 16 },
    { rows: 99, rowsPerChunk: 100, seed: 3, queries: 16 },
    { rows: 100, rowsPerChunk: 100, seed: 4, queries: 16 },
    { rows: 101, rowsPerChunk: 100, seed: 5, queries: 16 },
    { rows: 900, rowsPerChunk: 250, seed: 6, queries: 32 },
  ])('$rows rows, seed $seed', async ({ seed, queries, ...size }) => {
    const set = trustSet(size, seed);
    const asked = [...CAUSED, ...randomQueries(set, seed, queries)];
    const counts = await compareWays(set, { queries: asked, costlyEvery: 4 });
    expect(counts.queries).toBe(asked.length);
  });
});

// `npm run trust` also asks SQLite and DuckDB, of more rows and of the shipped blocks.
describe('groups and facets are the naive ones, in any way', () => {
  test.each([
    { rows: 0, rowsPerChunk: 100, seed: 21, count: 10 },
    { rows: 1, rowsPerChunk: 100, seed: 22, count: 10 },
    { rows: 130, rowsPerChunk: 50, seed: 23, count: 24 },
  ])('$rows rows, seed $seed', async ({ seed, count, ...size }) => {
    const set = trustSet(size, seed);
    const counts = await compareGroups(set, { questions: randomQuestions(set, seed, count) });
    expect(counts.questions).toBe(count);
    expect(counts['questions with facets']).toBeGreaterThan(0);
  });
});

test('words, places and alternatives find what a reading apart finds: rows, groups and facets', async () => {
  const set = spotsSet({ rows: 130, rowsPerChunk: 50 }, 24);
  const questions = randomSearchQuestions(set, 24, 40);
  const counts = await compareGroups(set, { questions });
  expect(counts.questions).toBe(40);
  expect(counts['questions with groups']).toBeGreaterThan(10);
  expect(counts['questions with facets']).toBeGreaterThan(5);
  for (const name of ['_q', '_near', '_bbox', '_or.1']) {
    const asking = questions.filter((one) => Object.keys(one).some((key) => key.startsWith(name)));
    expect(asking.length).toBeGreaterThan(5);
  }
});

/** What asks for more rows than a page has, and is read in each way. */
const MANY = [{}, { _sort: '-score' }, { outdoors: true, _fields: ['place', 'score'] }];
const LARGE = { rows: 1300, rowsPerChunk: 400 };

test('all rows at once are the naive rows, with any shortcut, cache or index off', async () => {
  const set = trustSet(LARGE, 8);
  const counts = await compareWays(set, { queries: MANY, wholeEvery: 1 });
  expect(counts['whole results']).toBe(5 * MANY.length);
});

describe('a store that fails', () => {
  const size = { rows: 90, rowsPerChunk: 40 };
  const seed = 7;
  const set = trustSet(size, seed);
  const other = trustSet(size, seed + 1);
  // By an index, by columns that are forgotten, and by columns that are kept.
  const requests = [
    { phone: '718-624-7581', _fields: ['seats'] },
    { seats_min: 300, place: '*st*', _fields: ['score'] },
    { outdoors: true, _sort: '-score', _fields: ['place', 'score'] },
  ];

  // A failure that nobody waits for ends a process, which Jest does not always show.
  const unheeded: unknown[] = [];
  const keep = (error: unknown) => unheeded.push(error);
  process.on('unhandledRejection', keep);
  afterAll(() => {
    process.off('unhandledRejection', keep);
    expect(unheeded).toEqual([]);
  });

  test('at any read, in any way: the answer is right or a 503, and later it is right', async () => {
    const counts = await failEachRead(set, { seed, requests, other });
    expect(counts['refusals, store-unavailable']).toBeGreaterThan(0);
    expect(counts['right answers']).toBe(counts['reads that failed']);
  });

  test('by not answering a read: a 503 as soon as the time of the run is over', async () => {
    const counts = await silenceEachRead(set, requests);
    expect(counts['refusals, store-unavailable']).toBeGreaterThan(0);
  });

  test('now and then: a walk along `next` has each row once', async () => {
    const walks = randomQueries(set, seed, 20);
    const counts = await walkUnderFaults(set, { seed, walks, share: 0.1, other });
    expect(counts.walks).toBe(20);
    expect(counts['refusals, store-unavailable']).toBeGreaterThan(0);
  });

  test('now and then: all rows at once are all, or the answer breaks off', async () => {
    const large = trustSet(LARGE, seed);
    const counts = await walkUnderFaults(large, {
      ...{ seed, walks: MANY, share: 0.2 },
      other: trustSet(LARGE, seed + 1),
    });
    expect(counts['whole results that broke off']).toBeGreaterThan(0);
  });
});
