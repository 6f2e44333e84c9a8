import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cached, type CacheEntry, ColumnCache } from '../../src/columns/column-cache.ts';

/** Something that may grow while it is held. */
class Growing implements Cached {
  byteLength: number;

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }
}

function bytesIn(entries: readonly CacheEntry<Growing>[]): number {
  return entries.reduce((sum, entry) => sum + (entry.value?.byteLength ?? 0), 0);
}

const of = (...bytes: number[]) => bytes.map((each) => new Growing(each));
const entriesOf = (cache: ColumnCache, count: number) =>
  Array.from({ length: count }, () => cache.entry<Growing>());

describe('what a cache holds', () => {
  const entry = fc.nat(7);
  const bytes = fc.integer({ min: 0, max: 700 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('hold' as const), entry, bytes }),
    fc.record({ kind: fc.constant('grow' as const), entry, bytes }),
    fc.record({ kind: fc.constant('grow what was held' as const), entry, bytes }),
    fc.record({ kind: fc.constant('load' as const), entry, bytes, isKept: fc.boolean() }),
    fc.record({ kind: fc.constant('fail' as const), entry, bytes }),
    fc.record({ kind: fc.constant('use' as const), entry, bytes }),
  );

  test('never exceeds its bound, and is what it counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 500, 2000, Number.POSITIVE_INFINITY),
        fc.array(step, { maxLength: 60 }),
        async (mostBytes, steps) => {
          const cache = new ColumnCache(mostBytes);
          const entries = entriesOf(cache, 8);
          const before: Growing[] = [];
          for (const { kind, entry: at, bytes: size, ...more } of steps) {
            const its = entries[at] as CacheEntry<Growing>;
            const held =
              kind === 'grow what was held' ? before[size % (before.length || 1)] : its.value;
            const made = new Growing(size);
            if (kind === 'hold') its.set(made);
            if (kind === 'load') {
              expect(await its.load('isKept' in more && more.isKept, async () => made)).toBe(made);
            }
            if (kind === 'fail') {
              await expect(its.load(true, () => Promise.reject(new Error()))).rejects.toThrow();
            }
            if (kind.startsWith('grow') && held !== undefined) {
              // What is no longer held may grow without being counted; that of another entry, too.
              const holder = entries.find((each) => each.value === held);
              held.byteLength += size;
              (holder ?? its).recount(held);
            }
            before.push(made);
            expect(cache.byteLength).toBeLessThanOrEqual(mostBytes);
            expect(cache.byteLength).toBe(bytesIn(entries));
          }
        },
      ),
      { seed: 17, numRuns: 300 },
    );
  });

  test('stays while there is room, to the byte', () => {
    const cache = new ColumnCache(300);
    const entries = entriesOf(cache, 3);
    for (const [i, held] of of(100, 100, 100).entries()) entries[i]?.set(held);
    expect(entries.map(({ value }) => value?.byteLength)).toEqual([100, 100, 100]);
  });

  test('goes in the order of its last use', () => {
    const cache = new ColumnCache(1000);
    const entries = entriesOf(cache, 6);
    for (const [i, held] of of(200, 200, 200, 200, 200).entries()) entries[i]?.set(held);
    // Looking at it is a use.
    expect(entries[0]?.value).toBeDefined();
    expect(entries[2]?.value).toBeDefined();
    entries[5]?.set(new Growing(200));
    // Two make room: the bound, and an eighth, so that the next ones find room.
    expect(entries.map((entry) => entry.value !== undefined)).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(cache.byteLength).toBe(800);
  });

  test('goes at once if it is larger than the bound', () => {
    const cache = new ColumnCache(100);
    const [small, large] = entriesOf(cache, 2) as [CacheEntry<Growing>, CacheEntry<Growing>];
    small.set(new Growing(10));
    large.set(new Growing(101));
    expect([large.value, cache.byteLength]).toEqual([undefined, 0]);
  });

  test('makes room for others when it has grown', () => {
    const cache = new ColumnCache(100);
    const [other, growing] = entriesOf(cache, 2) as [CacheEntry<Growing>, CacheEntry<Growing>];
    const held = new Growing(30);
    other.set(new Growing(40));
    growing.set(held);
    held.byteLength = 80;
    growing.recount(held);
    expect([other.value, growing.value, cache.byteLength]).toEqual([undefined, held, 80]);
  });

  test('is counted once if another takes its place', () => {
    const cache = new ColumnCache(100);
    const entry = cache.entry<Growing>();
    entry.set(new Growing(60));
    entry.set(new Growing(70));
    expect(cache.byteLength).toBe(70);
  });
});

describe('a load', () => {
  test('is shared by all who ask meanwhile, and done again afterwards', async () => {
    const entry = new ColumnCache(100).entry<Growing>();
    let loads = 0;
    let finish: (held: Growing) => void = () => {};
    const load = () => {
      loads++;
      return new Promise<Growing>((resolve) => {
        finish = resolve;
      });
    };
    const asked = [entry.load(false, load), entry.load(false, load)];
    const made = new Growing(5);
    finish(made);
    expect([await Promise.all(asked), loads]).toEqual([[made, made], 1]);
    expect(entry.value).toBeUndefined();
    const again = entry.load(true, load);
    finish(new Growing(6));
    expect([(await again).byteLength, loads, entry.value?.byteLength]).toEqual([6, 2, 6]);
    entry.clear();
    const once = entry.load(false, load);
    finish(new Growing(7));
    expect([(await once).byteLength, loads, entry.value]).toEqual([7, 3, undefined]);
  });

  test('that fails fails for all who ask meanwhile, and is tried again by the next', async () => {
    const entry = new ColumnCache(100).entry<Growing>();
    let loads = 0;
    const fail = async (): Promise<Growing> => {
      loads++;
      throw new Error('throttled');
    };
    const asked = await Promise.allSettled([entry.load(true, fail), entry.load(true, fail)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([loads, entry.value]).toEqual([1, undefined]);
    const made = new Growing(7);
    expect(await entry.load(true, async () => made)).toBe(made);
    expect(entry.value).toBe(made);
  });

  test('keeps what it loads if any who ask meanwhile want it kept', async () => {
    const entry = new ColumnCache(100).entry<Growing>();
    const made = new Growing(8);
    await Promise.all([entry.load(false, async () => made), entry.load(true, async () => made)]);
    expect(entry.value).toBe(made);
  });
});
