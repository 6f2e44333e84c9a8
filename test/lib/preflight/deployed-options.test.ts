import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keptAs, optionTexts, readOptions } from '../../../lib/deployment-options.ts';
import { checkKept, optionsToKeep, stackHolds } from '../../../lib/preflight/deployed-options.ts';
import { type AwsAnswer, startAwsEndpoint } from '../../lambda/aws-endpoint.ts';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: AwsAnswer;
beforeEach(async () => {
  aws = await startAwsEndpoint(() => answer);
});
afterEach(() => aws.stop());

const OPTIONS = readOptions({}, {});

describe('an option that a stack has and a deployment leaves out', () => {
  test.each([
    ['access', { UsagePlanId: 'p1' }, 'blockyard asks for keys, and access is not given.'],
    [
      'slackSecret',
      { SlackSecret: '/slack' },
      'blockyard has slackSecret, and it is not given. Say -c slackSecret=/slack, or -c slackSecret=none to do without.',
    ],
  ])('stops it, where it is %s', (option, outputs, line) => {
    const check = (isGiven: (name: string) => boolean) =>
      checkKept({ options: OPTIONS, outputs, isGiven });
    expect(() => check(() => false)).toThrow(line);
    expect(check((name) => name === option)).toEqual([]);
  });

  test('is nothing where it is the secret of webhooks, which no version reads any more', () => {
    const outputs = { WebhookSecret: '/blockyard/webhooks' };
    expect(checkKept({ options: OPTIONS, outputs, isGiven: () => false })).toEqual([]);
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

  test('are kept where they are not given again, as they were given; defaults are not', () => {
    const { memory: _, ...kept } = GIVEN;
    const outputs = { BaseUrl: 'https://a', ...outputsOf(GIVEN) };
    expect(optionsToKeep(outputs, () => false)).toEqual(kept);
    expect(readOptions(kept, {})).toEqual(readOptions(GIVEN, {}));
  });

  test('give way to what is given now', () => {
    const kept = optionsToKeep(outputsOf(GIVEN), (name) => name !== 'keyRate');
    expect(kept).toEqual({ keyRate: '20' });
  });

  test('are none of a stack that has kept none, and none that no version reads any more', () => {
    expect(optionsToKeep({ OptionGone: 'x' }, () => false)).toEqual({});
    expect(optionsToKeep(undefined, () => false)).toEqual({});
  });
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
    answer = resources(resource);
    const outputs = { ReservedConcurrency: '30' };
    expect(await stackHolds('us-east-1', 'blockyard', outputs)).toEqual({
      reserved: 30,
      hasLogRole,
    });
  });

  test.each(['Custom::BlockCheck', 'AWS::DynamoDB::Table'])(
    'is refused where it is of an earlier version: %s',
    async (type) => {
      answer = resources([type, 'CREATE_COMPLETE']);
      await expect(stackHolds('us-east-1', 'blockyard', {})).rejects.toThrow(
        'blockyard was deployed by an earlier version and cannot be updated by this one. Deploy under another stackName, or run npm run destroy first: the data are imported again.',
      );
    },
  );

  test('is nothing where there is no stack', async () => {
    expect(await stackHolds('us-east-1', 'blockyard', undefined)).toEqual({
      reserved: 0,
      hasLogRole: false,
    });
  });
});
