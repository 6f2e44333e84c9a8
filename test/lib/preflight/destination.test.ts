import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readOptions } from '../../../lib/deployment-options.ts';
import { findDestination } from '../../../lib/preflight/destination.ts';
import { type AwsAnswer, startAwsEndpoint } from '../../lambda/aws-endpoint.ts';

/** The account that is asked: the partition, and the bootstraps by their stacks' names. */
let there: {
  readonly partition: string;
  readonly stacks: Readonly<Record<string, { version: string; qualifier?: string }>>;
};
let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
beforeEach(async () => {
  there = { partition: 'aws', stacks: { CDKToolkit: { version: '30', qualifier: 'hnb659fds' } } };
  aws = await startAwsEndpoint(({ body }) => answer(new URLSearchParams(body)));
});
afterEach(() => aws.stop());

const xml = (body: string, status = 200): AwsAnswer => ({
  ...{ status, headers: { 'Content-Type': 'text/xml' }, body },
});

function answer(asked: URLSearchParams): AwsAnswer {
  if (asked.get('Action') === 'GetCallerIdentity') {
    return xml(
      `<R><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:${there.partition}:iam::123456789012:user/a</Arn></GetCallerIdentityResult></R>`,
    );
  }
  const stack = there.stacks[asked.get('StackName') ?? ''];
  if (stack === undefined) {
    return xml(
      '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id x does not exist</Message></Error></ErrorResponse>',
      400,
    );
  }
  const parameters =
    stack.qualifier === undefined
      ? ''
      : `<Parameters><member><ParameterKey>Qualifier</ParameterKey><ParameterValue>${stack.qualifier}</ParameterValue></member></Parameters>`;
  return xml(
    `<R><DescribeStacksResult><Stacks><member>${parameters}<Outputs><member><OutputKey>BootstrapVersion</OutputKey><OutputValue>${stack.version}</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></R>`,
  );
}

const find = (context: Record<string, string> = {}) =>
  findDestination(readOptions(context, {}), 'us-east-1');
const FOUND = { account: '123456789012', region: 'us-east-1' };

describe('the bootstrap', () => {
  test('is the usual one, if no other is named', async () => {
    expect(await find()).toEqual(FOUND);
  });

  test('may have another name and qualifier', async () => {
    there = { ...there, stacks: { Ours: { version: '30', qualifier: 'ours' } } };
    expect(await find({ bootstrapStack: 'Ours', bootstrapQualifier: 'ours' })).toEqual(FOUND);
  });

  test.each([
    [
      'is not there',
      {},
      {},
      'account 123456789012 has no CDK bootstrap in us-east-1. Run: npx cdk bootstrap aws://123456789012/us-east-1, or name the stack of yours: -c bootstrapStack=…',
    ],
    [
      'is not there by the name that is given',
      {},
      { bootstrapStack: 'Ours', bootstrapQualifier: 'ours' },
      'Run: npx cdk bootstrap aws://123456789012/us-east-1 --toolkit-stack-name Ours --qualifier ours',
    ],
    [
      'is too old',
      { CDKToolkit: { version: '5' } },
      {},
      'the CDK bootstrap in us-east-1 has version 5, too old.',
    ],
    [
      'has a qualifier that is not given',
      { CDKToolkit: { version: '30', qualifier: 'ours' } },
      {},
      'the CDK bootstrap CDKToolkit in us-east-1 has the qualifier ours, not hnb659fds. Say -c bootstrapQualifier=ours, or name another one: -c bootstrapStack=…',
    ],
  ])('that %s is refused in a line', async (_, stacks, context, line) => {
    there = { ...there, stacks };
    await expect(find(context)).rejects.toThrow(line);
  });
});

describe('a partition', () => {
  test.each(['aws-us-gov', 'aws-cn'])('%s is refused until it is chosen', async (partition) => {
    there = { ...there, partition };
    await expect(find()).rejects.toThrow(
      `the credentials are of the partition ${partition} (us-east-1), where nothing of this was tried. Read docs/deploying.md#regions, then say -c partition=${partition}.`,
    );
    expect(await find({ partition })).toEqual(FOUND);
  });

  test('whose addresses are not known is refused', async () => {
    there = { ...there, partition: 'aws-iso' };
    await expect(find()).rejects.toThrow('which this version does not know');
    await expect(find({ partition: 'aws-cn' })).rejects.toThrow('which this version does not know');
  });

  test('that the credentials are not of is refused', async () => {
    await expect(find({ partition: 'aws-cn' })).rejects.toThrow(
      'the credentials are of the partition aws (us-east-1), and partition=aws-cn is given.',
    );
  });
});
