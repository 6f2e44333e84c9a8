import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { addBlock, copyCheckout } from '../support/checkout.ts';
import { cleanUp } from '../support/process.ts';

afterAll(cleanUp);

test('a new folder is a function, its check, a table and two routes, with no edit elsewhere', async () => {
  const copy = await copyCheckout();
  const field = { type: 'text', name: 'tree', title: 'Tree', indexed: true };
  await addBlock(copy, { name: 'street-trees', fields: [field], csv: 'tree\nelm\noak\n' });
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bin/app.ts'], {
    cwd: copy,
    env: { PATH: process.env.PATH, CDK_OUTDIR: path.join(copy, 'cdk.out') },
  });
  const template = await readFile(path.join(copy, 'cdk.out/blockyard.template.json'), 'utf8');
  const resources = Object.entries(JSON.parse(template).Resources) as [
    string,
    { Type: string; Properties: Record<string, unknown> },
  ][];
  const added = resources
    .filter(([id]) => /^(?:Check)?streettrees/.test(id))
    .map(([, { Type }]) => Type);
  expect(added).toEqual(
    expect.arrayContaining([
      'AWS::DynamoDB::Table',
      'AWS::Lambda::Function',
      'AWS::Lambda::Alias',
      'Custom::BlockCheck',
    ]),
  );
  const parts = resources.map(([, { Properties }]) => Properties?.PathPart);
  expect(parts).toEqual(expect.arrayContaining(['street-trees', 'street-trees-id']));
});
