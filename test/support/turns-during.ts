/**
 * Does some work, and counts the turns of the event loop that others get meanwhile; the work may ask
 * for the count so far.
 */
export async function turnsDuring<T>(
  work: (turn: () => number) => Promise<T>,
): Promise<{ readonly turns: number; readonly outcome: T }> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    const outcome = await work(() => turns);
    return { turns, outcome };
  } finally {
    isDone = true;
  }
}
