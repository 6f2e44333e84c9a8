import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sniffSheet } from '../../src/files/sniff-dialect.ts';
import { readTable } from '../../src/import/seed-files.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { sheetOf } from '../support/sheet-of.ts';

afterAll(cleanUp);

type Rows = Parameters<typeof sheetOf>[0];

/** Sniffs a sheet, and reads it so. */
async function readSheet(content: Rows, given?: Parameters<typeof sniffSheet>[2]) {
  const folder = await temporaryFolder();
  const file = 'f.xlsx';
  await writeFile(path.join(folder, file), sheetOf(content));
  const { dialect, ...sniffed } = await sniffSheet(path.join(folder, file), file, given);
  const { headers, records } = await readTable({ file, format: 'xlsx', dialect }, folder);
  const rows: (readonly string[])[] = [];
  for await (const { cells } of records) rows.push(cells);
  return { ...sniffed, headers, rows };
}

const TABLE: Rows = [
  ['x', 'n'],
  ['a', 1],
  ['b', 2],
];
const ROWS = [
  ['a', '1'],
  ['b', '2'],
];

describe('a sheet has its table alone read, and is told the rest of', () => {
  test.each<[string, Rows, string[]]>([
    ['nothing else', TABLE, []],
    ['a total', [...TABLE, ['Total', 3]], ['row 4 is left out: a total, "Total"']],
    [
      'a total and notes below blank rows',
      [...TABLE, [], ['Summe', 3], [], ['All of them are provisional'], ['Source: us']],
      [
        'row 5 is left out: a total, "Summe"',
        'row 7 is left out: a note, "All of them are provisional"',
        'row 8 is left out: a note, "Source: us"',
      ],
    ],
    [
      'a title above',
      [['Counts of 2020'], [], ...TABLE, ['Total', 3]],
      ['the header is in row 3 of the sheet Data', 'row 6 is left out: a total, "Total"'],
    ],
  ])('%s', async (_, content, told) => {
    const { headers, rows, reasons, unsureTotals } = await readSheet(content);
    expect({ headers, rows, reasons, unsureTotals }).toEqual({
      headers: ['x', 'n'],
      rows: ROWS,
      reasons: told,
      unsureTotals: [],
    });
  });

  test('far below', async () => {
    const many = Array.from({ length: 200 }, () => ['a', 1]);
    const { rows } = await readSheet([['x', 2020], ...many, ['Total', 200], ['Note: rounded']]);
    expect(rows).toEqual(Array(200).fill(['a', '1']));
  });
});

describe('what may be a row is one', () => {
  test('a total that adds up in no column, unless a person drops it', async () => {
    const content = [...TABLE, ['Total', 4]];
    const { rows, unsureTotals, leftOut } = await readSheet(content);
    expect(rows).toEqual([...ROWS, ['Total', '4']]);
    expect(unsureTotals).toEqual(['row 4, "Total"']);
    expect(leftOut).toEqual(['row 4 is a row: "Total" adds up in no column']);
    expect((await readSheet(content, { totals: 'drop' })).rows).toEqual(ROWS);
  });

  test('a text in the first cell that no blank row parts from the others', async () => {
    const { rows } = await readSheet([...TABLE, ['New York']]);
    expect(rows).toEqual([...ROWS, ['New York', '']]);
  });

  test('a first row of one cell, where no header is certain below it', async () => {
    const content = [['x'], ['a', 'b'], ['c', 'd']];
    await expect(readSheet(content)).rejects.toThrow('row 1 has no header above it');
  });
});
