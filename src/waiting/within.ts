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
