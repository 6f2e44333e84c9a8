import { readFileSync } from 'node:fs';
import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import {
  type BlockExpectation,
  checkVersion,
  customResource,
  newClients,
} from '../src/lambda/check-version.ts';
import { type CopiedFiles, copyFiles, newS3Client, removeFiles } from '../src/lambda/copy-files.ts';

// The build puts the expectations of the blocks beside the code.
const expectations: Readonly<Record<string, BlockExpectation>> = JSON.parse(
  readFileSync(new URL('./checks.json', import.meta.url), 'utf8'),
);
const asked = newClients();

const check = customResource(
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

const s3 = newS3Client();
const files = customResource(
  (properties, signal) => copyFiles(s3, properties as unknown as CopiedFiles, signal),
  (properties, signal) => removeFiles(s3, properties as unknown as CopiedFiles, signal),
);

/** The function by which a deployment checks each block's new version, and copies its files. */
export const handler = (event: CloudFormationCustomResourceEvent, context: Context) =>
  (event.ResourceType === 'Custom::BlockFiles' ? files : check)(event, context);
