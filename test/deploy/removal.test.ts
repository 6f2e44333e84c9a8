import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Ended } from '../support/command.ts';
import { cleanUp } from '../support/process.ts';
import { DYNAMODB, destroy, MEMORY, resourcesOf } from './deployed-service.ts';
import { askAws, theEmulator } from './emulator.ts';
import { inventory } from './inventory.ts';

const emulator = theEmulator();
/** What the account held before anything was deployed: the CDK's bootstrap. */
const before = JSON.parse(process.env.DEPLOYED_BEFORE ?? '[]');
let deployed: string[];
/** How many versions of functions each service had beside those that were live. */
let others: number[];
let ended: Ended[];

beforeAll(async () => {
  deployed = await inventory(emulator);
  const held = await Promise.all(
    [MEMORY, DYNAMODB].map((service) =>
      Promise.all(
        ['AWS::Lambda::Version', 'AWS::Lambda::Alias'].map((type) =>
          resourcesOf(emulator, service, type),
        ),
      ),
    ),
  );
  others = held.map(
    ([versions = {}, aliases = {}]) => Object.keys(versions).length - Object.keys(aliases).length,
  );
  ended = await Promise.all([MEMORY, DYNAMODB].map((service) => destroy(emulator, service)));
});
afterAll(cleanUp);

test('npm run destroy says what it removes, and from where', () => {
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(ended[0]?.output).toMatch(/^Removing blockyard from account 000000000000, us-east-1\.$/m);
});

/** By which API Gateway writes logs for all APIs of the region, whoever has made it. */
const LOG_ROLE = /^iam list_roles: (blockyard.*LogRole.*)$/;

test('nothing of a removed service is left in the account, with the version before, but the role that is not its own', async () => {
  expect(Math.min(...others)).toBeGreaterThan(0);
  expect(deployed.length - before.length).toBeGreaterThan(30);
  expect(before.length).toBeGreaterThan(5);
  const left = await inventory(emulator);
  expect(left.filter((entry) => !LOG_ROLE.test(entry))).toEqual(before);
});

test('API Gateway still has its role to write logs, and the role is there', async () => {
  const roles = (await inventory(emulator)).map((entry) => LOG_ROLE.exec(entry)?.[1] ?? '');
  const [{ cloudwatchRoleArn }] = await askAws(emulator, [['apigateway', 'get_account']]);
  expect(roles).toContain(cloudwatchRoleArn.split('/').at(-1));
});
