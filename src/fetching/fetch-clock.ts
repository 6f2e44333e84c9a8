/** A fetch's time: its whole deadline, and the wait for the next thing within it. */
export class FetchClock {
  /** Aborts with the error of the time that is over, or the caller's own reason. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  #wait: NodeJS.Timeout | undefined;

  constructor(deadlineMs: number, late: () => Error, signal?: AbortSignal) {
    const { signal: over } = this.#over;
    this.signal = signal === undefined ? over : AbortSignal.any([over, signal]);
    this.#deadline = setTimeout(() => this.#over.abort(late()), deadlineMs);
  }

  /** Begins a wait; the one before is over. */
  wait(ms: number, late: () => Error): void {
    clearTimeout(this.#wait);
    this.#wait = setTimeout(() => this.#over.abort(late()), ms);
  }

  /** Begins the present wait anew, as something came. */
  goOn(): void {
    this.#wait?.refresh();
  }

  stop(): void {
    clearTimeout(this.#wait);
    clearTimeout(this.#deadline);
  }
}
