import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanUp } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { zipOf } from '../support/zip-of.ts';
import { OwnBlocks } from './own-blocks.ts';

const FIRST = `id,name,opened,score,town
1,Canton,03/04/2020,5,Bern
2,Fells Point,13/05/2021,6,Zürich
3,Hampden,28/02/2019,7,Bern
`;

const SUMS = 'name,visits\na,1\nb,2\nTotal,3\n';

/** Thirty days, and so many cells that are none. */
function visits(odd: number): string {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `v${i},2020-01-${String(i + 1).padStart(2, '0')}`,
  );
  return ['name,day', ...rows, ...Array.from({ length: odd }, (_, i) => `x${i},?d`), ''].join('\n');
}

/** What nobody has stated of them, nor of the service. */
const MISSED =
  'A portal would miss a licence ("licenses"), who publishes the data ("publisher"), who publishes the catalogue (PUBLISHER) and a contact (PUBLISHER_EMAIL).';

let blocks: OwnBlocks;
let before: Record<string, string>;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
  await blocks.add('shops.csv', FIRST);
  await blocks.add('towns.csv', Buffer.from('name,area\nZ\xfcrich,1\nBern,2\n', 'latin1'), '--yes');
  await blocks.add('twins.csv', 'name,visits\na,1\na,1\nb,2\n');
  await blocks.add('sums.csv', SUMS);
  await blocks.add('visits.csv', visits(1), '--type', 'day=date', '--odd-cells', 'blank');
  before = blocks.content();
});
afterAll(cleanUp);

async function check(content: string | Uint8Array, block = 'shops', file = 'next.csv') {
  return blocks.run('check', block, await blocks.file(file, content));
}

test('a figure of the publisher that has nothing to show of the next file is named', async () => {
  const own = await OwnBlocks.inNewFolder();
  await own.add('trees.csv', 'kind,height\noak,12\nelm,9\noak,14\n');
  const figure = (title: string, kind: string) => ({
    ...{ title, ask: `_group=kind&_measure=count&kind=${kind}` },
  });
  const figures = [figure('Oaks', 'oak'), figure('Elms', 'elm'), figure('All', '*')];
  const block = own.blockFile('trees');
  writeFileSync(own.pathOf('trees'), JSON.stringify({ ...block, figures }));
  const next = await own.file('next.csv', 'kind,height\noak,12\noak,9\noak,14\n');
  const { code, out } = await own.run('check', 'trees', next);
  expect(code).toBe(0);
  expect(out).toContain('Look: the figure “Elms” of block.json has nothing to show.');
  expect(out.match(/has nothing to show/g)).toHaveLength(1);
});

describe('a file that fits', () => {
  test('and is one of several tables of a sheet, wherever it begins', async () => {
    const sheet = (towns: readonly string[], ...shops: (string | number)[][]) =>
      sheetOf([
        ['A: towns'],
        ['town', 'people'],
        ...towns.map((town) => [town, 5]),
        [],
        ['B: shops'],
        ['id', 'town', 'score'],
        [1, 'Bern', 5],
        ...shops,
        [],
        ['Source: us'],
      ]);
    const own = await OwnBlocks.inNewFolder();
    await own.add('tables.xlsx', sheet(['Bern'], [2, 'Chur', 6], ['Total', '', 11]), '--yes');
    const next = sheet(['Bern', 'Chur', 'Thun'], [2, 'Chur', 6], [3, 'Thun', 7], ['Total', '', 18]);
    expect(await own.run('check', 'tables', await own.file('next.xlsx', next))).toEqual({
      code: 0,
      err: '',
      out:
        '3 rows, 2 before: 1 added, 0 gone, 0 changed\n  first added: 3 in row 11\n' +
        '1 row is left out: "Total" in id, a total, row 12\nIt fits tables.\n' +
        `${MISSED}\n`,
    });
  });

  test('and has the same rows', async () => {
    expect(await check(FIRST)).toEqual({
      code: 0,
      err: '',
      out: `3 rows, 3 before: 0 added, 0 gone, 0 changed\nIt fits shops.\n${MISSED}\n`,
    });
  });

  test('has rows added, gone and changed by the key, each with its first', async () => {
    const next = FIRST.replace('3,Hampden', '4,Hampden').replace('2020,5,', '2020,8,');
    const { code, out, err } = await check(next);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      '3 rows, 3 before: 1 added, 1 gone, 1 changed',
      '  first added: 4 in line 4',
      '  first gone: 3, was in line 4',
      '  score: 1 changed, first 5 to 8 in line 2 (1)',
      'It fits shops.',
      MISSED,
      '',
    ]);
  });

  test('without a key: rows as a whole', async () => {
    const { code, out } = await check('name,visits\nb,2\na,1\nc,3\n', 'twins');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^3 rows, 3 before: 1 added, 1 gone \(no primary key/),
    ]);
  });

  test('has its total and notes where it ends, however many rows there are', async () => {
    const next = 'name,visits\na,1\nb,2\nc,4\nd,5\nTotal,12\nSource: us,\n';
    const { code, out } = await check(next, 'sums');
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        '4 rows, 2 before: 2 added, 0 gone, 0 changed',
        '  first added: 4 in line 4',
        'record 7 is left out: a note, "Source: us"',
        '1 row is left out: "Total" in name, a total, line 6',
        'It fits sums.',
        MISSED,
        '',
      ],
    ]);
  });

  test('has its total where it ends, also below a header that was said to be far down', async () => {
    const own = await OwnBlocks.inNewFolder();
    const above = 'A note, in 2 cells, or 3\n'.repeat(99);
    await own.add('far.csv', above + SUMS, '--header-line', '100');
    const next = `${above}name,visits\na,1\nb,2\nc,4\nTotal,7\n`;
    const { out } = await own.run('check', 'far', await own.file('next.csv', next));
    expect(out).toMatch(/^3 rows, 2 before: /);
    expect(out).toContain('1 row is left out: "Total" in name, a total, line 104\n');
    const rows: (readonly (string | number)[])[] = Array.from({ length: 120 }, () => [
      'n',
      'o',
      'p',
    ]);
    const sheet = (...more: (readonly (string | number)[])[]) =>
      sheetOf([...rows, ['name', 'visits'], ['a', 1], ['b', 2], ...more]);
    await own.add('far-sheet.xlsx', sheet(['Total', 3]), '--header-line', '121');
    const nextSheet = await own.file('next.xlsx', sheet(['c', 4], ['Total', 7]));
    const checked = await own.run('check', 'far-sheet', nextSheet);
    expect(checked.out).toMatch(
      /^3 rows, 2 before: .*\n.*\n1 row is left out: "Total" in name, a total, row 125\n/,
    );
  });

  test('has the places of its records told as such, not as lines', async () => {
    const own = await OwnBlocks.inNewFolder();
    await own.add('towns.json', '[{"id":1,"n":1},{"id":2,"n":2}]', '--key', 'id');
    const next = await own.file('next.json', '[{"id":1,"n":1},{"id":1,"n":"x"}]');
    const { err } = await own.run('check', 'towns', next);
    expect(err).toContain('next.json, record 2, column n: "x" is not a whole number\n');
    expect(err).toContain('record 2, column id: the primary key 1 twice, first in record 1\n');
  });

  test('is said to be cut off perhaps if its last line does not end', async () => {
    const look = 'Look: its last line does not end, and that of the file before does';
    expect((await check('name,visits\na,1\na,1\nb,2', 'twins')).out).toContain(look);
    expect((await check('name,visits\na,1\na,1\nb,2\r', 'twins')).out).not.toContain(look);
    const letters = await OwnBlocks.inNewFolder();
    await letters.add('letters.csv', 'name\na\nb\n');
    const cut = await letters.file('next.csv', 'name\na\nb\nc');
    expect((await letters.run('check', 'letters', cut)).out).toContain(look);
    const own = await OwnBlocks.inNewFolder();
    await own.add('open.csv', 'name,visits\na,1\nb,2');
    const next = await own.file('next.csv', 'name,visits\na,1\nb,3');
    expect((await own.run('check', 'open', next)).out).not.toContain(look);
  });

  test('may have a total, or none, where the file before had none, or one', async () => {
    const { out } = await check('name,visits\na,1\na,1\nb,2\nTotal,4\n', 'twins');
    expect(out).toMatch(
      /^3 rows, 3 before: 0 added.*\n1 row is left out: "Total" in name, a total, line 5\nIt/,
    );
    const { out: without } = await check('name,visits\na,1\nb,2\nc,3\n', 'sums');
    expect(without).toMatch(/^3 rows, 2 before: 1 added, 0 gone, 0 changed\n/);
  });

  test('has a total that adds up in no column as its block has one, or else as a row', async () => {
    const own = await OwnBlocks.inNewFolder();
    const wrong = SUMS.replace('Total,3', 'Total,9');
    await own.add('kept.csv', wrong, '--totals', 'keep');
    await own.add('dropped.csv', wrong, '--totals', 'drop');
    const first = async (block: string, content: string) => {
      const { out } = await own.run('check', block, await own.file('next.csv', content));
      return out
        .split('\n')
        .filter((line) => /^\d+ rows|Total/.test(line))
        .map((line) => line.replace(/( 0 gone).*/, '$1'));
    };
    const next = 'name,visits\na,1\nb,2\nc,4\nTotal,9\n';
    expect(await first('kept', next)).toEqual([
      '4 rows, 3 before: 1 added, 0 gone',
      '"Total" in name is kept, and it adds up in no column: line 5',
    ]);
    expect(await first('dropped', next)).toEqual([
      '3 rows, 2 before: 1 added, 0 gone',
      '1 row is left out: "Total" in name, a total, which adds up in no column, line 5',
    ]);
    expect(await first('dropped', next.replace('9', '7'))).toEqual([
      '3 rows, 2 before: 1 added, 0 gone',
      '1 row is left out: "Total" in name, a total, line 5',
    ]);
    const { out } = await check(next, 'twins');
    expect(out).toMatch(
      /^4 rows, 3 before: [\s\S]*"Total" in name is kept, and it adds up in no column/,
    );
  });

  test('has the total and notes of its sheet where they stand now', async () => {
    const own = await OwnBlocks.inNewFolder();
    const rows = [
      ['name', 'visits'],
      ['a', 1],
      ['b', 2],
    ];
    await own.add('sheet.xlsx', sheetOf([...rows, ['Total', 3]]));
    const next = await own.file('next.xlsx', sheetOf([...rows, ['c', 4], ['Total', 7]]));
    const { out } = await own.run('check', 'sheet', next);
    expect(out).toMatch(
      /^3 rows, 2 before: 1 added, 0 gone.*\n.*\n1 row is left out: "Total" in name, a total, row 5/,
    );
  });

  test('keeps to what commentRows says if people wrote it', async () => {
    const own = await OwnBlocks.inNewFolder();
    await own.add('sums.csv', SUMS);
    const file = path.join(own.folder, 'functions/sums/block.json');
    const written = readFileSync(file, 'utf8');
    const withRows = (rows: string) =>
      writeFileSync(file, written.replace(/"totals": \[[^\]]*\]/, `"commentRows": ${rows}`));
    withRows('[2]');
    const next = await own.file('next.csv', 'name,visits\n(text),9\nb,2\nc,3\n');
    expect((await own.run('check', 'sums', next)).out).toMatch(
      /^2 rows, 2 before: 0 added, 0 gone, 1 changed\n/,
    );
  });

  test('has its total where it ends, if the block names that of its own by its number', async () => {
    const own = await OwnBlocks.inNewFolder();
    await own.add('sums.csv', SUMS);
    const file = path.join(own.folder, 'functions/sums/block.json');
    const written = readFileSync(file, 'utf8');
    writeFileSync(file, written.replace(/"totals": \[[^\]]*\]/, '"commentRows": [4]'));
    const next = await own.file('next.csv', 'name,visits\na,1\nb,2\nc,4\nTotal,7\n');
    const { out } = await own.run('check', 'sums', next);
    expect(out).toMatch(/^3 rows, 2 before: 1 added, 0 gone, 0 changed\n/);
    expect(out).toContain('1 row is left out: "Total" in name, a total, line 5');
  });

  test('has each row told that is left out as a total, whatever it adds up', async () => {
    const own = await OwnBlocks.inNewFolder();
    await own.add('named.csv', 'station,n\nShell,1\nAral,2\nTotal Mitte,3\n');
    const next = await own.file('next.csv', 'station,n\nShell,1\nAral,2\nTotal Mitte,30\nEsso,4\n');
    expect((await own.run('check', 'named', next)).out).toContain(
      '1 row is left out: "Total *" in station, a total, which adds up in no column, line 4',
    );
    await own.add('sexes.csv', 'region,sex,n\nN,m,3\nN,f,4\nAll,Total,7\n');
    const other = await own.file(
      'next.csv',
      'region,sex,n\nN,m,3\nTotal,Total,50\nN,f,4\nAll,Total,7\n',
    );
    const { out } = await own.run('check', 'sexes', other);
    expect(out).toMatch(/^3 rows, 2 before/);
    expect(out).toContain('"Total" in region is kept, and it adds up in no column: line 3');
  });

  test('has no more totals than a file may have', async () => {
    const own = await OwnBlocks.inNewFolder();
    await own.add('kinds.csv', 'kind,n,id\nPart,1,1\nPart,2,2\nTotal,3,\n');
    const rows = Array.from({ length: 1005 }, (_, i) => `Total,${i},${i}`).join('\n');
    const next = await own.file('next.csv', `kind,n,id\n${rows}\nPart,1,1\n`);
    const { code, err } = await own.run('check', 'kinds', next);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('which block.json leaves out; if they are rows'),
    ]);
  });

  test('has no name with a zero in front among its numbers', async () => {
    const own = await OwnBlocks.inNewFolder();
    await own.add('zips.csv', 'town,lot\na,12345\nb,23456\n');
    const next = await own.file('next.csv', 'town,lot\na,12345\nb,23456\nc,012345\nd,07\n');
    const { code, err } = await own.run('check', 'zips', next);
    expect(code).toBe(3);
    expect(err).toContain(
      'next.csv, line 4, column lot: "012345" has a zero in front, and no cell before had one: the numbers may be names; if so, set "type" of the field to "text" in block.json, and 1 more like it\n',
    );
    await own.add('padded.csv', 'town,lot\na,012\nb,345\n', '--type', 'lot=integer');
    const padded = await own.file('next.csv', 'town,lot\na,012\nb,007\n');
    expect((await own.run('check', 'padded', padded)).code).toBe(0);
  });

  test('may have its columns in another order, and a new one, which is told', async () => {
    const next = FIRST.split('\n').map((line) => (line ? `x${line.length},${line}` : line));
    const { code, out } = await check(next.join('\n').replace(/^x\d+/, 'Seats'));
    expect(code).toBe(0);
    expect(out).toContain('New, and no field reads it: seats');
  });

  test('may be UTF-8 with a byte order mark, or windows-1252 without what is beyond ASCII', async () => {
    expect((await check(`\ufeff${FIRST}`)).code).toBe(0);
    expect((await check('name,area\nBern,2\n', 'towns')).code).toBe(0);
  });

  test('writes nothing', () => {
    expect(blocks.content()).toEqual(before);
  });
});

describe('odd cells, which are blank by the choice of whoever added the file,', () => {
  test('may be more, and are counted', async () => {
    const { code, out } = await check(visits(12), 'visits');
    expect(out).toContain(
      'day: 12 cells are blank for not being of its type, first "?d" in line 32\nIt fits',
    );
    expect(code).toBe(0);
  });

  test('may not be many more', async () => {
    const { code, err } = await check(visits(15), 'visits');
    expect([code, err]).toEqual([
      3,
      'next.csv, line 44, column day: "?d" is not a date such as 2020-05-17, nor are 12 cells before it; oddCells in block.json allows no more, and 2 more like it\n',
    ]);
  });
});

describe('a file that does not fit', () => {
  test('has all columns told that are at fault, each with the first cell that shows it', async () => {
    const next = `id,name,opened,score
1,Canton,2020-04-03,five
1,Fells Point,13/05/2021,6
,Hampden,28/02/2019,seven
`;
    const { code, out, err } = await check(next);
    expect(code).toBe(3);
    expect(err.split('\n')).toEqual([
      'next.csv, line 1, column town: the column is gone; there are id, name, opened, score',
      'next.csv, line 2, column opened: "2020-04-03" is not written as %d/%m/%Y',
      'next.csv, line 2, column score: "five" is not a whole number, and 1 more like it',
      'next.csv, line 3, column id: the primary key 1 twice, first in line 2',
      'next.csv, line 4, column id: blank, and it is the primary key',
      '',
    ]);
    expect(out).not.toContain('fits');
  });

  test('has another delimiter named, and not each column that is then gone', async () => {
    const { code, err } = await check(FIRST.replaceAll(',', ';'));
    expect([code, err]).toEqual([
      3,
      'next.csv: a semicolon is between cells now; block.json reads a comma\n',
    ]);
  });

  test.each<[string, string, string | Uint8Array, RegExp]>([
    [
      'a zero byte',
      'shops',
      FIRST.replace(/,(?=[^,]*$)/, '\0,'),
      /^next\.csv, line \d: a zero byte, as no text has; --bad-bytes replace leaves them out/,
    ],
    [
      'windows-1252 instead of UTF-8',
      'shops',
      Buffer.from(FIRST, 'latin1'),
      /^next\.csv: is windows-1252 now \(line 3 is not UTF-8, and reads "[^"]+"\); block\.json reads utf-8\n$/,
    ],
    [
      'UTF-8 instead of windows-1252',
      'towns',
      'name,area\nBern,2\nZürich,1\n',
      /^next\.csv: is utf-8 now \(line 3 shows it\); block\.json reads windows-1252\n$/,
    ],
    [
      'UTF-16',
      'shops',
      Buffer.from(`\ufeff${FIRST}`, 'utf16le'),
      /^next\.csv: is utf-16le now .*; block\.json reads utf-8\n$/,
    ],
    ['JSON', 'shops', '[{"id":1,"name":"a"}]', /^next\.csv: is json now; block\.json reads csv\n$/],
    ['a web page', 'shops', '<!doctype html><html></html>', /^next\.csv: a web page/],
    ['a header alone', 'shops', 'id,name,opened,score,town\n', /no rows/],
    [
      'a row with a cell too many',
      'shops',
      `${FIRST}4,a,01/01/2020,5,x,y\n`,
      /^next\.csv, line 5: /,
    ],
    ['a quote that is not closed', 'shops', `${FIRST}4,"a,01/01/2020,5,x\n`, /^next\.csv, line 5/],
  ])('is %s', async (_, block, content, told) => {
    const { code, out, err } = await check(content, block);
    expect([code, err]).toEqual([3, expect.stringMatching(told)]);
    expect(out).not.toContain('fits');
    expect(blocks.content()).toEqual(before);
  });

  test('is what only the import finds: two columns with the header of a field', async () => {
    const twice = FIRST.trim()
      .split('\n')
      .map((line, i) => `${line},${i === 0 ? 'town' : 'x'}`);
    const { code, err } = await check(`${twice.join('\n')}\n`);
    expect([code, err]).toEqual([3, expect.stringMatching(/two columns have the header "town"/)]);
  });
});

test('a column that got another name fits once its field has the header', async () => {
  const renamed = await OwnBlocks.inNewFolder();
  await renamed.add('shops.csv', FIRST);
  const next = await renamed.file('next.csv', FIRST.replace('opened', 'Opened on'));
  expect((await renamed.run('check', 'shops', next)).code).toBe(3);
  const block = renamed.blockFile('shops');
  const fields = block.fields.map((field) =>
    field.name === 'opened' ? { ...field, header: 'Opened on' } : field,
  );
  writeFileSync(renamed.pathOf('shops'), JSON.stringify({ ...block, fields }));
  const { code, err } = await renamed.run('check', 'shops', next);
  expect([code, err]).toEqual([0, '']);
});

test('a format without a header is checked likewise', async () => {
  const trees = await OwnBlocks.inNewFolder();
  await trees.add('trees.ndjson', '{"id":1,"height":9.5}\n{"id":2,"height":8}\n');
  const next = (content: string) => trees.file('next.ndjson', content);
  const fits = await next('{"id":1,"height":9.5}\n{"id":3,"height":7}\n');
  expect((await trees.run('check', 'trees', fits)).code).toBe(0);
  const unfit = await next('{"id":1}\n{"id":"three"}\n');
  const { code, err } = await trees.run('check', 'trees', unfit);
  expect([code, err.split('\n')]).toEqual([
    3,
    [
      'next.ndjson, column height: the column is gone; there are id',
      'next.ndjson, line 2, column id: "three" is not a whole number',
      '',
    ],
  ]);
});

test('the first of each fault is what a search row by row finds', async () => {
  const keyed = await OwnBlocks.inNewFolder();
  await keyed.add('keyed.csv', 'id,n,m\n1,1,1\n2,2,2\n');
  const cell = fc.constantFrom('', '1', '2', '3', '4', 'x', 'y');
  const row = fc.tuple(fc.constantFrom('', '1', '2', '3', '4', '5', '6'), cell, cell);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      // A row without any value is none.
      const read = rows.map(([id, n, m]) => [id || (n || m ? '' : '7'), n, m] as const);
      const lines = read.map((cells) => cells.join(',')).join('\n');
      const file = await keyed.file('next.csv', `id,n,m\n${lines}\n`);
      const { code, err } = await keyed.run('check', 'keyed', file);
      const fault = (column: string, isFault: (i: number) => boolean, reason: string) => {
        const at = read.flatMap((_, i) => (isFault(i) ? [i] : []));
        const more = at.length > 1 ? `.*, and ${at.length - 1} more like it` : '.*';
        return at.length === 0
          ? []
          : [`next\\.csv, line ${(at[0] as number) + 2}, column ${column}: ${reason}${more}`];
      };
      const expected = [
        ...fault('id', (i) => read[i]?.[0] === '', 'blank, and it is the primary key'),
        ...fault(
          'id',
          (i) => read[i]?.[0] !== '' && read.slice(0, i).some(([id]) => id === read[i]?.[0]),
          'the primary key \\d twice, first in line \\d',
        ),
        ...fault('n', (i) => /[xy]/.test(read[i]?.[1] ?? ''), '"[xy]" is not a whole number'),
        ...fault('m', (i) => /[xy]/.test(read[i]?.[2] ?? ''), '"[xy]" is not a whole number'),
      ];
      const printed = err.split('\n').filter((line) => line !== '');
      const isSaid = (pattern: string) =>
        printed.some((line) => new RegExp(`^${pattern}$`).test(line));
      expect(expected.filter((pattern) => !isSaid(pattern))).toEqual([]);
      expect(printed).toHaveLength(expected.length);
      expect(code).toBe(expected.length === 0 ? 0 : 3);
    }),
    { seed: 14, numRuns: 100 },
  );
});

describe('there is nothing to check', () => {
  test.each([
    ['no words', [], /0 words; expected 2/],
    ['no file', ['shops'], /1 words; expected 2/],
    ['an unknown option', ['shops', 'f.csv', '--block', 'x'], /Did you mean --blocks\?/],
    ['no such block', ['shop', 'f.csv'], /no data block "shop" in .*; try shops/],
    ['no such file', ['shops', '/nowhere/f.csv'], /there is no such file/],
    ['an address that is not encrypted', ['shops', 'http://data.test/f.csv'], /not encrypted/],
    [
      'a block whose rows code makes',
      ['business-directory', 'package.json', '--blocks', ROOT],
      /rows\.ts/,
    ],
  ])('for %s', async (_, args, told) => {
    const { code, err } = await blocks.run('check', ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(told)]);
  });

  test('but help', async () => {
    const { code, out } = await blocks.run('check', '--help');
    expect([code, out]).toEqual([0, expect.stringMatching(/0 if the file fits, 3 .*1 /)]);
  });
});

test('a packed file is checked as what is in it', async () => {
  const zip = (rows: string, more: Record<string, string> = {}) =>
    zipOf({ 'shops.csv': `id,name\n${rows}`, ...more });
  const own = await OwnBlocks.inNewFolder();
  await own.add('x.zip', zip('1,Ada\n', { 'notes.txt': 'n' }), '--file', 'shops.csv');
  const check = async (content: Uint8Array, ...options: string[]) =>
    own.run('check', 'shops', await own.file('next.zip', content), ...options);
  const more = { 'notes.txt': 'n' };
  expect((await check(zip('1,Ada\n2,Bob\n', more))).out).toContain('2 rows, 1 before');
  expect((await check(gzipSync('id,name\n3,Cyd\n'))).out).toContain('1 added, 1 gone');
  const moved = zipOf({ 'a.csv': 'id,name\n3,Cyd\n', ...more });
  expect((await check(moved)).err).toContain('shops.csv is none of them; --file NAME says');
  expect((await check(moved, '--file', 'a.csv')).out).toContain('It fits shops.');
});

test('bytes that are no text are replaced if the block says so, else refused', async () => {
  const own = await OwnBlocks.inNewFolder();
  const text = (bad: string) =>
    Buffer.concat([
      Buffer.from('id,name\n1,Zürich\n2,'),
      Buffer.from(bad, 'latin1'),
      Buffer.from('\n'),
    ]);
  await own.add('clean.csv', text('Bern'));
  await own.add('damaged.csv', text('Gen\xe8ve'));
  const next = await own.file('next.csv', text('Gen\xe8ve'));
  expect((await own.run('check', 'clean', next)).err).toContain(
    'next.csv, line 3: a byte that is not UTF-8; save the file as UTF-8, or read such bytes',
  );
  expect((await own.run('check', 'damaged', next)).out).toContain('0 added, 0 gone, 0 changed');
});

test('a block without rows takes rows later; a block with rows takes no file without', async () => {
  const own = await OwnBlocks.inNewFolder();
  await own.add('shops.csv', 'id,name\n', '--type', 'id=integer');
  expect([await own.rows('shops'), own.blockFile('shops').rows]).toEqual([[], 0]);
  const next = await own.file('next.csv', 'id,name\n1,Ada\n');
  expect((await own.run('check', 'shops', next)).out).toContain('1 row, 0 before: 1 added');
  await own.add('towns.csv', 'id,name\n1,Bern\n');
  const { code, err } = await own.run('check', 'towns', await own.file('next.csv', 'id,name\n'));
  expect([code, err]).toEqual([
    3,
    'next.csv: has a header and no rows, and the block has 1; if that is meant, remove the block and add it anew\n',
  ]);
});

test('a header of several rows is read as the block says, with notes below', async () => {
  const own = await OwnBlocks.inNewFolder();
  const text = (rows: string) => `,People,\nRegion,2020,2021\n${rows}Source: us\n`;
  await own.add('towns.csv', text('North,5,6\nSouth,7,8\n'));
  const next = await own.file('next.csv', text('North,5,6\nSouth,7,9\nEast,1,1\n'));
  const { code, out } = await own.run('check', 'towns', next);
  expect(code).toBe(0);
  expect(out).toContain('3 rows, 2 before');
  expect(out).toContain('record 6 is left out: a note, "Source: us"');
});

test('one of several tables is found again, wherever it stands and whatever is below it', async () => {
  const own = await OwnBlocks.inNewFolder();
  const text = (towns: string, shops: string) =>
    `name,people\n${towns}\nid,town,score\n${shops}\nSource: us\n`;
  const file = text('Bern,5\nChur,6\n', '1,Bern,5\n2,Chur,6\nTotal,,11\n');
  await own.add('shops.csv', file, '--table', '2');
  const next = text('Bern,5\nChur,6\nBiel,7\n', '1,Bern,5\n2,Chur,6\n3,Biel,7\nTotal,,18\n');
  const { code, out } = await own.run('check', 'shops', await own.file('next.csv', next));
  expect([code, out]).toEqual([0, expect.stringContaining('3 rows, 2 before: 1 added, 0 gone')]);
  const gone = await own.run('check', 'shops', await own.file('next.csv', 'name,people\nBern,5\n'));
  expect([gone.code, gone.err]).toEqual([3, expect.stringContaining('has no table 2')]);
});
