import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  EXECUTION_POLICY,
  executionPolicy,
  HANDLERS,
  NOT_NEEDED,
} from '../../bench/policy/execution-policy.ts';
import type { BuiltService } from '../../src/build/build-service.ts';
import { readDocument } from '../docs/markdown.ts';
import { builtService, type Resource, synthesizeUnchecked } from '../support/deployment.ts';
import { cleanUp } from '../support/process.ts';

const EVERYTHING = {
  ...{ access: 'keys', apiLogRole: 'create', alarmEmail: 'ops@example.org', dashboard: 'true' },
  ...{ budget: '25', budgetEmail: 'money@example.org', tags: 'team=data', removalPolicy: 'retain' },
  domainName: 'data.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
  slackSecret: '/blockyard/slack',
  secretKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/0a1b-2c3d',
  reservedConcurrency: '7',
};

let resources: Resource[];
beforeAll(async () => {
  const service: BuiltService = await builtService();
  const secret = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:blockyard/slack-AbCdEf';
  const contexts: Record<string, string>[] = [
    {},
    EVERYTHING,
    { slackSecret: secret, tracing: 'false' },
  ];
  resources = contexts.flatMap((context) =>
    Object.values(synthesizeUnchecked(service, context).resources),
  );
});
afterAll(cleanUp);

const typesOf = () => [...new Set(resources.map(({ Type }) => Type))].sort();
const isCustom = (type: string) => type.startsWith('Custom::');

describe("the policy for CloudFormation's role", () => {
  test('knows every type of resource that a template may have, and no other', () => {
    expect(typesOf().filter((type) => !isCustom(type))).toEqual(Object.keys(HANDLERS).sort());
    expect(typesOf().filter(isCustom)).toEqual([
      'Custom::BlockCheck',
      'Custom::BlockFiles',
      'Custom::Trigger',
    ]);
  });

  test("allows what CloudFormation's handlers of these types ask for", () => {
    const allowed = new Set(executionPolicy().Statement.flatMap(({ Action }) => Action));
    const begun = [...allowed].flatMap((one) => (one.endsWith('*') ? one.slice(0, -1) : []));
    expect(begun).toEqual(['s3:GetBucket']);
    const missing = Object.values(HANDLERS)
      .flat()
      .filter((action) => !allowed.has(action) && !begun.some((one) => action.startsWith(one)))
      .filter(
        (action) => !NOT_NEEDED.some(({ actions }) => actions.some((one) => one.test(action))),
      );
    expect(missing).toEqual([]);
    // Custom resources, and the version of the bootstrap that each template asks for.
    expect([...allowed]).toEqual(
      expect.arrayContaining(['lambda:InvokeFunction', 'ssm:GetParameters', 'iam:PassRole']),
    );
  });

  test('leaves out only what belongs to properties that no template has', () => {
    const text = JSON.stringify(resources);
    const needed = NOT_NEEDED.flatMap(({ properties }) => properties).filter((name) =>
      text.includes(`"${name}":`),
    );
    expect(needed).toEqual([]);
    // An exception for an action that no handler asks for would be about nothing.
    const asked = Object.values(HANDLERS).flat();
    const idle = NOT_NEEDED.flatMap(({ actions }) => actions).filter(
      (one) => !asked.some((action) => one.test(action)),
    );
    expect(idle).toEqual([]);
  });

  test("is about roles, policies and functions whose names begin with the stack's", () => {
    const named = resources.flatMap(({ Type, Properties }) =>
      ['RoleName', 'ManagedPolicyName', 'Path', 'FunctionName']
        .filter((name) => Properties?.[name] !== undefined)
        .filter((name) => name !== 'FunctionName' || Type === 'AWS::Lambda::Function')
        .map((name) => Properties[name]),
    );
    // CloudFormation calls none of the blocks' functions itself.
    expect([...new Set(named)].filter((name) => name !== '/' && !/^blockyard_/.test(name))).toEqual(
      [],
    );
  });

  test('lets CloudFormation read or change no row, and no role of another stack', () => {
    const text = JSON.stringify(executionPolicy());
    expect(text).not.toMatch(/dynamodb:(?:\w+Item|Query|Scan)"/);
    const ofBuckets = executionPolicy().Statement.filter(({ Resource }) =>
      Resource.includes('arn:aws:s3:::blockyard-*'),
    );
    expect(ofBuckets.flatMap(({ Action }) => Action)).toContain('s3:CreateBucket');
    expect(ofBuckets.flatMap(({ Action }) => Action)).not.toContain('s3:GetObject');
    const ofAll = executionPolicy().Statement.filter(({ Resource }) => Resource.includes('*'));
    const writes = ofAll.flatMap(({ Action }) => Action).filter((one) => /^iam:(?!List)/.test(one));
    expect(writes).toEqual([]);
  });

  test('is short enough for one managed policy: 6,144 characters without white space', () => {
    expect(readDocument(EXECUTION_POLICY).replace(/\s/g, '').length).toBeLessThanOrEqual(6144);
  });
});
