/**
 * The queues of runs that wait for a turn: runs that have done little work, runs that have done
 * much, and downloads.
 */
export type QueueName = 'short' | 'long' | 'download';

type Waiting = {
  /** When its work began. */
  readonly began: number;
  /** Tells whether the run need not continue: its time is over, or nobody waits for its answer. */
  readonly isOver: () => boolean;
  /** Tells whether everything is there that the run waits for, besides its turn. */
  readonly mayGo: () => boolean;
  readonly resume: () => void;
};

/**
 * Of how many turns longer runs get one in any case, and downloads one. So neither ever stands
 * still.
 */
export const TURNS_PER_LONG_RUN = 2;
export const TURNS_PER_DOWNLOAD = 8;

/** If no run may go on, the scheduler looks again after this time. */
const LOOK_AGAIN_MS = 2;

/**
 * Iterations of the event loop between two turns of runs, and the time after which no more follow.
 * The server accepts one new connection in each.
 *
 * So libuv does (1.46): with fewer iterations each newcomer would wait for a turn. An iteration
 * without work takes 1.5 µs. One with a newcomer and its request takes up to 0.5 ms.
 */
const LOOPS_BETWEEN = 32;
const MOST_MS_BETWEEN = 8;

/**
 * Kinds of work that need megabytes while they are under way, and how many runs of a service may do
 * each at the same time.
 */
export const MOST_AT_ONCE = {
  /** Making the index of a chunk's words. */
  indexWords: 1,
  /** Splitting a chunk's numbers into parts that can be summed exactly. */
  splitNumbers: 1,
  /**
   * Downloads that find and read rows, and questions that need more than 2 MB, at the same time.
   * The others wait.
   */
  readWhole: 4,
  /** Parquet files that a process writes at once. Then 503. */
  writeParquet: 16,
  /** Files of versions that a server writes at once. The others wait. */
  writeFile: 2,
} as const;

export type HeavyWork = keyof typeof MOST_AT_ONCE;

/**
 * Shares a service's processor and memory among its runs. It is made when the service starts. Each
 * run gets it in its budget.
 */
export class Scheduler {
  /**
   * Short runs and downloads wait in order of arrival, so each goes on in its turn. Among long
   * runs, the one that began first goes on until it is done: if they shared the time, all of them
   * would end too late.
   */
  readonly #queues: Readonly<Record<QueueName, Waiting[]>> = { short: [], long: [], download: [] };
  readonly #slots = new Map<HeavyWork, Slots>();
  readonly #now: () => number;
  #turns = 0;
  #isTurnDue = false;
  #lookingAgain: NodeJS.Timeout | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Waits for a turn. In each turn only one of the runs that may go on resumes, however many there
   * are, so that other work gets its share of the event loop. Runs that are over resume at once, to
   * be refused.
   */
  nextTurn(
    queue: QueueName,
    began: number,
    isOver: () => boolean,
    mayGo: () => boolean = () => true,
  ): Promise<void> {
    return new Promise((resume) => {
      const waiting = this.#queues[queue];
      const behind = queue === 'long' ? waiting.findIndex((one) => one.began > began) : -1;
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { began, isOver, mayGo, resume });
      this.#giveTurnSoon();
    });
  }

  /** The slots for this kind of work. */
  slots(work: HeavyWork): Slots {
    let slots = this.#slots.get(work);
    if (slots === undefined) {
      slots = new Slots(MOST_AT_ONCE[work]);
      this.#slots.set(work, slots);
    }
    return slots;
  }

  #giveTurnSoon(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    clearTimeout(this.#lookingAgain);
    const since = this.#now();
    let loops = 0;
    const loop = () => {
      if (++loops < LOOPS_BETWEEN && this.#now() - since < MOST_MS_BETWEEN) setImmediate(loop);
      else this.#giveTurn();
    };
    setImmediate(loop);
  }

  #giveTurn(): void {
    this.#isTurnDue = false;
    const queues = this.#queues;
    const all = Object.values(queues);
    for (const queue of all) resumeOver(queue);
    const next = this.#inOrder().find((queue) => queues[queue].some(({ mayGo }) => mayGo()));
    if (next !== undefined) {
      const queue = queues[next];
      const at = queue.findIndex(({ mayGo }) => mayGo());
      queue.splice(at, 1)[0]?.resume();
    }
    if (all.every((queue) => queue.length === 0)) return;
    if (next !== undefined) this.#giveTurnSoon();
    else this.#lookingAgain = setTimeout(() => this.#giveTurnSoon(), LOOK_AGAIN_MS);
  }

  /** The queues in the order in which they are looked at in this turn. */
  #inOrder(): QueueName[] {
    const turns = ++this.#turns;
    if (turns % TURNS_PER_DOWNLOAD === 0) return ['download', 'long', 'short'];
    if (turns % TURNS_PER_LONG_RUN === 0) return ['long', 'short', 'download'];
    return ['short', 'long', 'download'];
  }
}

function resumeOver(queue: Waiting[]): void {
  let left = 0;
  for (const one of queue) {
    if (one.isOver()) one.resume();
    else queue[left++] = one;
  }
  queue.length = left;
}

/** A semaphore: how many runs do some heavy work now, and how many wait for that, in order. */
export class Slots {
  readonly #most: number;
  #taken = 0;
  #waiting = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get areTaken(): boolean {
    return this.#taken >= this.#most;
  }

  get areWaitedFor(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Takes a slot. If all are taken, or if others wait, it first waits with `pause` until one is
   * free.
   */
  async wait(pause: (mayGo: () => boolean) => Promise<void>): Promise<void> {
    if (this.areTaken || this.areWaitedFor) {
      this.#waiting++;
      try {
        await pause(() => !this.areTaken);
      } finally {
        this.#waiting--;
      }
    }
    this.take();
  }

  /** Takes a slot without waiting, even if none is free. */
  take(): void {
    this.#taken++;
  }

  free(): void {
    this.#taken--;
  }
}
