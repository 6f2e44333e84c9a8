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

/** How often, and until when, work is tried again that failed. */
export type Retries = {
  /** Whether an error may be temporary; any may if absent. */
  readonly isPassing?: (error: Error) => boolean;
  /** Once aborted, nothing is tried again. */
  readonly signal?: AbortSignal;
  /** How often it is tried at most; without end if absent. */
  readonly mostTries?: number;
  /** How long to wait after so many tries. */
  readonly delayMs?: (tries: number) => number;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/** Retries without end, until a signal. */
export type Patience = Retries & Required<Pick<Retries, 'isPassing' | 'signal'>>;

/** Back-off with full jitter: the bound after the first try, doubled after each further one. */
export function backOff(firstMs: number, mostMs: number) {
  return (tries: number) => Math.random() * Math.min(mostMs, firstMs * 2 ** (tries - 1));
}

/** Does work, which is told how often it has been tried, and again while errors may be temporary. */
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

/** The promise's outcome, or undefined if it takes longer; the promise is not cancelled. */
export function valueWithin<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
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
