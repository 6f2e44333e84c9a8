import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import { importDataset } from '../support/datasets.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { workbookOf, workbookParts } from '../support/workbook-of.ts';
import { zipOf } from '../support/zip-of.ts';

afterAll(cleanUp);

type Content = string | Uint8Array;

/** Runs `add`. What it answers, and how many rows the block serves if there is one. */
async function add(file: string, content: Content, options: readonly string[] = []) {
  const [from, blocks] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(path.join(from, file), content);
  let err = '';
  const terminal = {
    out: () => {},
    err: (line: string) => {
      err += `${line}\n`;
    },
  };
  const code = await runAdd([path.join(from, file), ...options], terminal, { blocks });
  const functions = path.join(blocks, 'functions');
  const [name] = existsSync(functions) ? readdirSync(functions) : [];
  if (name === undefined) return { code, err, rows: undefined };
  const { block, dataset } = await loadDataBlock(path.join(functions, name));
  const { rows } = await importDataset(block, dataset, path.join(blocks, 'seed-data'));
  return { code, err, rows: [...rows].length };
}

const fixture = (name: string) => readFile(path.join(ROOT, 'test/fixtures/tables', name));

/** A file that is refused, what it is told, and what of that goes on. */
type Refusal = {
  readonly is: string;
  readonly file: string;
  readonly content: Content | (() => Promise<Content>);
  readonly given?: readonly string[];
  readonly told: string;
  /** The rows that the block then has. */
  readonly rows: number;
};

const TABLE = 'id,name\n1,Bern\n2,Chur\n';
const many = (count: number, row: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i));
const feature = (properties: string, more = '') =>
  `{"type":"Feature","properties":${properties},"geometry":null${more}}`;
const collection = (features: string, more = '') =>
  `{"type":"FeatureCollection",${more}"features":[${features}]}`;
const TEXTS = [
  ['a', 'b'],
  ['x', 'y'],
];
const PARTS_OF_TWO_SHEETS = {
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="Data" r:id="rId1"/><sheet name="More" r:id="rId9"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId9" Type="x/worksheet" Target="worksheets/sheet9.xml"/></Relationships>',
  'xl/worksheets/sheet9.xml':
    '<worksheet><sheetData><row><c t="str"><v>a</v></c></row><row><c><v>1</v></c></row></sheetData></worksheet>',
};
const TWO_SHEETS = workbookOf('<sheetData/>', PARTS_OF_TWO_SHEETS);

/** With the options that their text names, they are added. */
const OPTIONS: readonly (Refusal & { readonly option: readonly string[] })[] = [
  {
    is: 'a zip archive of several files',
    file: 'x.zip',
    content: zipOf({ 'a.csv': TABLE, 'b.csv': TABLE }),
    told: 'a zip archive of 2 files: a.csv, b.csv; --file NAME says which is meant',
    option: ['--file', 'b.csv'],
    rows: 2,
  },
  {
    is: 'a name that no block can have',
    file: '+++.csv',
    content: TABLE,
    told: 'no name can be made of the file name; give --name',
    option: ['--name', 'towns'],
    rows: 2,
  },
  {
    is: 'many zero bytes',
    file: 'f.csv',
    content: TABLE.replaceAll('\n', '\0\0\0\0\n'),
    told: '--bad-bytes replace leaves them out of a text',
    option: ['--bad-bytes', 'replace'],
    rows: 2,
  },
  {
    is: 'no UTF-8, and perhaps windows-1252',
    file: 'f.csv',
    content: Buffer.from('id,name\n1,Z\xfcrich\n', 'latin1'),
    told: '--encoding windows-1252   it is windows-1252',
    option: ['--encoding', 'windows-1252'],
    rows: 1,
  },
  {
    is: 'neither UTF-8 nor windows-1252',
    file: 'f.json',
    content: Buffer.from('[{"name":"Z\xfcrich\x81"}]', 'latin1'),
    told: 'neither UTF-8 nor windows-1252; name its encoding by --encoding, or read such bytes as \ufffd by --bad-bytes replace',
    option: ['--bad-bytes', 'replace'],
    rows: 1,
  },
  {
    is: 'an encoding that it is not in',
    file: 'f.csv',
    content: Buffer.from('id,name\n1,Z\xfcrich\n', 'latin1'),
    given: ['--encoding', 'utf-8'],
    told: 'a byte that is not UTF-8; save the file as UTF-8, or read such bytes as \ufffd by --bad-bytes replace',
    option: ['--encoding', 'utf-8', '--bad-bytes', 'replace'],
    rows: 1,
  },
  {
    is: 'a quote that the header does not close',
    file: 'f.csv',
    content: '"id,name\n"1","Bern"\n"2","Chur"\n',
    told: '--quote none',
    option: ['--quote', 'none'],
    rows: 2,
  },
  {
    is: 'another delimiter than those that are looked for',
    file: 'f.csv',
    content: `id~name, or not\n${many(9, (i) => `${i}~a${i % 3 === 0 ? '' : ',b'.repeat((i % 3) + 1)}`).join('\n')}\n`,
    told: '--delimiter',
    option: ['--delimiter', '~'],
    rows: 9,
  },
  {
    is: 'rows that are too short',
    file: 'f.csv',
    content: `id,name,n\n${many(9, (i) => `${i},a${i},1`).join('\n')}\n10,b\n`,
    given: ['--bad-rows', 'stop'],
    told: '--short-rows blank',
    option: ['--short-rows', 'blank'],
    rows: 10,
  },
  ...(
    [
      ['an object that is none', '{"id":1}\n{"id":2\n{"id":3}\n'],
      ['something else among objects', '{"id":1}\n2\n{"id":3}\n'],
      ['half of a character', '{"id":1}\n{"id":2,"a":"\\ud800"}\n{"id":3}\n'],
      ['a number that JSON does not have', '{"id":1}\n{"id":-Infinity}\n{"id":3}\n'],
    ] as const
  ).map(([is, content]) => ({
    is,
    file: 'f.ndjson',
    content,
    told: '--bad-rows skip',
    option: ['--bad-rows', 'skip'],
    rows: 2,
  })),
  {
    is: 'a row that no table of AWS takes',
    file: 'f.csv',
    content: `${TABLE}3,${'x'.repeat(500_000)}\n`,
    told: '--bad-rows skip',
    option: ['--bad-rows', 'skip'],
    rows: 2,
  },
  {
    is: 'rows that cannot be read',
    file: 'f.csv',
    content: `id,name\n${many(9, (i) => `${i},a${i}`).join('\n')}\n10,b,c\n`,
    given: ['--bad-rows', 'stop'],
    told: '--bad-rows',
    option: ['--bad-rows', 'skip'],
    rows: 9,
  },
  {
    is: 'a header below more lines than are looked at',
    file: 'f.csv',
    content: `${many(99, (i) => `Note "${i}", of "it"\n`).join('')}id,name,n\n${many(200, (i) => `${i},"a",1`).join('\n')}\n`,
    told: '--header-line N says in which line the header is',
    option: ['--header-line', '100'],
    rows: 200,
  },
  {
    is: 'a header that is shorter than the rows',
    file: 'f.csv',
    content: `id,name\n${many(200, (i) => `${i},a${i},1`).join('\n')}\n`,
    told: 'if none does: --header no',
    option: ['--header', 'no', '--bad-rows', 'skip'],
    rows: 200,
  },
  {
    is: 'a line above the header with another number of cells',
    file: 'f.csv',
    content: `v2,x,export\nid,name\n${many(20, (i) => `a${i},b${i}`).join('\n')}\n`,
    told: '--header-line 2 if line 2 names the columns',
    option: ['--header-line', '2'],
    rows: 20,
  },
  {
    is: 'a line of the header in which none begins',
    file: 'f.csv',
    content: 'a\n"b\nc"\nid,name\n1,Bern\n',
    given: ['--header-line', '3'],
    told: 'in line 3 begins no row of cells; --header-line',
    option: ['--header-line', '4'],
    rows: 1,
  },
  {
    is: 'a row of the header that is blank',
    file: 'f.xlsx',
    content: sheetOf([['a', 'note'], [], ['id', 'name'], [1, 'Bern'], [2, 'Chur']]),
    given: ['--header-line', '2'],
    told: 'in row 2 begins no row of cells; --header-line',
    option: ['--header-line', '3'],
    rows: 2,
  },
  {
    is: 'a line of the header beside another word on the table',
    file: 'f.csv',
    content: `Towns\nTOWNS\n${TABLE}`,
    given: ['--header-line', '3', '--header', 'no'],
    told: '--header-line says where the table begins; leave --header no out',
    option: ['--header-line', '3'],
    rows: 2,
  },
  {
    is: 'one row that is a header or not',
    file: 'f.csv',
    content: 'Ada,3\n',
    told: '--header no',
    option: ['--header', 'no'],
    rows: 1,
  },
  {
    is: 'a second row that may be of the header',
    file: 'f.csv',
    content: 'name,height,weight\nNAME,NUMERIC,INTEGER\nAnn,170,60\nBob,180,70\n',
    told: '--header-rows 2',
    option: ['--header-rows', '2'],
    rows: 2,
  },
  {
    is: 'a total that adds up nowhere',
    file: 'f.xlsx',
    content: sheetOf([
      ['a', 'b'],
      ['x', 1],
      ['y', 2],
      ['Total', 9],
    ]),
    told: '--totals drop',
    option: ['--totals', 'drop'],
    rows: 2,
  },
  {
    is: 'several tables',
    file: 'f.xlsx',
    content: sheetOf([['a', 'n'], ['x', 1], [], ['id', 'b', 'c'], [1, 2, 3]]),
    told: '--table 1',
    option: ['--table', '1'],
    rows: 1,
  },
  {
    is: 'a table that is not there',
    file: 'f.csv',
    content: TABLE,
    given: ['--table', '2'],
    told: 'has no table 2: blank lines part fewer; --table says which it is',
    option: ['--table', '1'],
    rows: 2,
  },
  {
    is: 'a blank sheet beside another',
    file: 'f.xlsx',
    content: TWO_SHEETS,
    told: '--sheet says which is meant, it or More',
    option: ['--sheet', 'More'],
    rows: 1,
  },
  {
    is: 'a sheet that is not there',
    file: 'f.xlsx',
    content: TWO_SHEETS,
    given: ['--sheet', 'Mor'],
    told: 'no sheet Mor; it has Data, More; --sheet names one',
    option: ['--sheet', 'More'],
    rows: 1,
  },
  {
    is: 'several lists in JSON',
    file: 'f.json',
    content: '{"a":[{"x":1}],"b":[{"y":1},{"y":2}]}',
    told: '--property names one',
    option: ['--property', 'b'],
    rows: 2,
  },
  {
    is: 'a list that is not there',
    file: 'f.json',
    content: '{"a":[{"x":1}]}',
    given: ['--property', 'b'],
    told: 'it has no list b, but a (1 object); --property names one',
    option: ['--property', 'a'],
    rows: 1,
  },
  {
    is: 'a column that is not there',
    file: 'f.csv',
    content: TABLE,
    given: ['--type', 'nam=text'],
    told: '--type names "nam"; the columns are id, name',
    option: ['--type', 'name=text'],
    rows: 2,
  },
  {
    is: 'a type that a cell has not',
    file: 'f.csv',
    content: TABLE,
    given: ['--type', 'name=number'],
    told: '--type name=text keeps each cell as it is',
    option: ['--type', 'name=text'],
    rows: 2,
  },
  {
    is: 'a word for nothing that is no cell',
    file: 'f.csv',
    content: TABLE,
    given: ['--nothing', 'name=bern'],
    told: '--nothing says "bern", and no cell is that; leave it out, or write it as a cell has it',
    option: ['--nothing', 'name=Bern'],
    rows: 2,
  },
  {
    is: 'a zone without times',
    file: 'f.csv',
    content: TABLE,
    given: ['--zone', 'UTC'],
    told: '--zone is given, and no column has times with an offset; leave it out',
    option: [],
    rows: 2,
  },
  {
    is: 'an odd word among numbers',
    file: 'f.csv',
    content: `n,m\n${many(9, (i) => `${i},1`).join('\n')}\nk. A.,1\n`,
    told: "--nothing 'n=k. A.'",
    option: ['--nothing', 'n=k. A.'],
    rows: 10,
  },
  {
    is: 'days and months in either order',
    file: 'f.csv',
    content: 'day,x\n03/04/2020,a\n05/06/2020,b\n',
    told: '--dates dmy',
    option: ['--dates', 'dmy'],
    rows: 2,
  },
  {
    is: 'commas before decimals or between thousands',
    file: 'f.csv',
    content: 'n;x\n1,234;a\n2,345;b\n',
    told: '--decimal ,',
    option: ['--decimal', ','],
    rows: 2,
  },
  {
    is: 'times with offsets of no zone',
    file: 'f.csv',
    content: 'at,x\n2020-01-01T00:00:00+01:00,a\n2020-01-01T00:00:00-07:30,b\n',
    told: '--zone UTC',
    option: ['--zone', 'UTC'],
    rows: 2,
  },
  {
    is: 'a key that two rows have',
    file: 'f.csv',
    content: 'id,name\n1,Bern\n2,Bern\n',
    given: ['--key', 'name'],
    told: '--key none',
    option: ['--key', 'none'],
    rows: 2,
  },
  {
    is: 'a key that a row has not',
    file: 'f.csv',
    content: 'id,name\n1,Bern\n2,\n',
    given: ['--key', 'name'],
    told: '--key none',
    option: ['--key', 'none'],
    rows: 2,
  },
  {
    is: 'a file of an archive that is none',
    file: 'f.csv',
    content: TABLE,
    given: ['--file', 'a.csv'],
    told: 'is no zip archive; leave out --file a.csv',
    option: [],
    rows: 2,
  },
];

test.each(OPTIONS)('$is: the option that is named goes on', async (refusal) => {
  const { file, content, given, told, option, rows } = refusal;
  const bytes = typeof content === 'function' ? await content() : content;
  const refused = await add(file, bytes, given);
  expect([refused.code === 0, refused.rows]).toEqual([false, undefined]);
  expect(refused.err).toContain(told);
  for (const word of option.filter((word) => word.startsWith('--') && !given?.includes(word))) {
    expect(refused.err).toContain(word);
  }
  const added = await add(file, bytes, option);
  expect(added).toMatchObject({ code: 0, rows });
});

/** The same archive, whose directory says that its parts are encrypted. */
function encrypted(archive: Buffer): Buffer {
  const bytes = Buffer.from(archive);
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1)) {
    bytes.writeUInt16LE(1, at + 8);
  }
  return bytes;
}

/** No option would help: the file is to be another, as the text says. */
const EDITS: readonly (Refusal & { readonly edit: readonly [file: string, content: Content] })[] = [
  ...(
    [
      ['a PDF', '%PDF-1.7\0', 'a PDF; ask its publisher for the table behind it'],
      ['a picture', '\x89PNG\r\n\x1a\n\0', 'a picture; give the table that it shows'],
      ['a 7-Zip archive', '7z\xbc\xaf\x27\x1c\0', 'a 7-Zip archive; unpack it'],
      ['a RAR archive', 'Rar!\x1a\x07\0', 'a RAR archive; unpack it'],
      ['bzip2', 'BZh91AY\0', 'packed with bzip2; unpack it: bunzip2 <file>'],
      ['zstd', '\x28\xb5\x2f\xfd\0', 'packed with zstd; unpack it: unzstd <file>'],
      ['a tar archive', `${'\0'.repeat(257)}ustar`, 'a tar archive; unpack it: tar xf <file>'],
      ['a database', 'SQLite format 3\0', 'an SQLite database; export its table as CSV'],
      ['Arrow', 'ARROW1\0\0', 'an Arrow file; write it as Parquet'],
      ['ORC', 'ORC\0', 'an ORC file; write it as Parquet'],
      ['encrypted Parquet', 'PARE\0', 'an encrypted Parquet file; write it without encryption'],
      [
        'old Excel',
        '\xd0\xcf\x11\xe0\0',
        'an old Excel file (.xls), or one with a password; save it as .xlsx',
      ],
      [
        'a web page',
        '<!doctype html><title>Login</title>',
        'a web page, perhaps of a login or an error; download the file itself',
      ],
      ['XML', '<rows><row/></rows>', 'XML; save its table as CSV'],
      ['a blank file', '', 'the file has no header; write one, with rows below it'],
    ] as const
  ).map(([is, start, told]) => ({
    is,
    file: 'f.csv',
    content: Buffer.from(start, 'latin1'),
    told,
    edit: ['f.csv', TABLE] as const,
    rows: 2,
  })),
  {
    is: 'an Excel file with a password',
    file: 'f.xlsx',
    content: Buffer.from('\xd0\xcf\x11\xe0\0', 'latin1'),
    told: 'an Excel file with a password; save it without one',
    edit: ['f.xlsx', sheetOf(TEXTS)],
    rows: 1,
  },
  {
    is: 'OpenDocument',
    file: 'f.ods',
    content: zipOf({ mimetype: 'x', 'content.xml': '<a/>' }),
    told: 'an OpenDocument file (.ods); save it as .xlsx or CSV',
    edit: ['f.xlsx', sheetOf(TEXTS)],
    rows: 1,
  },
  {
    is: 'an archive in an archive',
    file: 'f.zip',
    content: zipOf({ 'g.zip': zipOf({ 'a.csv': TABLE }) }),
    told: 'a zip archive that begins with "a.csv"; unpack it',
    edit: ['g.zip', zipOf({ 'a.csv': TABLE })],
    rows: 2,
  },
  {
    is: 'gzip in gzip',
    file: 'f.csv.gz',
    content: gzipSync(gzipSync(TABLE)),
    told: 'packed with gzip; unpack it: gunzip <file>',
    edit: ['f.csv.gz', gzipSync(TABLE)],
    rows: 2,
  },
  {
    is: 'an archive without a file',
    file: 'f.zip',
    content: zipOf({ '__MACOSX/a': '' }),
    told: 'a zip archive without a file; give the file of the table itself',
    edit: ['f.csv', TABLE],
    rows: 2,
  },
  {
    is: 'a gzip file that is cut off',
    file: 'f.csv.gz',
    content: gzipSync(TABLE).subarray(0, 20),
    told: 'get it anew from its source',
    edit: ['f.csv.gz', gzipSync(TABLE)],
    rows: 2,
  },
  {
    is: 'a zip archive that is cut off',
    file: 'f.zip',
    content: zipOf({ 'a.csv': TABLE }).subarray(0, 50),
    told: 'get it anew from its source',
    edit: ['f.zip', zipOf({ 'a.csv': TABLE })],
    rows: 2,
  },
  {
    is: 'a CSV file of many columns',
    file: 'f.csv',
    content: `${many(2001, (i) => `c${i}`)}\n`,
    told: 'has 2,001 columns; at most 2,000 are read, so leave some out',
    edit: ['f.csv', TABLE],
    rows: 2,
  },
  {
    is: 'no rows of a table at all',
    file: 'f.csv',
    content: `id,name\n${many(20_100, (i) => `${i},a${i % 2 === 0 ? '' : ',b'}`).join('\n')}\n`,
    told: '--delimiter and --quote say how it is written',
    edit: ['f.csv', TABLE],
    rows: 2,
  },
  {
    is: 'another zip archive by the name of a workbook',
    file: 'f.xlsx',
    content: zipOf({ '[Content_Types].xml': '<Types/>', 'a.csv': TABLE }),
    told: 'a zip archive without an Excel workbook; unpack it, or save the table as .xlsx or CSV',
    edit: ['f.csv', TABLE],
    rows: 2,
  },
  {
    is: 'a workbook without sheets',
    file: 'f.xlsx',
    content: zipOf({ ...workbookParts(''), 'xl/workbook.xml': '<workbook/>' }),
    told: 'it has no sheets of cells; save the table as .xlsx or CSV',
    edit: ['f.xlsx', sheetOf(TEXTS)],
    rows: 1,
  },
  {
    is: 'a damaged sheet',
    file: 'f.xlsx',
    content: workbookOf('<sheetData><row><c t="s"><v>5</v></c></row></sheetData>'),
    told: 'the text 5 is missing in the file; open it in Excel or LibreOffice, and save it anew',
    edit: ['f.xlsx', sheetOf(TEXTS)],
    rows: 1,
  },
  {
    is: 'a cell far to the right',
    file: 'f.xlsx',
    content: workbookOf('<sheetData><row><c r="BZZ1"><v>1</v></c></row></sheetData>'),
    told: 'cell BZZ1: over 2,000 columns, so clear this cell',
    edit: ['f.xlsx', sheetOf(TEXTS)],
    rows: 1,
  },
  {
    is: 'a workbook with a part that has a password',
    file: 'f.xlsx',
    content: encrypted(sheetOf(TEXTS)),
    told: 'it has a password; save it without one',
    edit: ['f.xlsx', sheetOf(TEXTS)],
    rows: 1,
  },
  {
    is: 'a line of NDJSON without end',
    file: 'f.ndjson',
    content: `{"a":1}\n{"a":"${'x'.repeat(17_000_000)}"}\n`,
    told: 'a line of over 16 million characters; if it is one JSON document, let its name end in .json',
    edit: ['f.json', '[{"a":1},\n{"a":2}]'],
    rows: 2,
  },
  {
    is: 'a blank workbook',
    file: 'f.xlsx',
    content: workbookOf('<sheetData/>'),
    told: 'the sheet is blank; write a header at least',
    edit: ['f.xlsx', sheetOf([['a', 'b']])],
    rows: 0,
  },
  ...(
    [
      ['no objects', '[]', 'it holds no objects; write one for each row', '[{"a":1}]'],
      ['objects without members', '[{}]', 'write a member with a value in each', '[{"a":1}]'],
      [
        'no list',
        '{"a":1}',
        'it has no list of rows; write it as a list of objects',
        '{"a":[{"b":1}]}',
      ],
      [
        'lists of lists',
        '{"a":[[1]]}',
        "expected objects; take the source's CSV instead",
        '{"a":[{"b":1}]}',
      ],
      [
        'a JSON file that is cut off',
        '[{"a":1},{"a"',
        'the file ends inside the value',
        '[{"a":1}]',
      ],
      ['a member twice', '[{"a":1,"a":2}]', 'column 9: the member "a" is there twice', '[{"a":1}]'],
      [
        'JSON that goes on',
        '[{"a":1}] 2',
        'column 11: the JSON ends before this place, and there is more text; take out either part',
        '[{"a":1}]',
      ],
      ['a bad escape', '[{"a":"\\x"}]', 'column 7: a backslash that is no escape', '[{"a":"x"}]'],
      [
        'many members',
        `[${many(2001, (i) => `{"a${i}":1}`)}]`,
        'so write those of one kind as a list',
        '[{"a":1}]',
      ],
    ] as const
  ).map(([is, content, told, edited]) => ({
    is,
    file: 'f.json',
    content,
    told,
    edit: ['f.json', edited] as const,
    rows: 1,
  })),
  ...(
    [
      ['no features', collection(''), 'it holds no features; write one for each row'],
      ['TopoJSON', '{"type":"Topology","objects":{}}', 'convert it: npx topojson-client'],
      [
        'coordinates in metres',
        collection(feature('{"a":1}'), '"crs":{"properties":{"name":"EPSG:2056"}},'),
        'make WGS 84 of it: ogr2ogr',
      ],
      [
        'a position that is none',
        collection(feature('{"a":1}').replace('null', '{"type":"Point","coordinates":[500,1]}')),
        'is not in degrees; coordinates of a projection, in metres or feet, become degrees by',
      ],
      ['no Feature', collection('{"a":1}'), 'expected a "type" of "Feature"'],
      ['no properties', collection(feature('1')), 'expected properties in an object'],
    ] as const
  ).map(([is, content, told]) => ({
    is,
    file: 'f.geojson',
    content,
    told,
    edit: ['f.geojson', collection(feature('{"a":1}'))] as const,
    rows: 1,
  })),
  ...(
    [
      ['geo-feet.parquet', 'make WGS 84 of it'],
      ['geo-arrow.parquet', 'write them as WKB'],
      ['binary.parquet', 'write the table without this column'],
      ['twice.parquet', 'two columns have this name; write the table with another'],
    ] as const
  ).map(([name, told]) => ({
    is: name,
    file: name,
    content: () => fixture(name),
    told,
    edit: ['f.csv', TABLE] as const,
    rows: 2,
  })),
  {
    is: 'a Parquet file that is cut off',
    file: 'f.parquet',
    content: 'PAR1\0\0\0\0\0\0\0\0PAR1',
    told: 'get it anew, or write it as CSV',
    edit: ['f.csv', TABLE],
    rows: 2,
  },
];

describe('where no option helps, the text says what to do with the file, and that helps', () => {
  test.each(EDITS)('$is', async ({ file, content, told, edit, rows }) => {
    const refused = await add(file, typeof content === 'function' ? await content() : content);
    expect([refused.code === 0, refused.rows]).toEqual([false, undefined]);
    expect(refused.err).toContain(told);
    expect(await add(...edit)).toMatchObject({ code: 0, rows });
  });
});

test('a name that is taken, a folder and a file that is not there name what else to give', async () => {
  const [from, blocks] = [await temporaryFolder(), await temporaryFolder()];
  const file = path.join(from, 'f.csv');
  await writeFile(file, TABLE);
  let err = '';
  const run = (...line: readonly string[]) => {
    err = '';
    const told = (text: string) => {
      err += text;
    };
    return runAdd(line, { out: () => {}, err: told }, { blocks });
  };
  expect(await run(file)).toBe(0);
  expect(await run(file)).not.toBe(0);
  expect(err).toContain('choose another by --name');
  expect(await run(file, '--name', 'g')).toBe(0);
  expect(await run(from)).not.toBe(0);
  expect(err).toContain('is a folder; name the file in it');
  expect(await run(path.join(from, 'h.csv'))).not.toBe(0);
  expect(err).toContain(`is not in ${from}`);
});

test('a cover is not taken for the table behind it', async () => {
  const cover = (text: string) =>
    `<worksheet><sheetData><row><c t="str"><v>${text}</v></c></row></sheetData></worksheet>`;
  const data = sheetOf([
    ['a', 'b'],
    [1, 2],
    [3, 4],
  ]);
  expect(await add('f.xlsx', data, ['--yes'])).toMatchObject({ code: 0, rows: 2 });
  const workbook = workbookOf('<sheetData/>', {
    ...PARTS_OF_TWO_SHEETS,
    'xl/worksheets/sheet1.xml': cover('Report 2026'),
    'xl/worksheets/sheet9.xml':
      '<worksheet><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>',
  });
  const { code, err } = await add('f.xlsx', workbook, ['--yes']);
  expect(code).toBe(1);
  expect(err).toContain(
    'the sheet Data has no table of two columns and a row; --sheet says which is meant, it or More',
  );
  expect(await add('f.xlsx', workbook, ['--yes', '--sheet', 'More'])).toMatchObject({ rows: 1 });
  expect(await add('f.xlsx', workbook, ['--yes', '--sheet', 'Data'])).toMatchObject({ rows: 0 });
});

test('a pipe is refused, which could be read but once', async () => {
  const pipe = path.join(await temporaryFolder(), 'f.csv');
  execFileSync('mkfifo', [pipe]);
  let err = '';
  const terminal = {
    out: () => {},
    err: (line: string) => {
      err += line;
    },
  };
  expect(await runAdd([pipe, '--yes'], terminal, { blocks: await temporaryFolder() })).toBe(1);
  expect(err).toContain('f.csv: is no file on the disk; write it to one');
});

test.each([
  ['f.csv', TABLE, '--sheet', 'Data', 'CSV'],
  ['f.csv', TABLE, '--property', 'rows', 'CSV'],
  ['f.json', '[{"id":1}]', '--delimiter', ';', 'JSON'],
  ['f.json', '[{"id":1}]', '--table', '2', 'JSON'],
  ['f.ndjson', '{"id":1}\n{"id":2}\n', '--header', 'yes', 'NDJSON'],
  ['f.xlsx', sheetOf(TEXTS), '--quote', 'single', '.xlsx'],
  ['f.xlsx', sheetOf(TEXTS), '--encoding', 'utf-8', '.xlsx'],
])(
  '%s: what is said of another format is not ignored',
  async (file, content, option, value, title) => {
    const { code, err, rows } = await add(file, content, [option, value]);
    expect([code, rows]).toEqual([1, undefined]);
    expect(err).toContain(`${file}: ${option} is given, and ${title} has no such; leave it out`);
    expect((await add(file, content, ['--yes'])).code).toBe(0);
  },
);
