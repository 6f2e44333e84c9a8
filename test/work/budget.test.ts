import { describe, expect, test } from '@jest/globals';
import type { Problem } from '../../src/problem/errors.ts';
import { Budget } from '../../src/work/budget.ts';
import { type HeavyWork, MOST_AT_ONCE, Scheduler } from '../../src/work/scheduler.ts';
import { AMPLE_MS, ampleBudget } from '../support/ample.ts';
import { type TestClock, testClock } from '../support/test-clock.ts';
import { turnsDuring } from '../support/turns-during.ts';

const scheduler = new Scheduler();

/** A run's budget whose time the test moves; by default it is as long as a service's. */
const timedBudget = ({ now }: TestClock, withinMs?: number) =>
  new Budget(scheduler, Number.POSITIVE_INFINITY, withinMs, {}, now);

function refusalOf(work: () => unknown): Pick<Problem, 'code' | 'detail' | 'faults'> | undefined {
  try {
    work();
  } catch (error) {
    return error as Problem;
  }
  return undefined;
}

describe('a budget', () => {
  test('is spent to its last step, and no further', () => {
    const budget = new Budget(scheduler, 100);
    expect(refusalOf(() => budget.spend(100, 'name'))).toBeUndefined();
    expect(refusalOf(() => budget.spend(1, 'name'))).toMatchObject({ code: 'too-much-work' });
  });

  test('has parts with steps of their own, which end with it and when its caller has gone', () => {
    const clock = testClock();
    let isGone = false;
    const budget = new Budget(scheduler, 100, 1000, { isGone: () => isGone }, clock.now);
    const part = budget.part(10);
    expect(refusalOf(() => part.spend(11))).toMatchObject({ code: 'too-much-work' });
    expect(refusalOf(() => budget.spend(100))).toBeUndefined();
    clock.time = 999;
    expect(refusalOf(() => budget.part(10).check())).toBeUndefined();
    clock.time = 1001;
    expect(refusalOf(() => budget.part(10).check())).toMatchObject({ code: 'service-unavailable' });
    isGone = true;
    expect(refusalOf(() => budget.part(10).check())).toMatchObject({ code: 'bad-request' });
  });

  test('names the argument that asks for the most, in all', () => {
    const budget = new Budget(scheduler, 100);
    budget.spend(30, 'street');
    budget.spend(40, 'name');
    const refusal = refusalOf(() => budget.spend(35, 'street'));
    expect(refusal?.faults).toEqual([
      { code: 'too-much-work', detail: refusal?.detail, parameter: 'street' },
    ]);
    expect(refusal?.detail).toContain('street asks for the most');
  });

  test('has steps for hints beside, which are refused and do not refuse', () => {
    const budget = new Budget(scheduler, 0);
    expect(budget.affordHint(1000)).toBe(true);
    expect(budget.affordHint(1e9)).toBe(false);
    expect(budget.affordHint(1000)).toBe(true);
    expect(budget.spent).toBe(2000);
  });

  test('gives way after a while of work, whoever asked for it', async () => {
    const budget = ampleBudget(scheduler);
    expect(budget.checkpoint(1000)).toBeUndefined();
    await expect(budget.checkpoint(1_000_000)).resolves.toBeUndefined();
    expect(budget.checkpoint(1000)).toBeUndefined();
  });

  test('runs take turns, and the first one that works for long is done first', async () => {
    const order: string[] = [];
    const run = async (name: string) => {
      const budget = ampleBudget(scheduler);
      for (let i = 0; i < 5; i++) {
        await budget.checkpoint(1_000_000);
        order.push(name);
      }
    };
    const { turns } = await turnsDuring(() => Promise.all([run('a'), run('b'), run('c')]));
    expect(order.join('')).toMatch(/^abcabca.*bbcc$/);
    // Who only wants to be answered had as many chances as there were pieces of work.
    expect(turns).toBeGreaterThanOrEqual(14);
  });

  test('of fifty that work for long, each is done before the next, and a short one before most', async () => {
    const done: string[] = [];
    const run = async (name: string, pauses: number) => {
      const budget = ampleBudget(scheduler);
      for (let i = 0; i < pauses; i++) await budget.checkpoint(1_000_000);
      done.push(name);
    };
    const names = Array.from({ length: 50 }, (_, i) => String(i));
    const crowd = names.map((name) => run(name, 40));
    while (done.length === 0) await new Promise(setImmediate);
    await Promise.all([...crowd, run('short', 3)]);
    expect(done.filter((name) => name !== 'short')).toEqual(names);
    expect(done.indexOf('short')).toBeLessThan(3);
  });

  test('that only waits for others is refused while it could not finish any more, and no other', async () => {
    const clock = testClock();
    const begun = timedBudget(clock, 1000);
    const waiting = timedBudget(clock, 1000);
    const late = timedBudget(clock, 1000);
    const order: string[] = [];
    const wait = async (name: string, its: Budget) => {
      await its.pause(() => false).catch(({ headers }) => order.push(name, headers['Retry-After']));
    };
    for (let i = 0; i < 4; i++) await begun.pause();
    const refusedAt = async (time: number) => {
      clock.time = time;
      // When another run gets its turn, the scheduler has looked at all that wait.
      await ampleBudget(scheduler).pause();
      await new Promise(setImmediate);
      return order.splice(0);
    };
    wait('begun', begun);
    wait('waiting', waiting);
    expect(await refusedAt(600)).toEqual([]);
    expect(await refusedAt(601)).toEqual(['waiting', '1']);
    // Its reads took so long that it was alone meanwhile.
    wait('late', late);
    expect(await refusedAt(1000)).toEqual([]);
    expect(await refusedAt(1001)).toEqual(['begun', '1', 'late', '1']);
  });

  test('is over when its time is, with when to try again', async () => {
    const clock = testClock();
    const budget = timedBudget(clock);
    clock.time = 2800;
    await expect(budget.checkpoint(1_000_000)).resolves.toBeUndefined();
    clock.time = 2801;
    await expect(budget.checkpoint(1_000_000)).rejects.toMatchObject({
      code: 'service-unavailable',
      headers: { 'Retry-After': '1' },
    });
  });

  test('is over when nobody waits for the answer, which is no error of ours', async () => {
    let isGone = false;
    const budget = new Budget(scheduler, 100, AMPLE_MS, { isGone: () => isGone });
    await expect(budget.pause()).resolves.toBeUndefined();
    isGone = true;
    await expect(budget.pause()).rejects.toMatchObject({ code: 'bad-request' });
    expect(refusalOf(() => budget.check())).toMatchObject({ code: 'bad-request' });
  });

  test('is refused at once when its time is over, however many wait before it', async () => {
    const order: string[] = [];
    const before = Array.from({ length: 20 }, () =>
      ampleBudget(scheduler)
        .pause()
        .then(() => order.push('')),
    );
    const late = new Budget(scheduler, 100, -1)
      .pause()
      .catch(({ headers }) => order.push(headers['Retry-After']));
    await Promise.all([...before, late]);
    expect(order.indexOf('1')).toBe(0);
  });
});

test('a large page waits until it may begin, and until its channel has room', async () => {
  let [mayGo, hasRoom, hasBegun] = [false, false, false];
  const budget = new Budget(scheduler, 1000, AMPLE_MS, { hasRoom: () => hasRoom });
  const begun = budget
    .pauseBeforeMuch(() => mayGo)
    .then(() => {
      hasBegun = true;
    });
  const wait = async () => {
    for (let i = 0; i < 100; i++) await new Promise(setImmediate);
  };
  await wait();
  mayGo = true;
  await wait();
  expect(hasBegun).toBe(false);
  hasRoom = true;
  await begun;
});

describe('work that takes megabytes', () => {
  /** Runs that do it for some turns each; the most that did it at the same time. */
  async function mostAtOnce(runs: readonly (() => Budget)[], work: HeavyWork): Promise<number> {
    let [doing, most] = [0, 0];
    const run = (budget: Budget) =>
      budget.inSlot(work, async () => {
        most = Math.max(most, ++doing);
        for (let i = 0; i < 3; i++) await budget.pause();
        doing--;
      });
    await Promise.all(runs.map((budget) => run(budget())));
    return most;
  }

  const ample = (of: Scheduler) => () => ampleBudget(of);

  test.each(Object.entries(MOST_AT_ONCE) as [HeavyWork, number][])(
    '%s is done by %i runs of a service at the same time',
    async (work, most) => {
      const runs = Array.from({ length: most + 3 }, () => ample(scheduler));
      expect(await mostAtOnce(runs, work)).toBe(most);
    },
  );

  test('is bounded for each service by itself', async () => {
    const runs = [new Scheduler(), new Scheduler(), new Scheduler()].map(ample);
    expect(await mostAtOnce(runs, 'indexWords')).toBe(3);
  });

  test('is begun by the next run when one fails', async () => {
    const fail = () => Promise.reject(new Error('It fails.'));
    await expect(ample(scheduler)().inSlot('indexWords', fail)).rejects.toThrow('It fails.');
    expect(await ample(scheduler)().inSlot('indexWords', async () => 'done')).toBe('done');
  });

  test('is not begun by a run that is over when its turn comes, and its slot stays free', async () => {
    const first = ample(scheduler)();
    let isGone = false;
    const gone = new Budget(scheduler, 100, AMPLE_MS, { isGone: () => isGone });
    await first.inSlot('indexWords', async () => {
      const waiting = gone.inSlot('indexWords', async () => 'done');
      isGone = true;
      await expect(waiting).rejects.toMatchObject({ code: 'bad-request' });
    });
    expect(await mostAtOnce([ample(scheduler), ample(scheduler)], 'indexWords')).toBe(1);
  });
});
