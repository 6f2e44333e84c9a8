import { expect, test } from '@jest/globals';
import { nextTurn, TURNS_PER_DOWNLOAD } from '../../src/query/run-queue.ts';

const never = () => false;

/** Some who wait at the same time, and the order in which they get their turns. */
async function turnsOf(names: string, isOver: (name: string) => boolean = never): Promise<string> {
  let order = '';
  await Promise.all(
    [...names].map(async (name) => {
      await nextTurn(name === 'd', () => isOver(name));
      order += name;
    }),
  );
  return order;
}

test('runs that somebody waits for go before downloads under way', async () => {
  expect(await turnsOf('dddrrr')).toBe('rrrddd');
});

test('downloads do not stand still, however many runs wait', async () => {
  const order = await turnsOf('d'.repeat(3) + 'r'.repeat(4 * TURNS_PER_DOWNLOAD));
  const runsBefore = [...order].flatMap((name, i) => (name === 'd' ? [i] : []));
  expect(runsBefore).toHaveLength(3);
  expect(runsBefore[2]).toBeLessThan(3 * TURNS_PER_DOWNLOAD);
});

test('one turn is given each time round the event loop', async () => {
  let rounds = 0;
  const count = () => {
    rounds++;
    if (rounds < 100) setImmediate(count);
  };
  setImmediate(count);
  await turnsOf('rdrdrdrd');
  expect(rounds).toBeGreaterThanOrEqual(7);
});

test('whose time is over, or whose caller has gone, is told so at once, in whatever place', async () => {
  expect(await turnsOf('rrrrox', (name) => name === 'o' || name === 'x')).toBe('oxrrrr');
});
