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
