/** What a promise comes to, or undefined where that takes longer; it is then left to itself. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, ms), undefined);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The promise's outcome, or a rejection once the signal ends it; `toError` makes that of the
 * signal's reason. Nothing of the outcome is kept, however long the signal lives on: a race with a
 * promise of the signal's would keep them all.
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
