import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decideLogRole } from '../../../lib/preflight/log-role.ts';
import { type AwsAnswer, startAwsEndpoint } from '../../lambda/aws-endpoint.ts';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: AwsAnswer;
beforeEach(async () => {
  aws = await startAwsEndpoint(() => answer);
});
afterEach(() => aws.stop());

const ROLE = 'arn:aws:iam::123456789012:role/logs-of-all-apis';
const NONE: AwsAnswer = { body: '{"throttleSettings":{"burstLimit":5000,"rateLimit":10000.0}}' };
const SET: AwsAnswer = { body: JSON.stringify({ cloudwatchRoleArn: ROLE }) };
const DENIED: AwsAnswer = {
  status: 403,
  headers: { 'x-amzn-ErrorType': 'AccessDeniedException' },
  body: '{"message":"no"}',
};

const asked = (more: Partial<Parameters<typeof decideLogRole>[0]> = {}) =>
  decideLogRole({
    region: 'us-east-1',
    stackName: 'blockyard',
    isOwn: false,
    chosen: undefined,
    ...more,
  });

describe("API Gateway's role to write logs", () => {
  test.each([
    ['is made where the region has none', NONE, false, undefined, 'create'],
    ['is left as it is where the region has one', SET, false, undefined, 'existing'],
    ['is kept by the stack that has made it', SET, true, undefined, 'create'],
    ['may be said to be there', SET, false, 'existing', 'existing'],
    ['may be said to be made', NONE, false, 'create', 'create'],
  ] as const)('%s', async (_, account, isOwn, chosen, apiLogRole) => {
    answer = account;
    expect(await asked({ isOwn, chosen })).toEqual({ apiLogRole });
  });

  test.each([
    [
      "another's is not replaced",
      SET,
      { chosen: 'create' },
      `API Gateway has a role to write logs in us-east-1, ${ROLE}, and apiLogRole=create would replace it`,
    ],
    [
      'one that is not there is not taken to be',
      NONE,
      { chosen: 'existing' },
      'API Gateway has no role to write logs in us-east-1',
    ],
    [
      "the stack's own is not dropped",
      SET,
      { isOwn: true, chosen: 'existing' },
      "blockyard has made API Gateway's role to write logs, and apiLogRole=existing could delete it.",
    ],
  ] as const)('%s: one line, and nothing is deployed', async (_, account, more, line) => {
    answer = account;
    await expect(asked(more)).rejects.toThrow(line);
    await expect(asked(more)).rejects.toThrow(/^[^\n]+$/);
  });

  test('that cannot be looked at is not replaced, and a line says so', async () => {
    answer = DENIED;
    expect(await asked()).toEqual({
      apiLogRole: 'existing',
      line: expect.stringMatching(/^API Gateway's role .* was not looked at \(AccessDenied/),
    });
  });
});
