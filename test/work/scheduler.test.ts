import { describe, expect, test } from '@jest/globals';
import { type QueueName, Scheduler, TURNS_PER_DOWNLOAD } from '../../src/work/scheduler.ts';
import { turnsDuring } from '../support/turns-during.ts';

const scheduler = new Scheduler();
const never = () => false;

const LINES: Readonly<Record<string, QueueName>> = { d: 'download', l: 'long' };

/** Some who wait at the same time, and the order in which they get their turns. */
async function turnsOf(
  names: string,
  isOver: (name: string) => boolean = never,
  of = scheduler,
): Promise<string> {
  let order = '';
  await Promise.all(
    [...names].map(async (name, began) => {
      await of.nextTurn(LINES[name] ?? 'short', began, () => isOver(name));
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

test('the long run that began first goes on until it is done', async () => {
  let order = '';
  const run = async (name: string, began: number) => {
    for (let i = 0; i < 3; i++) {
      await scheduler.nextTurn('long', began, never);
      order += name;
    }
  };
  await Promise.all([run('b', 2), run('c', 3), run('a', 1)]);
  expect(order).toBe('aaabbbccc');
});

test('short runs go between long ones, which do not stand still', async () => {
  const order = await turnsOf('l'.repeat(4) + 'r'.repeat(4));
  expect(order.slice(0, 6)).toMatch(/^(rl){3}$|^(lr){3}$/);
});

test('who waits for more than a turn lets others go before', async () => {
  let [order, isFree] = ['', false];
  const add = (name: string) => () => {
    order += name;
  };
  const first = scheduler.nextTurn('long', 1, never, () => isFree).then(add('1'));
  await scheduler.nextTurn('long', 2, never).then(add('2'));
  await scheduler.nextTurn('download', 3, never).then(add('3'));
  isFree = true;
  await Promise.all([first, scheduler.nextTurn('long', 4, never).then(add('4'))]);
  expect(order).toBe('2314');
});

test('is found to be over while nobody may go', async () => {
  let looks = 0;
  await scheduler.nextTurn(
    'short',
    0,
    () => looks++ === 5,
    () => false,
  );
  expect(looks).toBe(6);
});

test('one turn is given each time round the event loop', async () => {
  const { turns } = await turnsDuring(() => turnsOf('rdrdrdrd'));
  expect(turns).toBeGreaterThanOrEqual(7);
});

test('whose time is over, or whose caller has gone, is told so at once, in whatever place', async () => {
  expect(await turnsOf('rrrrox', (name) => name === 'o' || name === 'x')).toBe('oxrrrr');
});

describe('new connections are accepted between two turns, each in an iteration of the event loop', () => {
  const iterationsOf = async (now: () => number) => {
    const { turns } = await turnsDuring(() => turnsOf('r'.repeat(50), never, new Scheduler(now)));
    return turns / 50;
  };

  test('many, as long as these take no time', async () => {
    expect(await iterationsOf(() => 0)).toBeGreaterThan(30);
  });

  test('few, if each takes long', async () => {
    let time = 0;
    expect(await iterationsOf(() => (time += 5))).toBeLessThan(4);
  });
});
