import { Problem } from '../problem/errors.ts';

/**
 * Steps that a run may take. A step is about 10 ns of this machine's time: a text that is compared
 * with another takes a few, a row that is looked at a part of one. `npm run bench:hostile` says
 * what they cost.
 */
export const RUN_STEPS = 20_000_000;

/** Steps without a pause: some 2 ms, so that whoever else asks waits no longer. */
const TURN_STEPS = 200_000;

/** Steps for hints, which an answer can do without: a few milliseconds. */
const HINT_STEPS = 400_000;

/** No run takes longer: its reads are given up, and the caller gets a 503. */
export const RUN_WITHIN_MS = 2800;

/**
 * The work that one run may do, counted: one object a run, handed down the line. What loops over
 * data, or over what was sent, spends from it before it does so.
 */
export class Budget {
  #left: number;
  #leftForHints = HINT_STEPS;
  #untilTurn = TURN_STEPS;
  #spent = 0;
  #spentOn: Map<string, number> | undefined;
  readonly #until: number;
  #signal: AbortSignal | undefined;

  constructor(steps: number = RUN_STEPS, withinMs: number = RUN_WITHIN_MS) {
    this.#left = steps;
    this.#until = performance.now() + withinMs;
  }

  /** Steps so far. */
  get spent(): number {
    return Math.round(this.#spent);
  }

  /** What makes the reads of this run end. Made when it is first asked for: most runs read nothing. */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.timeout(Math.max(0, Math.ceil(this.#until - performance.now())));
    return this.#signal;
  }

  /**
   * Counts work that is about to be done for a parameter. Throws a Problem (`too-much-work`) that
   * names the costliest one where it is more than is left.
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

  /** Takes steps for a hint; false where hints have had theirs, and this one is left out. */
  affordHint(steps: number): boolean {
    if (steps > this.#leftForHints) return false;
    this.#leftForHints -= steps;
    this.#spent += steps;
    return true;
  }

  /**
   * Lets others be answered where this run has worked for a while: called with the steps of each
   * piece of work behind it. Undefined where it may go on at once. Rejects once its time is over.
   */
  turn(steps: number): Promise<void> | undefined {
    this.#untilTurn -= steps;
    if (this.#untilTurn > 0) return undefined;
    this.#untilTurn = TURN_STEPS;
    return nextTurn().then(() => {
      if (performance.now() > this.#until) throw outOfTime();
    });
  }

  #tooMuch(): Problem {
    const [costliest] = [...(this.#spentOn ?? [])].sort(([, a], [, b]) => b - a);
    const what = costliest === undefined ? 'It' : costliest[0];
    const detail = `The request asks for more work than one may take. ${what} asks for the most: give fewer values there, or fewer with *, or ask in several requests.`;
    const parameter = costliest === undefined ? {} : { parameter: costliest[0] };
    return new Problem('too-much-work', detail, {
      faults: [{ code: 'too-much-work', detail, ...parameter }],
    });
  }
}

/** A run whose time went by while others had theirs. */
function outOfTime(): Problem {
  return new Problem('service-unavailable', 'The service is busy. Try again soon.', {
    headers: { 'Retry-After': '1' },
  });
}

/** Runs that wait for their turn, the first to come first. */
const waiting: (() => void)[] = [];

/** One run a turn of the event loop goes on, however many wait: the loop is everybody's. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
