import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readOptions } from '../../../lib/deployment-options.ts';
import { checkDeployment } from '../../../lib/preflight/checks.ts';
import { startAwsEndpoint } from '../../lambda/aws-endpoint.ts';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
beforeEach(async () => {
  const AccountLimit = { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 };
  aws = await startAwsEndpoint(() => ({ body: JSON.stringify({ AccountLimit }) }));
});
afterEach(() => aws.stop());

const check = (more: Partial<Parameters<typeof checkDeployment>[0]> = {}, context = {}) =>
  checkDeployment({
    ...{ account: '123456789012', region: 'us-east-1', node: '24.1.0', functions: 3, held: 0 },
    ...{ options: readOptions(context, {}), outputs: undefined, isGiven: () => false },
    ...more,
  });
const certified = (region: string, account: string) => ({
  domainName: 'data.example.org',
  certificateArn: `arn:aws:acm:${region}:${account}:certificate/0a1b`,
});

test('a deployment that fits is told nothing', async () => {
  expect(await check({}, certified('us-east-1', '123456789012'))).toEqual([]);
  expect(await check({ node: '22.0.0' })).toEqual([]);
});

test('with Node 20, a line asks for 22, and the deployment goes on', async () => {
  expect(await check({ node: '20.19.0' })).toEqual([
    'This is Node 20.19.0. Deploy with Node 22 or newer: Node 20 has had no support since April 2026, and no support of the CDK since October. It still works, and so does serving.',
  ]);
});

test.each([
  [
    'another region',
    certified('eu-west-1', '123456789012'),
    'the certificate is in eu-west-1, and the stack in us-east-1: API Gateway takes one of its own region.',
  ],
  [
    'another account',
    certified('us-east-1', '999999999999'),
    'the certificate is in the account 999999999999, and the stack in 123456789012: API Gateway takes one of its own account.',
  ],
])('a certificate of %s is refused in a line', async (_, context, line) => {
  await expect(check({}, context)).rejects.toThrow(line);
});

test('keys that are left out, and calls that the account lacks, are refused too', async () => {
  await expect(check({ outputs: { UsagePlanId: 'p1' } })).rejects.toThrow(
    'blockyard asks for keys',
  );
  await expect(check({}, { reservedConcurrency: '301' })).rejects.toThrow(
    'reservedConcurrency=300',
  );
});
