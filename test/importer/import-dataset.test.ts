import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { importDataset } from '../../src/importer/import-dataset.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { tinyBlock } from '../support/tiny-block.ts';

afterAll(cleanUp);

const CSV = 'Street,Number\nA,1\n"B\nC",2\n';
const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function importFiles(csv: string, source: unknown = SOURCE, block = tinyBlock) {
  await writeFile(path.join(folder, 'f.csv'), csv);
  const text = typeof source === 'string' ? source : JSON.stringify(source);
  await writeFile(path.join(folder, 'f.source.json'), text);
  return importDataset(block, { file: 'f.csv' }, folder);
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

test('the row count and the checksum of the source are checked, and not handed on', async () => {
  const { manifest } = await importFiles(CSV, { ...SOURCE, rows: 2, sha256: sha256(CSV) });
  expect(manifest.source).toEqual(SOURCE);
});

describe('a dataset that is not whole is refused in one line', () => {
  test.each<[string, string, unknown, string | RegExp]>([
    ['no rows', 'street,number\n', SOURCE, 'f.csv: the dataset has no rows'],
    [
      'a missing column',
      'street,numbr\na,1\n',
      SOURCE,
      'f.csv, line 1, column number: the header has no such column; it has street, numbr',
    ],
    [
      'a text where a number belongs',
      `${CSV}\nD,four\n`,
      SOURCE,
      'f.csv, line 6, column number: "four" is not a number',
    ],
    [
      'a row count that differs',
      CSV,
      { ...SOURCE, rows: 3 },
      'f.csv: 2 rows, and f.source.json says 3',
    ],
    [
      'a checksum that differs',
      CSV,
      { ...SOURCE, sha256: sha256('other') },
      `f.csv: not the file that f.source.json describes; if it was changed on purpose, write its sha256 there: ${sha256(CSV)}`,
    ],
    [
      'a source without a licence',
      CSV,
      { ...SOURCE, license: undefined },
      'f.source.json: license is missing; expected a text',
    ],
    ['a source that is null', CSV, 'null', 'f.source.json: title is missing; expected a text'],
    [
      'a source that is not JSON',
      CSV,
      '{\n  "title": "t",\n}\n',
      /^f\.source\.json, line 3: not valid JSON: [^\n]+$/,
    ],
    ['a source that is text', CSV, 'none\nat all', /^f\.source\.json: not valid JSON: [^\n]+$/],
    [
      'a text too long for an index',
      `${CSV}${'é'.repeat(2049)},3\n`,
      SOURCE,
      /^f\.csv, column street: row 3: 2049 bytes as an index key; DynamoDB takes 2048$/,
    ],
    [
      'a number out of range',
      `${CSV}D,1e126\n`,
      SOURCE,
      /^f\.csv, column number: row 3: 1e\+126 is out of DynamoDB's range of numbers$/,
    ],
  ])('%s', async (_, csv, source, message) => {
    const expected = typeof message === 'string' ? new Error(message) : message;
    await expect(importFiles(csv, source)).rejects.toThrow(expected);
  });

  test('a table that DynamoDB would refuse', async () => {
    const name = 'f'.repeat(253);
    const block = datasetBlock({
      ...tinyBlock,
      keyFields: [name],
      fields: [{ type: 'text', name, title: 'Long', indexed: true }],
    });
    await expect(importFiles(`${name}\na\n`, SOURCE, block)).rejects.toThrow(
      /^f\.csv: the index name by-f+ is not of 3 to 255 characters$/,
    );
  });

  test.each(['f.source.json', 'f.csv'])('a missing %s', async (missing) => {
    if (missing === 'f.csv') {
      await writeFile(path.join(folder, 'f.source.json'), JSON.stringify(SOURCE));
    }
    await expect(importDataset(tinyBlock, { file: 'f.csv' }, folder)).rejects.toThrow(
      new Error(`${missing}: is missing in ${folder}`),
    );
  });
});
