import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../src/http/answer.ts';
import { CONNECTION_BOUNDS, Turns, turnsEnd, WaitingAnswers } from '../../src/local/connections.ts';
import { writeAnswer } from '../../src/local/node-http.ts';
import { until } from '../support/process.ts';

let stop = async () => {};
afterEach(() => stop());

/** A server that answers so; where it is, and how each answer ended. */
async function serverOf(
  answer: (outgoing: ServerResponse) => Answer,
  { stalledMs } = CONNECTION_BOUNDS,
) {
  const ends: (string | undefined)[] = [];
  const waiting = new WaitingAnswers({ ...CONNECTION_BOUNDS, stalledMs });
  const answering = { waiting, turns: new Turns(), atTurnsEnd: turnsEnd() };
  const server = createServer(async (_, outgoing: ServerResponse) => {
    try {
      await writeAnswer(answer(outgoing), outgoing, answering);
      ends.push(undefined);
    } catch (error) {
      ends.push((error as Error).message);
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ends };
}

const answerOf = (body: Answer['body'], status = 200): Answer => ({ status, headers: {}, body });

describe('a whole body', () => {
  test.each([
    ['text', 'é', 'é', '2'],
    ['bytes', Buffer.from('ab'), 'ab', '2'],
    ['nothing in it', '', '', '0'],
  ])('of %s has its length in bytes', async (_, body, text, length) => {
    const { url } = await serverOf(() => answerOf(body));
    const response = await fetch(url);
    expect([await response.text(), response.headers.get('content-length')]).toEqual([text, length]);
  });

  test.each([204, 304])('is none with %i', async (status) => {
    const { url } = await serverOf(() => answerOf(null, status));
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([status, '']);
    expect(response.headers.get('content-length')).toBeNull();
  });
});

/** More pieces than a system takes of what nobody reads. */
const ENDLESS = 2000;

describe('a body in pieces', () => {
  test('is sent as they are made', async () => {
    const { url } = await serverOf(() =>
      answerOf(
        (async function* () {
          yield 'one, ';
          await new Promise(setImmediate);
          yield Buffer.from('two');
        })(),
      ),
    );
    expect(await (await fetch(url)).text()).toBe('one, two');
  });

  test('is made no faster than it is taken, and no longer than somebody takes it', async () => {
    let mostWaiting = 0;
    let isWaitedFor = () => false;
    let isOver = false;
    const { url, ends } = await serverOf((outgoing) => {
      isWaitedFor = () => outgoing.writableNeedDrain;
      return answerOf(
        (async function* () {
          try {
            for (let made = 0; made < ENDLESS; made++) {
              mostWaiting = Math.max(mostWaiting, outgoing.writableLength);
              yield Buffer.alloc(65_536);
            }
          } finally {
            isOver = true;
          }
        })(),
      );
    });
    const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      request(url, resolve).end(),
    );
    await until(() => isWaitedFor(), 'the system to take no more');
    expect(isOver).toBe(false);
    response.destroy();
    await until(() => ends.length > 0, 'the answer to end');
    expect(isOver).toBe(true);
    expect(mostWaiting).toBeLessThan(65_536);
  });

  test('that breaks off is an answer that breaks off', async () => {
    const { url, ends } = await serverOf(() =>
      answerOf(
        (async function* () {
          yield 'one';
          throw new Error('broken');
        })(),
      ),
    );
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(ends).toEqual(['broken']);
  });

  test('that breaks off resets the connection of HTTP/1.0, whose end would be the end of the body', async () => {
    let text = '';
    const { url } = await serverOf(() =>
      answerOf(
        (async function* () {
          yield 'one';
          await until(() => text.endsWith('one'), 'what comes before');
          throw new Error('broken');
        })(),
      ),
    );
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    socket.on('data', (piece) => {
      text += piece;
    });
    const [error] = await once(socket, 'close').then(
      () => [undefined],
      (cause) => [cause],
    );
    expect(text).toMatch(/one$/);
    expect(error?.code).toBe('ECONNRESET');
  });

  test('that takes long in the making is not one that nobody takes', async () => {
    const { url } = await serverOf(
      (outgoing) =>
        answerOf(
          (async function* () {
            yield 'one, ';
            await once(outgoing, 'timeout');
            yield 'two';
          })(),
        ),
      { ...CONNECTION_BOUNDS, stalledMs: 20 },
    );
    expect(await (await fetch(url)).text()).toBe('one, two');
  });

  test('ends with a reset once nobody takes any of it', async () => {
    const body = (async function* () {
      for (let made = 0; made < ENDLESS; made++) yield Buffer.alloc(65_536);
    })();
    const { url, ends } = await serverOf(() => answerOf(body), {
      ...CONNECTION_BOUNDS,
      stalledMs: 50,
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    await until(() => ends.length > 0, 'the reader to be given up');
    expect(ends[0]).toMatch(/[Pp]remature close/);
    // Only a connection that was reset takes no more; one that was closed would say so later.
    const error = await new Promise<Error | null | undefined>((resolve) => {
      socket.on('error', () => {}).write('more', resolve);
    });
    expect((error as NodeJS.ErrnoException | undefined)?.code).toMatch(/ECONNRESET|EPIPE/);
  });
});
