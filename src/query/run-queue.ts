/** A run that waits for its turn to work. */
type Waiting = {
  /** Whether it need not go on: its time is over, or nobody waits for its answer. */
  readonly isOver: () => boolean;
  readonly resume: () => void;
};

/** In order of arrival: runs that somebody waits for, and downloads that are under way. */
const runs: Waiting[] = [];
const downloads: Waiting[] = [];

/** Downloads get one turn in so many while runs wait, so that they do not stand still. */
export const TURNS_PER_DOWNLOAD = 8;
let turns = 0;

/**
 * Waits for a turn: one of those that wait resumes per turn of the event loop, however many they
 * are, so that other work gets its share. Those that are over resume at once, to be refused.
 */
export function nextTurn(isDownload: boolean, isOver: () => boolean): Promise<void> {
  return new Promise((resume) => {
    (isDownload ? downloads : runs).push({ isOver, resume });
    if (runs.length + downloads.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  resumeOver(runs);
  resumeOver(downloads);
  const isOfDownload =
    runs.length === 0 || (downloads.length > 0 && ++turns % TURNS_PER_DOWNLOAD === 0);
  (isOfDownload ? downloads : runs).shift()?.resume();
  if (runs.length + downloads.length > 0) setImmediate(giveTurn);
}

function resumeOver(line: Waiting[]): void {
  let left = 0;
  for (const one of line) {
    if (one.isOver()) one.resume();
    else line[left++] = one;
  }
  line.length = left;
}
