import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readDeployed, readReplaced } from '../../lib/deployed-stack.ts';
import { type AwsAnswer, startAwsEndpoint } from '../lambda/aws-endpoint.ts';

type Summary = {
  readonly id: string;
  readonly physical: string;
  readonly status?: string;
  readonly since?: string;
};

/** What CloudFormation has of a stack: its template, and the pages of its list of resources. */
type Stack = {
  readonly template: object;
  readonly pages: readonly (readonly Summary[])[];
  readonly tags?: Readonly<Record<string, string>>;
};

let stacks: Readonly<Record<string, Stack>>;
let refusal: AwsAnswer | undefined;
let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
beforeEach(async () => {
  stacks = {};
  refusal = undefined;
  aws = await startAwsEndpoint(({ body }) => answer(new URLSearchParams(body)));
});
afterEach(() => aws.stop());

const xml = (body: string, status = 200): AwsAnswer => ({
  ...{ status, headers: { 'Content-Type': 'text/xml' }, body },
});
const refused = (code: string, message: string) =>
  xml(
    `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    400,
  );

/** CloudFormation's answer, of its Query protocol. */
function answer(asked: URLSearchParams): AwsAnswer {
  if (asked.get('Action') === 'GetCallerIdentity') {
    return xml('<R><GetCallerIdentityResult><Account>1</Account></GetCallerIdentityResult></R>');
  }
  if (refusal !== undefined) return refusal;
  const stack = stacks[asked.get('StackName') ?? ''];
  if (stack === undefined) return refused('ValidationError', 'Stack with id x does not exist');
  switch (asked.get('Action')) {
    case 'DescribeStacks': {
      const tags = Object.entries(stack.tags ?? {}).map(
        ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
      );
      return xml(
        `<R><DescribeStacksResult><Stacks><member><Tags>${tags.join('')}</Tags></member></Stacks></DescribeStacksResult></R>`,
      );
    }
    case 'GetTemplate': {
      expect(asked.get('TemplateStage')).toBe('Original');
      const text = JSON.stringify(stack.template).replaceAll('"', '&quot;');
      return xml(
        `<R><GetTemplateResult><TemplateBody>${text}</TemplateBody></GetTemplateResult></R>`,
      );
    }
    default: {
      const page = Number(asked.get('NextToken') ?? 0);
      const members = (stack.pages[page] ?? []).map(
        ({ id, physical, status = 'CREATE_COMPLETE', since = '2026-11-27T09:12:00Z' }) =>
          `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${physical}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus><LastUpdatedTimestamp>${since}</LastUpdatedTimestamp></member>`,
      );
      const next =
        page + 1 < stack.pages.length ? `<NextToken>${String(page + 1)}</NextToken>` : '';
      return xml(
        `<R><ListStackResourcesResult><StackResourceSummaries>${members.join('')}</StackResourceSummaries>${next}</ListStackResourcesResult></R>`,
      );
    }
  }
}

const NESTED = { Type: 'AWS::CloudFormation::Stack' };
const TABLE = { Type: 'AWS::DynamoDB::Table', Properties: {} };
const SINCE = new Date('2026-11-27T09:12:00Z');

describe('what is deployed', () => {
  test('is the template of the stack and of each part, with what exists of them', async () => {
    stacks = {
      blockyard: {
        template: { Metadata: { blockyard: {} }, Resources: { Part5: NESTED, Api: { Type: 'A' } } },
        pages: [[{ id: 'Part5', physical: 'arn:part-5' }], [{ id: 'Api', physical: 'a1b2' }]],
        tags: { team: 'data' },
      },
      'arn:part-5': {
        template: { Resources: { Table: TABLE } },
        pages: [[{ id: 'Table', physical: 'blockyard-Part5-Table-1' }]],
      },
    };
    const deployed = await readDeployed('blockyard', 'us-east-1');
    expect(deployed?.tags).toEqual({ team: 'data' });
    expect(deployed?.root.template).toEqual(stacks.blockyard?.template);
    // Its list has two pages.
    expect(deployed?.root.existing).toEqual(
      new Map([
        ['Part5', { id: 'arn:part-5', since: SINCE }],
        ['Api', { id: 'a1b2', since: SINCE }],
      ]),
    );
    expect([...(deployed?.parts.keys() ?? [])]).toEqual(['Part5']);
    expect(deployed?.parts.get('Part5')).toEqual({
      template: { Resources: { Table: TABLE } },
      existing: new Map([['Table', { id: 'blockyard-Part5-Table-1', since: SINCE }]]),
    });
  });

  test('leaves out what is gone, though the list and the template still have it', async () => {
    stacks = {
      blockyard: {
        template: { Resources: { Part5: NESTED, Part7: NESTED, Log: { Type: 'A' } } },
        pages: [
          [
            { id: 'Part5', physical: 'arn:part-5', status: 'DELETE_COMPLETE' },
            { id: 'Log', physical: 'log', status: 'DELETE_SKIPPED' },
          ],
        ],
      },
    };
    const deployed = await readDeployed('blockyard', 'us-east-1');
    expect(deployed?.root.existing).toEqual(new Map());
    // Part7 is in the template of a deployment that did not get so far.
    expect(deployed?.parts).toEqual(new Map());
  });

  test('is nothing where there is no such stack', async () => {
    expect(await readDeployed('blockyard', 'us-east-1')).toBeUndefined();
  });

  test('that may not be read stops the command with a line that names the permissions', async () => {
    refusal = refused('AccessDenied', 'User is not authorized\n to perform it');
    await expect(readDeployed('blockyard', 'us-east-1')).rejects.toThrow(
      'CloudFormation does not show what is deployed (AccessDenied: User is not authorized to perform it). Allow cloudformation:DescribeStacks, GetTemplate and ListStackResources.',
    );
  });
});

describe('what the CDK replaces', () => {
  test('is not asked for without credentials, since the CDK then deploys nothing', async () => {
    expect(await readReplaced('blockyard', {})).toBeUndefined();
    expect(aws.calls).toEqual([]);
  });

  test('is what is deployed in the account that the app sees', async () => {
    stacks = { blockyard: { template: { Resources: {} }, pages: [] } };
    const environment = { CDK_DEFAULT_ACCOUNT: '1', CDK_DEFAULT_REGION: 'us-east-1' };
    expect((await readReplaced('blockyard', environment))?.root.template).toEqual({
      Resources: {},
    });
  });

  test('cannot be seen in another account, as with --profile: one line, and nothing is deployed', async () => {
    const environment = { CDK_DEFAULT_ACCOUNT: '2', CDK_DEFAULT_REGION: 'us-east-1' };
    await expect(readReplaced('blockyard', environment)).rejects.toThrow(
      "the CDK deploys to account 2, and the app's own credentials are of another (1), so it cannot keep the version before. Set AWS_PROFILE instead of --profile.",
    );
  });
});
