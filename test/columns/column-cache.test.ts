import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CacheSlot, ColumnCache, type Held } from '../../src/columns/column-store.ts';

/** Something that may grow while it is held. */
class Growing implements Held {
  byteLength: number;

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }
}

function bytesIn(slots: readonly CacheSlot<Growing>[]): number {
  return slots.reduce((sum, slot) => sum + (slot.held?.byteLength ?? 0), 0);
}

const of = (...bytes: number[]) => bytes.map((each) => new Growing(each));
const slotsOf = (cache: ColumnCache, count: number) =>
  Array.from({ length: count }, () => cache.slot<Growing>());

describe('what a cache holds', () => {
  const slot = fc.nat(7);
  const bytes = fc.integer({ min: 0, max: 700 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('hold' as const), slot, bytes }),
    fc.record({ kind: fc.constant('grow' as const), slot, bytes }),
    fc.record({ kind: fc.constant('grow what was held' as const), slot, bytes }),
    fc.record({ kind: fc.constant('load' as const), slot, bytes, isKept: fc.boolean() }),
    fc.record({ kind: fc.constant('fail' as const), slot, bytes }),
    fc.record({ kind: fc.constant('use' as const), slot, bytes }),
  );

  test('never exceeds its bound, and is what it counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 500, 2000, Number.POSITIVE_INFINITY),
        fc.array(step, { maxLength: 60 }),
        async (mostBytes, steps) => {
          const cache = new ColumnCache(mostBytes);
          const slots = slotsOf(cache, 8);
          const before: Growing[] = [];
          for (const { kind, slot: at, bytes: size, ...more } of steps) {
            const its = slots[at] as CacheSlot<Growing>;
            const held =
              kind === 'grow what was held' ? before[size % (before.length || 1)] : its.held;
            const made = new Growing(size);
            if (kind === 'hold') its.hold(made);
            if (kind === 'load') {
              expect(await its.load('isKept' in more && more.isKept, async () => made)).toBe(made);
            }
            if (kind === 'fail') {
              await expect(its.load(true, () => Promise.reject(new Error()))).rejects.toThrow();
            }
            if (kind.startsWith('grow') && held !== undefined) {
              // What is no longer held may grow without being counted; that of another slot, too.
              const holder = slots.find((each) => each.held === held);
              held.byteLength += size;
              (holder ?? its).recount(held);
            }
            before.push(made);
            expect(cache.byteLength).toBeLessThanOrEqual(mostBytes);
            expect(cache.byteLength).toBe(bytesIn(slots));
          }
        },
      ),
      { seed: 17, numRuns: 300 },
    );
  });

  test('stays while there is room, to the byte', () => {
    const cache = new ColumnCache(300);
    const slots = slotsOf(cache, 3);
    for (const [i, held] of of(100, 100, 100).entries()) slots[i]?.hold(held);
    expect(slots.map(({ held }) => held?.byteLength)).toEqual([100, 100, 100]);
  });

  test('goes in the order of its last use', () => {
    const cache = new ColumnCache(1000);
    const slots = slotsOf(cache, 6);
    for (const [i, held] of of(200, 200, 200, 200, 200).entries()) slots[i]?.hold(held);
    // Looking at it is a use.
    expect(slots[0]?.held).toBeDefined();
    expect(slots[2]?.held).toBeDefined();
    slots[5]?.hold(new Growing(200));
    // Two make room: the bound, and an eighth, so that the next ones find room.
    expect(slots.map((slot) => slot.held !== undefined)).toEqual([
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
    const [small, large] = slotsOf(cache, 2) as [CacheSlot<Growing>, CacheSlot<Growing>];
    small.hold(new Growing(10));
    large.hold(new Growing(101));
    expect([large.held, cache.byteLength]).toEqual([undefined, 0]);
  });

  test('makes room for others when it has grown', () => {
    const cache = new ColumnCache(100);
    const [other, growing] = slotsOf(cache, 2) as [CacheSlot<Growing>, CacheSlot<Growing>];
    const held = new Growing(30);
    other.hold(new Growing(40));
    growing.hold(held);
    held.byteLength = 80;
    growing.recount(held);
    expect([other.held, growing.held, cache.byteLength]).toEqual([undefined, held, 80]);
  });

  test('is counted once if another takes its place', () => {
    const cache = new ColumnCache(100);
    const slot = cache.slot<Growing>();
    slot.hold(new Growing(60));
    slot.hold(new Growing(70));
    expect(cache.byteLength).toBe(70);
  });
});

describe('a load', () => {
  test('is shared by all who ask meanwhile, and done again afterwards', async () => {
    const slot = new ColumnCache(100).slot<Growing>();
    let loads = 0;
    let finish: (held: Growing) => void = () => {};
    const load = () => {
      loads++;
      return new Promise<Growing>((resolve) => {
        finish = resolve;
      });
    };
    const asked = [slot.load(false, load), slot.load(false, load)];
    const made = new Growing(5);
    finish(made);
    expect([await Promise.all(asked), loads]).toEqual([[made, made], 1]);
    expect(slot.held).toBeUndefined();
    const again = slot.load(true, load);
    finish(new Growing(6));
    expect([(await again).byteLength, loads, slot.held?.byteLength]).toEqual([6, 2, 6]);
    slot.clear();
    const once = slot.load(false, load);
    finish(new Growing(7));
    expect([(await once).byteLength, loads, slot.held]).toEqual([7, 3, undefined]);
  });

  test('that fails fails for all who ask meanwhile, and is tried again by the next', async () => {
    const slot = new ColumnCache(100).slot<Growing>();
    let loads = 0;
    const fail = async (): Promise<Growing> => {
      loads++;
      throw new Error('throttled');
    };
    const asked = await Promise.allSettled([slot.load(true, fail), slot.load(true, fail)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([loads, slot.held]).toEqual([1, undefined]);
    const made = new Growing(7);
    expect(await slot.load(true, async () => made)).toBe(made);
    expect(slot.held).toBe(made);
  });

  test('keeps what it loads if any who ask meanwhile want it kept', async () => {
    const slot = new ColumnCache(100).slot<Growing>();
    const made = new Growing(8);
    await Promise.all([slot.load(false, async () => made), slot.load(true, async () => made)]);
    expect(slot.held).toBe(made);
  });
});
