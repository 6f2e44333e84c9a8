import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { BlockyardError, type Options, run } from '../../client/src/client.ts';
import { until } from '../support/process.ts';
import { countTimers, NOT_TIMEOUTS } from '../support/test-clock.ts';
import { refusal } from './refusal.ts';
import { type Scripted, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const ANSWER = { body: { params: { name: 'Coral' }, _errors: [], _warnings: [] } };
const BUSY = {
  body: {
    detail: 'Try again soon.',
    code: 'service-unavailable',
    errors: [],
    _errors: [{ title: 'Busy', message: 'Try again soon.' }],
  },
};

const servers: ScriptedServer[] = [];
async function serve(...answers: Scripted[]): Promise<ScriptedServer> {
  const server = await scriptedServer(...answers);
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('what is sent', () => {
  // The types that a form may have, and headers that a browser adds itself: a "simple" request,
  // which needs no preflight (fetch.spec.whatwg.org, CORS-safelisted request-header).
  test.each<[string, Options]>([
    ['no key', {}],
    ['a blank key', { api_key: '' }],
  ])('with %s is a simple request', async (_, options) => {
    const { url, received } = await serve(ANSWER);
    await run('trees', { species: 'Ginkgo' }, { base_url: url, ...options });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'POST', body: '{"species":"Ginkgo"}' });
    expect(received[0]?.headers['content-type']).toMatch(/^text\/plain;charset=utf-8$/i);
    expect(received[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('with a key has it in a header, and not in the address', async () => {
    const { url, received } = await serve(ANSWER);
    await run('trees', { species: 'Ginkgo' }, { base_url: url, api_key: 'K-1' });
    expect(received[0]?.headers).toMatchObject({
      'x-api-key': 'K-1',
      'content-type': 'application/json',
    });
    expect(received[0]).toMatchObject({
      url: '/api_v2/blocks/trees',
      body: '{"species":"Ginkgo"}',
    });
  });

  test.each(['', '/', '/prod', '/prod/', '/a/b'])('goes below the base "%s"', async (base) => {
    const { url, received } = await serve(ANSWER);
    await run('trees', {}, { base_url: url + base });
    await run('trees', {}, { base_url: new URL(url + base) });
    const expected = `${base.replace(/\/$/, '')}/api_v2/blocks/trees`;
    expect(received.map((request) => request.url)).toEqual([expected, expected]);
  });

  test('needs a base_url where the client is from no service', async () => {
    const error = await run('trees', {}).catch((thrown) => thrown);
    expect(String(error)).toBe('TypeError: Say where the blocks are: base_url.');
  });

  test('goes to no other address, with its key or as a GET', async () => {
    const other = await serve(ANSWER);
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, received } = await serve({ status, headers: { location: `${other.url}/x` } });
      const call = run('trees', {}, { base_url: url, api_key: 'K-1' });
      await expect(call).rejects.toThrow('fetch failed');
      expect(received).toHaveLength(1);
    }
    expect(other.received).toEqual([]);
  });
});

describe('an answer that no block gave', () => {
  test.each<[string, Scripted]>([
    ["a proxy's page", { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ['a page for a login', { status: 200, body: '<form>' }],
    ['nothing', { status: 204 }],
    ['JSON without params', { status: 200, body: { ok: true } }],
    ['null', { status: 200, body: 'null' }],
    [
      "another service's error",
      { status: 403, body: { code: 7, errors: 'x', message: 'Forbidden' } },
    ],
    ['params that a failure has', { status: 500, body: { params: {} } }],
  ])('%s is an error with the status and the address', async (_, answer) => {
    const { url } = await serve(answer);
    const error = await refusal(run('trees', {}, { base_url: url, api_key: 'K-1' }));
    expect(error.message).toBe(
      `No block's answer: HTTP ${answer.status} from ${url}/api_v2/blocks/trees`,
    );
    expect({ ...error }).toEqual({
      name: 'BlockyardError',
      status: answer.status,
      code: undefined,
      errors: [],
      runId: undefined,
      problem: undefined,
    });
  });

  test('has a run id, where a header says one', async () => {
    const { url } = await serve({ status: 500, headers: { 'x-run-id': 'r-1' } });
    expect((await refusal(run('trees', {}, { base_url: url }))).runId).toBe('r-1');
  });

  test('what fetch throws passes as it is', async () => {
    const { url, close } = await scriptedServer();
    await close();
    const error = await run('trees', {}, { base_url: url }).catch((thrown) => thrown);
    expect(error.name).toBe('TypeError');
    expect(error).not.toBeInstanceOf(BlockyardError);
    expect(error.cause.code).toBe('ECONNREFUSED');
  });

  test('a body that breaks off is what fetch says of it, although its status is 200', async () => {
    const { url } = await serve({ body: '{"params":', isCut: true });
    const error = await run('trees', {}, { base_url: url }).catch((thrown) => thrown);
    expect(String(error)).toBe('TypeError: terminated');
  });
});

describe('what is busy', () => {
  const busy = (status: number, retryAfter?: string): Scripted => ({
    ...BUSY,
    status,
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
  });

  test.each([429, 503])('with %d and a Retry-After is tried again', async (status) => {
    const { url, received } = await serve(busy(status, '0'), busy(status, '0'), ANSWER);
    const { params } = await run('trees', { species: 'Ginkgo' }, { base_url: url, api_key: 'K' });
    expect(params).toEqual(ANSWER.body.params);
    expect(received).toHaveLength(3);
    for (const { method, body, headers } of received) {
      expect([method, body, headers['x-api-key']]).toEqual(['POST', '{"species":"Ginkgo"}', 'K']);
    }
  });

  test.each<[string, Scripted, Options, number]>([
    ['twice, if it stays so', busy(503, '0'), {}, 3],
    ['as often as retries says', busy(429, '0'), { retries: 4 }, 5],
    ['not with retries of 0', busy(503, '0'), { retries: 0 }, 1],
    ['not without a Retry-After', busy(503), {}, 1],
    ['not where it says a date', busy(503, 'Wed, 21 Oct 2037 07:28:00 GMT'), {}, 1],
    ['not where it asks for more than 30 seconds', busy(429, '31'), {}, 1],
    ['not with another status', busy(500, '0'), {}, 1],
  ])('is tried again %s', async (_, answer, options, requests) => {
    const { url, received } = await serve(answer);
    const error = await refusal(run('trees', {}, { base_url: url, ...options }));
    expect(error).toMatchObject({ status: answer.status, code: 'service-unavailable' });
    expect(received).toHaveLength(requests);
  });

  test('is tried again after the seconds that it says', async () => {
    jest.useFakeTimers({ doNotFake: NOT_TIMEOUTS });
    const waits = countTimers(25_000);
    try {
      let requests = 0;
      const answers = async () =>
        ++requests < 2
          ? new Response('', { status: 503, headers: { 'retry-after': '25' } })
          : Response.json(ANSWER.body);
      const call = run('trees', {}, { base_url: 'http://trees.test', fetch: answers });
      while (waits() === 0) await new Promise(setImmediate);
      await jest.advanceTimersByTimeAsync(24_999);
      expect(requests).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      expect((await call).params).toEqual(ANSWER.body.params);
    } finally {
      jest.restoreAllMocks();
      jest.useRealTimers();
    }
  });
});

describe('a signal', () => {
  const reason = new Error('No longer needed.');

  test('that is over sends nothing', async () => {
    const { url, received } = await serve(ANSWER);
    const call = run('trees', {}, { base_url: url, signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect(received).toEqual([]);
  });

  test('ends a request', async () => {
    const { url, received } = await serve();
    const controller = new AbortController();
    const call = run('trees', {}, { base_url: url, signal: controller.signal });
    call.catch(() => {});
    await until(() => received.length > 0, 'the request');
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test('ends a wait, and leaves no timer and no listener', async () => {
    const waits = countTimers(25_000);
    try {
      const controller = new AbortController();
      const { signal } = controller;
      let requests = 0;
      const call = run(
        'trees',
        {},
        {
          base_url: 'http://trees.test',
          signal,
          fetch: async (_, init) => {
            init?.signal?.throwIfAborted();
            requests++;
            return new Response('', { status: 503, headers: { 'retry-after': '25' } });
          },
        },
      );
      call.catch(() => {});
      while (waits() === 0) await new Promise(setImmediate);
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      expect(requests).toBe(1);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      expect(waits()).toBe(0);
    } finally {
      jest.restoreAllMocks();
    }
  });

  test('that outlives a wait keeps no listener of it', async () => {
    const { signal } = new AbortController();
    let requests = 0;
    const answers = async () =>
      ++requests < 3
        ? new Response('', { status: 503, headers: { 'retry-after': '0' } })
        : Response.json(ANSWER.body);
    await run('trees', {}, { base_url: 'http://trees.test', signal, fetch: answers });
    expect(requests).toBe(3);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
