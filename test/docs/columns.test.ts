import { inflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type ChunkEntry, textOfRow } from '../../src/columns/chunk.ts';
import { unpackChunk } from '../../src/columns/decode-chunk.ts';
import { fieldOf, packRows, readKeys, rowsOf } from '../support/stored-column.ts';
import { fencesOf, readDocument } from './markdown.ts';

const document = readDocument('docs/columns.md');
const example = document.slice(document.indexOf('\n## Example\n'));
const [compressed, json, planes] = fencesOf(example).map(({ text }) => text) as [
  string,
  string,
  string,
];
const entry: ChunkEntry = JSON.parse(json);

const bytesOf = (hexadecimal: string) => Buffer.from(hexadecimal.replace(/\s/g, ''), 'hex');

/** The cells of the table that follows a text, without its heads. */
function tableBehind(text: string): string[][] {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(example.slice(example.indexOf(text))) ?? [];
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );
}

const rows = tableBehind('Six rows');
const parts = tableBehind('The parts, in hexadecimal');

test("the example's bytes are its rows", async () => {
  const chunk = await unpackChunk(bytesOf(compressed), entry);
  const found = readKeys(chunk).map((key, row) => [
    textOfRow(chunk, row) ?? '',
    key ?? '',
    String(chunk.codes[row]),
  ]);
  expect(found).toEqual(rows.map((cells) => cells.slice(0, 3)));
  expect(rows).toHaveLength(6);
});

test("the example's parts are what its bytes inflate to", () => {
  const stored = inflateRawSync(bytesOf(compressed));
  expect(stored).toEqual(bytesOf(parts.map(([, bytes]) => bytes).join('')));
  expect(bytesOf(parts.at(-1)?.[1] ?? '')).toEqual(
    Buffer.from(rows.map((cells) => Number(cells[3]))),
  );
});

test('the example is what is packed', () => {
  const field = fieldOf('text');
  const packed = packRows(
    field,
    rowsOf(
      field,
      rows.map(([text = '']) => (text === '' ? null : text)),
    ),
  );
  expect(inflateRawSync(packed.bytes)).toEqual(inflateRawSync(bytesOf(compressed)));
  // Other versions of Node may deflate otherwise.
  const { bytes, crc32 } = packed.entry;
  expect(packed.entry).toEqual({ ...entry, bytes, crc32 });
});

test('the frame of the example is that of its prices', () => {
  const field = fieldOf('number');
  const packed = packRows(field, rowsOf(field, [1.5, 2.75, null, 5]));
  expect(inflateRawSync(packed.bytes)).toEqual(bytesOf(planes));
  const { size, firstKey, dictionary } = packed.entry;
  expect(example.replace(/[`"]/g, '')).toContain(
    `${JSON.stringify(dictionary)
      .replace(/"/g, '')
      .replace(/([:,])/g, '$1 ')
      .replace('{', '{ ')
      .replace('}', ' }')} with size ${size} and firstKey ${firstKey}`,
  );
});

test('every member of an entry is described', () => {
  const directory = document.slice(document.indexOf('\n## The directory\n'));
  for (const name of [...Object.keys(entry), ...Object.keys(entry.dictionary)]) {
    expect([name, directory.includes(`\`${name}\``)]).toEqual([name, true]);
  }
});
