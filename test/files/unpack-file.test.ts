import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packedIn } from '../../src/files/unpack-file.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { zipOf } from '../support/zip-of.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const TEXT = 'id,name\n1,Ada\n';
const MOST = { bytes: 10_000, ratio: 20, small: 500 };

/** What is in a packed file, and its name; undefined if it is not packed. */
async function unpack(name: string, content: Uint8Array, inner?: string, usual?: string) {
  const own = await mkdtemp(path.join(folder, 'f-'));
  await writeFile(path.join(own, name), content);
  const packed = await packedIn(path.join(own, name), inner, usual, MOST);
  if (packed === undefined) return undefined;
  const file = await packed.unpack(own);
  expect(path.basename(file)).toBe(packed.file);
  return [packed.file, await readFile(file, 'utf8')];
}

describe('what is packed is unpacked under its own name', () => {
  test.each<[string, string, Uint8Array, string]>([
    ['gzip', 'a.csv.gz', gzipSync(TEXT), 'a.csv'],
    ['gzip by another name', 'a.csv', gzipSync(TEXT), 'a.csv'],
    ['gzip without an ending', '.gz', gzipSync(TEXT), 'file'],
    ['a zip of one file', 'x.zip', zipOf({ 'data/a.csv': TEXT }), 'a.csv'],
    ['a zip by the name of its file', 'a.csv', zipOf({ 'a.csv': TEXT }), 'a.csv'],
    [
      'a zip from a Mac',
      'x.zip',
      zipOf({ 'd/': '', '__MACOSX/._a.csv': 'x', '.DS_Store': 'x', 'd/a.csv': TEXT }),
      'a.csv',
    ],
  ])('%s', async (_, name, content, inner) => {
    expect(await unpack(name, content)).toEqual([inner, TEXT]);
  });

  test('several gzip members are one file', async () => {
    const twice = Buffer.concat([gzipSync('id,name\n'), gzipSync('1,Ada\n')]);
    expect(await unpack('a.csv.gz', twice)).toEqual(['a.csv', TEXT]);
  });

  test('a workbook is no archive, though it is a zip', async () => {
    expect(await unpack('a.xlsx', sheetOf([['a'], [1]]))).toBeUndefined();
    expect(await unpack('a.csv', Buffer.from(TEXT))).toBeUndefined();
  });
});

describe('of a zip of several files', () => {
  const zip = zipOf({ 'in/a.csv': TEXT, 'b.csv': 'x', 'out/b.csv': 'y', 'README.txt': 'z' });

  test('the one that is named is read, by its path or its name', async () => {
    expect(await unpack('x.zip', zip, 'A.csv')).toEqual(['a.csv', TEXT]);
    expect(await unpack('x.zip', zip, 'out/b.csv')).toEqual(['b.csv', 'y']);
    expect(await unpack('x.zip', zip, undefined, 'in/a.csv')).toEqual(['a.csv', TEXT]);
  });

  test('a single file is read whatever it was called before, but not if another is asked for', async () => {
    const one = zipOf({ 'a-2027.csv': TEXT });
    expect(await unpack('x.zip', one, undefined, 'a-2026.csv')).toEqual(['a-2027.csv', TEXT]);
    await expect(unpack('x.zip', one, 'a-2026.csv')).rejects.toThrow(
      'x.zip: a zip archive of 1 file: a-2027.csv, and a-2026.csv is none of them; --file NAME',
    );
  });

  test('the refusal names them, and the option that picks one', async () => {
    await expect(unpack('x.zip', zip)).rejects.toThrow(
      'x.zip: a zip archive of 4 files: in/a.csv, b.csv, out/b.csv, README.txt; --file NAME says which is meant (in block.json, "innerPath")',
    );
  });

  test('a name in a file that is no zip is refused', async () => {
    await expect(unpack('a.csv.gz', gzipSync(TEXT), 'b.csv')).rejects.toThrow(
      'a.csv.gz: is no zip archive; leave out --file b.csv',
    );
  });
});

describe('refused while it is unpacked', () => {
  const long = `${'1,Ada\n'.repeat(400)}`;
  test.each<[string, string, Uint8Array, string]>([
    ['a bomb of gzip', 'a.gz', gzipSync(long), 'bytes that unpack to over 20 times as many'],
    ['a bomb of zip', 'a.zip', zipOf({ a: long }), 'bytes that unpack to over 20 times as many'],
    [
      'too many bytes',
      'a.gz',
      gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i * 7919) % 251))),
      'MiB when unpacked; unpack it yourself',
    ],
    ['a zip that declares too many', 'a.zip', zipOf({ a: TEXT }, 20_000), 'when unpacked'],
    ['a gzip file that was cut off', 'a.gz', gzipSync(TEXT).subarray(0, 20), 'a damaged gzip file'],
    ['a zip with a wrong checksum', 'a.zip', damagedZip(), 'a damaged zip archive'],
    ['a zip of nothing', 'a.zip', zipOf({ 'd/': '' }), 'a zip archive without a file'],
  ])('%s', async (_, name, content, reason) => {
    await expect(unpack(name, content)).rejects.toThrow(reason);
  });
});

function damagedZip(): Buffer {
  const zip = Buffer.from(zipOf({ a: TEXT }));
  const at = zip.lastIndexOf('PK\x01\x02') + 16;
  zip.writeUInt32LE(1, at);
  return zip;
}

test('two files of one name are refused: nothing tells which is meant', async () => {
  const whole = path.join(folder, 'twice.zip');
  await writeFile(whole, zipOf({ 'a.csv': 'id\n1\n', 'A.csv': 'id\n2\n' }));
  await expect(packedIn(whole)).rejects.toThrow(
    'twice.zip: a damaged zip archive: two files in it are called a.csv',
  );
});
