import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { calledTotal } from '../../src/files/totals.ts';
import { sniffSheet } from '../../src/files/xlsx/sniff-sheet.ts';
import { readTable } from '../../src/recipe/read.ts';
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
  for await (const { cells } of records) if (calledTotal(cells) === undefined) rows.push(cells);
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

test('two tables side by side are told, and a blank column beside a single one is not', async () => {
  const told = 'column 3 is blank; if it parts two tables side by side, a row has cells of both';
  const two = await readSheet([
    ['year', 'births', '', 'year', 'deaths'],
    [2000, 5, '', 2001, 7],
    [2001, 6, '', '', ''],
  ]);
  expect(two.reasons.join()).toContain(told);
  const one = await readSheet([
    ['year', 'births', '', 'note'],
    [2000, 5, '', 'a'],
    [2001, 6, '', 'b'],
  ]);
  expect(one.reasons).toEqual([]);
});

describe('a sheet has its table alone read, and is told the rest of', () => {
  test.each<[string, Rows, string[]]>([
    ['nothing else', TABLE, []],
    ['a total, which is judged elsewhere', [...TABLE, ['Total', 3]], []],
    [
      'a total and notes below blank rows',
      [...TABLE, [], ['Summe', 3], [], ['All of them are provisional'], ['Source: us']],
      [
        'row 7 is left out: a note, "All of them are provisional"',
        'row 8 is left out: a note, "Source: us"',
      ],
    ],
    [
      'a title above',
      [['Counts of 2020'], [], ...TABLE, ['Total', 3]],
      ['the header is in row 3 of the sheet Data'],
    ],
  ])('%s', async (_, content, told) => {
    const { headers, rows, reasons } = await readSheet(content);
    expect({ headers, rows, reasons }).toEqual({
      headers: ['x', 'n'],
      rows: ROWS,
      reasons: told,
    });
  });

  test('far below', async () => {
    const many = Array.from({ length: 200 }, () => ['a', 1]);
    const { rows } = await readSheet([['x', 2020], ...many, ['Total', 200], ['Note: rounded']]);
    expect(rows).toEqual(Array(200).fill(['a', '1']));
  });
});

describe('what may be a row is one', () => {
  test('the first one too, if its cells are as those below and none is a name', async () => {
    const content = [
      [1, '2020-01-01', 5],
      [2, '2020-01-02', 7],
      [3, '2020-01-03', 9],
    ];
    const { headers, rows, reasons } = await readSheet(content);
    expect(headers).toEqual(['', '', '']);
    expect(rows[0]).toEqual(['1', '2020-01-01', '5']);
    expect(reasons).toEqual(['no header: "1" is a number like those below it']);
    const named = await readSheet([['id', 2020, 2021], ...content]);
    expect(named.headers).toEqual(['id', '2020', '2021']);
  });

  test('a text in the first cell that no blank row parts from the others', async () => {
    const { rows } = await readSheet([...TABLE, ['New York']]);
    expect(rows).toEqual([...ROWS, ['New York', '']]);
  });

  test('a column without a header, but a remark beside the table tells of no title', async () => {
    const [header, first, second] = TABLE as [Rows[0], Rows[0], Rows[0]];
    expect(await readSheet([header, [...first, 'c'], second])).toMatchObject({
      headers: ['x', 'n', ''],
      rows: [
        ['a', '1', 'c'],
        ['b', '2', ''],
      ],
    });
    const remarked = await readSheet([header, [...first, '', '', '', 'so'], second]);
    expect(remarked.headers).toEqual(['x', 'n', '', '', '', '']);
    expect(remarked.rows[0]).toEqual(['a', '1', '', '', '', 'so']);
  });

  test('the first row, if somebody says that there is no header', async () => {
    const { headers, rows } = await readSheet([['Counts of 2020'], [], ...TABLE.slice(1)], {
      header: false,
    });
    expect({ headers, rows }).toEqual({ headers: ['', ''], rows: ROWS });
  });

  test('the header again, unless it is certain', async () => {
    const [header] = TABLE as [Rows[0]];
    const { rows } = await readSheet([...TABLE, header, ['c', 3]]);
    expect(rows).toEqual([...ROWS, ['c', '3']]);
    const texts = [
      ['x', 'y'],
      ['a', 'b'],
      ['x', 'y'],
    ];
    expect((await readSheet(texts)).rows).toEqual(texts.slice(1));
    expect((await readSheet(texts, { header: true })).rows).toEqual([['a', 'b']]);
  });
});

test('a single cell above two columns is a title', async () => {
  const { headers, rows } = await readSheet([
    ['Towns'],
    ['name', 'county'],
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect({ headers, rows }).toEqual({
    headers: ['name', 'county'],
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  });
});

test('a title over another column is none of the names below a blank row', async () => {
  const { headers } = await readSheet([
    ['', 'Counts'],
    [],
    ['x', 'n', 'm'],
    ['a', 1, 2],
    ['b', 3, 4],
  ]);
  expect(headers).toEqual(['x', 'n', 'm']);
});

describe('several tables of a sheet', () => {
  const SHOPS: Rows = [
    ['id', 'town', 'score'],
    [1, 'a', 5],
    [2, 'b', 6],
  ];
  const seen = async (content: Rows) =>
    (await readSheet(content)).tables?.map(({ table, line, rows }) => [table, line, rows]);

  test.each<[string, Rows, unknown]>([
    [
      'one below the other',
      [...TABLE, [], ...SHOPS],
      [
        [2, 5, 2],
        [1, 1, 2],
      ],
    ],
    [
      'with a title each, far apart',
      [['A: counts'], ...TABLE, ...Array(1000).fill([]), ['B: shops'], ...SHOPS],
      [
        [2, 1005, 2],
        [1, 1, 2],
      ],
    ],
    [
      'names and values above a wider one of texts',
      [
        ['Source', 'us'],
        ['Of', 'May'],
        ['By', 'me'],
        [],
        ['a', 'b', 'c'],
        ['x', 'y', 'z'],
        ['u', 'v', 'w'],
      ],
      [
        [2, 5, 2],
        [1, 1, 2],
      ],
    ],
    ['but not rows apart', [...TABLE, [], ['c', 3], ['d', 4]], undefined],
    [
      'nor wider rows of values',
      [['x', 'y'], ['a', 'b'], [], ['c', 'd', 'late'], ['e', 'f', 'late']],
      undefined,
    ],
    ['nor its header again', [...TABLE, [], ...TABLE], undefined],
  ])('are seen: %s', async (_, content, expected) => {
    expect(await seen(content)).toEqual(expected);
  });

  test('each is read by its number, with its own rows, and the others are told of', async () => {
    const content = [['A: counts'], ...TABLE, [], ['B: shops'], ...SHOPS, ['Total', '', 11]];
    expect(await readSheet(content, { table: 2 })).toMatchObject({
      headers: ['id', 'town', 'score'],
      rows: [
        ['1', 'a', '5'],
        ['2', 'b', '6'],
      ],
      reasons: [
        'table 2, from row 6; what blank lines part from it is not read',
        'the header is in row 7 of the sheet Data',
      ],
    });
    const one = await readSheet(content, { table: 1 });
    expect(one).toMatchObject({ headers: ['x', 'n'], rows: ROWS });
    await expect(readSheet(content, { table: 3 })).rejects.toThrow(
      'f.xlsx, sheet Data: has no table 3: blank rows part fewer',
    );
  });
});
