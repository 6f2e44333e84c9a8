/** What a script of this folder has made, for all suites of this run; made by the first to ask. */
export async function shared<T>(script: 'services' | 'build'): Promise<T> {
  const answer = await fetch(`${process.env.SHARED}/${script}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

/** Whether Jest runs this, which shares. */
export const canShare = () => process.env.SHARED !== undefined;
