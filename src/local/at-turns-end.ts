let waiting: (() => void)[] = [];

/**
 * Works at the end of a turn of the event loop, behind what else waits for it. The code that reads
 * requests, the code that answers them and the code that writes is each large: a processor that
 * goes through one for all requests of a turn, and then through the next, is up to twice as fast.
 */
export function atTurnsEnd(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(workAll);
}

function workAll(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) work();
}
