import { jest } from '@jest/globals';

export type TestClock = {
  time: number;
  readonly now: () => number;
  /** Waits until what has this clock has looked at it a few times. */
  isSeen(): Promise<void>;
};

/** A clock that stands still until the test moves it. */
export function testClock(): TestClock {
  let looks = 0;
  const clock: TestClock = {
    time: 0,
    now: () => {
      looks++;
      return clock.time;
    },
    isSeen: async () => {
      const enough = looks + 5;
      while (looks < enough) await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
  return clock;
}

/** All that fake timers would take but `setTimeout` and `clearTimeout`. */
export const NOT_TIMEOUTS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

/**
 * Counts the timers of so many milliseconds that were set from now on and that nobody has cleared.
 * Others of the process do not count. `jest.restoreAllMocks` ends it.
 */
export function countTimers(ms: number): () => number {
  const set = jest.spyOn(globalThis, 'setTimeout');
  const cleared = jest.spyOn(globalThis, 'clearTimeout');
  return () => {
    const gone = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    const timers = set.mock.calls.map(([, its], i) => its === ms && set.mock.results[i]?.value);
    return timers.filter((timer) => timer !== false && !gone.has(timer)).length;
  };
}
