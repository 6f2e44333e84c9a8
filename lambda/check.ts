import { readFileSync } from 'node:fs';
import {
  type BlockExpectation,
  checkVersion,
  customResource,
  newClients,
} from '../src/lambda/check-version.ts';

// The build puts the expectations of the blocks beside the code.
const expectations: Readonly<Record<string, BlockExpectation>> = JSON.parse(
  readFileSync(new URL('./checks.json', import.meta.url), 'utf8'),
);
const asked = newClients();

/** The function by which a deployment checks each block's new version. */
export const handler = customResource(
  async ({ Block: block = '', FunctionName = '', Version = '', Alias = '', Table }, signal) => {
    const expected = expectations[block];
    if (expected === undefined) throw new Error(`The build knows of no block ${block}.`);
    const version = {
      block,
      functionName: FunctionName,
      version: Version,
      alias: Alias,
      table: Table,
    };
    await checkVersion(version, expected, asked, signal);
  },
);
