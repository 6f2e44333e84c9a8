import { Problem } from '../problem/errors.ts';
import type { HeavyWork, Scheduler, Slots } from './scheduler.ts';

/**
 * A run's work, in steps of some 10 ns. Then 400 `too-much-work`.
 *
 * Comparing two texts takes a few steps, examining a row takes a fraction of one. `npm run
 * bench:hostile` measures them.
 */
export const RUN_STEPS = 20_000_000;

/**
 * Work without a pause, or a piece of a download. Then the server answers other requests, and the
 * waiting runs go on in turns.
 *
 * This is about 2 ms. It bounds how long other requests wait.
 */
const TURN_STEPS = 200_000;

/**
 * The pauses of a short run. A run with more is a longer one: short runs go on first; then, of the
 * longer runs, the one that began first; then a download.
 */
const SHORT_PAUSES = 3;

/**
 * Work for hints. The answer then leaves them out.
 *
 * This is a few milliseconds.
 */
const HINT_STEPS = 400_000;

/**
 * A run's time. Then 503: `store-unavailable` if a read took the time, `service-unavailable` if
 * other runs did.
 *
 * Its reads are abandoned.
 */
export const RUN_WITHIN_MS = 2800;

/**
 * How long before the end of its time a longer run stops waiting for the runs before it. Then 503.
 *
 * This is twice the time of `RUN_STEPS`: the run would hardly finish, and would take the time of
 * the next one, which would then not finish either.
 */
const LONG_RUN_MS = 400;

export type Caller = {
  /** Tells whether nobody waits for the answer any more, if the channel knows. */
  readonly isGone?: (() => boolean) | undefined;
  /**
   * Tells whether the channel has room for a large answer. While it has none, only a few such
   * answers are made.
   */
  readonly hasRoom?: (() => boolean) | undefined;
  /**
   * Whether this is a download under way. A download gives way to runs whose answer somebody waits
   * for.
   */
  readonly isDownload?: boolean;
};

/**
 * Counts the work of one run. Each run has its own budget, which is passed down. Every loop over
 * data or over a caller's input spends its steps beforehand.
 */
export class Budget {
  /** The scheduler of the service that the run belongs to. */
  readonly scheduler: Scheduler;
  #left: number;
  #leftForHints = HINT_STEPS;
  #untilTurn = TURN_STEPS;
  #spent = 0;
  #spentOn: Map<string, number> | undefined;
  #pauses = 0;
  #hasBegun = false;
  #holdsMuch = false;
  readonly #now: () => number;
  readonly #began: number;
  readonly #until: number;
  readonly #caller: Caller;
  #isDownload: boolean;
  #signal: AbortSignal | undefined;

  constructor(
    scheduler: Scheduler,
    steps: number = RUN_STEPS,
    withinMs: number = RUN_WITHIN_MS,
    caller: Caller = {},
    now: () => number = () => performance.now(),
  ) {
    this.scheduler = scheduler;
    this.#left = steps;
    this.#now = now;
    this.#began = now();
    this.#until = this.#began + withinMs;
    this.#caller = caller;
    this.#isDownload = caller.isDownload === true;
  }

  /**
   * A budget of so many steps for what may be left out of the answer. It ends with this one, and the
   * same caller waits.
   */
  part(steps: number): Budget {
    const left = this.#until - this.#now();
    return new Budget(this.scheduler, steps, left, this.#caller, this.#now);
  }

  /** The steps spent so far. */
  get spent(): number {
    return Math.round(this.#spent);
  }

  /** Aborts the reads of this run. It is made at the first use, because most runs read nothing. */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.timeout(Math.max(0, Math.ceil(this.#until - this.#now())));
    return this.#signal;
  }

  /**
   * Counts work that is about to be done for a parameter. Throws a Problem (`too-much-work`) that
   * names the costliest parameter if too few steps are left.
   */
  spend(steps: number, parameter?: string): void {
    this.#spent += steps;
    this.#left -= steps;
    if (parameter !== undefined) {
      this.#spentOn ??= new Map();
      this.#spentOn.set(parameter, (this.#spentOn.get(parameter) ?? 0) + steps);
    }
    if (this.#left < 0) throw this.#tooMuch();
  }

  /** Takes steps for a hint. Returns false if too few are left; then the hint must be omitted. */
  affordHint(steps: number): boolean {
    if (steps > this.#leftForHints) return false;
    this.#leftForHints -= steps;
    this.#spent += steps;
    return true;
  }

  /**
   * Lets other requests proceed once this run has worked for a while. Call it with the steps of
   * each piece of finished work. Returns undefined if the run may continue at once.
   */
  checkpoint(steps: number): Promise<void> | undefined {
    this.#untilTurn -= steps;
    return this.#untilTurn > 0 ? undefined : this.pause();
  }

  /**
   * Lets other requests proceed; with `mayGo`, until that returns true. Rejects if the run's time
   * is over or its caller has gone.
   */
  async pause(mayGo?: () => boolean): Promise<void> {
    this.#untilTurn = TURN_STEPS;
    const isLong = ++this.#pauses > SHORT_PAUSES || mayGo !== undefined;
    const queue = this.#isDownload ? 'download' : isLong ? 'long' : 'short';
    // A run is refused early only while it waits for others. It is not refused if it has begun, or
    // if its own reads took long.
    const mayNotBegin = queue === 'long' && !this.#hasBegun && !this.#isLate(LONG_RUN_MS);
    const needed = mayNotBegin ? LONG_RUN_MS : 0;
    const isOver = () => this.#isLate(needed) || this.#isGone();
    await this.scheduler.nextTurn(queue, this.#began, isOver, mayGo, this.#holdsMuch);
    this.check(needed);
    if (isLong) this.#hasBegun = true;
  }

  /** Lets all other runs go before this one, from now on: it begins a download. */
  giveWay(): Promise<void> {
    this.#isDownload = true;
    return this.pause();
  }

  /**
   * Waits before a large page is read: for a turn, for room in the channel, and until `mayGo`
   * returns true. Only one such read begins in each turn, and it continues before other runs do. So
   * only a few large pages are in memory at once, however many are requested together.
   */
  async pauseBeforeMuch(mayGo: () => boolean): Promise<void> {
    await this.pause();
    const { hasRoom } = this.#caller;
    const mayBegin = () => mayGo() && hasRoom?.() !== false;
    if (!mayBegin()) await this.pause(mayBegin);
    this.#holdsMuch = true;
  }

  /** The run's slot for this kind of work. */
  slot(work: HeavyWork): Slot {
    return new Slot(this, this.scheduler.slots(work));
  }

  /** Does work that needs megabytes, once few enough other runs do such work. */
  async inSlot<T>(work: HeavyWork, go: () => Promise<T>): Promise<T> {
    const slot = this.slot(work);
    await slot.take();
    try {
      return await go();
    } finally {
      slot.leave();
    }
  }

  /** Throws a Problem if less time is left than the run needs, or if its caller has gone. */
  check(neededMs = 0): void {
    if (this.#isGone()) throw gone();
    if (this.#isLate(neededMs)) throw outOfTime();
  }

  #isLate(neededMs: number): boolean {
    return this.#now() + neededMs > this.#until;
  }

  #isGone(): boolean {
    return this.#caller.isGone?.() === true;
  }

  #tooMuch(): Problem {
    const [costliest] = [...(this.#spentOn ?? [])].sort(([, a], [, b]) => b - a);
    const parameter = costliest?.[0];
    const detail = `The request asks for more work than one may take. ${parameter ?? 'It'} asks for the most: give fewer values there, or fewer with *, or ask in several requests.`;
    return new Problem('too-much-work', detail, { fault: { parameter } });
  }
}

/** How long a run may keep its slot while others wait for it. */
const KEPT_MS = 1000;

/** A run's slot among the slots for heavy work. Runs without a slot wait in order. */
export class Slot {
  readonly #budget: Budget;
  readonly #slots: Slots;
  #isTaken = false;
  #takenAt = 0;

  constructor(budget: Budget, slots: Slots) {
    this.#budget = budget;
    this.#slots = slots;
  }

  /** Takes a slot, unless the run has one already. Rejects if the run's time is over first. */
  async take(): Promise<void> {
    if (this.#isTaken) return;
    await this.#slots.wait((mayGo) => this.#budget.pause(mayGo));
    this.#isTaken = true;
    this.#takenAt = performance.now();
  }

  leave(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#slots.free();
  }

  /** Whether other runs have waited long enough for this run's slot. */
  get isDue(): boolean {
    const { areWaitedFor } = this.#slots;
    return this.#isTaken && areWaitedFor && performance.now() - this.#takenAt > KEPT_MS;
  }

  /** Calls `whenDue` once the slot is due. Returns a function that stops this. */
  watch(whenDue: () => void): () => void {
    if (!this.#isTaken) return () => {};
    const timer = setInterval(() => {
      if (this.isDue) whenDue();
    }, KEPT_MS).unref();
    return () => clearInterval(timer);
  }
}

/** The problem of a run whose time ran out while other runs had their turns. */
function outOfTime(): Problem {
  return new Problem('service-unavailable', 'The service is busy. Try again soon.', {
    headers: { 'Retry-After': '1' },
  });
}

/**
 * The problem of a run whose answer nobody waits for. It is only recorded, and it is not an error
 * of ours.
 */
function gone(): Problem {
  return new Problem('bad-request', 'The connection was closed before the answer.');
}
