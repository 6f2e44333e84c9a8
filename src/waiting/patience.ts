export type Patience = {
  /** Whether an error may pass by itself. */
  readonly isPassing: (error: Error) => boolean;
  /** After this nothing is tried again. */
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Back-off with full jitter: at most so long before the second try, and doubled for each one more. */
const FIRST_DELAY_MS = 400;
const MOST_DELAY_MS = 20_000;

/** Tries again, ever more slowly, as long as what is wrong may pass and the signal lets it. */
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

/** Waits so long, or until the signal ends it. */
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
