/** Whether this is a run of Jest, for which things are made once. */
export const isRunOfJest = process.env.MADE_ONCE !== undefined;

/** What a script of this folder has made for all suites of this run; the first to ask starts it. */
export async function madeOnce<T>(
  script: 'services' | 'build' | 'package' | 'recipes',
): Promise<T> {
  const answer = await fetch(`${process.env.MADE_ONCE}/${script}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}
