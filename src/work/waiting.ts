/**
 * Does `work` for each entry, at most `most` at once. The outcomes have the entries' order; after a
 * failure no further one is begun.
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

export type Patience = {
  /** Whether an error may be temporary. */
  readonly isPassing: (error: Error) => boolean;
  /** Once aborted, nothing is tried again. */
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Back-off with full jitter: the bound before the second try, doubled for each further one. */
const FIRST_DELAY_MS = 400;
const MOST_DELAY_MS = 20_000;

/** Retries, ever more slowly, while errors may be temporary and the signal is not aborted. */
export async function patiently<T>(
  work: () => Promise<T>,
  { isPassing, signal, wait = sleep }: Patience,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isPassing(error as Error)) throw error;
      const delay = Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries);
      await wait(Math.random() * delay, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Waits for `ms`, or until the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** The promise's outcome, or undefined if it takes longer; the promise is not cancelled. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, ms), undefined);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The promise's outcome, or a rejection once the signal aborts; `toError` makes the error from the
 * signal's reason. Removes its listener, so a long-lived signal keeps no outcomes; racing with one
 * promise of the signal would keep them all.
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
