import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readOptions } from '../../../lib/deployment-options.ts';
import { checkAccount, concurrencyAlarmFor } from '../../../lib/preflight/account-limits.ts';
import { type AwsAnswer, startAwsEndpoint } from '../../lambda/aws-endpoint.ts';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: AwsAnswer;
beforeEach(async () => {
  aws = await startAwsEndpoint(() => answer);
});
afterEach(() => aws.stop());

const account = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number) => ({
  body: JSON.stringify({ AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } }),
});
const REFUSED: AwsAnswer = {
  status: 403,
  headers: { 'x-amzn-ErrorType': 'AccessDeniedException' },
  body: '{"Message":"no"}',
};
const check = (context: Record<string, string>, held = 0) =>
  checkAccount({
    ...{ region: 'us-east-1', options: readOptions(context, {}), functions: 3, held },
  });
const reserve = (each: number, held = 0) => check({ reservedConcurrency: String(each) }, held);

const TOO_LARGE =
  "memory=3009: AWS may refuse a new account's functions more than 3,008 MB, and the deployment then rolls back.";

describe('a deployment is told', () => {
  test('nothing where all of it fits', async () => {
    answer = account(1000, 1000);
    expect(await check({ memory: '10240' })).toEqual([]);
  });

  test('that a new account runs fewer calls at once than the stage lets in', async () => {
    answer = account(10, 10);
    expect(await check({})).toEqual([
      'The account has 10 calls at once in us-east-1, and throttleBurst=100 lets more requests in: callers may get a 503. Ask AWS for more (Service Quotas, Lambda; free).',
    ]);
    expect(await check({ throttleBurst: '10' })).toEqual([]);
  });

  test('that the deployment itself has too few calls at once', async () => {
    answer = account(10, 7);
    expect(await check({ throttleBurst: '1' })).toEqual([
      'The deployment itself calls up to 8 functions at once: with 7 it may fail.',
    ]);
    answer = account(10, 8);
    expect(await check({ throttleBurst: '1' })).toEqual([]);
  });

  test('that a new account may have no functions of over 3,008 MB', async () => {
    answer = account(10, 10);
    expect(await check({ memory: '3009', throttleBurst: '1' })).toEqual([TOO_LARGE]);
    expect(await check({ memory: '3008', throttleBurst: '1' })).toEqual([]);
  });

  test('what was not looked at, where the account may not be', async () => {
    answer = REFUSED;
    expect(await check({ memory: '3009' })).toEqual([
      'What Lambda allows the account was not looked at (AccessDeniedException). A new account may run 10 calls at once, and AWS refuses to leave less than 100 unreserved.',
      TOO_LARGE,
    ]);
  });
});

describe('a reservation', () => {
  test('is told what it leaves', async () => {
    answer = account(1000, 1000);
    expect(await reserve(50)).toEqual([
      "Reserving 150 calls at once (reservedConcurrency=50 for each of 3 functions): 850 of the account's 1,000 stay unreserved.",
    ]);
  });

  test('may leave 100, and no fewer', async () => {
    answer = account(1000, 400);
    expect(await reserve(100)).toEqual([
      expect.stringContaining("100 of the account's 1,000 stay unreserved."),
    ]);
    await expect(reserve(101)).rejects.toThrow(
      "303 calls at once (reservedConcurrency=101 for each of 3 functions) would leave 97 of the account's 1,000 unreserved, and AWS keeps 100. At most reservedConcurrency=100 can be had.",
    );
  });

  test('counts what the stack holds already as its own', async () => {
    answer = account(1000, 400);
    expect(await reserve(150, 150)).toEqual([
      expect.stringContaining("100 of the account's 1,000 stay unreserved."),
    ]);
  });

  test.each([10, 100])('is refused where the limit is %i', async (limit) => {
    answer = account(limit, limit);
    await expect(reserve(1)).rejects.toThrow(
      `the account's limit is ${limit} calls at once, and AWS keeps 100 of them unreserved: none can be reserved.`,
    );
  });
});

test.each([
  [10, 8],
  [1000, 800],
])('with %d calls at once, the alarm rings above %d', async (limit, alarm) => {
  answer = account(limit, limit);
  expect(await concurrencyAlarmFor('us-east-1')).toBe(alarm);
});
