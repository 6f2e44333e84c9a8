import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { createRun } from '../../functions/rgb-to-color-name/run.ts';
import type { BlockAnswer, CallBlock } from '../../src/http/call-block.ts';
import { refuseAddress } from '../../src/http/routes.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { channelHandler, postByInvoking } from '../../src/lambda/channel-handler.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { functionSettings, OPEN } from '../support/ample.ts';
import { ROOT } from '../support/service.ts';
import { type AwsAnswer, type AwsCall, startAwsEndpoint } from './aws-endpoint.ts';

const ENV = {
  ...OPEN,
  SERVICE_NAME: 'data',
};

/** The block's own function, as Lambda would call it. */
const served = serveValue(block, createRun(path.join(ROOT, 'seed-data')));
const colors = lambdaHandler(served, {}, functionSettings({}));
const invoked = async ({ body }: AwsCall): Promise<AwsAnswer> => ({
  body: JSON.stringify(await colors(JSON.parse(body))),
});

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: (call: AwsCall) => Promise<AwsAnswer> | AwsAnswer;
beforeEach(async () => {
  answer = invoked;
  aws = await startAwsEndpoint((call) => answer(call));
});
afterEach(() => aws.stop());

/** What a channel gets that calls a block. */
async function called(given: Record<string, unknown>, examples = block.examples, count = 1) {
  let got: Promise<BlockAnswer> | undefined;
  const handler = channelHandler(
    {
      blocks: Array.from({ length: count }, () => ({ name: block.name, examples })),
      routes: (call: CallBlock) => {
        got = call(block.name, given);
        got.catch(() => {});
        return { at: new Map(), elsewhere: { block: null, any: refuseAddress } };
      },
    },
    ENV,
  );
  return { handler, got: got as Promise<BlockAnswer> };
}

/** As a deployment calls a new version. */
const NO_EVENT = undefined as unknown as APIGatewayProxyEvent;

describe("a channel calls a block's function", () => {
  test('by its alias, and gives what a POST is answered', async () => {
    const { got } = await called({ R: 255, G: 127, B: 80 });
    expect(await got).toMatchObject({
      kind: 'answered',
      params: { name: 'Coral', hex: '#ff7f50' },
      warnings: [],
    });
    expect(aws.calls.map(({ operation }) => operation)).toEqual([
      `/2015-03-31/functions/data_${block.name}:live/invocations`,
    ]);
  });

  test('and gives its refusals with every fault', async () => {
    const { got } = await called({ R: 300, G: 'abc', B: 1 });
    expect(await got).toMatchObject({
      kind: 'refused',
      problem: {
        code: 'invalid-arguments',
        status: 400,
        errors: [
          { code: 'out-of-range', parameter: 'R', pointer: '#/R' },
          { code: 'not-a-number', parameter: 'G', pointer: '#/G' },
        ],
      },
    });
  });

  test('and hands on a number that is too large as one', async () => {
    const { got } = await called({ R: Number.POSITIVE_INFINITY, G: 1, B: -0 });
    expect(await got).toMatchObject({
      kind: 'refused',
      problem: { errors: [{ code: 'not-an-integer', parameter: 'R', pointer: '#/R' }] },
    });
  });

  test.each<[string, AwsAnswer]>([
    [
      'that ended',
      {
        headers: { 'X-Amz-Function-Error': 'Unhandled' },
        body: '{"errorMessage":"out of memory"}',
      },
    ],
    ['that may not be called', { status: 403, body: '{"message":"not authorized"}' }],
    ['that answers nonsense', { body: 'null' }],
  ])('one %s is a 503 that tells its caller nothing', async (_, given) => {
    answer = () => given;
    const { got } = await called({ R: 1, G: 2, B: 3 });
    await expect(got).rejects.toMatchObject({
      code: 'service-unavailable',
      detail: 'The service did not answer. Try again soon.',
      cause: expect.anything(),
    });
  });
});

test('a block that does not answer in time is a 503, after two tries', async () => {
  answer = () => new Promise(() => {});
  await expect(postByInvoking('data', 50)('colors', '{}')).rejects.toMatchObject({
    code: 'service-unavailable',
    // Not what the endpoint counts: a busy machine may be late to send a call at all.
    cause: expect.objectContaining({
      name: 'TimeoutError',
      $metadata: expect.objectContaining({ attempts: 2 }),
    }),
  });
});

describe("a channel's check, before it gets requests", () => {
  test("passes where a block's first example is answered", async () => {
    const { handler } = await called({});
    expect(await handler(NO_EVENT)).toEqual({ statusCode: 204, body: '' });
    expect(JSON.parse(JSON.parse(aws.calls.at(-1)?.body ?? '').body)).toEqual(
      block.examples[0]?.arguments,
    );
  });

  test('calls eight blocks of a hundred, whose cold starts would take too long', async () => {
    const { handler, got } = await called({ R: 1, G: 2, B: 3 }, block.examples, 100);
    await got;
    expect(await handler(NO_EVENT)).toEqual({ statusCode: 204, body: '' });
    expect(aws.calls).toHaveLength(1 + 8);
  });

  test('asks again where a block is still loading its data, or the permission is not known yet', async () => {
    const loading = { code: 'store-unavailable', status: 503, detail: 'Try again soon.' };
    const wrong: AwsAnswer[] = [
      { body: JSON.stringify({ statusCode: 503, body: JSON.stringify(loading) }) },
      {
        status: 403,
        headers: { 'x-amzn-ErrorType': 'AccessDeniedException' },
        body: '{"Message":"not yet"}',
      },
    ];
    const { handler, got } = await called({ R: 1, G: 2, B: 3 });
    await got;
    answer = (call) => wrong.shift() ?? invoked(call);
    expect(await handler(NO_EVENT)).toEqual({ statusCode: 204, body: '' });
    expect(wrong).toEqual([]);
  });

  test('asks again where Lambda throttles it, as an account does that runs few calls at once', async () => {
    const throttled: AwsAnswer = {
      status: 429,
      headers: { 'x-amzn-ErrorType': 'TooManyRequestsException' },
      body: '{"Reason":"ConcurrentInvocationLimitExceeded","message":"Rate Exceeded."}',
    };
    // More than the SDK tries by itself.
    const left = Array.from({ length: 4 }, () => throttled);
    const { handler, got } = await called({ R: 1, G: 2, B: 3 });
    await got;
    answer = (call) => left.shift() ?? invoked(call);
    expect(await handler(NO_EVENT)).toEqual({ statusCode: 204, body: '' });
    expect(left).toEqual([]);
  });

  test('fails, and says why, where one is refused', async () => {
    const { handler } = await called({}, [{ title: 'Not one', arguments: { R: 300 } }]);
    await expect(handler(NO_EVENT)).rejects.toThrow(/rgb-to-color-name: .*required/);
  });
});
