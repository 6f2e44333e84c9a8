import { setTimeout as sleep } from 'node:timers/promises';

/** Few, for a machine that has a deployment to do at the same time. */
const PAUSE_MS = 100;

/** Sends one request after the other, until told to stop; gives what each was answered. */
export function steadyRequests<T>(send: () => Promise<T>): { stop(): Promise<T[]> } {
  const answers: T[] = [];
  let isOver = false;
  const all = (async () => {
    while (!isOver) {
      answers.push(await send());
      await sleep(PAUSE_MS);
    }
    return answers;
  })();
  // Whoever stops it is told; until then nobody waits for it.
  all.catch(() => {});
  return {
    stop: () => {
      isOver = true;
      return all;
    },
  };
}
