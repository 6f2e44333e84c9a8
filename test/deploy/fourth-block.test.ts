import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { partOf } from '../../lib/blockyard-stack.ts';
import { addBlock, copyCheckout } from '../support/checkout.ts';
import { cleanUp } from '../support/process.ts';
import { bundledApp } from './bundled-checkout.ts';
import { theEmulator } from './emulator.ts';

afterAll(cleanUp);

test('a new folder is a function, its check, a table and two addresses, with no edit elsewhere', async () => {
  const copy = await copyCheckout();
  const field = { type: 'text', name: 'tree', title: 'Tree', indexed: true };
  await addBlock(copy, { name: 'street-trees', fields: [field], csv: 'tree\nelm\noak\n' });
  await promisify(execFile)(process.execPath, [bundledApp(theEmulator())], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      BLOCKYARD_BLOCKS: copy,
      CDK_OUTDIR: path.join(copy, 'cdk.out'),
    },
  });
  const part = `blockyardPart${partOf('street-trees')}`;
  const [file = ''] = (await readdir(path.join(copy, 'cdk.out'))).filter(
    (name) => name.startsWith(part) && name.endsWith('.nested.template.json'),
  );
  const template = await readFile(path.join(copy, 'cdk.out', file), 'utf8');
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
  const addresses = resources.map(([, { Properties }]) => Properties?.PathPart);
  expect(addresses).toEqual(expect.arrayContaining(['street-trees', 'street-trees-id']));
});
