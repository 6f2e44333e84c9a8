import { describe, expect, test } from '@jest/globals';
import { retry } from '../../src/work/waiting.ts';

/** Work that fails so often; what it is tried with, and what was waited between. */
function failing(times: number, more: { isPassing?: (error: Error) => boolean } = {}) {
  const ending = new AbortController();
  const waits: number[] = [];
  let tries = 0;
  const work = async () => {
    tries++;
    if (tries <= times) throw new Error(`fault ${tries}`);
    return 'done';
  };
  const patience = {
    isPassing: () => true,
    signal: ending.signal,
    wait: async (ms: number) => waits.push(ms),
    ...more,
  };
  return { work, patience, waits, ending, tries: () => tries };
}

describe('work that is done retry', () => {
  test('is tried until it is done', async () => {
    const { work, patience, waits } = failing(50);
    expect(await retry(work, patience)).toBe('done');
    expect(waits).toHaveLength(50);
  });

  test('is tried ever more slowly, and not more seldom than every 20 s', async () => {
    const { work, patience, waits } = failing(60);
    await retry(work, patience);
    const most = waits.map((_, tries) => Math.min(20_000, 400 * 2 ** tries));
    expect(waits.filter((ms, i) => ms < 0 || ms > (most[i] ?? 0))).toEqual([]);
    expect(Math.max(...waits)).toBeGreaterThan(400);
  });

  test('fails at once with what does not pass', async () => {
    const isPassing = ({ message }: Error) => message !== 'fault 2';
    const { work, patience, tries } = failing(9, { isPassing });
    await expect(retry(work, patience)).rejects.toThrow('fault 2');
    expect(tries()).toBe(2);
  });

  test('fails with its last fault when its time is over, and does not wait for that', async () => {
    const { work, patience, ending, tries } = failing(9);
    const { wait: _, ...waiting } = patience;
    const asked = retry(work, { ...waiting, signal: ending.signal });
    ending.abort();
    await expect(asked).rejects.toThrow('fault 1');
    expect(tries()).toBe(1);
  });

  test('is tried at most so often, is told how often, and waits as long as is said', async () => {
    const { work, patience, waits, tries } = failing(9);
    const told: number[] = [];
    const counted = (count: number) => {
      told.push(count);
      return work();
    };
    const delayMs = (count: number) => 10 * count;
    await expect(retry(counted, { ...patience, mostTries: 3, delayMs })).rejects.toThrow('fault 3');
    expect({ tries: tries(), told, waits }).toEqual({ tries: 3, told: [1, 2, 3], waits: [10, 20] });
  });

  test('is tried again after any fault, if none is said not to pass', async () => {
    const { work, tries } = failing(2);
    expect(await retry(work, { delayMs: () => 0 })).toBe('done');
    expect(tries()).toBe(3);
  });
});
