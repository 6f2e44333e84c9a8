import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keptAs, optionTexts, readOptions } from '../../lib/deployment-options.ts';
import { checkKept, concurrencyAlarmFor, optionsToKeep, stackHolds } from '../../lib/preflight.ts';
import { type AwsAnswer, type AwsCall, startAwsEndpoint } from '../lambda/aws-endpoint.ts';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: (call: AwsCall) => AwsAnswer;
beforeEach(async () => {
  aws = await startAwsEndpoint((call) => answer(call));
});
afterEach(() => aws.stop());

const THERE = { account: '123456789012', region: 'us-east-1' };
const OPTIONS = readOptions({}, {});

/** CloudFormation's answer (XML, of its Query protocol) for a stack with these outputs. */
function stackWith(outputs: Readonly<Record<string, string>>): AwsAnswer {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return {
    headers: { 'Content-Type': 'text/xml' },
    body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>blockyard</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
}

describe('an option that a stack has and a deployment leaves out', () => {
  test.each([
    ['access', { UsagePlanId: 'p1' }, 'blockyard asks for keys, and access is not given.'],
    [
      'slackSecret',
      { SlackSecret: '/slack' },
      'blockyard has slackSecret, and it is not given. Say -c slackSecret=/slack, or -c slackSecret=none to do without.',
    ],
  ])('stops it, where it is %s', async (option, outputs, line) => {
    answer = () => stackWith(outputs);
    await expect(checkKept(THERE, OPTIONS, () => false)).rejects.toThrow(line);
    await checkKept(THERE, OPTIONS, (name) => name === option);
  });

  test('is nothing where it is the secret of webhooks, which no version reads any more', async () => {
    answer = () => stackWith({ WebhookSecret: '/blockyard/webhooks' });
    await checkKept(THERE, OPTIONS, () => false);
  });
});

describe('the options of the last deployment', () => {
  const GIVEN = {
    ...{ access: 'keys', keyRate: '20', alarmEmail: 'ops@example.org', tracing: 'false' },
    ...{ tags: 'team=data,cost=a b', slackSecret: '/slack', memory: '1024' },
  };
  const outputsOf = (given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(optionTexts(readOptions(given, {}))).map(([name, text]) => [
        keptAs(name),
        text,
      ]),
    );

  test('are kept where they are not given again, as they were given; defaults are not', async () => {
    answer = () => stackWith({ BaseUrl: 'https://a', ...outputsOf(GIVEN) });
    const { memory: _, ...kept } = GIVEN;
    expect(await optionsToKeep(THERE, 'blockyard', () => false)).toEqual(kept);
    expect(readOptions(kept, {})).toEqual(readOptions(GIVEN, {}));
  });

  test('give way to what is given now', async () => {
    answer = () => stackWith(outputsOf(GIVEN));
    const kept = await optionsToKeep(THERE, 'blockyard', (name) => name !== 'keyRate');
    expect(kept).toEqual({ keyRate: '20' });
  });

  test('are none of a stack that has kept none, and none that no version reads any more', async () => {
    answer = () => stackWith({ OptionGone: 'x' });
    expect(await optionsToKeep(THERE, 'blockyard', () => false)).toEqual({});
  });
});

test.each([
  [10, 8],
  [1000, 800],
])('with %d calls at once, the alarm rings above %d', async (limit, alarm) => {
  const AccountLimit = { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: limit };
  answer = () => ({ body: JSON.stringify({ AccountLimit }) });
  expect(await concurrencyAlarmFor('us-east-1')).toBe(alarm);
});

describe('what a stack holds', () => {
  const resources = (...pairs: readonly (readonly [string, string])[]): AwsAnswer => ({
    headers: { 'Content-Type': 'text/xml' },
    body: `<R><ListStackResourcesResult><StackResourceSummaries>${pairs
      .map(
        ([type, status]) =>
          `<member><ResourceType>${type}</ResourceType><ResourceStatus>${status}</ResourceStatus></member>`,
      )
      .join('')}</StackResourceSummaries></ListStackResourcesResult></R>`,
  });
  const ACCOUNT = 'AWS::ApiGateway::Account';

  test.each([
    [[ACCOUNT, 'UPDATE_COMPLETE'], true],
    [[ACCOUNT, 'DELETE_COMPLETE'], false],
    [[ACCOUNT, 'DELETE_SKIPPED'], false],
    [['AWS::ApiGateway::RestApi', 'CREATE_COMPLETE'], false],
  ] as const)('of the role that API Gateway logs by: %j, %s', async (resource, hasLogRole) => {
    answer = ({ body }) =>
      body.includes('ListStackResources')
        ? resources(resource)
        : stackWith({ ReservedConcurrency: '30' });
    expect(await stackHolds(THERE, OPTIONS)).toEqual({ reserved: 30, hasLogRole });
  });

  test.each(['Custom::BlockCheck', 'AWS::DynamoDB::Table'])(
    'is refused where it is of an earlier version: %s',
    async (type) => {
      answer = ({ body }) =>
        body.includes('ListStackResources') ? resources([type, 'CREATE_COMPLETE']) : stackWith({});
      await expect(stackHolds(THERE, OPTIONS)).rejects.toThrow(
        'blockyard was deployed by an earlier version and cannot be updated by this one. Deploy under another stackName, or run npm run destroy first: the data are imported again.',
      );
    },
  );

  test('is nothing where there is no stack', async () => {
    answer = () => ({
      status: 400,
      headers: { 'Content-Type': 'text/xml' },
      body: '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id blockyard does not exist</Message></Error></ErrorResponse>',
    });
    expect(await stackHolds(THERE, OPTIONS)).toEqual({ reserved: 0, hasLogRole: false });
  });
});
