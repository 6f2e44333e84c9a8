import type { Budget } from '../query/budget.ts';

/**
 * How many whole results find and read rows at the same time: each holds some megabytes meanwhile.
 */
export const MOST_PREPARING = 4;

/** How long one may keep its place while others wait for it. */
const KEPT_MS = 1000;

let preparing = 0;
const line: (() => void)[] = [];

/** The place of a whole result among those that prepare rows; the others wait in order. */
export class Preparing {
  #isTaken = false;
  #takenAt = 0;

  /** Takes a place, unless it has one. Rejects if its run is over by then. */
  async take(budget: Budget): Promise<void> {
    if (this.#isTaken) return;
    if (preparing < MOST_PREPARING) preparing++;
    else await new Promise<void>((resolve) => line.push(resolve));
    this.#isTaken = true;
    this.#takenAt = performance.now();
    budget.check();
  }

  leave(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    const next = line.shift();
    // Who comes next has this place: nobody can take it before.
    if (next === undefined) preparing--;
    else next();
  }

  /** Whether others have waited for its place for long enough. */
  get isDue(): boolean {
    return this.#isTaken && line.length > 0 && performance.now() - this.#takenAt > KEPT_MS;
  }

  /** Calls `whenDue` once its place is due; returns how to stop that. */
  watch(whenDue: () => void): () => void {
    if (!this.#isTaken) return () => {};
    const timer = setInterval(() => {
      if (this.isDue) whenDue();
    }, KEPT_MS).unref();
    return () => clearInterval(timer);
  }
}
