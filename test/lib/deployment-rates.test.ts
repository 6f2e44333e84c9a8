import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { BuiltBlock } from '../../src/build/build-block.ts';
import { type BuiltService, buildService } from '../../src/build/build-service.ts';
import { readDocument, tableOf } from '../docs/markdown.ts';
import { type AwsAnswer, startAwsEndpoint } from '../lambda/aws-endpoint.ts';
import { type Resource, synthesizeUnchecked } from '../support/deployment.ts';
import {
  apiCallsIn,
  mostAtOnce,
  mostInARow,
  type Step,
  type Steps,
  stepsOf,
  walk,
} from '../support/deployment-walk.ts';
import { manyBlocks } from '../support/many-blocks.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

/** As the CDK uploads it. */
const { handler: triggerHandler } = createRequire(import.meta.url)(
  path.join(
    ROOT,
    'node_modules/aws-cdk-lib/custom-resource-handlers/dist/triggers/lambda/index.js',
  ),
);

/** The functions that a new account runs at once. */
const NEW_ACCOUNT = 10;

let service: BuiltService;
beforeAll(async () => {
  const [root, blocks, out] = [ROOT, await manyBlocks(1), await temporaryFolder()];
  service = await buildService({ root, blocks, out });
});
afterAll(cleanUp);

const known = new Map<string, Steps>();

/** What the service with as many blocks, each like the first, would create. */
function stepsWith(count: number, context: Record<string, string>): Steps {
  const key = JSON.stringify([count, context]);
  const steps = known.get(key) ?? newSteps(count, context);
  known.set(key, steps);
  return steps;
}

function newSteps(count: number, context: Record<string, string>): Steps {
  const [built] = service.blocks as [BuiltBlock];
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = { ...built.block, name: `data-${i}`, id: `data-${i}` };
    return { ...built, block };
  });
  return stepsOf(synthesizeUnchecked({ ...service, blocks }, context));
}

const ofTypes =
  (...types: readonly string[]) =>
  ({ type }: Step) =>
    types.includes(type);

test('the function of the CDK that calls new versions tries again while Lambda throttles it', async () => {
  const { ofType } = synthesizeUnchecked(service);
  const [, { Properties }] = ofType('AWS::Lambda::Function').find(([id]) =>
    id.startsWith('AWSCDKTrigger'),
  ) as [string, Resource];
  // More than the SDK tries by itself.
  const left: AwsAnswer[] = Array.from({ length: 3 }, () => ({
    status: 429,
    headers: { 'x-amzn-ErrorType': 'TooManyRequestsException' },
    body: '{"Reason":"ConcurrentInvocationLimitExceeded","message":"Rate Exceeded."}',
  }));
  const aws = await startAwsEndpoint(() => left.shift() ?? { body: 'null' });
  const { AWS_MAX_ATTEMPTS: before } = process.env;
  jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    Object.assign(process.env, Properties.Environment?.Variables);
    await triggerHandler({
      RequestType: 'Create',
      ResourceProperties: {
        ...{ HandlerArn: 'data:1', InvocationType: 'RequestResponse', Timeout: '60000' },
      },
    });
  } finally {
    if (before === undefined) delete process.env.AWS_MAX_ATTEMPTS;
    else process.env.AWS_MAX_ATTEMPTS = before;
    jest.restoreAllMocks();
    await aws.stop();
  }
  expect(left).toEqual([]);
});

const EVERYTHING = {
  ...{ access: 'keys', slackSecret: '/blockyard/slack', apiLogRole: 'create', dashboard: 'true' },
  domainName: 'data.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
};

const ROUTES = ['Resource', 'Method', 'GatewayResponse'].map((one) => `AWS::ApiGateway::${one}`);

/** How long the document takes a resource to make, in seconds. */
const ASSUMED = {
  'AWS::DynamoDB::Table': 300,
  'AWS::IAM::Role': 20,
  'AWS::Lambda::Function': 10,
  'AWS::Lambda::Version': 5,
  'Custom::BlockCheck': 10,
  'Custom::Trigger': 5,
};

test('the document says how long a first deployment takes', () => {
  const header = ['blocks', 'imports', 'checks', 'routes', 'calls', 'at least, s', 'minutes'];
  const rows = [3, 30, 100].map((count) => {
    const steps = stepsWith(count, {});
    const calls = apiCallsIn(steps);
    const least = Math.max(calls / 10, apiCallsIn(steps, 'AWS::ApiGateway::Resource') / 5);
    const { seconds } = walk(steps, { concurrency: NEW_ACCOUNT, seconds: ASSUMED });
    return [
      count,
      mostInARow(steps, ofTypes('AWS::DynamoDB::Table')),
      mostInARow(steps, ofTypes('Custom::BlockCheck')),
      mostInARow(steps, ofTypes(...ROUTES)),
      calls,
      Math.ceil(least),
      Math.round(seconds / 60),
    ].map(String);
  });
  expect(tableOf(readDocument('docs/deploying.md'), header)).toEqual(rows);
});

describe.each([
  [30, {}],
  [100, {}],
  [30, EVERYTHING],
])('with %i blocks and %j', (count, context) => {
  let steps: Steps;
  beforeAll(() => {
    steps = stepsWith(count, context);
  });

  test('at most 4 new versions are checked at once', () => {
    expect(mostAtOnce(steps, ofTypes('Custom::BlockCheck'))).toBeLessThanOrEqual(4);
  });

  test('the files of at most 4 versions are copied at once', () => {
    const atOnce = mostAtOnce(steps, ofTypes('Custom::BlockFiles', 'Custom::BlockCheck'));
    expect(atOnce).toBeLessThanOrEqual(4);
  });

  test('the other functions are checked one after the other', () => {
    expect(mostAtOnce(steps, ofTypes('Custom::Trigger'))).toBe(1);
  });

  test('a new account, of 10 calls at once, has room for all checks', () => {
    const { stuck, functionCalls } = walk(steps, { concurrency: NEW_ACCOUNT });
    expect(stuck).toEqual([]);
    expect(functionCalls).toBeLessThan(NEW_ACCOUNT);
  });

  test('at most 4 addresses, methods and responses of API Gateway are made at once', () => {
    expect(mostAtOnce(steps, ofTypes(...ROUTES))).toBeLessThanOrEqual(4);
  });

  test('if each takes a second, API Gateway is asked no more often than its quotas allow', () => {
    const { createResource, apiCalls } = walk(steps, { concurrency: 1000 });
    expect(createResource).toBeLessThanOrEqual(5);
    expect(apiCalls).toBeLessThanOrEqual(10);
  });
});
