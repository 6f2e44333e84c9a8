/** Who waits for a turn to work: a run of little work so far, a run of much, or a download. */
export type Line = 'short' | 'long' | 'download';

type Waiting = {
  /** When its work began. */
  readonly began: number;
  /** Whether it need not go on: its time is over, or nobody waits for its answer. */
  readonly isOver: () => boolean;
  /** Whether what it waits for is there, besides its turn. */
  readonly mayGo: () => boolean;
  readonly resume: () => void;
};

/**
 * Short runs and downloads are in order of arrival, so each of them goes on in its turn. Of long
 * runs, the one that began first goes on until it is done: if they shared the time, all would end
 * too late.
 */
const lines: Readonly<Record<Line, Waiting[]>> = { short: [], long: [], download: [] };

/** Who waits behind others gets one turn in so many even then, so that it does not stand still. */
export const TURNS_PER_LONG_RUN = 2;
export const TURNS_PER_DOWNLOAD = 8;
let turns = 0;

/** If nobody may go on, so long until that is looked at again. */
const LOOK_AGAIN_MS = 2;

/**
 * Between two turns, so many iterations of the event loop pass, or so much time: in each, libuv
 * (1.46) accepts one connection alone, so newcomers would wait for a turn each. An iteration
 * without work takes 1.5 µs; one with a newcomer and its request up to 0.5 ms.
 */
const LOOPS_BETWEEN = 32;
const MOST_MS_BETWEEN = 8;

let isTurnDue = false;
let lookingAgain: NodeJS.Timeout | undefined;

/**
 * Waits for a turn: one of those that may go on resumes per turn of the event loop, however many
 * they are, so that other work gets its share. Those that are over resume at once, to be refused.
 * Who `goesFirst` does so before the others of its line.
 */
export function nextTurn(
  line: Line,
  began: number,
  isOver: () => boolean,
  mayGo: () => boolean = () => true,
  goesFirst = false,
): Promise<void> {
  return new Promise((resume) => {
    const waiting = lines[line];
    const behind = line === 'long' ? waiting.findIndex((one) => one.began > began) : -1;
    const at = goesFirst ? 0 : behind < 0 ? waiting.length : behind;
    waiting.splice(at, 0, { began, isOver, mayGo, resume });
    giveTurnSoon();
  });
}

function giveTurnSoon(): void {
  if (isTurnDue) return;
  isTurnDue = true;
  clearTimeout(lookingAgain);
  const since = performance.now();
  let loops = 0;
  const loop = () => {
    if (++loops < LOOPS_BETWEEN && performance.now() - since < MOST_MS_BETWEEN) setImmediate(loop);
    else giveTurn();
  };
  setImmediate(loop);
}

function giveTurn(): void {
  isTurnDue = false;
  const all = Object.values(lines);
  for (const line of all) resumeOver(line);
  const next = inOrder().find((line) => lines[line].some(({ mayGo }) => mayGo()));
  if (next !== undefined) {
    const line = lines[next];
    const at = line.findIndex(({ mayGo }) => mayGo());
    line.splice(at, 1)[0]?.resume();
  }
  if (all.every((line) => line.length === 0)) return;
  if (next === undefined) lookingAgain = setTimeout(giveTurnSoon, LOOK_AGAIN_MS);
  else giveTurnSoon();
}

/** The lines, from the one whose turn it is. */
function inOrder(): Line[] {
  turns++;
  if (turns % TURNS_PER_DOWNLOAD === 0) return ['download', 'long', 'short'];
  if (turns % TURNS_PER_LONG_RUN === 0) return ['long', 'short', 'download'];
  return ['short', 'long', 'download'];
}

function resumeOver(line: Waiting[]): void {
  let left = 0;
  for (const one of line) {
    if (one.isOver()) one.resume();
    else line[left++] = one;
  }
  line.length = left;
}
