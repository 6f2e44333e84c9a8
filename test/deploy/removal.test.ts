import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Ended } from '../support/command.ts';
import { cleanUp } from '../support/process.ts';
import { DYNAMODB, destroy, RESIDENT } from './deployed-service.ts';
import { theEmulator } from './emulator.ts';
import { inventory } from './inventory.ts';

const emulator = theEmulator();
/** What the account held before anything was deployed: the CDK's bootstrap. */
const before = JSON.parse(process.env.DEPLOYED_BEFORE ?? '[]');
let deployed: string[];
let ended: Ended[];

beforeAll(async () => {
  deployed = await inventory(emulator);
  ended = await Promise.all([RESIDENT, DYNAMODB].map((service) => destroy(emulator, service)));
}, 120_000);
afterAll(cleanUp);

test('npm run destroy says what it removes, and from where', () => {
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(ended[0]?.output).toMatch(/^Removing blockyard from account 000000000000, us-east-1\.$/m);
});

test('nothing of a removed service is left in the account', async () => {
  expect(deployed.length - before.length).toBeGreaterThan(30);
  expect(before.length).toBeGreaterThan(5);
  expect(await inventory(emulator)).toEqual(before);
});
