export type TestClock = { time: number; readonly now: () => number };

/** A clock that stands still until the test moves it. */
export function testClock(): TestClock {
  const clock = { time: 0, now: () => clock.time };
  return clock;
}
