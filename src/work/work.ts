import type { Budget } from './budget.ts';
import type { HeavyWork } from './scheduler.ts';

/**
 * Work that is done in pieces. It never waits. Instead it yields what must happen before its next
 * piece: the number of steps that it has just done, a promise, or work that needs a slot. `finish`
 * does it.
 */
export type Work<T> = Generator<number | Promise<unknown> | InSlot, T, unknown>;

/** Work that needs megabytes. It is done once few enough other runs do such work. */
type InSlot = { readonly slot: HeavyWork; readonly work: Work<unknown> };

/** Goes on with the value once it is there. */
export function* after<T>(value: T | Promise<T>): Work<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/**
 * Uses a value: at once if it is there, or later. Returns no promise in the first case, because
 * short work takes less time than a promise.
 */
export function whenThere<T, R>(
  value: T | Promise<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Goes on with the values once all are there. */
export function* afterAll<T extends object>(
  values: readonly (T | Promise<T>)[],
): Work<readonly T[]> {
  if (!values.some((value) => value instanceof Promise)) return values as readonly T[];
  return (yield Promise.all(values)) as readonly T[];
}

export function* inSlot<T>(slot: HeavyWork, work: Work<T>): Work<T> {
  return (yield { slot, work }) as T;
}

/**
 * Does work for a run: waits for what it needs, and lets other runs proceed between its pieces.
 * Returns no promise if there was nothing to wait for, because short work takes less time than a
 * promise.
 */
export function finish<T>(work: Work<T>, budget: Budget): T | Promise<T> {
  let next = work.next();
  while (next.done !== true) {
    const waiting = beforeNext(next.value, budget);
    if (waiting !== undefined) return finishLater(work, waiting, budget);
    next = work.next();
  }
  return next.value;
}

/** Does work that has nothing to wait for without a pause, as an import may. */
export function resultOf<T>(work: Work<T>): T {
  let next = work.next();
  while (next.done !== true) next = work.next();
  return next.value;
}

async function finishLater<T>(work: Work<T>, first: Promise<unknown>, budget: Budget): Promise<T> {
  let waiting: Promise<unknown> | undefined = first;
  for (;;) {
    let next: ReturnType<typeof work.next>;
    try {
      next = work.next(await waiting);
    } catch (error) {
      // The work may have failed by itself: then this throws the same error again.
      next = work.throw(error);
    }
    if (next.done === true) return next.value;
    waiting = beforeNext(next.value, budget);
  }
}

function beforeNext(
  wanted: number | Promise<unknown> | InSlot,
  budget: Budget,
): Promise<unknown> | undefined {
  if (typeof wanted === 'number') return budget.checkpoint(wanted);
  if (wanted instanceof Promise) return wanted;
  return budget.inSlot(wanted.slot, async () => finish(wanted.work, budget));
}
