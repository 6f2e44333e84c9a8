import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeBlock } from '../../src/block/describe-block.ts';
import { shortNameOf } from '../../src/channels/chat/command.ts';
import { readCommand } from '../../src/channels/chat/read-command.ts';
import { tokenize } from '../../src/channels/chat/tokenize.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { cleanUp } from '../support/process.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});
afterAll(cleanUp);

let count = 0;

/** Adds a file, and returns its rows and what was printed. */
async function added(file: string, content: string | Uint8Array, ...options: string[]) {
  const name = `b${count++}`;
  const path = await blocks.file(file, content);
  const { code, out, err } = await blocks.run('add', path, '--name', name, ...options);
  if (code !== 0) return { rows: [], out, err, name };
  return { rows: await blocks.rows(name), out, err, name };
}

const csv = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

describe('totals are no rows, wherever their word stands', () => {
  test.each([
    [
      'v.csv',
      csv('county,party,votes', 'Adams,A,10', 'Adams,B,20', 'Adams,Total,30'),
      [30, ['Adams,A,10', 'Adams,B,20']],
    ],
    [
      'v.json',
      '[{"k":"x","w":"Nord","n":1.1},{"k":"x","w":"Süd","n":2.2},{"k":"x","w":"Summe","n":3.3}]',
      [3.3, ['x,Nord,1.1', 'x,Süd,2.2']],
    ],
    [
      'v.xlsx',
      sheetOf([
        ['no', 'name', 'sum'],
        [1, 'Ann', 5],
        [2, 'Bob', -7],
        ['', 'Grand Total', -2],
      ]),
      [-2, ['1,Ann,5', '2,Bob,-7']],
    ],
  ])('at the end of %s', async (file, content, [, rows]) => {
    const { rows: read, out, name } = await added(file, content);
    expect(read.map((row) => Object.values(row).join(','))).toEqual(rows);
    expect(out).toMatch(/1 row is left out: "[\w ]+" in \w+, a total, (?:line|record|row) \d/);
    const { dialect } = blocks.blockFile(name);
    expect(dialect?.totals).toHaveLength(1);
    expect(dialect?.commentRows).toBeUndefined();
  });

  test.each([
    ['at the top', csv('k,n', 'Total,3', 'a,1', 'b,2')],
    ['between groups', csv('k,n', 'a,1', 'b,2', 'Subtotal,3', 'c,4', 'd,5', 'Subtotal,9')],
    ['above groups', csv('k,n', 'Total,3', 'a,1', 'b,2', 'Total,9', 'c,4', 'd,5')],
  ])('%s they are asked about, and kept by --yes, which says so', async (_, content) => {
    const { err } = await added('t.csv', content);
    expect(err).toMatch(
      /are called totals: "\w+" in k adds up: lines? [\d, ]+\.\n {2}--totals keep .*\n {2}--totals drop/,
    );
    const { rows, out } = await added('t.csv', content, '--yes');
    expect(rows).toHaveLength(content.split('\n').length - 2);
    expect(out).toMatch(/is kept, and it adds up: .*; --totals drop leaves it out/);
    const dropped = await added('t.csv', content, '--totals', 'drop');
    expect(dropped.rows.every(({ k }) => /^[abcd]$/.test(String(k)))).toBe(true);
  });

  test.each([
    ['sex', csv('place,sex,n', 'x,m,1', 'x,f,2', 'x,Total,3', 'y,m,2', 'y,f,2', 'y,Total,4')],
    ['year', csv('year,kind,n', '2020,a,1', '2020,Total,1', '2021,a,2', '2021,Total,2')],
    ['code', csv('code,kind,n', 'A1,a,1', 'A1,Total,1', 'B2,a,2', 'B2,Total,2')],
  ])(
    'but values, once for each group of the other columns, are kept and told: %s',
    async (_, content) => {
      const { rows, out } = await added('level.csv', content);
      expect(rows).toHaveLength(content.split('\n').length - 2);
      expect(out).toMatch(/is a value, once for each group of the other columns: lines \d, \d;/);
    },
  );

  test('and a question about some leaves what adds up at the end to be left out by --yes', async () => {
    const content = csv(
      'region,city,n',
      'N,a,3',
      'N,b,4',
      ',Subtotal,7',
      'S,c,5',
      'S,d,6',
      ',Subtotal,11',
      ',Total,18',
    );
    const { rows, out } = await added('t.csv', content, '--yes');
    expect(rows.map(({ city }) => city)).toEqual(['a', 'b', 'Subtotal', 'c', 'd', 'Subtotal']);
    expect(out).toMatch(/The same again: .* --totals end/);
    const { err } = await added('t.csv', content);
    expect(err).toMatch(/"Subtotal" in city adds up: lines 4, 7; "Total" in city adds up: line 8/);
    expect(err).toMatch(/--totals end .*\n {2}--totals keep .*\n {2}--totals drop/);
  });

  test.each([
    [
      'a heading that is called so',
      csv('item,n,m', 'Bread,1,1', 'Total,,', 'Milk,2,1', 'Total,3,2'),
    ],
    [
      'a word in another column',
      csv('region,sex,n', 'N,m,3', 'N,f,4', 'Total,Total,99', 'S,m,5', 'S,f,6', 'All,Total,18'),
    ],
    ['a product', csv('item,n', 'Bread,1', 'Milk,2', 'Running total,50', 'Eggs,4', 'Food total,7')],
    ['two columns of one name', csv('name,name,n', 'x,a,1', 'y,b,2', 'z,Total,3')],
    ['a column without a name', csv(',column_1,n', 'a,x,1', 'b,y,2', 'Total,z,3')],
    ['a short one', csv('k,n,m', 'a,1,5', 'b,2,5', 'Total,3')],
  ])('what add leaves out is what the import leaves out: %s', async (_, content) => {
    const { rows, name, out } = await added('t.csv', content, '--yes');
    expect(rows.length).toBe(blocks.blockFile(name).rows);
    expect(out).toContain(`${rows.length} rows\n`);
  });

  test.each([
    ['u.csv', csv('name,n,share', 'a,1,0.25', 'b,2,0.25', 'c,4,0.5', ',7,1')],
    ['u.csv', csv('name,n,share', 'a,1,0.25', 'b,2,0.25', 'c,4,0.5', '', ',,', ',7,1')],
    ['u.json', '[{"name":"a","n":1},{"name":"b","n":2},{"name":"c","n":4},{"name":null,"n":7}]'],
    ['u.xlsx', sheetOf([['name', 'n'], ['a', 1], ['b', 2], ['c', 4], [], ['', 7]])],
  ])('the last one of %s without a word adds up, is left out and told', async (file, content) => {
    const { rows, out, name } = await added(file, content);
    expect(rows.map((row) => row.name)).toEqual(['a', 'b', 'c']);
    expect(out).toMatch(
      /1 row is left out: the last one, blank in name, a total, \w+ \d; --totals keep makes it a row/,
    );
    expect(blocks.blockFile(name).dialect?.totals).toEqual([{ column: 'name', is: '' }]);
    const kept = await added(file, content, '--totals', 'keep');
    expect(kept.rows).toHaveLength(4);
  });

  test('labels that stand once above the total of their group are those of the rows below', async () => {
    const lines = ['N,a,3', ',b,4', 'N Total,,7', 'S,c,5', ',d,6', ',e,1', 'S Total,,12'];
    const content = csv('region,city,n', ...lines, 'Grand Total,,19');
    const { rows, out, name } = await added('p.csv', content, '--totals', 'drop');
    expect(rows.map(({ region, city }) => `${region}${city}`)).toEqual([
      'Na',
      'Nb',
      'Sc',
      'Sd',
      'Se',
    ]);
    expect(out).toContain('3 blank cells have the label above in region, as in a pivot table');
    expect(blocks.blockFile(name).dialect?.filledDown).toEqual(['region']);
    const other = csv('region,city,n', ...lines, 'Grand Total,,19').replace('S Total', 'X Total');
    const blank = await added('q.csv', other, '--totals', 'drop');
    expect(blank.rows.map(({ region }) => region)).toEqual(['N', null, 'S', null, null]);
  });

  test('an average, a least and a greatest value below a table are asked about', async () => {
    const content = csv('Station,Rain', 'a,3', 'b,4', 'Average,3.5', 'Minimum,3', 'Total,7');
    const { err } = await added('t.csv', content);
    expect(err).toMatch(
      /^t\.csv has rows that may sum up the others: "Average" in station may be a figure of the other rows: line 4; "Minimum" .*: line 5; "Total" in station adds up: line 6\.\n {2}--totals end .*\n {2}--totals keep .*\n {2}--totals drop/,
    );
    const yes = await added('t.csv', content, '--yes');
    expect(yes.rows).toHaveLength(4);
    expect(yes.out).toMatch(/"Average" in station is kept, .*; --totals drop leaves them out/);
    const { rows, out } = await added('t.csv', content, '--totals', 'drop');
    expect(rows.map((row) => row.station)).toEqual(['a', 'b']);
    expect(out).toContain('"Average" in station, a figure of the other rows, line 4');
  });

  test('a total whose other cells nothing explains is asked about', async () => {
    for (const cell of ['77', 'see note']) {
      const { err } = await added('t.csv', csv('name,n,note', 'a,1,5', 'b,2,6', `Total,3,${cell}`));
      expect(err).toContain('"Total" in name adds up in some columns and in others not: line 4');
    }
  });

  test('a short row that is called a total and kept is no row', async () => {
    const content = csv(
      'region,sex,a,b',
      'N,m,3,1',
      'N,f,4,2',
      'N,Total,7',
      'S,m,5,1',
      'S,f,6,1',
      'S,Total,11,2',
    );
    const { err } = await added('t.csv', content);
    expect(err).toContain('1 of 6 rows cannot be read as they stand');
  });

  test('and --totals says so if there are none', async () => {
    const { out } = await added('none.csv', csv('k,n', 'a,1', 'b,2'), '--totals', 'drop');
    expect(out).toContain('--totals is given, and no row is called a total');
  });
});

describe('a word for nothing', () => {
  const rows = ['MALE,NA,NA', 'FEMALE,x,3755', 'NA,y,3760', 'MALE,NA,3765'];

  test('in numbers is told where it is a value in texts, with the option', async () => {
    const content = csv('Sex,Comments,Mass', ...rows);
    const { out } = await added('na.csv', content);
    expect(out).toContain(
      '"NA" means nothing in mass and is a value in sex (1), comments (2); if it means nothing there too: --nothing sex=NA --nothing comments=NA',
    );
    const { rows: read, out: told } = await added(
      'na.csv',
      content,
      ...['--nothing', 'sex=NA', '--nothing', 'comments=NA'],
    );
    expect(read.map(({ sex }) => sex)).toEqual(['MALE', 'FEMALE', null, 'MALE']);
    expect(told).not.toContain('is a value in');
    const { out: kept } = await added('na.csv', content, '--nothing', 'sex=');
    expect(kept).not.toContain('sex=NA');
  });

  test('is none for --yes if it recurs in a list of distinct names', async () => {
    const numbers = Array.from({ length: 18 }, (_, i) => `${i}${i}x,${1700 + i}`);
    const content = csv('Element,Year', 'Gold,Ancient', ...numbers, 'Iron,Ancient');
    const { rows: read } = await added('elements.csv', content, '--yes');
    expect(read.filter(({ year }) => year === 'Ancient')).toHaveLength(2);
    const places = numbers.map((line) => line.replace(/.*x/, 'a'));
    const kinds = csv('Kind,Year', ...places, 'a,Ancient', 'a,Ancient');
    const { rows: others } = await added('kinds.csv', kinds, '--yes');
    expect(others.filter(({ year }) => year === null)).toHaveLength(2);
  });
});

describe('six digits are a figure', () => {
  test.each([
    ['buses', csv('month,buses', 'Jan,234567', 'Feb,345678', 'Mar,123456'), 703_701],
    ['riders', csv('day,riders', 'a,1234567', 'b,2345678', 'c,3456789'), 7_037_034],
    ['kwh_used', csv('meter,kwh_used', 'a,100001', 'b,200002', 'c,300003'), 600_006],
  ])('%s', async (column, content, sum) => {
    const { rows } = await added('f.csv', content);
    expect(rows.reduce((all, row) => all + Number(row[column]), 0)).toBe(sum);
    expect(rows.every((row) => typeof row[column] === 'number')).toBe(true);
  });

  test.each([
    ['permit_no', '234567'],
    ['zip', '98765'],
    ['x', '012345'],
  ])('but names below %s', async (column, cell) => {
    const { rows } = await added('n.csv', csv(`a,${column}`, `x,${cell}`, 'y,765432'));
    expect(rows.map((row) => row[column])).toContain(cell);
  });
});

describe('what the file has typed is not guessed at', () => {
  test('three decimals in JSON, GeoJSON and Excel have a point, and the map is there', async () => {
    const json = await added('a.json', '[{"v":1.234},{"v":5.678}]');
    expect(json.rows.map(({ v }) => v)).toEqual([1.234, 5.678]);
    const sheet = await added(
      'a.xlsx',
      sheetOf([
        ['k', 'v'],
        ['a', 1.234],
        ['b', 5.678],
      ]),
    );
    expect(sheet.rows.map(({ v }) => v)).toEqual([1.234, 5.678]);
    const feature = (x: number, y: number, name: string) =>
      `{"type":"Feature","properties":{"name":"${name}"},"geometry":{"type":"Point","coordinates":[${x},${y}]}}`;
    const features = [feature(8.123, 47.456, 'a'), feature(9.321, 46.654, 'b')];
    const geo = await added('a.geojson', `{"type":"FeatureCollection","features":[${features}]}`);
    expect(geo.rows.map(({ longitude }) => longitude)).toEqual([8.123, 9.321]);
    expect(blocks.blockFile(geo.name).geometry).toMatchObject({ kind: 'points' });
  });
});

describe('degrees of three decimals are no thousands', () => {
  test.each([
    ['points', csv('name,latitude,longitude', 'a,45.125,0.125', 'b,46.375,12.500')],
    ['commas', csv('name;lat;lon', 'a;45,125;10,125', 'b;46,375;12,500')],
  ])('with %s', async (_, content) => {
    const { rows, out, name } = await added('p.csv', content);
    expect(rows.map((row) => Object.values(row).slice(1))).toEqual([
      [45.125, expect.any(Number)],
      [46.375, 12.5],
    ]);
    expect(blocks.blockFile(name).geometry).toMatchObject({ kind: 'points' });
    expect(out).toContain('has degrees, which are on a map only with decimals');
    expect(out).not.toContain('--decimal');
  });

  test.each([
    ['of people', csv('name;people;longitude', 'a;45.125;10.125', 'b;46.375;12.500')],
    ['beyond the map', csv('name;latitude;longitude', 'a;45.125;0.125', 'b;99.375;12.5')],
  ])('but asked about if they are %s', async (_, content) => {
    const { out } = await added('p.csv', content, '--yes');
    expect(out).toMatch(/--type (?:people|latitude)=text/);
  });
});

describe('times, negative numbers and names as people write them', () => {
  test.each([
    [
      'microseconds',
      csv('id,at', '1,2024-05-01 10:00:00.123456', '2,2024-05-01 11:00:00.654321'),
      '2024-05-01T10:00:00.123',
    ],
    ['RFC 2822', csv('id,at', '1,"Wed, 01 May 2024 10:00:00 +0000"'), '2024-05-01T10:00:00Z'],
    ['24:00', csv('id,at', '1,2024-02-29 24:00', '2,2024-03-01 01:00'), '2024-03-01T00:00:00'],
  ])('%s', async (_, content, first) => {
    const { rows } = await added('t.csv', content);
    expect(rows[0]?.at).toBe(first);
  });

  test('seconds since 1970 are asked about, with the option that reads them', async () => {
    const content = csv('id,created_at', '1,1714557600', '2,1714561200');
    const { err } = await added('e.csv', content);
    expect(err).toContain('--format created_at=%s ');
    const { rows } = await added('e.csv', content, '--format', 'created_at=%s');
    expect(rows.map(({ created_at }) => created_at)).toEqual([
      '2024-05-01T10:00:00Z',
      '2024-05-01T11:00:00Z',
    ]);
    const safe = await added('e.csv', content, '--yes');
    expect(safe.rows[0]?.created_at).toBe(1_714_557_600);
  });

  test('months are texts, unless a pattern says that they are days', async () => {
    const content = csv('m,n', '2016-01,1', '2016-02,2');
    const { rows, out } = await added('m.csv', content);
    expect(rows[0]?.m).toBe('2016-01');
    expect(out).toContain('m has months or quarters; for the first day of each: --format m=%Y-%m');
    const days = await added('m.csv', content, '--format', 'm=%Y-%m');
    expect(days.rows[0]?.m).toBe('2016-01-01');
    expect(blocks.blockFile(days.name).fields[0]).toMatchObject({ type: 'date', format: '%Y-%m' });
  });

  test.each([
    ['behind', csv('k;n', 'a;1.000,50-', 'b;7,25'), -1000.5],
    ['in brackets', csv('k,n', 'a,(1000.50)', 'b,7.25'), -1000.5],
    ['after an apostrophe', csv('k,n', "a,'-3.5", 'b,7.25'), -3.5],
  ])('a minus %s', async (_, content, first) => {
    const { rows } = await added('n.csv', content);
    expect(rows.map(({ n }) => n)).toEqual([first, 7.25]);
  });

  test('a sign that bookkeepers write is told, and two digits after an apostrophe are none', async () => {
    const { out } = await added('g.csv', csv('grade,n', '10-,5', '9,3'));
    expect(out).toContain(
      'grade: numbers have their sign as bookkeepers or spreadsheets write it, such as "10-" in line 2',
    );
    const { rows } = await added('y.csv', csv('year,n', "'97,5", "'98,6"));
    expect(rows[0]?.year).toBe("'97");
  });

  test('days of a spreadsheet may be midnights among times', async () => {
    const content = csv('date,n', '45000.5,5', '45001,6');
    const { rows } = await added('x.csv', content, '--format', 'date=excel');
    expect(rows.map(({ date }) => date)).toEqual(['2023-03-15T12:00:00', '2023-03-16T00:00:00']);
  });

  test.each([
    ['date', '2020-136', 'days of the year; as dates: --format date=%Y-%j', '2020-05-15'],
    ['week', '2020-W53', 'weeks; for the first day of each: --format week=%G-W%V', '2020-12-28'],
  ])('so are %ss such as %s', async (header, cell, told, day) => {
    const content = csv(`${header},n`, `${cell},1`, `${cell},2`);
    const { out } = await added('d.csv', content);
    expect(out).toContain(`${header} has ${told}`);
    const [, format = ''] = /--format (\S+)/.exec(told) ?? [];
    expect((await added('d.csv', content, '--format', format)).rows[0]?.[header]).toBe(day);
  });

  test.each([
    ['m=%Y-W%V', 'weeks are %V in years of %G'],
    ['m=%G', 'weeks are %V in years of %G'],
    ['m=%H:%M', 'a pattern has a year'],
    ['m=x', 'a pattern has a year'],
    ['m=%Y-%m-%d %I:%M', '%I is an hour of twelve, which needs %p'],
    ['m=%Y-%x', '%x is not a part of a date or time'],
    ['m', 'needs a column and a pattern'],
  ])('--format %s is refused', async (format, reason) => {
    const { err } = await added('m.csv', csv('m,n', '2016-01,1'), '--format', format);
    expect(err).toContain(reason);
  });

  test('formulas that keep zeros, also beside cells in quotes', async () => {
    const { rows } = await added('z.csv', csv('id,name', '="00123","a, b"', '="00124","c"'));
    expect(rows).toEqual([
      { id: '00123', name: 'a, b' },
      { id: '00124', name: 'c' },
    ]);
  });
});

describe('--leave-out', () => {
  test('is named for lines about the file between the header and the numbers', async () => {
    const years = Array.from({ length: 40 }, (_, i) => `${1980 + i},${i}.5`);
    const about = ['CDID,IHYQ', 'Source,PN2', 'Unit,%', 'Next,12-11-2026'];
    const file = csv('Title,Growth', ...about, ...years);
    const { out } = await added('ons.csv', file, '--yes');
    expect(out).toContain('if lines 2 to 5 are about the file: --leave-out 2..5');
    const { rows } = await added('ons.csv', file, '--leave-out', '2..5', '--yes');
    expect(rows[0]).toEqual({ title: 1980, growth: 0.5 });
    const below = await added('ons.csv', csv('Title,Growth', ...years, ...about), '--yes');
    expect(below.out).not.toContain('are about the file');
  });

  const PROSE = csv('k,n', 'a,1', 'so much for a', 'b,2', 'that,is all', 'really,it is');

  test.each([
    ['3,5..6', 'sheet'],
    ['3,-2..', 'sheet'],
    ['3,5..', 'csv'],
    ['3,-2..-1', 'csv'],
  ])('%s leaves out rows of a %s, as the file counts them', async (rows, kind) => {
    const content =
      kind === 'csv'
        ? PROSE
        : sheetOf(
            PROSE.trim()
              .split('\n')
              .map((line) => line.split(',')),
          );
    const file = kind === 'csv' ? 'p.csv' : 'p.xlsx';
    const { rows: read, out, name } = await added(file, content, '--leave-out', rows);
    expect(read.map(({ k, n }) => [k, Number(n)])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(out).toContain('3 records are left out as was said: ');
    expect(blocks.blockFile(name).dialect?.commentRows).toEqual([3, 5, 6]);
    expect(out).toContain(`--leave-out '${rows === '3,-2..-1' ? '3,-2..' : rows}'`);
  });

  test.each([
    ['99', 'line 99 begins no row'],
    ['x', 'expected lines such as 18, 3..5, 18.. or -3..'],
    ['3..1', 'line 3..1 begins no row'],
  ])('%s is refused', async (rows, reason) => {
    const { err } = await added('p.csv', PROSE, '--leave-out', rows);
    expect(err).toContain(reason);
  });

  test.each(['-2000..', '-1500..-1400'])('%s is too far from the end', async (rows) => {
    const lines = Array.from({ length: 2000 }, (_, i) => `${i},x`);
    const { err } = await added('p.csv', csv('k,n', ...lines), '--leave-out', rows);
    expect(err).toContain(`line ${rows} begins more than 1,000 records above the end`);
  });

  test('is named where rows cannot be read', async () => {
    const { err } = await added('p.csv', csv('k,n', 'a,1', 'b,2', '_____'));
    expect(err).toContain('If line 4 is no data, such as a note: --leave-out 4');
  });
});

test('dates after today are told, and are no error', async () => {
  const { out, err, rows } = await added(
    'films.csv',
    csv('film,released,seen', 'A,1927-01-10,2001-02-03', 'B,2203-12-10,2002-02-03'),
  );
  expect(rows).toHaveLength(2);
  expect(out).toContain(
    'released has dates after today, up to 2203-12-10; if these are no dates: --type released=text\n',
  );
  expect(`${out}${err}`.match(/after today/g)).toHaveLength(1);
});

describe('years far from ours', () => {
  const thai = csv('no,d,until', '1,13/09/2020,1', '2,28/02/2563,2', '3,29/02/2563,3');

  test('of the Buddhist era are asked about, and never years of ours by --yes', async () => {
    const open = csv('no,d', '1,13/09/2020', '2,28/02/2563', '3,27/02/2563');
    const { err } = await added('thai.csv', open);
    expect(err).toContain(
      'd, "28/02/2563" in line 3: has years that may be of another calendar\n  --calendar buddhist   date: "28/02/2563" is 2020-02-28\n  --calendar gregorian ',
    );
    const { rows, out, name } = await added('thai.csv', open, '--yes');
    expect(rows.map(({ d }) => d)).toEqual(['2020-09-13', '2020-02-28', '2020-02-27']);
    expect(out).toContain('years of the Buddhist era, such as "28/02/2563" in line 3, are read as');
    expect(out).toMatch(/The same again: .* --calendar buddhist/);
    expect(blocks.blockFile(name).fields[1]?.calendar).toBe('buddhist');
    const next = await blocks.file('next.csv', open.replace('27/02/2563', '29/02/2563'));
    expect((await blocks.run('check', name, next)).out).toContain('2020-02-29');
    const ours = await added('thai.csv', open, '--calendar', 'gregorian');
    expect(ours.rows[1]?.d).toBe('2563-02-28');
    expect(ours.out).toContain('; of another calendar: --calendar buddhist');
  });

  test('are read without a question where a day is one in the other calendar alone', async () => {
    const { rows, out } = await added('leap.csv', thai);
    expect(rows.map(({ d }) => d)).toEqual(['2020-09-13', '2020-02-28', '2020-02-29']);
    expect(out).toContain('if they are not of it: --calendar gregorian, or --type d=text');
    const persian = await added('p.csv', csv('no,d', '1,1399-12-30', '2,1400-02-31'));
    expect(persian.rows.map(({ d }) => d)).toEqual(['2021-03-20', '2021-05-21']);
  });

  test('that several calendars have are texts by --yes, and each by --calendar', async () => {
    const content = csv('no,d', '1,1399/07/01', '2,1402/03/03');
    const { err } = await added('open.csv', content);
    expect(err).toMatch(
      /--type d=text .*\n.*--calendar islamic .*1979-05-27\n.*--calendar persian .*2020-09-22\n.*--calendar gregorian .*1399-07-01/,
    );
    expect((await added('open.csv', content, '--yes')).rows[0]?.d).toBe('1399/07/01');
    const pattern = ['--format', 'd=%Y/%m/%d', '--calendar', 'persian'];
    expect((await added('open.csv', content, ...pattern)).rows[0]?.d).toBe('2020-09-22');
  });

  test.each([
    [
      'history',
      ['1066-10-14', '1415-10-25', '1815-06-18'],
      /dates before 1500, from 1066-10-14; if/,
    ],
    ['no end', ['2020-01-31', '2500-12-31', '2500-12-31'], /after today, up to 2500-12-31; if/],
    [
      'projections',
      ['2101-01-31', '2450-01-31', '2499-01-31'],
      /after today, up to 2499-01-31; if/,
    ],
  ])('are ours in %s, and told', async (_, [a, b, c], told) => {
    const { rows, out } = await added('far.csv', csv('n,d', `1,${a}`, `2,${b}`, `3,${c}`));
    expect(rows.map(({ d }) => d)).toEqual([a, b, c]);
    expect(out).toMatch(told);
    expect(out).toContain('--type d=text');
  });
});

describe('thirteen digits', () => {
  const records = (name: string, first = 1_617_000_000_000) =>
    JSON.stringify([first, 1_617_000_100_000].map((at, i) => ({ [name]: at, n: `r${i}` })));

  test.each(['timestamp', 'OPENED', 'attributes.EditDate', 'CREATIONDATE'])(
    'are times below %s, in JSON too, and asked about',
    async (header) => {
      const { err } = await added('ms.json', records(header));
      expect(err).toMatch(/may count milliseconds since 1970.*\n.*--format \w+=%Q .*2021-03-29/);
      const { rows } = await added('ms.json', records(header), '--yes');
      expect(Object.values(rows[0] ?? {})[0]).toBe('2021-03-29T06:40:00Z');
    },
  );

  test('are times with a point and a zero too, as pandas writes them beside blanks', async () => {
    const content = csv('timestamp,n', '1617000000000.0,a', ',b', '1617000100000.0,c');
    const { rows, out } = await added('ms.csv', content, '--yes');
    expect(rows.map(({ timestamp }) => timestamp)).toEqual([
      ...['2021-03-29T06:40:00Z', null, '2021-03-29T06:41:40Z'],
    ]);
    expect(out).toMatch(/The same again: .* --format timestamp=%Q/);
    const { rows: numbers } = await added('ms.csv', content.replace('0.0,c', '0.5,c'), '--yes');
    expect(numbers[2]?.timestamp).toBe(1_617_000_100_000.5);
  });

  test('are asked about where some are from before 2001', async () => {
    const { err } = await added('ms.json', records('created', 5_000));
    expect(err).toContain('--format created=%Q   datetime: "5000" is 1970-01-01T00:00:05Z');
  });

  test('are no names of things alone below another header', async () => {
    const { out } = await added('ms.json', records('k'));
    expect(out).toContain(
      'k has 13 digits in every cell; if these are milliseconds since 1970: --format k=%Q; if names of things: --type k=text',
    );
  });
});

test('a new block takes no short name from those of the folder', async () => {
  const own = await OwnBlocks.inNewFolder();
  for (const name of ['census-neighborhoods', 'squirrel-census', 'census-squirrel', 'trees']) {
    await own.add(`${name}.csv`, csv('name,n', 'a,1', 'b,2'));
  }
  const aliasOf = (name: string) => own.blockFile(name).alias;
  expect(aliasOf('census-neighborhoods')).toBeUndefined();
  expect(aliasOf('squirrel-census')).toBe('squirrel');
  expect(aliasOf('census-squirrel')).toBe('census-squirrel');
  expect(aliasOf('trees')).toBeUndefined();
  const blocks = (await loadBlocks(path.join(own.folder, 'functions'))).map(({ block }) =>
    JSON.parse(describeBlock(block)),
  );
  for (const [line, name] of [
    ['census a', 'census-neighborhoods'],
    ['squirrel a', 'squirrel-census'],
    ['census-squirrel a', 'census-squirrel'],
  ] as const) {
    expect(readCommand(tokenize(line), blocks)).toMatchObject({ kind: 'run', block: { name } });
  }
  expect(blocks.map((block) => shortNameOf(block, blocks)).sort()).toEqual([
    ...['census', 'census-squirrel', 'squirrel', 'trees'],
  ]);
});
