/** Who waits for a turn to work: a run of little work so far, a run of much, or a download. */
export type QueueName = 'short' | 'long' | 'download';

type Waiting = {
  /** When its work began. */
  readonly began: number;
  /** Whether it need not go on: its time is over, or nobody waits for its answer. */
  readonly isOver: () => boolean;
  /** Whether what it waits for is there, besides its turn. */
  readonly mayGo: () => boolean;
  readonly resume: () => void;
};

/** Who waits behind others gets one turn in so many even then, so that it does not stand still. */
export const TURNS_PER_LONG_RUN = 2;
export const TURNS_PER_DOWNLOAD = 8;

/** If nobody may go on, so long until that is looked at again. */
const LOOK_AGAIN_MS = 2;

/**
 * Between two turns, so many iterations of the event loop pass, or so much time: in each, libuv
 * (1.46) accepts one connection alone, so newcomers would wait for a turn each. An iteration
 * without work takes 1.5 µs; one with a newcomer and its request up to 0.5 ms.
 */
const LOOPS_BETWEEN = 32;
const MOST_MS_BETWEEN = 8;

/** What takes megabytes while it is under way: how many runs of a service do it at the same time. */
export const MOST_AT_ONCE = {
  /** To make the index of a chunk's words. */
  indexWords: 1,
  /** To split a chunk's numbers into parts that can be summed exactly. */
  splitNumbers: 1,
  /** To find and read the rows of a whole result, or to group with large measures. */
  readWhole: 4,
  /** To write a Parquet file, while its caller takes it. */
  writeParquet: 32,
} as const;

export type HeavyWork = keyof typeof MOST_AT_ONCE;

/**
 * Shares the processor and the memory of a service among its runs. It is made when the service
 * starts, and handed to each run in its budget.
 */
export class Scheduler {
  /**
   * Short runs and downloads are in order of arrival, so each of them goes on in its turn. Of long
   * runs, the one that began first goes on until it is done: if they shared the time, all would end
   * too late.
   */
  readonly #lines: Readonly<Record<QueueName, Waiting[]>> = { short: [], long: [], download: [] };
  readonly #slots = new Map<HeavyWork, Slots>();
  #turns = 0;
  #isTurnDue = false;
  #lookingAgain: NodeJS.Timeout | undefined;

  /**
   * Waits for a turn: one of those that may go on resumes per turn of the event loop, however many
   * they are, so that other work gets its share. Those that are over resume at once, to be refused.
   * Who `goesFirst` does so before the others of its line.
   */
  nextTurn(
    line: QueueName,
    began: number,
    isOver: () => boolean,
    mayGo: () => boolean = () => true,
    goesFirst = false,
  ): Promise<void> {
    return new Promise((resume) => {
      const waiting = this.#lines[line];
      const behind = line === 'long' ? waiting.findIndex((one) => one.began > began) : -1;
      const at = goesFirst ? 0 : behind < 0 ? waiting.length : behind;
      waiting.splice(at, 0, { began, isOver, mayGo, resume });
      this.#giveTurnSoon();
    });
  }

  /** The slots of the runs that do such work. */
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
    const since = performance.now();
    let loops = 0;
    const loop = () => {
      if (++loops < LOOPS_BETWEEN && performance.now() - since < MOST_MS_BETWEEN)
        setImmediate(loop);
      else this.#giveTurn();
    };
    setImmediate(loop);
  }

  #giveTurn(): void {
    this.#isTurnDue = false;
    const lines = this.#lines;
    const all = Object.values(lines);
    for (const line of all) resumeOver(line);
    const next = this.#inOrder().find((line) => lines[line].some(({ mayGo }) => mayGo()));
    if (next !== undefined) {
      const line = lines[next];
      const at = line.findIndex(({ mayGo }) => mayGo());
      line.splice(at, 1)[0]?.resume();
    }
    if (all.every((line) => line.length === 0)) return;
    if (next !== undefined) this.#giveTurnSoon();
    else this.#lookingAgain = setTimeout(() => this.#giveTurnSoon(), LOOK_AGAIN_MS);
  }

  /** The lines, from the one whose turn it is. */
  #inOrder(): QueueName[] {
    const turns = ++this.#turns;
    if (turns % TURNS_PER_DOWNLOAD === 0) return ['download', 'long', 'short'];
    if (turns % TURNS_PER_LONG_RUN === 0) return ['long', 'short', 'download'];
    return ['short', 'long', 'download'];
  }
}

function resumeOver(line: Waiting[]): void {
  let left = 0;
  for (const one of line) {
    if (one.isOver()) one.resume();
    else line[left++] = one;
  }
  line.length = left;
}

/** How many runs do a heavy work now, and how many wait for that, in order: a semaphore. */
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

  /** Takes one. If all are taken, or others wait, first waits by `pause` until one is free. */
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

  /** Takes one without waiting, even if there is none. */
  take(): void {
    this.#taken++;
  }

  free(): void {
    this.#taken--;
  }
}
