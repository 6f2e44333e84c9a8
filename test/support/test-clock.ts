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
