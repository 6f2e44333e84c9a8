import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkReservation } from '../../lib/preflight.ts';
import { type AwsAnswer, startAwsEndpoint } from '../lambda/aws-endpoint.ts';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: AwsAnswer;
beforeEach(async () => {
  aws = await startAwsEndpoint(() => answer);
});
afterEach(() => aws.stop());

const account = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number) => ({
  body: JSON.stringify({ AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } }),
});
const reserve = (each: number, held = 0) =>
  checkReservation('us-east-1', { each, functions: 3, held });

test('says what a reservation leaves', async () => {
  answer = account(1000, 1000);
  expect(await reserve(50)).toBe(
    "Reserving 150 calls at once (reservedConcurrency=50 for each of 3 functions): 850 of the account's 1,000 stay unreserved.",
  );
});

test('may leave 100, and no fewer', async () => {
  answer = account(1000, 400);
  expect(await reserve(100)).toContain("100 of the account's 1,000 stay unreserved.");
  await expect(reserve(101)).rejects.toThrow(
    "303 calls at once (reservedConcurrency=101 for each of 3 functions) would leave 97 of the account's 1,000 unreserved, and AWS keeps 100. At most reservedConcurrency=100 can be had.",
  );
});

test('counts what the stack holds already as its own', async () => {
  answer = account(1000, 400);
  expect(await reserve(150, 150)).toContain("100 of the account's 1,000 stay unreserved.");
});

test.each([10, 100])('has nothing to reserve where the limit is %i', async (limit) => {
  answer = account(limit, limit);
  await expect(reserve(1)).rejects.toThrow(
    `the account's limit is ${limit} calls at once in us-east-1, and AWS keeps 100 of them unreserved: none can be reserved.`,
  );
});

test('goes on with a line where the account may not be looked at', async () => {
  answer = {
    status: 403,
    headers: { 'x-amzn-ErrorType': 'AccessDeniedException' },
    body: '{"Message":"no"}',
  };
  expect(await reserve(5)).toMatch(/^What can be reserved was not looked at \(AccessDenied/);
});
