import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, expect, test } from '@jest/globals';
import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { ColumnPacker, packValues } from '../../src/columns/encode-chunk.ts';
import { DYNAMODB } from '../../src/dynamodb/storage.ts';
import { importDataset } from '../../src/import/import-dataset.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import type { ColumnMessage, OrdersMessage, PackingTask } from '../../src/import/pack-ahead.ts';
import { GivenToOther, packForOther } from '../../src/import/pack-for-other.ts';
import { packRows } from '../../src/import/pack-rows.ts';
import { inOrders, storedOrders } from '../../src/import/stored-orders.ts';
import type { Row } from '../../src/values/field-type.ts';
import { commandThatWorks } from '../support/command.ts';
import { madeOnce } from '../support/once/made-once.ts';
import { packColumns } from '../support/pack-columns.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

afterAll(cleanUp);

/** The package, since only compiled code runs in another thread. */
const compiled = await madeOnce<string>('package');

const HEADER = 'id,place,opened,height,note\n';
const row = (i: number) => `A${i},place ${i % 97},2020-05-${10 + (i % 20)},${i % 700}.5`;

/** Rows of more than the size from which a file is packed on another core. */
const LONG = 'a note. '.repeat(250);
const ROWS = Array.from({ length: 4500 }, (_, i) => `${row(i)},${LONG}${i}\n`).join('');

/** Adds a file in a process, and imports its block once more, in this thread. */
async function addTwice(text: string) {
  const folder = await temporaryFolder();
  const [file, blocks] = [path.join(folder, 'heights.csv'), path.join(folder, 'blocks')];
  await mkdir(blocks);
  await writeFile(file, text);
  const { PATH, HOME } = process.env;
  const program = path.join(compiled, 'bin/blockyard.js');
  const args = [program, 'add', file, '--yes', '--blocks', blocks];
  await commandThatWorks(process.execPath, args, { cwd: folder, env: { PATH, HOME } });
  const { block, dataset } = await loadDataBlock(path.join(blocks, 'functions/heights'));
  const seedData = path.join(blocks, 'seed-data');
  const alone = await importDataset(block, dataset, seedData, DYNAMODB);
  const versions = path.join(blocks, '.blockyard/versions');
  const [version = ''] = await readdir(versions);
  const described = await readFile(path.join(versions, version, 'description'), 'utf8');
  const kept = JSON.parse(described.slice(described.indexOf('\n')));
  const chunks = [...alone.columns.columns.values()].flatMap((column) => column.chunks);
  const bytes = await readFile(path.join(versions, version, 'columns'));
  return { block, alone, kept, isSame: Buffer.concat(chunks).equals(bytes) };
}

test('a large file has the rows that it has if one thread reads it', async () => {
  const { block, alone, kept, isSame } = await addTwice(`${HEADER}${ROWS}`);
  expect(block.fields.map(({ type }) => type)).toEqual(['text', 'text', 'date', 'number', 'text']);
  expect(kept.version.manifest).toEqual(JSON.parse(JSON.stringify(alone.manifest)));
  expect(isSame).toBe(true);
});

test('the whole of a large file decides, and not its beginning', async () => {
  const text = `${HEADER}${ROWS}A9,place 9,2020-05-01,007,\n`;
  const { block, alone, kept, isSame } = await addTwice(text);
  expect(block.fields.map(({ type }) => type)).toEqual(['text', 'text', 'date', 'text', 'text']);
  expect(kept.version.manifest).toEqual(JSON.parse(JSON.stringify(alone.manifest)));
  expect(kept.version.manifest.rows).toBe(4501);
  expect(isSame).toBe(true);
});

const FIELDS = [
  { name: 'id', type: 'text' },
  { name: 'place', type: 'text' },
  { name: 'opened', type: 'date' },
  { name: 'height', type: 'number' },
  { name: 'note', type: 'text' },
] as const;
const TITLED = FIELDS.map((field) => ({ ...field, title: field.name }));

test('another thread packs rows as this one does, and what finds them', async () => {
  const folder = await temporaryFolder();
  const text = `${HEADER}${Array.from({ length: 1300 }, (_, i) => `${row(i)},\n`).join('')}`;
  await writeFile(path.join(folder, 'heights.csv'), text);
  const source = { file: 'heights.csv', sources: [], fields: TITLED };
  const orders = storedOrders({ fields: TITLED });
  const task: PackingTask = { folder, source, fields: TITLED, orders };
  const worker = new Worker(path.join(compiled, 'dist/src/import/packing-worker.js'));
  worker.postMessage(task);
  const messages: unknown[] = [];
  worker.on('message', (message) => messages.push(message));
  await once(worker, 'exit');
  const { columns } = await packRows(TITLED, source, folder);
  const columnOf = ({ field, directory, bytes }: ColumnMessage) =>
    [field, { directory, chunks: [Buffer.from(bytes)] }] as const;
  const sent = messages.slice(0, -2).map((message) => columnOf(message as ColumnMessage));
  expect(sent).toEqual([...columns.columns]);
  expect(messages.at(-2)).toMatchObject({ found: 1300, rows: 1300, hashes: columns.hashes });
  const last = messages.at(-1) as OrdersMessage;
  expect(last.orders.searched.map(({ name }) => name)).toEqual(['id', 'place', 'note']);
  const ordered = inOrders(columns, last.orders);
  const added = [...ordered.columns].filter(([name, one]) => columns.columns.get(name) !== one);
  const sentLast = last.columns.map(({ field, directory, bytes }) => [
    field,
    {
      directory,
      chunks: bytes === undefined ? columns.columns.get(field)?.chunks : [Buffer.from(bytes)],
    },
  ]);
  expect(sentLast).toEqual(added);
  expect(added.map(([name]) => name)).toEqual(['id', '~word', '~gap', '~length']);
});

test('columns that the waiting thread packs are those that the reading thread would pack', async () => {
  const folder = await temporaryFolder();
  const lines = Array.from({ length: 200_000 }, (_, i) => `${row(i)},${i % 3 ? 'Ärger' : ''}\n`);
  const text = `${HEADER}${lines.join('')}`;
  await writeFile(path.join(folder, 'heights.csv'), text);
  const source = { file: 'heights.csv', sources: [], fields: TITLED };
  const alone = await packRows(TITLED, source, folder);
  const { port1, port2 } = new MessageChannel();
  let packed = 0;
  const post = port1.postMessage.bind(port1);
  port1.postMessage = (message: unknown) => {
    if (message !== 'ready') packed++;
    post(message);
  };
  packForOther(port1, () => {
    throw new Error('A column cannot be packed.');
  });
  const together = await packRows(TITLED, source, folder, CHUNK_ROWS, new GivenToOther(port2));
  expect(packed).toBeGreaterThan(2 * TITLED.length);
  expect(together).toEqual(alone);
});

test('chunks that are packed aside are in their places, whenever each is done', async () => {
  const rows = Array.from({ length: 900 }, (_, i): Row => ({ id: `A${i}`, height: i % 70 }));
  const fields = TITLED.filter(({ name }) => name === 'id' || name === 'height');
  const late: (() => void)[] = [];
  const packer = new ColumnPacker(fields, 100, {
    take: (field, values, done) => {
      if (late.length % 3 === 2) return late.push(() => {}) < 0;
      late.push(() => done(packValues(field, values)));
      return true;
    },
    settled: async () => {},
  });
  for (const one of rows) packer.addRow(one);
  expect(() => packer.packed()).toThrow(/not packed yet/);
  for (const done of late.reverse()) done();
  expect(packer.packed()).toEqual(packColumns(fields, rows, 100));
});
