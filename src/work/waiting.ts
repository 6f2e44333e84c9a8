/**
 * Calls `work` for each entry, with at most `most` calls at once. The outcomes are in the order of
 * the entries. After a failure, no further call begins.
 */
export async function fewAtOnce<T, R>(
  entries: readonly T[],
  most: number,
  work: (entry: T) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < entries.length) {
      const i = next++;
      try {
        outcomes[i] = await work(entries[i] as T);
      } catch (error) {
        next = entries.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  return outcomes;
}

/** How often, and for how long, failed work is tried again. */
export type Retries = {
  /** Tells whether an error may be temporary. Absent means that any error may be. */
  readonly isPassing?: (error: Error) => boolean;
  /** Once it aborts, nothing is tried again. */
  readonly signal?: AbortSignal;
  /** The most tries. Absent means that there is no limit. */
  readonly mostTries?: number;
  /** The time to wait after this many tries. */
  readonly delayMs?: (tries: number) => number;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/** Retries that go on until a signal aborts. */
export type Patience = Retries & Required<Pick<Retries, 'isPassing' | 'signal'>>;

/**
 * Back-off with full jitter. The upper bound is `firstMs` after the first try, and doubles after
 * each further one up to `mostMs`.
 */
export function backOff(firstMs: number, mostMs: number) {
  return (tries: number) => Math.random() * Math.min(mostMs, firstMs * 2 ** (tries - 1));
}

/**
 * Calls `work` with the number of the try, and calls it again while its errors may be temporary.
 */
export async function retry<T>(
  work: (tries: number) => Promise<T>,
  {
    isPassing = () => true,
    signal,
    mostTries = Number.POSITIVE_INFINITY,
    delayMs = backOff(400, 20_000),
    wait = sleep,
  }: Retries,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries);
    } catch (error) {
      if (tries >= mostTries || signal?.aborted || !isPassing(error as Error)) throw error;
      await wait(delayMs(tries), signal);
      if (signal?.aborted) throw error;
    }
  }
}

/** Waits for `ms`, or until the signal aborts. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/**
 * Returns the promise's value, or undefined if it takes longer than `ms`. The promise is not
 * cancelled.
 */
export function valueWithin<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, ms), undefined);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Returns the promise's outcome, or rejects once the signal aborts. `toError` makes the error from
 * the signal's reason. The listener is removed at the end, so that a long-lived signal keeps no
 * outcomes. `Promise.race` with a promise of the signal would keep all of them.
 */
export function withinSignal<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  toError: (reason: unknown) => unknown = (reason) => reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(toError(signal.reason));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
