import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { wayBack } from '../../lib/version-before.ts';
import type { BuiltBlock } from '../../src/build/build-block.ts';
import { type BuiltService, buildService } from '../../src/build/build-service.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { OPEN } from '../support/ample.ts';
import { addBlock } from '../support/checkout.ts';
import { importDataset } from '../support/datasets.ts';
import {
  changesBetween,
  deployedFrom,
  resourcesOf,
  type Templates,
} from '../support/deployed-stack.ts';
import { synthesizeUnchecked } from '../support/deployment.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

const ROWS = 12_000;
const NAME = 'long-texts';

/** More than the pipes between a function and a reader hold, in many reads of the table. */
const csvOf = (mark: string) =>
  `number,text\n${Array.from({ length: ROWS }, (_, i) => `${i},${mark} ${String(i).padStart(400, '-')}\n`).join('')}`;

type Edition = {
  readonly service: BuiltService;
  readonly built: BuiltBlock;
  seed(): Promise<void>;
};

let store: Awaited<ReturnType<typeof startEmbeddedDynamodb>>;
let client: DynamoDBClient;
let first: Edition;
let second: Edition;
beforeAll(async () => {
  store = await startEmbeddedDynamodb();
  client = createClient(store);
  [first, second] = [await editionOf('one'), await editionOf('two')];
});
beforeEach(async () => {
  await first.seed();
});
afterAll(async () => {
  client.destroy();
  await store.stop();
  await cleanUp();
});

async function editionOf(mark: string): Promise<Edition> {
  const [blocks, out] = [await temporaryFolder(), await temporaryFolder()];
  for (const folder of ['functions', 'seed-data']) await mkdir(path.join(blocks, folder));
  const fields = [
    { type: 'integer', name: 'number', title: 'Number' },
    { type: 'text', name: 'text', title: 'Text' },
  ];
  await addBlock(blocks, { id: NAME, name: NAME, fields, csv: csvOf(mark) });
  const service = await buildService({ root: ROOT, blocks, out });
  const [loaded] = await loadBlocks(path.join(blocks, 'functions'));
  if (loaded?.kind !== 'dataset') throw new TypeError('The block has no data.');
  const [block, data] = [loaded.block, path.join(blocks, 'seed-data')];
  const seed = async () => {
    await seedTable(client, await importDataset(block, loaded.dataset, data));
  };
  return { service, built: service.blocks[0] as BuiltBlock, seed };
}

type Download = { readonly child: ChildProcess; readonly body: Readable };

/** Begins a download by the bundled function, whose reader takes nothing beyond the first bytes. */
async function begin({ built }: Edition): Promise<Download> {
  const { code, environment, manifest } = built;
  if (manifest === undefined) throw new TypeError('The block has no data.');
  const address = `/api_v2/blocks/${NAME}`;
  const event = {
    ...{ httpMethod: 'GET', path: address, headers: {}, body: null, isBase64Encoded: false },
    multiValueQueryStringParameters: { _format: ['csv'] },
    requestContext: { path: `/prod${address}`, domainName: 'here' },
  };
  const script = path.join(import.meta.dirname, 'streaming-process.ts');
  const child = fork(script, [path.join(code, 'index.mjs'), JSON.stringify(event)], {
    cwd: code,
    execArgv: ['--import', path.join(ROOT, 'node_modules/tsx/dist/loader.mjs')],
    env: {
      PATH: process.env.PATH,
      ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
      ...OPEN,
      ...environment,
      ...{ BUILD: 'test', SERVICE_NAME: 'the-stack', COLUMN_CACHE_BYTES: '0' },
      TABLE_NAME: tableName(manifest),
      DYNAMODB_ENDPOINT: store.endpoint,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'ipc'],
  });
  const body = child.stdio[3] as Readable;
  await once(body, 'readable');
  return { child, body };
}

/** Takes the rest: how many rows came, and whether the function ended well. */
async function finish({ child, body }: Download) {
  const [bytes, [code]] = await Promise.all([buffer(body), once(child, 'exit')]);
  return { rows: bytes.toString().split('\r\n').length - 2, code };
}

const WHOLE = { rows: ROWS, code: 0 };

/** Deletes the tables that a deployment deletes, by its templates. */
async function deleteAsIn(before: Templates, after: Templates): Promise<number> {
  const gone = changesBetween(before, after).deleted.filter(
    (id) => resourcesOf(before)[id]?.Type === 'AWS::DynamoDB::Table',
  );
  for (const { built } of [first, second]) {
    const { table, manifest } = built;
    if (table === undefined || manifest === undefined) continue;
    if (!gone.some((id) => id.includes(`Version${table.version}`))) continue;
    await client.send(new DeleteTableCommand({ TableName: tableName(manifest) }));
  }
  return gone.length;
}

const deployed = (of: Edition, before?: Templates) =>
  synthesizeUnchecked(of.service, {}, before && deployedFrom(before));

test('a slow download is whole over an update of its data', async () => {
  const download = await begin(first);
  const before = deployed(first);
  await second.seed();
  expect(await deleteAsIn(before, deployed(second, before))).toBe(0);
  expect(await finish(download)).toEqual(WHOLE);
});

test('slow downloads of both versions are whole over an update and the way back', async () => {
  const old = await begin(first);
  const before = deployed(first);
  const after = deployed(second, before);
  await second.seed();
  await deleteAsIn(before, after);
  const young = await begin(second);
  const { root, parts } = wayBack('blockyard', deployedFrom(after));
  const back = {
    root: root as Templates['root'],
    parts: after.parts.map((part) => ({
      ...part,
      template: (parts.get(part.name) as Templates['root'] | undefined) ?? part.template,
    })),
  };
  expect(await deleteAsIn(after, back)).toBe(0);
  expect(await Promise.all([finish(old), finish(young)])).toEqual([WHOLE, WHOLE]);
});

test('a download breaks off where its table is deleted, as by a deployment that keeps none', async () => {
  const download = await begin(first);
  expect(await deleteAsIn(deployed(first), deployed(second))).toBe(1);
  const { rows, code } = await finish(download);
  expect(code).toBe(1);
  expect(rows).toBeLessThan(ROWS);
});
