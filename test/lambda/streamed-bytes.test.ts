import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateTableCommand, PutItemCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import { bundleHandlers, bundleWriters } from '../../src/build/bundle-handler.ts';
import { createClient, tableName } from '../../src/dynamodb/client.ts';
import { tableShape } from '../../src/dynamodb/item.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { makeDataset } from '../support/datasets.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { blockEvent } from './block-event.ts';
import { linesOf, runFunction } from './invoke-function.ts';
import type { Streamed } from './streamed-function.ts';

/** As many short rows as long ones, which have 5,000 characters: together 212 MB. */
const HALF = 42_000;
const ROWS = Array.from({ length: 2 * HALF }, (_, number) => ({
  street: number < HALF ? 'Elm' : 'long name '.repeat(500),
  number,
}));

const DECLARED = {
  ...{ id: 'tiny-id', name: 'tiny', title: 'Tiny', description: 'Made by a test.', examples: [] },
  fields: [
    { type: 'text', name: 'street', title: 'Street' },
    { type: 'number', name: 'number', title: 'Number' },
  ],
} satisfies DatasetDeclaration;
const block = datasetBlock(DECLARED);

const ASKED = {
  head: { _format: 'csv', _fields: 'number' },
  all: { _format: 'ndjson' },
  refusedAsCsv: { _format: 'csv' },
  halfAsParquet: { _format: 'parquet' },
  short: { _format: 'ndjson', number_max: String(HALF - 1) },
  numbers: { _format: 'csv', _fields: 'number' },
  fits: { _format: 'ndjson', number_min: String(HALF + 2800) },
  longer: { _format: 'ndjson', number_min: String(HALF) },
};

let answers: Record<keyof typeof ASKED, Streamed>;
beforeAll(async () => {
  const folder = await temporaryFolder();
  const emulator = await startEmbeddedDynamodb();
  const client = createClient(emulator);
  try {
    const { manifest, items } = makeDataset(block, ROWS, { title: 't' });
    const TableName = tableName(manifest);
    await client.send(new CreateTableCommand({ TableName, ...tableShape(block.fields) }));
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.05 }, { TableName });
    // Without those of the rows, which no download reads: these would be 200 MB.
    for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }));
    await bundleHandlers({ entries: { index: 'lambda/dataset.ts' }, folder, root: ROOT });
    await bundleWriters(ROOT, folder);
    const file = async (name: string, value: unknown) => {
      await writeFile(path.join(folder, name), JSON.stringify(value));
      return `./${name}`;
    };
    const ran = await runFunction<Streamed>(
      'streamed-function.ts',
      path.join(folder, 'index.mjs'),
      Object.entries(ASKED).map(([name, query]) =>
        blockEvent(query, name === 'head' ? 'HEAD' : 'GET'),
      ),
      {
        TABLE_NAME: TableName,
        DATASET_MANIFEST: await file('manifest.json', manifest),
        BLOCK: await file('block.json', DECLARED),
        DYNAMODB_ENDPOINT: emulator.endpoint,
      },
    );
    answers = Object.fromEntries(
      Object.keys(ASKED).map((name, i) => [name, ran.answers[i]]),
    ) as typeof answers;
  } finally {
    client.destroy();
    await emulator.stop();
  }
}, 120_000);
afterAll(cleanUp);

test('a function refuses what Lambda would cut at 200 MB, before its first byte', () => {
  for (const name of ['all', 'refusedAsCsv'] as const) {
    const { status, text, isWhole } = answers[name];
    expect([status, isWhole, JSON.parse(text)]).toMatchObject([
      400,
      true,
      {
        code: 'result-too-large',
        detail: expect.stringMatching(
          /^84,000 rows match, about 21[1-4] MB as .* at most 199 MB here\./,
        ),
      },
    ]);
  }
});

test('it answers whole with the fields or the rows that fit, or as Parquet', () => {
  const { short, numbers, fits, halfAsParquet } = answers;
  expect(short).toMatchObject({ status: 200, isWhole: true, lines: HALF });
  expect(numbers).toMatchObject({ status: 200, isWhole: true, lines: 1 + 2 * HALF });
  expect(fits).toMatchObject({ status: 200, isWhole: true, lines: HALF - 2800 });
  expect(fits.bytes).toBeGreaterThan(196e6);
  expect(halfAsParquet).toMatchObject({ status: 200, isWhole: true });
});

test('an answer that turns out longer than was told ends as a broken one, and its run says why', () => {
  const { status, isWhole, bytes } = answers.longer;
  expect([status, isWhole]).toEqual([200, false]);
  expect(bytes).toBeGreaterThan(198e6);
  expect(bytes).toBeLessThan(199.1e6);
  expect(linesOf(answers.longer.log)).toContainEqual(
    expect.objectContaining({ message: 'run', status: 200, code: 'result-too-large' }),
  );
});

test('a run is in the log before the last byte, after which Lambda may freeze the process', () => {
  for (const { log, status } of Object.values(answers)) {
    const [run, measured] = linesOf(log);
    expect([run, measured]).toMatchObject([{ message: 'run', status }, { Runs: 1 }]);
  }
});

test('HEAD has the headers of GET, and no body', () => {
  expect(answers.head).toMatchObject({ status: 200, isWhole: true, text: '' });
});
