import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { partOf } from '../../lib/blockyard-stack.ts';
import { addManyBlocks, manyBlocks, namesOfMany } from '../support/many-blocks.ts';
import { cleanUp } from '../support/process.ts';
import { type Deployed, deployWell, MEMORY, resourcesOf } from './deployed-service.ts';
import { askAws, theEmulator } from './emulator.ts';

const emulator = theEmulator();
const { slackSecret: _, ...context } = MEMORY.context;
const MANY = { ...MEMORY, stackName: 'many-blocks', context };
/** A hundred take minutes here, since each starts a function of its own. */
const COUNT = 12;
const NAMES = namesOfMany(COUNT);
const LATER = 'later';

let first: Deployed;
let partsBefore: Record<string, string>;
let second: Deployed;
beforeAll(async () => {
  const folder = await manyBlocks(COUNT);
  const environment = { BLOCKYARD_BLOCKS: folder };
  first = await deployWell(emulator, MANY, { environment });
  partsBefore = await resourcesOf(emulator, MANY, 'AWS::CloudFormation::Stack');
  await addManyBlocks(folder, [LATER]);
  second = await deployWell(emulator, MANY, { environment, isBundled: true });
});
// The stack goes with the emulator of this lane; `removal.test.ts` tries to remove one.
afterAll(cleanUp);

const ask = async (at: Deployed, path: string) => {
  const response = await fetch(`${at.url}${path}`);
  return { status: response.status, body: await response.json() };
};

test('blocks of many parts are deployed in one go, each in the part of its name', async () => {
  expect(Object.keys(partsBefore).sort()).toEqual(
    [...new Set(NAMES.map((name) => `Part${partOf(name)}`))].sort(),
  );
  for (const [i, name] of NAMES.entries()) {
    const { status, body } = await ask(first, `/api_v2/blocks/${name}?street=high+street`);
    expect([status, body.params?.results]).toEqual([200, [{ street: 'High Street', number: i }]]);
  }
});

test('a channel calls any of them, by its name', async () => {
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: NAMES.at(-1), arguments: { street: 'canal street' } },
  };
  const response = await fetch(`${first.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(call),
  });
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('Canal Street'),
  ]);
});

test('a block that comes later has its address, and moves no other', async () => {
  const { status, body } = await ask(second, `/api_v2/blocks/${LATER}?street=high+street`);
  expect([status, body.params?.count]).toEqual([200, 1]);
  expect(await resourcesOf(emulator, MANY, 'AWS::CloudFormation::Stack')).toMatchObject(
    partsBefore,
  );
  const [{ TableNames }] = await askAws(emulator, [['dynamodb', 'list_tables']]);
  const tables = Object.values(await resourcesOf(emulator, MANY, 'AWS::DynamoDB::Table'));
  expect(tables).toHaveLength(COUNT + 1);
  expect(TableNames).toEqual(expect.arrayContaining(tables));
});
