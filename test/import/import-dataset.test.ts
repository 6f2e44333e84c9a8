import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Origin } from '../../src/block/manifest.ts';
import { importDataset } from '../support/datasets.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { tinyBlock } from '../support/tiny-block.ts';

afterAll(cleanUp);

const CSV = 'Street,Number\nA,1\n"B\nC",2\n';
const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const { license, ...source } = SOURCE;
const ORIGIN = { sources: [source], licenses: [{ name: license }] };

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function importFiles(
  csv: string,
  more: { rows?: number; hash?: string } = {},
  block = tinyBlock,
) {
  await writeFile(path.join(folder, 'f.csv'), csv);
  return importDataset(block, { file: 'f.csv', ...ORIGIN, ...more }, folder);
}

test('a column for each field is all that a dataset needs', async () => {
  const { rows, manifest, notes } = await importFiles(CSV);
  expect([...rows]).toEqual([
    { values: { street: 'A', number: 1 }, keys: { street: 'a', number: 1 } },
    { values: { street: 'B\nC', number: 2 }, keys: { street: 'b c', number: 2 } },
  ]);
  expect(manifest).toMatchObject({ block: 'tiny', rows: 2, source: SOURCE });
  expect(notes).toEqual([]);
});

test('the row count and the hash are checked, and not handed on', async () => {
  const { manifest } = await importFiles(CSV, { rows: 2, hash: `sha256:${sha256(CSV)}` });
  expect(manifest.source).toEqual(SOURCE);
});

test('a source has a title at least, and its licence the best name that is there', async () => {
  await writeFile(path.join(folder, 'f.csv'), CSV);
  const sourceOf = async (origin: Origin) =>
    (await importDataset(tinyBlock, { file: 'f.csv', ...origin }, folder)).manifest.source;
  expect(await sourceOf({ sources: [{ title: 'a' }, { title: 'b' }] })).toEqual({ title: 'a' });
  const address = 'https://example.org/';
  for (const [license, shown] of [
    [{ name: 'MIT', title: 'The MIT License', path: address }, 'The MIT License'],
    [{ name: 'MIT', path: address }, 'MIT'],
    [{ path: address }, address],
  ] as const) {
    const origin = { sources: [{ title: 'a', path: address }], licenses: [license] };
    expect(await sourceOf(origin)).toEqual({ title: 'a', url: address, license: shown });
  }
});

test('a primary key tells each row from all others', async () => {
  const keyed = (...primaryKey: string[]) => datasetBlock({ ...tinyBlock, primaryKey });
  const twice = 'street,number\nA,1\nB,2\nA,2\n';
  await importFiles(twice, {}, keyed('street', 'number'));
  await expect(importFiles(twice, {}, keyed('street'))).rejects.toThrow(
    new Error(
      'f.csv, column street: row 3: the same primary key as row 1: A; --key none (in block.json, no primaryKey) says that nothing identifies a row',
    ),
  );
  await expect(importFiles(`${twice}A,2\n`, {}, keyed('number', 'street'))).rejects.toThrow(
    new Error(
      'f.csv, column number, street: row 4: the same primary key as row 3: 2, A; --key none (in block.json, no primaryKey) says that nothing identifies a row',
    ),
  );
  await expect(importFiles('street,number\n,1\n', {}, keyed('street'))).rejects.toThrow(
    new Error(
      'f.csv, column street: row 1: blank, and it is the primary key; --key none (in block.json, no primaryKey) says that nothing identifies a row',
    ),
  );
});

test('a date that code makes must be one', async () => {
  const block = datasetBlock({
    ...tinyBlock,
    fields: [...tinyBlock.fields, { type: 'date', name: 'opened', title: 'Opened' }],
  });
  const importing = async (opened: string | number) => {
    await writeFile(path.join(folder, 'f.csv'), 'street\nA\n');
    const toRows = () => ({ rows: [{ street: 'A', number: 1, opened }], notes: [] });
    return importDataset(block, { file: 'f.csv', ...ORIGIN, toRows }, folder);
  };
  const { rows } = await importing('2020-02-29');
  expect([...rows].map(({ values }) => values.opened)).toEqual(['2020-02-29']);
  for (const opened of ['2021-02-29', 'in the spring', 20200229]) {
    await expect(importing(opened)).rejects.toThrow(
      `f.csv, column opened: row 1: rows.ts gives "${opened}", which is not a date such as`,
    );
  }
});

describe('a dataset that is not whole is refused in one line', () => {
  test.each<[string, string, object, string | RegExp]>([
    [
      'a missing column',
      'street,numbr\na,1\n',
      {},
      'f.csv, line 1, column number: the header has no such column; it has street, numbr',
    ],
    [
      'a text where a number belongs',
      `${CSV}\nD,four\n`,
      {},
      'f.csv, line 6, column number: "four" is not a number',
    ],
    [
      'a row count that differs',
      CSV,
      { rows: 3 },
      'f.csv: 2 rows, and functions/tiny/block.json says 3',
    ],
    [
      'a checksum that differs',
      CSV,
      { hash: `sha256:${sha256('other')}` },
      `f.csv: not the file that functions/tiny/block.json describes; if it was changed on purpose, write its hash there: sha256:${sha256(CSV)}`,
    ],
    [
      'a text too long for an index',
      `${CSV}${'é'.repeat(2049)},3\n`,
      {},
      /^f\.csv, column street: row 3: 2,049 bytes as an index key; DynamoDB takes 2,048$/,
    ],
    [
      'a number out of range',
      `${CSV}D,1e126\n`,
      {},
      /^f\.csv, column number: row 3: 1e\+126 is out of DynamoDB's range of numbers$/,
    ],
  ])('%s', async (_, csv, more, message) => {
    const expected = typeof message === 'string' ? new Error(message) : message;
    await expect(importFiles(csv, more)).rejects.toThrow(expected);
  });

  test('a table that DynamoDB would refuse', async () => {
    const name = 'f'.repeat(253);
    const block = datasetBlock({
      ...tinyBlock,
      keyFields: [name],
      fields: [{ type: 'text', name, title: 'Long', indexed: true }],
    });
    await expect(importFiles(`${name}\na\n`, {}, block)).rejects.toThrow(
      /^f\.csv: the index name by-f+ is not of 3 to 255 characters$/,
    );
  });

  test('a missing file', async () => {
    await expect(importDataset(tinyBlock, { file: 'f.csv', ...ORIGIN }, folder)).rejects.toThrow(
      new Error(`f.csv: is missing in ${folder}`),
    );
  });
});
