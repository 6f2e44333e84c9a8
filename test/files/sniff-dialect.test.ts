import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Dialect } from '../../src/block/declaration.ts';
import { readCsv } from '../../src/files/csv/read-csv.ts';
import { sniffCsv } from '../../src/files/csv/sniff-csv.ts';
import { findEncoding } from '../../src/files/encoding.ts';
import type { GivenWriting } from '../../src/files/file-format.ts';
import { calledTotal } from '../../src/files/totals.ts';

/** Sniffs a file, and reads it so; rows that are called totals are judged elsewhere. */
const readFile = async (content: string | Uint8Array, given?: GivenWriting) => {
  const bytes = Buffer.from(content as string);
  const { encoding } = await findEncoding(() => [bytes], 'f.csv');
  const source = { readBytes: () => [bytes], file: 'f.csv', encoding };
  const sniffed = await sniffCsv(source, given);
  const { dialect } = sniffed;
  const { headers, records, notes } = await readCsv(source, { dialect });
  const rows: (readonly string[])[] = [];
  for await (const { cells } of records) if (calledTotal(cells) === undefined) rows.push(cells);
  return { ...sniffed, headers, rows, notes };
};

test('the ends of characters as web pages write them cut no cells', async () => {
  const rows = ['A &amp; B,Main&nbsp;St &#39;1&#39;', 'C &amp; D,Main&nbsp;St &#39;2&#39;'];
  const read = await readFile(['name,street', ...rows].join('\n'));
  expect([read.headers, read.rows]).toEqual([
    ['name', 'street'],
    rows.map((row) => row.split(',')),
  ]);
});

test('quotation marks as web pages write them cut no cells', async () => {
  const rows = [
    'Le &laquo;Monde&raquo; de,la &laquo;Une&raquo; 1',
    'La &laquo;Croix&raquo; de,la &laquo;Une&raquo; 2',
  ];
  const read = await readFile(['name,about', ...rows].join('\n'));
  expect([read.headers, read.rows]).toEqual([['name', 'about'], rows.map((row) => row.split(','))]);
});

test('a name with an ampersand before a semicolon ends a cell', async () => {
  const { headers, rows } = await readFile(
    'firm;price\nJohnson&Johnson;1,5\nProcter&Gamble;2,5\nTiffany&Co;3,5\n',
  );
  expect([headers, rows[0]]).toEqual([
    ['firm', 'price'],
    ['Johnson&Johnson', '1,5'],
  ]);
});

test('columns of one width are said to be such, and dashes that are values stay', async () => {
  const { reasons } = await readFile(
    'NAME      TMAX  TMIN\nHayward     31     2\nNapa         7    -1\n',
  );
  expect(reasons[0]).toContain('columns that spaces bring to one width are not read');
  expect((await readFile('id,name\n--,--\n1,Ada\n')).rows).toEqual([
    ['--', '--'],
    ['1', 'Ada'],
  ]);
});

describe('files as people have them', () => {
  const HEADERS = ['id', 'name', 'price'];
  const ROWS = [
    ['1', 'Ada', '1,50'],
    ['2', 'Bob; "B"', '2,25'],
    ['3', 'Cyd', '13,00'],
  ];
  const TABLE = 'id;name;price\n1;Ada;1,50\n2;"Bob; ""B""";2,25\n3;Cyd;13,00\n';

  test.each([
    ['semicolons with decimal commas', TABLE],
    ['CRLF', TABLE.replaceAll('\n', '\r\n')],
    ['CR', TABLE.replaceAll('\n', '\r')],
    ['a byte order mark', `\ufeff${TABLE}`],
    ['no last line end', TABLE.trimEnd()],
    ['separators behind each record', TABLE.replaceAll('\n', ';\n')],
    ['separators behind rows', TABLE.replace(/(\d)\n/g, '$1;;\n')],
    ['blank rows', TABLE.replace('3;', ';;\n\n3;').concat(';;\n;;\n')],
    ["Excel's line that states it", `sep=;\n${TABLE}`],
    ['titles above', `Prices\nAll shops, 2020\n\n${TABLE}`],
    ['padded titles above', `Prices;;\n;;\n${TABLE}`],
    ['the header again', TABLE.replace('3;', 'id;name;price\n3;')],
    ['a total', `${TABLE}Total;;16,75\n`],
    ['a total behind a blank', `${TABLE};Summe:;16,75\n`],
    ['notes', `${TABLE}\nSource: the shops, 2020\n* not all of them\n`],
    ['a total and a padded note', `${TABLE};;\nTotal;;16,75\nSource: us;;\n`],
    ['two bars for each', TABLE.replaceAll(/;(?! ")/g, '||')],
    [
      'a line of Markdown below the header',
      TABLE.replaceAll(/;(?! ")/g, ' | ').replace('\n', '\n---: | :-- | ---\n'),
    ],
    ['carets', TABLE.replaceAll(/;(?! ")/g, '^')],
    ['tildes', TABLE.replaceAll(/;(?! ")/g, '~')],
    ['broken bars', TABLE.replaceAll(/;(?! ")/g, '¦')],
    ['spaces beside delimiters', TABLE.replace(/;(?! "|"")/g, ' ; ')],
    ['backslashes before quotes', TABLE.replaceAll('""B""', '\\"B\\"')],
  ])('%s', async (_, text) => {
    const { headers, rows, alternatives } = await readFile(text);
    const trimmed = rows.map((cells) => cells.map((cell) => cell.trim()));
    expect({ headers, rows: trimmed, alternatives }).toEqual({
      headers: HEADERS,
      rows: ROWS,
      alternatives: [],
    });
  });

  test('carets beside a comma in most cells, but not carets in a file of commas', async () => {
    const names = ['A, B', 'C', 'D, E, F', 'G, H', 'I', 'J, K'];
    const lines = names.map((name, row) => `${row}^${name}^${row * 3}`);
    expect((await readFile(`id^name^n\n${lines.join('\n')}\n`)).headers).toEqual([
      'id',
      'name',
      'n',
    ]);
    const formulas = ['x^2^3,4', 'y^2^3,5', 'z^2^3,6'];
    expect((await readFile(`f^2^3,n\n${formulas.join('\n')}\n`)).headers).toEqual(['f^2^3', 'n']);
  });

  test('no header', async () => {
    const { headers, rows, reasons } = await readFile(TABLE.slice(TABLE.indexOf('\n') + 1));
    expect({ headers, rows }).toEqual({ headers: ['', '', ''], rows: ROWS });
    expect(reasons).toContain('no header: "1" is a number like those below it');
  });

  test('titles above a table without a header', async () => {
    const { headers, rows } = await readFile(`Prices\n${TABLE.slice(TABLE.indexOf('\n') + 1)}`);
    expect({ headers, rows }).toEqual({ headers: ['', '', ''], rows: ROWS });
  });

  test('quotes within cells where no cell is in quotes', async () => {
    const { rows, dialect } = await readFile('name\tsize\n"Weird" Al\t3\npipe\t5"\n');
    expect(dialect).toMatchObject({ delimiter: '\t', quoteChar: null });
    expect(rows).toEqual([
      ['"Weird" Al', '3'],
      ['pipe', '5"'],
    ]);
  });

  test('a total, a note and a repeated header far below', async () => {
    const row = 'a;1\n';
    const text = `sep=;\nname;count\n${row.repeat(500)}name;count\n${row}Total;501\nSource: us\n`;
    const { rows, notes } = await readFile(text);
    expect(rows).toEqual(Array(501).fill(['a', '1']));
    expect(notes).toEqual(['1 row that repeats the header is left out']);
  });

  test('the first row again, where nothing but its place tells that it is a header', async () => {
    const text = 'yes,no\nyes,no\nno,yes\nyes,no\n';
    const { headers, rows, notes, dialect } = await readFile(text);
    expect({ headers, rows, dialect }).toEqual({
      headers: ['yes', 'no'],
      rows: [
        ['yes', 'no'],
        ['no', 'yes'],
        ['yes', 'no'],
      ],
      dialect: { keepsRepeatedHeaders: true },
    });
    expect(notes).toEqual([
      '2 rows that repeat the header are kept: they may be data; --header yes leaves such out',
    ]);
    const named = await readFile(text, { header: true });
    expect({ rows: named.rows, dialect: named.dialect }).toEqual({
      rows: [['no', 'yes']],
      dialect: {},
    });
  });

  test('single quotes, which an apostrophe is not', async () => {
    const { rows } = await readFile("id,name\n1,'Ada, B'\n2,'Bob'\n");
    expect(rows[0]).toEqual(['1', 'Ada, B']);
    const apostrophe = await readFile("id,name\n1,'Ada'\n2,'Bob'\n3,'tis\n");
    expect(apostrophe.rows[2]).toEqual(['3', "'tis"]);
  });

  test.each<[string, string, Dialect]>([
    ['single quotes', "'", { quoteChar: "'" }],
    ['backslashes before quotes', '\\"', { escapeChar: '\\' }],
    ['spaces beside quotes', ' "', { skipInitialSpace: true }],
  ])('%s, though one row is damaged otherwise', async (_, quote, dialect) => {
    const cell = quote === ' "' ? ' "a, b" ' : quote === "'" ? "'a, b'" : '"a, \\"b\\""';
    const rows = (count: number) => `1,${cell},2.5\n`.repeat(count);
    const damaged = quote === "'" ? "2,'a'b,2.5\n" : '2,"a"b,2.5\n';
    const bytes = Buffer.from(`id,name,price\n${rows(9)}${damaged}${rows(9)}`);
    const source = { readBytes: () => [bytes], file: 'f.csv', encoding: 'utf-8' };
    const sniffed = await sniffCsv(source);
    expect(sniffed.dialect).toEqual(dialect);
  });

  test.each([
    ['one column', 'word\nsome, or none\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n', ['word']],
    [
      'years as headers',
      'city,2019,2020,2021\nA,1,2,3\nB,4,5,6\n',
      ['city', '2019', '2020', '2021'],
    ],
    ['one year as a header', 'city,2019\nA,1\nB,4\n', ['city', '2019']],
    ['a header alone', 'a,b,c\n', ['a', 'b', 'c']],
    ['a blank first header', ',a\n1,2\n2,3\n', ['', 'a']],
  ])('%s', async (_, text, headers) => {
    expect((await readFile(text)).headers).toEqual(headers);
  });
});

describe('a header of several rows', () => {
  const ROWS = 'North,5,6\nSouth,7,8\nEast,9,9\n';

  test.each<[string, string, readonly string[]]>([
    [
      'years below a group',
      `,Population,\nRegion,2020,2021\n${ROWS}`,
      ['Region', 'Population 2020', 'Population 2021'],
    ],
    [
      'words below a group',
      `Region,Rooms,\n,free,taken\n${ROWS}`,
      ['Region', 'Rooms free', 'Rooms taken'],
    ],
    [
      'two groups',
      'Id,A,,B,\n,x,y,x,y\n1,1,2,3,4\n2,1,2,3,4\n',
      ['Id', 'A x', 'A y', 'B x', 'B y'],
    ],
    [
      'a group that fills few of many columns',
      'Region,,Population,,,,\n,Code,2017,2018,2019,2020,2021\nN,x,1,2,3,4,5\nS,y,1,2,3,4,5\n',
      [
        'Region',
        'Code',
        'Population 2017',
        'Population 2018',
        'Population 2019',
        'Population 2020',
        'Population 2021',
      ],
    ],
    ['units', `name,height,weight\n,cm,kg\n${ROWS}`, ['name', 'height cm', 'weight kg']],
    [
      'units in brackets',
      `name,height,weight\n,(m),[kg]\n${ROWS}`,
      ['name', 'height (m)', 'weight [kg]'],
    ],
    [
      'titles above',
      `A survey\n\n,Population,\nRegion,2020,2021\n${ROWS}`,
      ['Region', 'Population 2020', 'Population 2021'],
    ],
    [
      'three rows',
      `,Population,\n,2020,2021\nRegion,all,all\n${ROWS}`,
      ['Region', 'Population 2020 all', 'Population 2021 all'],
    ],
    [
      'the answers of a survey',
      'Id,Start,Which?,,\n,,Red,Blue,Response\n1,2020-01-01,Red,,x\n2,2020-01-02,,Blue,y\n',
      ['Id', 'Start', 'Which? Red', 'Which? Blue', 'Which? Response'],
    ],
    [
      'the same name twice',
      `Region,Rooms,\nRegion,free,taken\n${ROWS}`,
      ['Region', 'Rooms free', 'Rooms taken'],
    ],
  ])('is joined: %s', async (_, text, headers) => {
    const read = await readFile(text);
    expect(read.headers).toEqual(headers);
    expect(read.rows.length).toBe(text.includes(ROWS) ? 3 : 2);
    expect(read.mayHaveRows).toBeUndefined();
  });

  test.each([
    ['a word for nothing', 'name,score,n\nAnn,N/A,null\nBob,5,6\nCyd,7,8\n'],
    ['a year', ',a,b\nx,2020,2021\ny,5,6\nz,7,8\n'],
    ['a blank', 'name,score,\nAnn,,x\nBob,5,y\nCyd,7,z\n'],
    ['one odd word', 'name,score,n\nAnn,bad,1\nBob,5,6\nCyd,7,8\n'],
    ['values of its own, below titles', 'Source;us;;;;;\nid;a;b;c;d;e;f\n1;2;3;4;5;6;7\n'],
    ['words alone', 'a,,b\nx,y,z\nu,v,w\n'],
  ])('is none above a row with %s', async (_, text) => {
    const { dialect, mayHaveRows } = await readFile(text);
    const single = text.startsWith('Source') ? [2] : undefined;
    expect([dialect.headerRows, mayHaveRows]).toEqual([single, undefined]);
  });

  test('is asked about where words stand above values, and taken as it is said', async () => {
    const text = `name,height,weight\nNAME,NUMERIC,INTEGER\n${ROWS}`;
    const asked = await readFile(text);
    expect([asked.mayHaveRows, asked.rows.length]).toEqual([2, 4]);
    const joined = await readFile(text, { headerRows: 2 });
    expect([joined.mayHaveRows, joined.headers[1]]).toEqual([undefined, 'height NUMERIC']);
    const one = await readFile(text, { headerRows: 1 });
    expect([one.mayHaveRows, one.rows.length]).toEqual([undefined, 4]);
  });

  test('is asked about where labels stand above codes and marks', async () => {
    const labels = 'Geography,Area Name,Estimate,Margin of Error';
    const rows = '1400US01,"Tract 1, Bern",40100,**\n1400US02,"Tract 2, Bern","250,000+",901\n';
    const text = `GEO_ID,NAME,B19_001E,B19_001M\n${labels}\n${rows}${rows.replaceAll('US0', 'US1')}`;
    expect((await readFile(text)).mayHaveRows).toBe(2);
    const plain = await readFile(text.replace(labels, 'Geography,Tract 0,n/a,none'));
    expect(plain.mayHaveRows).toBeUndefined();
  });

  test('is asked about with all its rows', async () => {
    const text = `name,height,weight\nNAME,NUMERIC,INTEGER\nName,Body,Mass\n${ROWS}`;
    expect((await readFile(text)).mayHaveRows).toBe(3);
  });

  test('of a logger of Campbell is below a line about it', async () => {
    const own = '"TOA5","CR6 1","CR6","1","Std.1","CPU:a.CR6","6","T"';
    const heads = '"TIMESTAMP","RECORD","level"\n"TS","RN","m"\n"","","Smp"';
    const read = await readFile(`${own}\n${heads}\n"2022-01-17 00:50:00",0,0.75\n`);
    expect(read.headers).toEqual(['TIMESTAMP TS', 'RECORD RN', 'level m Smp']);
    expect(read.rows).toEqual([['2022-01-17 00:50:00', '0', '0.75']]);
  });

  test('of such a logger is one row, if values are below it and no units', async () => {
    const own = 'TOA5,CR6 1,CR6,1,Std.1';
    const rows = '2022-01-17,0,0.75\n2022-01-18,1,0.5\n2022-01-19,2,0.25\n2022-01-20,3,1\n';
    const read = await readFile(`${own}\nday,record,level\n${rows}`);
    expect([read.headers, read.rows.length]).toEqual([['day', 'record', 'level'], 4]);
  });

  test('of Qualtrics is its first row', async () => {
    const ids = '"{""ImportId"":""a""}","{""ImportId"":""b""}"';
    const read = await readFile(`Q1,Q2\nHow old?,"Why, then?"\n${ids}\n33,x\n44,y\n`);
    expect([read.headers, read.rows]).toEqual([
      ['Q1', 'Q2'],
      [
        ['33', 'x'],
        ['44', 'y'],
      ],
    ]);
    expect(read.dialect.commentRows).toEqual([2, 3]);
  });

  test('of the Humanitarian Exchange Language is the row above its tags', async () => {
    const rows = 'Cauca,#1,300\nSucre,#2,250\n';
    const read = await readFile(`Place,Post,Reached\n#adm1 +name,,#reached+f+total\n${rows}`);
    expect([read.headers, read.rows.length]).toEqual([['Place', 'Post', 'Reached'], 2]);
    expect(read.reasons.join()).toContain('records 2 below the header are left out');
    const joined = await readFile(`Who,,Where\nName,Post,Place\n#org,#post,#adm1\n${rows}`);
    expect(joined.headers).toEqual(['Who Name', 'Who Post', 'Where Place']);
    const alike = await readFile(`colour,other\n#red,#blue 2\n#lime,#grey 1\n`);
    expect(alike.rows).toHaveLength(2);
  });

  test('may count the columns from 0, after an index or before a name', async () => {
    const after = await readFile(',0,1,2,3\n0,2.5,7,1,8\n1,4.5,9,0,2\n');
    expect([after.headers, after.rows.length]).toEqual([['', '0', '1', '2', '3'], 2]);
    const before = await readFile('0,1,2,3,class\n1.5,7,8,8,b\n4.5,9,9,9,b\n1.5,9,9,9,c\n');
    expect([before.headers[0], before.rows.length]).toEqual(['0', 3]);
    // Orders of four things: the first row is one of them.
    const orders = await readFile('0,1,2,3\n1,0,2,3\n1,2,0,3\n');
    expect(orders.rows).toHaveLength(3);
  });
});

describe('cases of csv-spectrum, rewritten', () => {
  test.each([
    ['a comma in quotes', 'name,place\nJ,"A, B"', [['J', 'A, B']]],
    [
      'quoted blanks',
      'a,b,c\n1,"",""\n2,3,4',
      [
        ['1', '', ''],
        ['2', '3', '4'],
      ],
    ],
    [
      'doubled quotes',
      'a,b\n1,"so ""so"" so"\n3,4\n',
      [
        ['1', 'so "so" so'],
        ['3', '4'],
      ],
    ],
    ['JSON in a cell', 'k,v\n1,"{""a"": [1, 2]}"\n', [['1', '{"a": [1, 2]}']]],
    [
      'newlines in quotes',
      'a,b\r\n1,2\r\n"x\r\n""y""",3\r\n',
      [
        ['1', '2'],
        ['x\n"y"', '3'],
      ],
    ],
    [
      'other scripts',
      'a,b\n1,2\n4,ʤ\n',
      [
        ['1', '2'],
        ['4', 'ʤ'],
      ],
    ],
  ])('%s', async (_, text, rows) => {
    expect((await readFile(text)).rows).toEqual(rows);
  });
});

describe('lines beside a table', () => {
  const ROWS = '1;Ada;1,50\n2;Bob;2,25\n3;Cyd;13,00\n';
  const about = ['Sensor', 'AirBeam', 'Type', 'Celsius'].map((word) => `;;${word}`).join('\n');

  test.each([
    ['a first one with more cells than all others', `"EXTF";700;21;"Stapel";12\n`, ''],
    ['a first one with fewer cells, which are many', `"EXTF";700\n`, ''],
    ['more than a header has, which begin with a blank cell', `${about}\n`, ''],
    ['notes of one cell below it', '', '---\nDataset: Deaths, 1999-2020\nCaveats:\n---\n'],
    ['notes with blank cells', '', ';;\nDataset: Deaths;;\nCaveats:;;\n1. Few;;\n'],
  ])('are left out: %s', async (_, above, below) => {
    const { headers, rows } = await readFile(`${above}id;name;price\n${ROWS}${below}`);
    expect(headers).toEqual(['id', 'name', 'price']);
    expect(rows.map(([id]) => id)).toEqual(['1', '2', '3']);
  });

  test('are rows: names without values above notes', async () => {
    const { rows } = await readFile(`id;name;price\n${ROWS}4;;\nDataset: Deaths;;\nCaveats:;;\n`);
    expect(rows.map(([id]) => id)).toEqual(['1', '2', '3', '4']);
  });

  const OF_FILE = 'format;from;by\n5;2022-06-01;us\n';

  test('are told: names and values of the file above the names of columns', async () => {
    const text = `${OF_FILE}country;product;code\n${'IT;P;842\nGB;Q;845\nDE;P;901\n'.repeat(3)}`;
    expect((await readFile(text)).reasons).toContain(
      'line 3 may name the columns, and what is above be about the file: --header-line 3',
    );
    const { headers, rows } = await readFile(text, { headerLine: 3 });
    expect([headers, rows.length]).toEqual([['country', 'product', 'code'], 9]);
  });

  test('are told: prose over several cells above the names of columns', async () => {
    const rows = 'Ann;1950-03-01;7\nBob;1961-05-02;12\n'.repeat(9);
    const text = `at;the;\nor;more;\nname;born;n\n${rows}`;
    expect((await readFile(text)).reasons.join()).toContain('line 3 may name the columns');
  });

  test.each([
    ['a row of words among numbers', 'name;score\nAnn;5\nBob;none\nCid;7\nDan;8\nEve;9\n'],
    ['a row of words among words', 'name;town\nAnn;X 1\nBob;Y 2\nCid;Z 3\nDan;Y 4\n'],
  ])('are not told: %s', async (_, text) => {
    expect((await readFile(text)).reasons.join()).not.toContain('--header-line');
  });

  test('are left out: many notes, told together', async () => {
    const notes = 'Note that this is no row.\n---\n'.repeat(20);
    const { rows, leftOut } = await readFile(`id;name;price\n${ROWS.repeat(20)}${notes}`);
    expect(rows).toHaveLength(60);
    expect(leftOut).toEqual([
      '40 records from 62 on are left out: notes, first "Note that this is no row."',
    ]);
  });

  test.each([
    ['a header that lacks a name', 'id;name\n1;Ada;1,50\n2;Bob;2,25\n'],
    ['a first row of words', 'id;name\nx;Ada;none\n2;Bob;2,25\n3;Cyd;13,00\n'],
  ])('never are: %s', async (_, text) => {
    await expect(readFile(text)).rejects.toThrow('the header has 2 columns, this row 3');
  });
});

describe('what contradicts the dialect is refused, never shifted', () => {
  const rows = (count: number) => '1,x y,2.5\n'.repeat(count);

  test.each([
    [
      'an unquoted comma far below',
      `id,name,price\n${rows(30_000)}1,x, y,2.5\n${rows(9)}`,
      'f.csv, line 30002: the header has 3 columns, this row 4; a cell with a comma in it must be in quotes',
    ],
    [
      'a row that was cut off',
      `id,name,price\n${rows(9)}1,x`,
      "f.csv, line 11: the header has 3 columns, this row 2; if the cells that it lacks are blank, give --short-rows blank (in block.json, the dialect's fillsShortRows)",
    ],
    [
      'a row of one cell that is no note',
      `id,name,price\n${rows(9)}17\n`,
      "f.csv, line 11: the header has 3 columns, this row 1; if the cells that it lacks are blank, give --short-rows blank (in block.json, the dialect's fillsShortRows)",
    ],
    [
      'a row of digits in one cell below a note',
      `id,name,price\n${rows(9)}Note that it ends\n4;5;6\n`,
      'f.csv, line 11: the header has 3 columns, this row 1',
    ],
    [
      'a quote that nothing closes',
      `id,name,price\n1,"x",2\n2,"y,3\n${rows(9)}`,
      'f.csv, line 3, column name: a quote is opened here and never closed',
    ],
    [
      'quotes within and around cells',
      'id,name,price\n1,"x",2\n2,y"z,3\n',
      'f.csv, line 3, column name: a quote in a cell that does not begin with one',
    ],
  ])('%s', async (_, text, message) => {
    await expect(readFile(text)).rejects.toThrow(message);
  });
});

describe('where two readings are nearly as good, both are given', () => {
  test('of the delimiter', async () => {
    const { dialect, alternatives } = await readFile('c1,c2\n1;2;3,4;5;6\na;b;c,d;e;f\n');
    expect(dialect.delimiter).toBe(';');
    expect(alternatives).toEqual([
      {
        dialect: { keepsRepeatedHeaders: true },
        why: 'comma: all 3 rows looked at have 2 cells',
      },
    ]);
  });

  test('of the header', async () => {
    const { dialect, alternatives } = await readFile('x,12\ny,14\nx,13\n');
    expect(dialect.header).toBe(false);
    expect(alternatives).toEqual([]);
    const doubtful = await readFile('name,12\na,14\nb,13\na,15\nb,15\n');
    expect(doubtful.dialect.header).toBe(false);
    expect(doubtful.alternatives).toEqual([
      { dialect: {}, why: 'what is below "name" occurs again, and "name" does not' },
    ]);
  });

  test('and what a person said is not asked again', async () => {
    const given = { delimiter: ',', header: true } as const;
    const { dialect, alternatives } = await readFile('1;2;3,4;5;6\n1;2;3,4;5;7\n', given);
    expect({ dialect, alternatives }).toEqual({ dialect: {}, alternatives: [] });
  });
});

/** A file's text in a random dialect, and what must be read of it. */
type Written = {
  readonly bytes: Uint8Array;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

const WORDS = ['alpha', 'Beta', 'gämma', 'Delta Street', 'épsilon', 'zeta-1', "O'Neill"];
const PROSE = ['so, "so"', 'a; b', 'a|b', '1\t2', 'two\nlines', '"all"', "'tis", 'ends with "'];
const word = fc.constantFrom(...WORDS);
const integer = fc.integer({ min: -9999, max: 99_999 }).map(String);
const decimal = (mark: string) =>
  fc
    .tuple(fc.nat(9999), fc.nat(99))
    .map(([whole, part]) => `${whole}${mark}${String(part).padStart(2, '0')}`);
const date = fc
  .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }))
  .map(([day, month]) => `2021-${String(month).padStart(2, '0')}-${day}`);
const prose = fc.oneof(word, word, fc.constantFrom(...PROSE));
const orBlank = (cell: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: cell }, { weight: 1, arbitrary: fc.constant('') });

const written: fc.Arbitrary<Written> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    mark: fc.constantFrom('.', ','),
    quotesAll: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    encoding: fc.constantFrom(
      'utf8',
      'utf8 mark',
      'utf16le',
      'utf16le mark',
      'utf16be mark',
      'latin1',
    ),
    endsLine: fc.boolean(),
    titles: fc.integer({ min: 0, max: 2 }),
    trailing: fc.constantFrom('', 'rows'),
    isRepeated: fc.boolean(),
    isTotalled: fc.boolean(),
    hasHeader: fc.boolean(),
    more: fc.array(fc.constantFrom('word', 'integer', 'decimal', 'date', 'prose'), {
      maxLength: 4,
    }),
    count: fc.integer({ min: 3, max: 30 }),
  })
  .chain((dialect) => {
    const kinds = ['word', 'integer', ...dialect.more];
    const cells = { word, integer, decimal: decimal(dialect.mark), date, prose };
    const columns = kinds.map((kind, i) =>
      i === 1 ? cells.integer : orBlank(cells[kind as keyof typeof cells]),
    );
    const rows = fc.array(fc.tuple(...columns), {
      minLength: dialect.count,
      maxLength: dialect.count,
    });
    return rows.map((rows) => write(dialect, kinds, rows));
  });

function write(
  dialect: {
    delimiter: string;
    quotesAll: boolean;
    lineEnd: string;
    encoding: string;
    endsLine: boolean;
    titles: number;
    trailing: string;
    isRepeated: boolean;
    isTotalled: boolean;
    hasHeader: boolean;
  },
  kinds: readonly string[],
  rows: readonly (readonly string[])[],
): Written {
  const { delimiter, quotesAll, hasHeader } = dialect;
  const headers = kinds.map((kind, i) => `${kind} no ${i}`);
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell) =>
        quotesAll || cell.includes(delimiter) || /["\n]/.test(cell)
          ? `"${cell.replaceAll('"', '""')}"`
          : cell,
      )
      .join(delimiter);
  const sum = rows.reduce((all, [, integer]) => all + Number(integer), 0);
  const total = ['Total', String(sum), ...kinds.slice(2).map(() => '')];
  const middle = Math.ceil(rows.length / 2);
  const lines = [
    ...Array.from({ length: dialect.titles }, (_, i) => `A title no ${i}`),
    ...(hasHeader ? [lineOf(headers)] : []),
    ...rows.slice(0, middle).map(lineOf),
    ...(hasHeader && dialect.isRepeated ? [lineOf(headers)] : []),
    ...rows.slice(middle).map(lineOf),
    ...(dialect.isTotalled && sum !== 0 ? [lineOf(total)] : []),
  ].map((line) => (dialect.trailing === '' ? line : line + delimiter));
  const text = lines.join('\n') + (dialect.endsLine ? '\n' : '');
  const [encoding = '', mark] = dialect.encoding.split(' ');
  const whole = (mark === undefined ? '' : '\ufeff') + text.replaceAll('\n', dialect.lineEnd);
  const little = Buffer.from(whole, encoding.replace('be', 'le') as BufferEncoding);
  const bytes = encoding === 'utf16be' ? little.swap16() : little;
  return { bytes, headers: hasHeader ? headers : headers.map(() => ''), rows };
}

test('a random table in a random dialect is read back cell for cell', async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ bytes, headers, rows }) => {
      const read = await readFile(bytes);
      expect(read.headers).toEqual(headers);
      expect(read.rows).toEqual(rows);
    }),
    { seed: 14, numRuns: 150 },
  );
});
