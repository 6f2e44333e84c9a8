import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { ColumnRows } from '../../src/columns/column-rows.ts';
import { ColumnStore } from '../../src/columns/column-store.ts';
import { memorySource, packedRows } from '../../src/columns/memory-rows.ts';
import { type Query, ReadCost } from '../../src/query/row-store.ts';
import type { Field } from '../../src/values/field-types.ts';
import { haversine } from '../../src/values/places.ts';
import { Budget } from '../../src/work/budget.ts';
import { MOST_AT_ONCE, Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { packColumns } from '../support/pack-columns.ts';
import { turnsDuring } from '../support/turns-during.ts';

const fields: readonly Field[] = [{ type: 'integer', name: 'number', title: 'Number' }];
const ROW_BYTES = 256;
const COUNT = 3000;
const packed = packColumns(
  fields,
  Array.from({ length: COUNT }, (_, number) => ({ number })),
  1000,
);
const texts = Array.from({ length: COUNT }, (_, number) => `{"number":${number}}`);

const inOrder: Query = { predicate: [], limit: 1000 };
const backwards: Query = { ...inOrder, sort: { field: 'number', descending: true } };

// As many iterations of the event loop between two turns on a slow machine as on a fast one.
const scheduler = new Scheduler(() => 0);
let [reading, mostReading, chunksRead] = [0, 0, 0];
const begun: AsyncGenerator<readonly string[]>[] = [];

/** All rows of a table of its own, so that no read is shared; `isKept` if memory has room for it. */
function download(isKept: boolean, query = inOrder, budget = ample(), rowBytes = ROW_BYTES) {
  const { rows: _, ...source } = memorySource(fields, packed);
  const store = new ColumnStore({
    rows: COUNT,
    rowsPerChunk: 1000,
    rowBytes,
    source: {
      ...source,
      chunk: async (...asked) => {
        chunksRead++;
        reading++;
        mostReading = Math.max(mostReading, reading);
        await new Promise(setImmediate);
        reading--;
        return source.chunk(...asked);
      },
    },
    cache: new ColumnCache(isKept ? Number.POSITIVE_INFINITY : 0),
    unavailable: (cause) => cause,
  });
  const rows = new ColumnRows(store, fields).rest(query, budget, new ReadCost());
  begun.push(rows);
  return rows;
}

const ample = () => ampleBudget(scheduler, Number.POSITIVE_INFINITY);

async function whole(rows: AsyncIterable<readonly string[]>): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}

afterEach(async () => {
  for (const rows of begun.splice(0)) await rows.return(undefined);
  mostReading = 0;
});

describe('whole results', () => {
  test('have each row once and in order, whatever a row takes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.double({ min: 1, max: 200_000, noNaN: true }),
        fc.constantFrom(inOrder, backwards),
        fc.boolean(),
        async (rowBytes, query, isKept) => {
          const all = await whole(download(isKept, query, ample(), rowBytes));
          expect(all).toEqual(query === inOrder ? texts : [...texts].reverse());
        },
      ),
      { seed: 14, numRuns: 100 },
    ));

  test('are given a few rows at a time, each once and in order', async () => {
    for (const isKept of [true, false]) {
      for (const query of [inOrder, backwards]) {
        const all: string[] = [];
        for await (const batch of download(isKept, query)) {
          expect(batch.length).toBeLessThanOrEqual(2 ** 16 / ROW_BYTES);
          all.push(...batch);
        }
        expect(all).toEqual(query === inOrder ? texts : [...texts].reverse());
      }
    }
  });

  test('of which only some read at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => whole(download(false))));
    for (const its of all) expect(its).toEqual(texts);
    expect(mostReading).toBe(MOST_AT_ONCE.readWhole);
  });

  test('wait for nobody who does not take his rows, if columns stay in memory', async () => {
    for (let i = 0; i < 3 * MOST_AT_ONCE.readWhole; i++) {
      expect((await download(true, backwards).next()).value).toHaveLength(2 ** 16 / ROW_BYTES);
    }
    const slot = ample().slot('readWhole');
    let isTaken = false;
    slot.take().then(() => {
      isTaken = true;
    });
    await new Promise(setImmediate);
    slot.leave();
    expect(isTaken).toBe(true);
  });

  test('that hold rows which they have read give them up to others, and read them again', async () => {
    for (const query of [inOrder, backwards]) {
      const first = Array.from({ length: MOST_AT_ONCE.readWhole }, () => download(false, query));
      const begins = await Promise.all(first.map(async (rows) => (await rows.next()).value));
      // Nobody takes more of the first ones meanwhile. Each has read all its chunks.
      const later = await whole(download(false, query));
      const before = chunksRead;
      for (const [i, rows] of first.entries()) {
        expect([...(begins[i] as string[]), ...(await whole(rows))]).toEqual(later);
      }
      expect(chunksRead).toBeGreaterThan(before);
    }
  });

  test('that nobody waits for any more do not begin', async () => {
    const holders = Array.from({ length: MOST_AT_ONCE.readWhole }, () => download(false));
    await Promise.all(holders.map((rows) => rows.next()));
    let isGone = false;
    const budget = new Budget(scheduler, Number.POSITIVE_INFINITY, 60_000, {
      isGone: () => isGone,
    });
    const before = chunksRead;
    const late = download(false, inOrder, budget).next();
    isGone = true;
    for (const rows of holders) await rows.return(undefined);
    await expect(late).rejects.toMatchObject({ code: 'bad-request' });
    expect(chunksRead).toBe(before);
    // Its place is free again.
    expect(await Promise.all(begun.slice(0, 1).map(() => whole(download(false))))).toEqual([texts]);
  });
});

test('many rows are sorted with pauses', async () => {
  const numbers = Array.from({ length: 20_000 }, (_, number) => ({ number }));
  const rows = packedRows(fields, packColumns(fields, numbers, numbers.length));
  const first = () => rows.rest(backwards, ample(), new ReadCost())[Symbol.asyncIterator]().next();
  // Reads and unpacks what the second one has in memory.
  await first();
  const { turns } = await turnsDuring(first);
  expect(turns).toBeGreaterThan(5);
});

describe('a whole result of many rows', () => {
  const columns: readonly Field[] = ['number', 'amount', 'east', 'north'].map((name) => ({
    type: 'number',
    name,
    title: name,
  }));
  const random = seededRandom(27);
  const rows = Array.from({ length: 70_000 }, (_, number) => ({
    number,
    amount: wholeNumber(random, 0, 99),
    east: wholeNumber(random, -50, 50) / 10,
    north: wholeNumber(random, -50, 50) / 10,
  }));
  const store = packedRows(columns, packColumns(columns, rows, 4096));
  const filtered: Query = {
    limit: 1000,
    fields: ['number'],
    predicate: [
      {
        test: 'ranges',
        field: 'amount',
        parameters: ['amount_min'],
        anyOf: [[10, 99]],
      },
    ],
  };
  const sort = {
    field: 'amount',
    descending: true,
    second: { field: 'north', descending: false },
  };
  const near = { at: [0, 0], longitude: 'east', latitude: 'north' } as const;
  const numberOf = (text: string) => Number(/\d+/.exec(text)?.[0]);
  const matching = rows.filter(({ amount }) => amount >= 10);
  const sorted = matching.toSorted((a, b) => b.amount - a.amount || a.north - b.north);
  const numbersOf = (texts: readonly string[]) => texts.map(numberOf);

  test('is found in one pass over the chunks, whatever its order', async () => {
    const spent = async (query: Query) => {
      const budget = ample();
      await whole(store.rest(query, budget, new ReadCost()));
      return budget.spent;
    };
    const once = await spent(filtered);
    expect(await spent({ ...filtered, sort })).toBe(once);
    expect(await spent({ ...filtered, near })).toBeLessThan(once + 2 * rows.length);
  });

  test('has the nearest rows first', async () => {
    const found = numbersOf(
      await whole(store.rest({ ...filtered, near }, ample(), new ReadCost())),
    );
    const far = ({ east, north }: (typeof rows)[number]) => haversine([east, north], [0, 0]);
    const expected = matching.toSorted((a, b) => far(a) - far(b));
    expect(found).toEqual(expected.map(({ number }) => number));
  });

  test('goes on in its order after it gave up its slot to others', async () => {
    const budget = ample();
    const read = store.rest({ ...filtered, sort }, budget, new ReadCost()) as ReturnType<
      typeof download
    >;
    begun.push(read);
    const found: string[] = [];
    for (let i = 0; i < 50; i++) found.push(...((await read.next()).value as string[]));
    const slots = Array.from({ length: MOST_AT_ONCE.readWhole }, () => ample().slot('readWhole'));
    // The last one waits until the result gives up its slot, which nobody takes more of meanwhile.
    for (const slot of slots) await slot.take();
    for (const slot of slots) slot.leave();
    const before = budget.spent;
    for await (const batch of read) found.push(...batch);
    expect(numbersOf(found)).toEqual(sorted.map(({ number }) => number));
    expect(budget.spent).toBeGreaterThan(before);
  });
});
