import type { Budget } from '../work/budget.ts';

/**
 * How many whole results find and read rows at the same time: each holds some megabytes meanwhile.
 */
export const MOST_PREPARING = 4;

/** How long one may keep its place while others wait for it. */
const KEPT_MS = 1000;

let [preparing, waiting] = [0, 0];

/** The place of one among those that hold megabytes; the others wait in order. */
export class Preparing {
  #isTaken = false;
  #takenAt = 0;

  /** Takes a place, unless it has one. Rejects if its run is over by then. */
  async take(budget: Budget): Promise<void> {
    if (this.#isTaken) return;
    if (preparing >= MOST_PREPARING || waiting > 0) {
      waiting++;
      try {
        await budget.pause(() => preparing < MOST_PREPARING);
      } finally {
        waiting--;
      }
    }
    preparing++;
    this.#isTaken = true;
    this.#takenAt = performance.now();
  }

  leave(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    preparing--;
  }

  /** Whether others have waited for its place for long enough. */
  get isDue(): boolean {
    return this.#isTaken && waiting > 0 && performance.now() - this.#takenAt > KEPT_MS;
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
