import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { createClient, tableName } from '../../src/dynamodb/client.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { seedTable } from '../support/seed-table.ts';
import { tinyBlock } from '../support/tiny-block.ts';

afterAll(cleanUp);

/** Dynalite's store without its server; it has no types. */
const stores = createRequire(import.meta.url)('dynalite/db/index.js');

const { fields } = tinyBlock;
const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const { manifest, items } = makeDataset(tinyBlock, [{ street: 'a', number: 1 }], source);

test('a table whose making was cut short by kill -9 is made anew', async () => {
  const folder = await temporaryFolder();
  const { db, tableDb } = stores.create({ path: folder });
  for (const TableName of ['blockyard-seals', tableName(manifest)]) {
    await new Promise((resolve) => {
      tableDb.put(TableName, { TableName, TableStatus: 'CREATING' }, resolve);
    });
  }
  await db.close();

  const embedded = await startEmbeddedDynamodb(folder);
  const client = createClient({ ...embedded, requestTimeout: AMPLE_MS });
  expect(await seedTable(client, { manifest, fields, items })).toBe('seeded');
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName(manifest) }));
  expect(Table?.TableStatus).toBe('ACTIVE');
  client.destroy();
  await embedded.stop();
});

test('a table whose deletion was cut short is made anew if its version is asked for again', async () => {
  const folder = await temporaryFolder();
  const seed = { manifest, fields, items };
  const name = tableName(manifest);
  const before = await startEmbeddedDynamodb(folder);
  const writer = createClient({ ...before, requestTimeout: AMPLE_MS });
  expect(await seedTable(writer, seed)).toBe('seeded');
  writer.destroy();
  await before.stop();
  const { db, tableDb } = stores.create({ path: folder });
  const table = await new Promise<object>((resolve, reject) => {
    tableDb.get(name, (error: unknown, found: object) => (error ? reject(error) : resolve(found)));
  });
  await new Promise((resolve) => {
    tableDb.put(name, { ...table, TableStatus: 'DELETING' }, resolve);
  });
  await db.close();

  const embedded = await startEmbeddedDynamodb(folder);
  const client = createClient({ ...embedded, requestTimeout: AMPLE_MS });
  expect(await seedTable(client, seed)).toBe('seeded');
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  expect(Table?.TableStatus).toBe('ACTIVE');
  client.destroy();
  await embedded.stop();
});

test('data that are damaged are named, with what to do', async () => {
  const folder = await temporaryFolder();
  writeFileSync(path.join(folder, 'CURRENT'), 'nonsense');
  await expect(startEmbeddedDynamodb(folder)).rejects.toThrow(
    new RegExp(
      `^the embedded DynamoDB did not start: .+; check that ${folder} can be written; if its data are damaged, delete it$`,
    ),
  );
});

test('a folder that cannot be written is not taken for one in use', async () => {
  const folder = await temporaryFolder();
  mkdirSync(path.join(folder, 'LOCK'));
  await expect(startEmbeddedDynamodb(folder)).rejects.toThrow(
    `the embedded DynamoDB did not start: Error: IO error: ${folder}/LOCK: Is a directory; check that ${folder} can be written`,
  );
});

test('two folders are two stores, and its end can be waited for twice', async () => {
  const [one, two] = await Promise.all([startEmbeddedDynamodb(), startEmbeddedDynamodb()]);
  expect(one.endpoint).not.toBe(two.endpoint);
  await Promise.all([one.stop(), one.stop(), two.stop()]);
});

test('its keys open it, but not to a page or under another name, and no list of processes shows them', async () => {
  const embedded = await startEmbeddedDynamodb();
  const { hostname, port } = new URL(embedded.endpoint);
  const { accessKeyId } = embedded.credentials;
  const statusWith = (more: OutgoingHttpHeaders) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-date': '20260101T000000Z',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
        ...more,
      };
      request({ hostname, port, method: 'POST', headers }, ({ statusCode }) => resolve(statusCode))
        .once('error', reject)
        .end('{}');
    });
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ origin: embedded.endpoint })).toBe(403);
  expect(await statusWith({ host: `localhost:${port}` })).toBe(403);
  for (const shown of ['cmdline', 'environ']) {
    const text = readFileSync(`/proc/${embedded.pid}/${shown}`, 'utf8');
    expect(text).not.toContain(accessKeyId);
  }
  await embedded.stop();
});
