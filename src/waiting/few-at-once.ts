/**
 * Does `work` for each entry, at most `most` at once. The outcomes have the entries' order; after a
 * failure no further one is begun.
 */
export async function fewAtOnce<T, R>(
  entries: readonly T[],
  most: number,
  work: (entry: T) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < entries.length) {
      const i = next++;
      try {
        outcomes[i] = await work(entries[i] as T);
      } catch (error) {
        next = entries.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  return outcomes;
}
