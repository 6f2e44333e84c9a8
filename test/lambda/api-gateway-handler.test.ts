import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { compressed } from '../../src/http/answer.ts';
import { type Handler, type Routes, refuseAddress } from '../../src/http/routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { apiGatewayHandler } from '../../src/lambda/api-gateway-handler.ts';
import { PRODUCTION, SETTINGS } from '../support/ample.ts';
import { countTimers } from '../support/test-clock.ts';

const event: APIGatewayProxyEvent = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'events/get-query.json'), 'utf8'),
);

const withId = (requestId: string | undefined) =>
  ({ ...event, requestContext: { ...event.requestContext, requestId } }) as APIGatewayProxyEvent;

/** One handler at every address. */
const routesOf = (block: string | null, any: Handler): Routes => ({
  at: new Map(),
  elsewhere: { block, any },
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The run's id as a service's answer has it, and as one has it that no service has seen. */
async function runIdsOf(requestId: string | undefined) {
  const records: RunRecord[] = [];
  const settings = {
    ...SETTINGS,
    record: (run: RunRecord) => records.push(run),
  };
  const handler = apiGatewayHandler(routesOf(null, refuseAddress), settings);
  const { headers } = await handler(withId(requestId));
  const unread = await handler({ ...withId(requestId), httpMethod: 'GE T' });
  const [answered, refused] = records.map(({ runId }) => runId);
  expect([answered, refused]).toEqual([headers?.['X-Run-Id'], unread.headers?.['X-Run-Id']]);
  return [answered, refused];
}

describe("a run's id", () => {
  test("is the API's id of the request, in lower case", async () => {
    const id = '0F1E2D3C-4b5a-4678-8796-a5b4c3d2e1f0';
    expect(await runIdsOf(id)).toEqual([id.toLowerCase(), id.toLowerCase()]);
  });

  test.each([
    undefined,
    '',
    'secret',
    '0f1e2d3c4b5a46788796a5b4c3d2e1f0',
    ' 0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0',
    '0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0\n',
    '0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0,0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0',
  ])('is a new one where that is %j', async (requestId) => {
    const [answered, refused] = await runIdsOf(requestId);
    expect([answered, refused]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(answered).not.toBe(refused);
    expect([answered, refused]).not.toContain(requestId?.trim());
  });
});

test('what is thrown and is no Error is a fault of ours, in one record', async () => {
  const runs: RunRecord[] = [];
  const settings = { ...SETTINGS, record: (run: RunRecord) => runs.push(run) };
  const routes = routesOf('tiny', () => {
    throw 'a secret';
  });
  const { statusCode, body } = await apiGatewayHandler(routes, settings)(event);
  expect([statusCode, JSON.parse(body).code]).toEqual([500, 'internal-error']);
  expect(body).not.toContain('secret');
  expect(runs).toEqual([
    {
      ...{ runId: JSON.parse(body).instance.slice('urn:uuid:'.length), block: 'tiny' },
      ...{ method: 'GET', status: 500, durationMs: expect.any(Number) },
      ...{ code: 'internal-error', faults: ['internal-error'], cause: 'a secret' },
    },
  ]);
});

describe('a service that does not answer', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick'] });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** A handler of an app that answers when it is told to; and what it records. */
  function slowHandler(...bound: number[]) {
    const runs: RunRecord[] = [];
    const settings = { ...PRODUCTION, record: (run: RunRecord) => runs.push(run) };
    let answerNow = () => {};
    const told = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const routes = routesOf('tiny', async () => {
      await told;
      return { status: 200, headers: {}, body: 'late' };
    });
    return { handler: apiGatewayHandler(routes, settings, ...bound), runs, answerNow };
  }

  test.each([
    ['3 s', [], 3000],
    ['the time that its channel has', [22_000], 22_000],
  ])('is answered for after %s: 503, and when to try again', async (_, bound, ms) => {
    const { handler, runs } = slowHandler(...bound);
    let result: APIGatewayProxyResult | undefined;
    const asked = handler(event).then((answered) => {
      result = answered;
    });
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(result).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    await asked;
    expect([result?.statusCode, result?.headers?.['Retry-After']]).toEqual([503, '1']);
    expect(JSON.parse(result?.body ?? '')).toMatchObject({
      code: 'service-unavailable',
      detail: 'The service did not answer. Try again soon.',
    });
    expect(runs).toEqual([
      expect.objectContaining({
        status: 503,
        cause: new Error(`The service did not answer within ${ms} ms.`),
      }),
    ]);
  });

  test('in time leaves no timer behind', async () => {
    const { handler, answerNow } = slowHandler();
    const waiting = countTimers(3000);
    const asked = handler(event);
    expect(waiting()).toBe(1);
    answerNow();
    expect([(await asked).statusCode, waiting()]).toEqual([200, 0]);
  });
});

describe('a page', () => {
  const settings = SETTINGS;
  const text = 'é<p>'.repeat(1000);
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  const routes = routesOf(null, (run) => compressed(run, { status: 200, headers, body: text }));
  const answer = (accepted?: string) =>
    apiGatewayHandler(
      routes,
      settings,
    )({
      ...event,
      headers: {},
      multiValueHeaders: accepted === undefined ? {} : { 'accept-encoding': [accepted] },
    });

  test.each(['gzip', 'deflate, gzip;q=0.8, br', 'br;q=1.0,GZIP'])(
    'is compressed for %j, and then in base64',
    async (accepted) => {
      const { body, headers, isBase64Encoded } = await answer(accepted);
      expect([headers?.['Content-Encoding'], isBase64Encoded]).toEqual(['gzip', true]);
      expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(text);
      expect(body.length).toBeLessThan(text.length / 10);
    },
  );

  test.each([undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'identity', 'x-gzipped'])(
    'is text for %j',
    async (accepted) => {
      const { body, headers, isBase64Encoded } = await answer(accepted);
      expect([headers?.['Content-Encoding'], isBase64Encoded]).toEqual([undefined, false]);
      expect(body).toBe(text);
    },
  );
});
