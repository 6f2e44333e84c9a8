import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import type { Console } from '../../src/commands/console.ts';
import { countPositions } from '../../src/files/geojson/simplify-areas.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import type { Geometry } from '../../src/values/places.ts';
import { importDataset } from '../support/datasets.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { workbookOf } from '../support/workbook-of.ts';
import { zipOf } from '../support/zip-of.ts';
import { keptConsole } from './kept-console.ts';
import { expectSameAgain } from './same-again.ts';

let folder: string;
let blocks: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-add-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Added = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly name: string;
};

/** Runs `blockyard add` on a file of this content, in a folder of its own. */
async function add(
  file: string,
  content: string | Uint8Array,
  options: readonly string[] = [],
  ask?: Console['ask'],
): Promise<Added> {
  blocks = path.join(folder, `blocks-${count++}`);
  const from = await mkdtemp(path.join(folder, 'from-'));
  await writeFile(path.join(from, file), content);
  return addAgain(path.join(from, file), options, ask);
}

async function addAgain(
  file: string,
  options: readonly string[] = [],
  ask?: Console['ask'],
): Promise<Added> {
  const { terminal, printed } = keptConsole(ask);
  const code = await runAdd([file, ...options], terminal, { blocks });
  if (code === 0 && file !== '--help' && !options.includes('--blocks'))
    await expectSameAgain(printed.out, blocks);
  const [name = ''] = existsSync(path.join(blocks, 'functions'))
    ? readdirSync(path.join(blocks, 'functions'))
    : [];
  return { code, ...printed, name };
}

/** The block that was added, and its rows as they are served. */
async function served(name: string) {
  const loaded = await loadDataBlock(path.join(blocks, 'functions', name));
  const { block, dataset } = loaded;
  const { rows, notes } = await importDataset(block, dataset, path.join(blocks, 'seed-data'));
  return { block, rows: Array.from(rows, ({ values }) => values), notes };
}

/** Nothing is left behind: neither a block nor data, nor what was made on the way. */
const isEmpty = () => !existsSync(blocks) || readdirSync(blocks).length === 0;

const EUROPEAN = `Testville: inspections
Exported 2026-11-01

Permit No;Name;Opened;Score;Fee (EUR);Lat;Lon;Website;Passed
00123;Café Zürich;03/04/2020;97,5;1.234,50 €;47,3769;8,5417;https://example.com/a;ja
00124;"Bistro ""Le Coin""";13/05/2021;88,0;99,00 €;47,3700;8,5400;;nein
00125;Noodle Bar;28/02/2019;N/A;12,00 €;47,3801;8,5455;https://example.com/c;ja
`;

describe('a European export', () => {
  let added: Added;
  let block: Awaited<ReturnType<typeof served>>['block'];
  let rows: Awaited<ReturnType<typeof served>>['rows'];
  beforeAll(async () => {
    added = await add('Inspections 2026.csv', EUROPEAN);
    ({ block, rows } = await served(added.name));
  });

  test('becomes a block called after its file', () => {
    expect([added.code, added.name, block.title]).toEqual([
      0,
      'inspections-2026',
      'Inspections 2026',
    ]);
  });

  test('has a type for each column, found by all its cells', () => {
    expect(block.fields.map(({ name, type, unit }) => [name, type, unit])).toEqual([
      ['permit_no', 'text', undefined],
      ['name', 'text', undefined],
      ['opened', 'date', undefined],
      ['score', 'number', undefined],
      ['fee_eur', 'number', '€'],
      ['lat', 'number', 'degrees north'],
      ['lon', 'number', 'degrees east'],
      ['website', 'link', undefined],
      ['passed', 'boolean', undefined],
    ]);
  });

  test('keeps what each cell says', () => {
    expect(rows.slice(0, 2)).toEqual([
      {
        permit_no: '00123',
        name: 'Café Zürich',
        opened: '2020-04-03',
        score: 97.5,
        fee_eur: 1234.5,
        lat: 47.3769,
        lon: 8.5417,
        website: 'https://example.com/a',
        passed: true,
      },
      {
        permit_no: '00124',
        name: 'Bistro "Le Coin"',
        opened: '2021-05-13',
        score: 88,
        fee_eur: 99,
        lat: 47.37,
        lon: 8.54,
        website: null,
        passed: false,
      },
    ]);
    expect(rows[2]?.score).toBeNull();
  });

  test('has a key, a name, indexes, a map and examples', () => {
    expect(block).toMatchObject({
      primaryKey: ['permit_no'],
      geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
    });
    expect(block.fields.filter(({ indexed }) => indexed).map(({ name }) => name)).toEqual([
      'permit_no',
      'name',
    ]);
    expect(block.fields.find(({ main }) => main)?.name).toBe('name');
    expect(block.examples.length).toBeGreaterThan(1);
  });

  test('shows each decision with the cell that decided it', () => {
    const line = (name: string) =>
      added.out.split('\n').find((one) => one.startsWith(`${name} `)) ?? '';
    expect(line('permit_no')).toMatch(/text, indexed, key +has leading zeros +"00123" in line 5/);
    expect(line('opened')).toMatch(/date +.*day before the month +"13\/05\/2021" in line 6/);
    expect(line('opened')).toContain('2019-02-28 to 2021-05-13');
    expect(added.out).toContain('score: nothing is meant by "N/A" (1, first in line 7)');
  });

  test('keeps the file as it was, under a name with its hash', () => {
    const [file = ''] = readdirSync(path.join(blocks, 'seed-data'));
    expect(file).toMatch(/^inspections-2026-[0-9a-f]{12}\.csv$/);
    expect(readFileSync(path.join(blocks, 'seed-data', file), 'utf8')).toBe(EUROPEAN);
    expect(readdirSync(blocks).sort()).toEqual(['functions', 'seed-data']);
  });
});

describe('where a file can be read in two ways', () => {
  const DATES = 'id,day\na,3/4/2020\nb,5/6/2020\n';

  test('nothing is written, and the options that decide are named', async () => {
    const { code, err } = await add('visits.csv', DATES);
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toContain('"3/4/2020" in line 2');
    expect(err).toContain('--dates dmy');
    expect(err).toContain('--dates mdy');
    expect(err).toContain('--type day=text');
  });

  test('what other options decide is another question', async () => {
    const both = 'id,day,share\na,3/4/2020,"1,234"\nb,5/6/2020,"2,345"\n';
    const { err } = await add('both.csv', both);
    for (const option of [
      '--dates dmy',
      '--decimal ,',
      '--type day=text   ',
      '--type share=text',
    ]) {
      expect(err).toContain(option);
    }
    const { name } = await add('both.csv', both, ['--dates', 'dmy', '--decimal', ',']);
    expect((await served(name)).rows[0]).toMatchObject({ day: '2020-04-03', share: 1.234 });
  });

  test('of many columns, the first ten are named, and the others counted', async () => {
    const wide = (cell: string) =>
      [Array.from({ length: 40 }, (_, i) => `day_${i}`), Array(40).fill(cell)].join('\n');
    const { err: dates } = await add('wide.csv', wide('3/4/2020'));
    expect(dates).toContain('day_9, "3/4/2020" in line 2');
    expect(dates).toContain('--type day_9=text … and 30 more columns');
    expect(dates).not.toContain('day_10');
    const { name } = await add('wide.csv', wide('3/4/2020'), ['--dates', 'dmy']);
    expect((await served(name)).rows[0]?.day_39).toBe('2020-04-03');
    const { err: ids } = await add('wide.csv', wide('20200517'));
    expect(ids).toContain('\n… and 30 more questions\n--yes takes the first of each.');
  });

  test.each([
    ['--dates dmy', ['--dates', 'dmy'], 'date', '2020-04-03'],
    ['--dates mdy', ['--dates', 'mdy'], 'date', '2020-03-04'],
    ['--yes, which takes the text', ['--yes'], 'text', '3/4/2020'],
  ])('%s decides', async (_, options, type, value) => {
    const { name, out } = await add('visits.csv', DATES, options);
    const { block, rows } = await served(name);
    expect([block.fields[1]?.type, rows[0]?.day]).toEqual([type, value]);
    const [, again] = /The same again: npx blockyard add \S+(.*)/.exec(out) ?? [];
    expect(again).toBe(type === 'text' ? ' --type day=text' : ` ${options.join(' ')}`);
  });

  test('a person at the terminal is asked, again after a wrong answer', async () => {
    const answers = ['perhaps', '2'];
    const asked: string[] = [];
    const { code, name } = await add('visits.csv', DATES, [], async (text) => {
      if (text.includes('Enter skips')) return '';
      asked.push(text);
      return answers.shift() ?? '';
    });
    expect([code, asked.length]).toEqual([0, 2]);
    const choice = asked[0]?.split('\n').find((line) => line.startsWith('  2'));
    const { rows } = await served(name);
    expect(choice).toContain(String(rows[0]?.day));
  });

  test('an encoding is asked for with the line that differs', async () => {
    const bytes = Buffer.from('id,town\na,Bern\nb,Z\xfcrich\n', 'latin1');
    const { code, err } = await add('towns.csv', bytes);
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toMatch(/Line 3 .*Zürich/);
    expect(err).toContain('--encoding windows-1252');
    const { name } = await add('towns.csv', bytes, ['--encoding', 'windows-1252']);
    expect((await served(name)).rows[1]?.town).toBe('Zürich');
  });
});

describe('words for nothing, and a few odd cells', () => {
  const VALUES = `ort,anteil,tag,stufe,art
a,"12,5",2020-01-01,7,x
b,k. A.,2020-01-02,8*,N/A
c,"13,5",bald,9,y
d,k. A.,2020-01-04,<5,z
e,"1,5",2020-01-05,6,x
f,"2,5",2020-01-06,4,x
g,"3,5",2020-01-07,4,x
h,"4,5",2020-13-01,4,x
`;

  test('are asked about where nobody said, with the options that go on', async () => {
    const { code, err } = await add('werte.csv', VALUES);
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toContain('"k. A." stands twice in anteil');
    expect(err).toContain("--nothing 'anteil=k. A.'");
    expect(err).toContain('"8*" in line 3, "<5" in line 5');
    expect(err).not.toContain('tag');
  });

  test('--yes takes the word for nothing, and no number with a mark', async () => {
    const { name, out } = await add('werte.csv', VALUES, ['--yes']);
    const { block, rows } = await served(name);
    expect(block.fields.map(({ type }) => type)).toEqual([
      'text',
      'number',
      'text',
      'text',
      'text',
    ]);
    expect(rows.slice(0, 4).map(({ anteil, stufe, art }) => [anteil, stufe, art])).toEqual([
      [12.5, '7', 'x'],
      [null, '8*', null],
      [13.5, '9', 'y'],
      [null, '<5', 'z'],
    ]);
    expect(out).toContain('anteil: nothing is meant by "k. A." (2, first in line 3)');
    expect(out).toContain('art: nothing is meant by "N/A" (1, first in line 3)');
  });

  test('--type takes the odd cells for blank, which each start tells', async () => {
    const types = ['--yes', '--type', 'tag=date', '--type', 'stufe=integer'];
    const refused = await add('werte.csv', VALUES, types);
    expect([refused.code, isEmpty()]).toEqual([1, true]);
    expect(refused.err).toContain('tag: 2 of 8 cells are no date, such as "bald" in line 4');
    expect(refused.err).toContain('--yes is no answer to that.');
    const { name, out } = await add('werte.csv', VALUES, [...types, '--odd-cells', 'blank']);
    const { rows, notes } = await served(name);
    expect(rows.map(({ tag }) => tag)).toEqual([
      ...['2020-01-01', '2020-01-02', null, '2020-01-04', '2020-01-05'],
      ...['2020-01-06', '2020-01-07', null],
    ]);
    expect(rows.map(({ stufe }) => stufe)).toEqual([7, null, 9, null, 6, 4, 4, 4]);
    expect(out).toContain('tag: 2 cells are blank, not a date');
    expect(out).toContain('"bald" (1, first in line 4), "2020-13-01" (1, first in line 9)');
    expect(notes).toContain(
      'tag: 2 cells are blank for not being of its type, first "bald" in line 4',
    );
    const [, again = ''] = /The same again: npx blockyard add \S+ (.*)/.exec(out) ?? [];
    expect(again).toBe(
      "--odd-cells blank --type tag=date --type stufe=integer --nothing 'anteil=k. A.'",
    );
  });

  test('--nothing says another word, or that N/A is a value', async () => {
    const { name } = await add('werte.csv', VALUES, [
      ...['--nothing', 'anteil=k. A.', '--nothing', 'art=', '--nothing', 'art=z'],
      ...['--type', 'stufe=text'],
    ]);
    const { rows } = await served(name);
    expect(rows.map(({ art }) => art).slice(0, 4)).toEqual(['x', 'N/A', 'y', null]);
    const { code, err } = await add('werte.csv', VALUES, ['--yes', '--nothing', 'anteil=kA']);
    expect([code, err]).toEqual([
      1,
      'werte.csv, column anteil: --nothing says "kA", and no cell is that; leave it out, or write it as a cell has it\n',
    ]);
  });
});

test('coordinates with all digits of a program for maps are numbers, and money is not', async () => {
  const { code, out, name } = await add(
    'trees.csv',
    'species,lat,lon,price\noak,40.712800000000001,-73.986710000000002,5.10000000000000001\nelm,40.5,-73.5,7\n',
  );
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      'lon: a number with more digits than binary64 holds is the nearest one, at most 2e-15 from what is written: "-73.986710000000002" in line 2',
    ),
  ]);
  const { block, rows } = await served(name);
  expect(rows[0]).toEqual({
    species: 'oak',
    lat: 40.7128,
    lon: -73.98671,
    price: '5.10000000000000001',
  });
  expect(block.geometry).toBeDefined();
});

test('numbers of one length that no header settles are numbers without separators, and no key', async () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) => `Town ${i % 7},${100_000 + 7 * i},${200_000 + 3 * i}`,
  );
  const csv = ['town,size,population', ...rows, ''].join('\n');
  const { name, out } = await add('towns.csv', csv);
  const { block } = await served(name);
  expect(block.fields.map(({ type, label }) => [type, label])).toEqual([
    ['text', undefined],
    ['integer', true],
    ['integer', undefined],
  ]);
  expect(block.primaryKey).toBeUndefined();
  expect(out).toContain(
    'size has 6 digits in every cell; if these are names of things: --type size=text',
  );
  const { name: again } = await add('towns.csv', csv, ['--type', 'size=text']);
  expect((await served(again)).rows[1]?.size).toBe('100007');
  const { name: named } = await add('towns.csv', csv.replace('size', 'permit_no'));
  expect((await served(named)).block.primaryKey).toEqual(['permit_no']);
});

test.each([
  ['CSV', 'v.csv', 'a,,b,left\nx,,1,\ny,,2,N/A\n', ['a', 'b', 'column_2', 'left']],
  [
    'JSON',
    'v.json',
    '[{"a":"x","left":null,"b":1},{"a":"z","b":2,"more":null}]',
    ['a', 'b', 'left', 'more'],
  ],
])('columns without any value come last, and are said once: %s', async (_, file, text, names) => {
  const { name, out } = await add(file, text);
  const { block } = await served(name);
  expect(block.fields.map((field) => field.name)).toEqual(names);
  const [, , ...last] = names;
  expect(out).toContain(`2 columns have no value, and come last: ${last.join(', ')}\n`);
  expect(out).not.toContain('has no values');
});

describe('times with an offset', () => {
  const times = (...cells: string[]) =>
    ['name,at', ...cells.map((at, i) => `n${i},${at}`), ''].join('\n');
  const WINTER = '2020-01-15T00:30:00+01:00';
  const SUMMER = '2020-07-15T00:30:00+02:00';

  test.each([
    ['one, which counts the days', times(WINTER), [], 'Etc/GMT-1', 'UTC+01:00 (Etc/GMT-1)'],
    [
      'several, of the first zone that has them',
      times(WINTER, SUMMER),
      [],
      'Africa/Ceuta',
      'Africa/Ceuta',
    ],
    [
      'a zone by choice',
      times(WINTER, SUMMER),
      ['--zone', 'Europe/Berlin'],
      'Europe/Berlin',
      'Europe/Berlin',
    ],
  ])('%s', async (_, content, options, zone, said) => {
    const { name, out } = await add('times.csv', content, options);
    const { block, rows } = await served(name);
    expect(block.fields[1]).toMatchObject({
      ...{ timeZone: zone, description: `Its days are those of ${said}.` },
    });
    expect(rows[0]?.at).toBe(WINTER);
    expect(out).toContain(`at: its days are those of ${said}, `);
  });

  test('in no zone are asked about', async () => {
    const content = times(WINTER, '2020-07-15T00:30:00Z');
    const { code, err } = await add('times.csv', content);
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toContain('--zone UTC   days are those of UTC');
    const { name } = await add('times.csv', content, ['--zone', 'UTC']);
    expect((await served(name)).rows[0]?.at).toBe('2020-01-14T23:30:00Z');
  });

  test('that no column has are no reason for a zone', async () => {
    const { code, err } = await add('times.csv', 'a,b\n1,2\n', ['--zone', 'Europe/Berlin']);
    expect([code, err]).toEqual([
      1,
      'times.csv: --zone is given, and no column has times with an offset; leave it out\n',
    ]);
  });
});

test('the example in a question is a cell and what it would be', async () => {
  const { err } = await add('fees.csv', 'name,fee\na,$0\nb,"$1,000"\n');
  expect(err).toContain('--decimal .   integer, a point before decimals: "$1,000" is 1000\n');
  expect(err).toContain('--type fee=text   text\n');
});

// Users of such importers have reported these for years.
describe('what importers are known to get wrong', () => {
  const numbers = (odd: string, line: number) =>
    `n\n${Array.from({ length: 30_010 }, (_, i) => (i + 2 === line ? odd : i + 1)).join('\n')}\n`;
  test.each<[string, string, string, (string | number | boolean | null)[]]>([
    ['a blank among numbers', 'a,n\nx,1\ny,\nz,3\n', 'integer', [1, null, 3]],
    ['a space among numbers', 'a,n\nx,1\ny, \nz,3\n', 'integer', [1, null, 3]],
    [
      'a zero-width space, which nobody can search for',
      'a,n\nx,1\ny,\u200b\nz,3\n',
      'integer',
      [1, null, 3],
    ],
    [
      'a zero-width space among texts',
      'a,n\nx,one\ny,\u200b\nz,two\n',
      'text',
      ['one', null, 'two'],
    ],
    ['t and f', 'a,n\nx,t\ny,t\nz,t\n', 'text', ['t', 't', 't']],
    ['weekdays', 'a,n\nx,Monday\ny,Friday\n', 'text', ['Monday', 'Friday']],
    ['times of day', 'a,n\nx,00:10\ny,12:30\n', 'text', ['00:10', '12:30']],
    ['fractions', 'a,n\nx,0/ 0\ny,1/ 2\n', 'text', ['0/ 0', '1/ 2']],
    ['decimal commas', 'a;n\nx;1,5\ny;2,25\n', 'number', [1.5, 2.25]],
    ['leading zeros', 'a,n\nx,007\ny,123\n', 'text', ['007', '123']],
    [
      'ids of 20 digits',
      'a,n\nx,12345678901234567890\ny,1\n',
      'text',
      ['12345678901234567890', '1'],
    ],
  ])('%s', async (_, content, type, values) => {
    const { name } = await add('file.csv', content, ['--yes']);
    const { block, rows } = await served(name);
    expect(block.fields.find((field) => field.name === 'n')?.type).toBe(type);
    expect(rows.map(({ n }) => n)).toEqual(values);
  });

  test('a letter in row 30,001 makes a text, and is shown with its line', async () => {
    const { name, out } = await add('file.csv', numbers('12x', 30_002));
    expect((await served(name)).block.fields[0]?.type).toBe('text');
    expect(out).toContain('"12x" in line 30002');
  });

  test('commas without quotes are refused by their line, never shifted', async () => {
    const { code, err } = await add('file.csv', 'a,b\n1,2\n3,Doe, Jane\n5,6\n');
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toMatch(/line 3, more cells than the header: 3,Doe, Jane/);
  });
});

test('a header of signs alone is no title, and one row is no rows', async () => {
  const { code, out, name } = await add('v.csv', 'k,_,_ (kg)\nx,1,2\n');
  expect(code).toBe(0);
  expect(out).toMatch(/^1 row$/m);
  const { fields } = JSON.parse(
    readFileSync(path.join(blocks, 'functions', name, 'block.json'), 'utf8'),
  );
  expect(fields.map(({ title }: { title: string }) => title)).toEqual(['K', 'Column 2', '(kg)']);
});

test('of several lists in a JSON file, as CKAN answers, an option names the rows', async () => {
  const text = '{"result":{"fields":[{"id":"a"}],"records":[{"a":1},{"a":2}]}}';
  const { err } = await add('v.json', text);
  expect(err).toMatch(/--property names one: --property result\.records$/m);
  const { code, out, name } = await add('v.json', text, ['--property', 'result.records']);
  expect([code, out]).toEqual([0, expect.stringMatching(/v\.json --property result\.records$/m)]);
  expect((await served(name)).rows).toEqual([{ a: 1 }, { a: 2 }]);
});

test('a file of objects without members is told as that', async () => {
  const { code, err } = await add('v.json', '[{},{}]');
  expect([code, err]).toEqual([
    1,
    'v.json: has rows without any value; write a member with a value in each\n',
  ]);
});

test.each([
  ['its name', 'v\u001b[31m\u009b.csv', 'a,b\n1,x\n2,y\n', []],
  ['its name, of what is refused', 'v\u001b[31m.csv', 'a,b\n1,x\n2,y,z\n', []],
  ['its name, in a question', 'v\u001b[31m.csv', 'a,b\n3/4/2020,x\n', []],
  ['a header', 'v.csv', 'a,\u001b[31m\u202e\nx,y\nz,w\n', ['--type', '_31m=date']],
  ['cells of several types', 'v.csv', 'a,b\n1,2020-01-01\n\u009b31m,\u202e\u001b[31m\n', []],
])('nothing that a terminal obeys is printed of a file: %s', async (_, file, content, options) => {
  const { out, err } = await add(file, content, options);
  const narrow: string[] = [];
  const print = (line: string) => narrow.push(line);
  const args = [path.join(folder, 'of-a-width', file), ...options, '--yes'];
  await mkdir(path.dirname(args[0] as string), { recursive: true });
  await writeFile(args[0] as string, content);
  await runAdd(args, { out: print, err: print, columns: 40 }, { blocks });
  for (const line of [out, err, ...narrow].flatMap((text) => text.split('\n'))) {
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  }
});

test.each([
  [
    'long-titles',
    [1, 2, 3, 4].map(
      (i) => `Question ${i} on how content you are with all ${i} services of your town`,
    ),
    /^Long titles\. Each row has: Question 1 on [^…]{20,50}…, Question 2 [^…]{20,50}… and 2 more\.$/,
  ],
  ['cities', ['المدينة', 'المحافظة', 'المساحة'], /: المدينة، المحافظة، المساحة\.$/],
])('a description has two lines, and the commas of its titles: %s', async (name, titles, said) => {
  const file = path.join(await mkdtemp(path.join(folder, 'from-')), `${name}.csv`);
  const lines = Array.from({ length: 9 }, (_, i) => titles.map((_, at) => `a${i + at}`).join(','));
  await writeFile(file, [titles.join(','), ...lines].join('\n'));
  const to = await mkdtemp(path.join(folder, 'titles-'));
  const silent = { out: () => {}, err: () => {}, columns: 80 };
  expect(await runAdd([file, '--yes', '--blocks', to], silent, { blocks: folder })).toBe(0);
  const { block } = await loadDataBlock(path.join(to, 'functions', name));
  expect(block.description).toMatch(said);
});

test('a narrow terminal shows the same decisions in sentences, none of them cut', async () => {
  const file = path.join(await mkdtemp(path.join(folder, 'from-')), 'city-permits.csv');
  const rows = Array.from(
    { length: 40 },
    (_, i) => `PRM-${i},Permit of ${i % 30},1/${i % 28 || 31}/2020,$${i * 1500}.50,19${10 + i}`,
  );
  await writeFile(file, ['Permit_No,Holder,Issued On,Fee,Built', ...rows].join('\n'));
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: () => {}, columns: 60 };
  const args = [file, '--blocks', await mkdtemp(path.join(folder, 'narrow-'))];
  expect(await runAdd(args, terminal, { blocks: folder })).toBe(0);
  const [, , to = ''] = args;
  expect(lines.join(' ')).toContain(`--blocks ${to}`);
  const loaded = await loadDataBlock(path.join(to, 'functions', 'city-permits'));
  expect([loaded.block.title, loaded.block.description]).toEqual([
    'City permits',
    'City permits. Each row has: Permit No, Holder, Issued On, Fee and 1 more.',
  ]);
  const told = lines.slice(0, lines.indexOf(''));
  expect(told.filter((line) => line.length > 60 || line.includes('…'))).toEqual([]);
  const text = told.join(' ').replace(/ +/g, ' ');
  expect(text).toContain('permit_no text, main, indexed, key');
  expect(text).toContain('has dates with the month before the day: "1/31/2020" in line 2;');
  expect(text).toContain('40 distinct, 0.5 to 58,500.5');
  expect(text).toContain('40 distinct, 1910 to 1949');
});

test('rows that lack their last cells are refused, unless these are said to be blank', async () => {
  const content = 'a,b,c\n1,x,y\n2,x\n3\n';
  const { code, err } = await add('file.csv', content);
  expect([code, isEmpty()]).toEqual([1, true]);
  expect(err).toMatch(
    /that rows lack at their end are blank: --short-rows blank.*\n.*line 3: 2,x is read as .*\n.*line 4, fewer cells/,
  );
  const { name, out } = await add('file.csv', content, ['--short-rows', 'blank']);
  expect(out).toMatch(/The same again: .* --short-rows blank/);
  expect((await served(name)).rows).toEqual([
    { a: 1, b: 'x', c: 'y' },
    { a: 2, b: 'x', c: null },
    { a: 3, b: null, c: null },
  ]);
});

describe('files of other formats', () => {
  const ROWS = [
    { id: 'a', height: 9.5, planted: '2020-05-17' },
    { id: 'b', height: null, planted: '2021-01-02' },
  ];
  test.each([
    ['NDJSON', 'trees.ndjson', ROWS.map((row) => JSON.stringify(row)).join('\n')],
    ['JSON', 'trees.json', JSON.stringify({ data: ROWS })],
    ['TSV', 'trees.tsv', 'id\theight\tplanted\na\t9.5\t2020-05-17\nb\t\t2021-01-02\n'],
    [
      'UTF-16',
      'trees.csv',
      Buffer.from('\ufeffid,height,planted\na,9.5,2020-05-17\nb,,2021-01-02\n', 'utf16le'),
    ],
  ])('%s', async (_, file, content) => {
    const { name } = await add(file, content);
    const { block, rows } = await served(name);
    expect(rows).toEqual(ROWS);
    expect(block.fields.map(({ type }) => type)).toEqual(['text', 'number', 'date']);
  });

  test('GeoJSON has its points on a map', async () => {
    const features = [
      [8.5417, 47.3769],
      [8.54, 47.37],
    ].map((coordinates, i) => ({
      type: 'Feature',
      properties: { name: `Tree ${i}` },
      geometry: { type: 'Point', coordinates },
    }));
    const { name } = await add(
      'trees.geojson',
      JSON.stringify({ type: 'FeatureCollection', features }),
    );
    const { block, rows } = await served(name);
    expect(block.geometry).toEqual({
      kind: 'points',
      longitude: 'longitude',
      latitude: 'latitude',
    });
    expect(rows[0]).toEqual({ name: 'Tree 0', longitude: 8.5417, latitude: 47.3769 });
  });
});

describe('GeoJSON of areas', () => {
  const square = (x: number) => [
    [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
      [x, 0],
    ],
  ];
  const areas = (properties: readonly object[], type = 'Polygon') =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: properties.map((all, i) => ({
        type: 'Feature',
        properties: all,
        geometry: { type, coordinates: type === 'Polygon' ? square(i) : [i, 0] },
      })),
    });

  test('has them on its map, by the text that names each', async () => {
    const { name } = await add(
      'wards.geojson',
      areas([
        { 'Ward name': 'North', side: 'left' },
        { 'Ward name': 'South', side: 'left' },
      ]),
    );
    const loaded = await loadDataBlock(path.join(blocks, 'functions', name));
    const { block, dataset } = loaded;
    expect(block.geometry).toMatchObject({ kind: 'regions', region: 'ward_name' });
    const imported = await importDataset(block, dataset, path.join(blocks, 'seed-data'));
    expect(Object.keys(imported.boundaries ?? {})).toEqual(['North', 'South']);
  });

  /** Areas with crooked sides: so many, of so many corners each. */
  const crooked = (count: number, corners: number, digits: number) => {
    const ring = (x: number) => {
      const side = Array.from({ length: corners }, (_, i) => {
        return [(x % 300) / 2 + ((i * 7) % 5) / 50, (i / corners).toFixed(digits)].map(Number);
      });
      return [...side, [(x % 300) / 2 + 0.3, 0.5], side[0]];
    };
    const features = Array.from({ length: count }, (_, x) => ({
      type: 'Feature',
      properties: { name: `County ${x}` },
      geometry: { type: 'Polygon', coordinates: [ring(x)] },
    }));
    return JSON.stringify({ type: 'FeatureCollection', features });
  };

  test('has over 500 of them too, simplified for the map, and exact in GeoJSON', async () => {
    const { name, out } = await add('counties.geojson', crooked(600, 100, 4));
    expect(out).toContain(
      'areas are simplified for the map to 30,000 positions of 61,200; the file keeps all, and GeoJSON has all',
    );
    const { block, dataset } = await loadDataBlock(path.join(blocks, 'functions', name));
    expect(block.geometry).not.toHaveProperty('simplifiedTo');
    const { boundaries, profile } = await importDataset(
      block,
      dataset,
      path.join(blocks, 'seed-data'),
    );
    expect(JSON.parse(boundaries?.['County 7'] as string).coordinates[0]).toHaveLength(102);
    expect(profile.map).toMatchObject({ kind: 'regions', isSimplified: true });
    const fewer = { ...block, geometry: { ...block.geometry, simplifiedTo: 20_000 } as Geometry };
    const simple = await importDataset(fewer, dataset, path.join(blocks, 'seed-data'));
    expect(countPositions(simple.boundaries ?? {})).toBeLessThanOrEqual(20_000);
  });

  test('has points where there are over 5,000 of them, and says so', async () => {
    const { name, out } = await add('parcels.geojson', crooked(5001, 3, 1));
    expect((await served(name)).block.geometry?.kind).toBe('points');
    expect(out).toContain('the map has points, not areas: over 5,000 areas');
  });

  test.each([
    ['no name', [{ n: 1 }, { n: 2 }], 'no text names each area once'],
    ['a name twice', [{ n: 'a' }, { n: 'a' }], 'no text names each area once'],
    ['a name with a space behind it', [{ n: 'a ' }, { n: 'b' }], 'no text names each area once'],
  ])('has points where there is %s, and says so', async (_, properties, why) => {
    const { name, out } = await add('wards.geojson', areas(properties));
    expect((await served(name)).block.geometry?.kind).toBe('points');
    expect(out).toContain(`the map has points, not areas: ${why}`);
  });

  test('names the features that decide', async () => {
    const { out } = await add('trees.geojson', areas([{ n: 'a' }, { n: 'b' }], 'Point'));
    expect(out).toContain('"a" in feature 1');
  });

  test('says nothing of areas where it has points', async () => {
    const { out } = await add('trees.geojson', areas([{ n: 'a' }, { n: 'b' }], 'Point'));
    expect(out).not.toContain('areas');
  });
});

test('a block that is not written to the folder one is in says where it is', async () => {
  const told = () => `That is in ${blocks}, where the other blocks are; --blocks . writes`;
  expect((await add('file.csv', 'a,n\nx,1\ny,2\n')).out).toContain(told());
  const to = await mkdtemp(path.join(folder, 'asked-'));
  const asked = await add('file.csv', 'a,n\nx,1\ny,2\n', ['--blocks', to]);
  expect(asked.out).toContain('Written: ');
  expect(asked.out).not.toContain('That is in');
  const before = process.cwd();
  process.chdir(await mkdtemp(path.join(folder, 'here-')));
  try {
    blocks = process.cwd();
    await mkdir('below');
    await writeFile('below/file.csv', 'a,n\nx,1\ny,2\n');
    process.chdir('below');
    const { out } = await addAgain('file.csv');
    expect(out).toContain('Written: ../functions/file/block.json');
    expect(out).not.toContain('That is in');
  } finally {
    process.chdir(before);
  }
});

test('the help of a checkout says that its own blocks are meant', async () => {
  const { out } = await addAgain('--help');
  expect(out).toMatch(/--blocks FOLDER +where .*; else BLOCKYARD_BLOCKS, else the checkout\n/);
});

describe('nothing is written', () => {
  test('where a block of this name is', async () => {
    const { out } = await add('file.csv', 'a,n\nx,1\ny,2\n');
    expect(out).toContain('Written: ');
    const before = readFileSync(path.join(blocks, 'functions', 'file', 'block.json'));
    const other = path.join(folder, 'file.csv');
    await writeFile(other, 'a,n\nx,3\ny,4\n');
    const { code, err } = await addAgain(other);
    expect([code, err]).toEqual([1, expect.stringMatching(/There is a block file .*--name/)]);
    expect(readFileSync(path.join(blocks, 'functions', 'file', 'block.json'))).toEqual(before);
    expect(readdirSync(path.join(blocks, 'seed-data'))).toHaveLength(1);
  });

  test.each([
    ['a web page', 'data.csv', '<!doctype html><html><body>Log in</body></html>', /web page/],
    ['an empty file', 'data.csv', '', /data\.csv/],
    ['a wish that a cell refutes', 'data.csv', 'a\n1\nx\n', /"x" .*--type/],
  ])('of %s', async (_, file, content, told) => {
    const { code, err } = await add(file, content, ['--type', 'a=integer']);
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toMatch(told);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test.each([
    ['no file', [], /FILE/],
    ['an unknown option', ['f.csv', '--delimeter', ';'], /Did you mean --delimiter\?/],
    ['two files', ['a.csv', 'b.csv'], /One file at a time/],
    ['an unknown type', ['a.csv', '--type', 'a=intger'], /did you mean integer\?/],
    ['a value that is none', ['a.csv', '--dates', 'ymd'], /expected one of dmy mdy/],
    ['a name that is no address', ['a.csv', '--name', 'Ä b'], /lower-case letters and digits/],
    ['an unknown encoding', ['a.csv', '--encoding', 'ebcdic'], /such as windows-1252/],
    ['a file that is not there', ['/nowhere/a.csv'], /a\.csv: is not in \/nowhere/],
  ])('for %s', async (_, args, told) => {
    let err = '';
    const terminal = {
      out: () => {},
      err: (line: string) => {
        err += `${line}\n`;
      },
    };
    expect(await runAdd(args, terminal, { blocks: path.join(folder, 'none') })).toBe(1);
    expect(err).toMatch(told);
    expect(existsSync(path.join(folder, 'none'))).toBe(false);
  });
});

describe('a row that is called a total and adds up in no column', () => {
  const COMPANIES = 'company,n\nShell,10\nBP,20\nTotal,5\n';

  test('is a row by --yes, which says so, and how to decide the same', async () => {
    const { code, name, out } = await add('a.csv', COMPANIES, ['--yes']);
    expect([code, (await served(name)).rows.at(-1)]).toEqual([0, { company: 'Total', n: 5 }]);
    expect(out).toContain(
      '"Total" in company is kept, and it adds up in no column: line 4; --totals drop leaves it out',
    );
    expect(out).toMatch(/The same again: .* --totals keep/);
  });

  test('stops a script, which is told the options', async () => {
    const { code, err } = await add('a.csv', COMPANIES);
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toBe(
      `a.csv has rows that are called totals: "Total" in company adds up in no column: line 4.
  --totals keep   a row like the others
  --totals drop   left out
--yes takes the first of each.
`,
    );
  });

  test('is left out if a person says so', async () => {
    const { code, name, out } = await add('a.csv', COMPANIES, ['--totals', 'drop']);
    expect([code, (await served(name)).rows.length]).toEqual([0, 2]);
    expect(out).toContain(
      '1 row is left out: "Total" in company, a total, which adds up in no column, line 4',
    );
  });

  test('in a sheet too', async () => {
    const rows = [
      ['company', 'n'],
      ['Shell', 10],
      ['BP', 20],
      ['Total', 5],
    ];
    const { code, err } = await add('a.xlsx', sheetOf(rows));
    expect([code, isEmpty()]).toEqual([1, true]);
    expect(err).toMatch(
      /^a\.xlsx has rows that are called totals: .*: row 4\.\n {2}--totals keep /,
    );
    const { name, out } = await add('a.xlsx', sheetOf(rows), ['--yes']);
    expect((await served(name)).rows.at(-1)).toEqual({ company: 'Total', n: 5 });
    expect(out).toContain('"Total" in company is kept, and it adds up in no column: row 4;');
  });
});

test('a formula without a value is a blank, and add tells', async () => {
  const row = (r: number, cells: string) => `<row r="${r}">${cells}</row>`;
  const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  const sheet = [
    row(1, `${text('name')}${text('total')}`),
    row(2, `${text('Ann')}<c><f>1+1</f><v>2</v></c>`),
    row(3, `${text('Bob')}<c><f>2+2</f></c>`),
  ];
  const added = await add('sums.xlsx', workbookOf(`<sheetData>${sheet.join('')}</sheetData>`));
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(added.out).toContain('1 formula was not calculated and is blank, in cell B3');
  expect((await served('sums')).rows).toEqual([
    { name: 'Ann', total: 2 },
    { name: 'Bob', total: null },
  ]);
});

describe('a packed file', () => {
  const TEXT = 'id,name\n1,Ada\n2,Bob\n';

  test.each<[string, string, Uint8Array, string]>([
    ['gzip', 'shops.csv.gz', gzipSync(TEXT), 'shops.csv is unpacked from shops.csv.gz'],
    ['zip', 'x.zip', zipOf({ 'shops.csv': TEXT }), 'shops.csv is unpacked from x.zip'],
  ])(
    'of %s is a block of what is in it, which is told and kept unpacked',
    async (_, file, content, told) => {
      const added = await add(file, content);
      expect(added).toMatchObject({ code: 0, err: '', name: 'shops' });
      expect(added.out).toContain(told);
      const { rows } = await served('shops');
      expect(rows.map(({ name }) => name)).toEqual(['Ada', 'Bob']);
      const [kept = ''] = readdirSync(path.join(blocks, 'seed-data'));
      expect(readFileSync(path.join(blocks, 'seed-data', kept), 'utf8')).toBe(TEXT);
    },
  );

  test('among others in a zip archive is named by an option, which is written back', async () => {
    const zip = zipOf({ 'shops.csv': TEXT, 'README.md': '# Shops' });
    const refused = await add('x.zip', zip);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('2 files: shops.csv, README.md; --file NAME says which is meant');
    expect(isEmpty()).toBe(true);
    const added = await add('x.zip', zip, ['--file', 'shops.csv']);
    expect(added).toMatchObject({ code: 0, name: 'shops' });
    expect(added.out).toContain('x.zip --file shops.csv');
    const block = readFileSync(path.join(blocks, 'functions/shops/block.json'), 'utf8');
    expect(JSON.parse(block).innerPath).toBe('shops.csv');
  });
});

describe('bytes that are no text', () => {
  const [TEXT, BAD] = ['name,n\nZürich,1\r\nBern,2\rGen', Buffer.of(0xe8)];
  const damaged = Buffer.concat([Buffer.from(TEXT), BAD, Buffer.from('ve,3\nBa\0sel,4\n')]);

  test('are replaced, counted and shown; the block says so, and is served so', async () => {
    const added = await add('towns.csv', damaged);
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toContain('1 place that is not UTF-8 is read as \ufffd, in line 4\n');
    expect(added.out).toContain('1 zero byte is left out, in line 5\n');
    const { rows } = await served('towns');
    expect(rows.map(({ name }) => name)).toEqual(['Zürich', 'Bern', 'Gen\ufffdve', 'Basel']);
  });

  const feature = (name: string) =>
    `{"type":"Feature","properties":{"name":"${name}"},"geometry":{"type":"Point","coordinates":[8,47]}}`;
  test.each<[string, (name: string) => string, string, string]>([
    ['towns.json', (name) => `{"name":"${name}"}`, '[', ']'],
    ['towns.ndjson', (name) => `{"name":"${name}"}`, '', '\n'],
    ['towns.geojson', feature, '{"type":"FeatureCollection","features":[', ']}'],
    ['rows.json', (name) => `{"name":"${name}"}`, '{"data":[', '],"count":3}'],
  ])('are replaced in %s too, and an encoding is asked for', async (file, record, begin, end) => {
    const between = file.endsWith('ndjson') ? '\n' : ',\n';
    const written = (...names: readonly string[]) =>
      Buffer.from(begin + names.map(record).join(between) + end, 'latin1');
    const zurich = Buffer.from('Zürich').toString('latin1');
    const name = file.slice(0, file.lastIndexOf('.'));
    const names = async () => (await served(name)).rows.map((row) => row.name);
    const added = await add(file, written(zurich, 'Gen\xe8ve', 'Ba\0sel'));
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toContain('1 place that is not UTF-8 is read as \ufffd, in line 2\n');
    expect(added.out).toContain('1 zero byte is left out, in line 3\n');
    expect(await names()).toEqual(['Zürich', 'Gen\ufffdve', 'Basel']);
    const blockFile = path.join(blocks, `functions/${name}/block.json`);
    await writeFile(
      blockFile,
      readFileSync(blockFile, 'utf8').replace('"badBytes": "replace"', '"header": false'),
    );
    await expect(names()).rejects.toThrow(
      "a byte that is not UTF-8; save the file as UTF-8, name its encoding by --encoding, or read such bytes as \ufffd by --bad-bytes replace (in block.json, the dialect's badBytes)",
    );
    const french = written('Gen\xe8ve', 'Neuch\xe2tel');
    expect((await add(file, french)).err).toContain('--encoding windows-1252');
    await add(file, french, ['--encoding', 'windows-1252']);
    expect(await names()).toEqual(['Genève', 'Neuchâtel']);
    await add(file, french, ['--bad-bytes', 'replace']);
    expect(await names()).toEqual(['Gen\ufffdve', 'Neuch\ufffdtel']);
  });

  test('are refused by a block that does not say so', async () => {
    await add('towns.csv', damaged);
    const file = path.join(blocks, 'functions/towns/block.json');
    await writeFile(file, readFileSync(file, 'utf8').replace(/"dialect": .*\n/, ''));
    await expect(served('towns')).rejects.toThrow(
      "line 4: a byte that is not UTF-8; save the file as UTF-8, or read such bytes as \ufffd by --bad-bytes replace (in block.json, the dialect's badBytes)",
    );
  });

  test('are a question where there are many, which an option answers', async () => {
    const many = Buffer.concat([Buffer.from('name,n\nZürich,1\n'), BAD, BAD, Buffer.from(',2\n')]);
    const asked = await add('towns.csv', many);
    expect(asked.code).toBe(1);
    expect(asked.err).toContain('--encoding windows-1252   it is windows-1252\n');
    expect(asked.err).toContain('--bad-bytes replace   it is UTF-8, and 2 places');
    expect((await add('towns.csv', many, ['--bad-bytes', 'replace'])).out).toContain(
      'towns.csv --bad-bytes replace\n',
    );
    expect((await served('towns')).rows[1]?.name).toBe('\ufffd\ufffd');
    await add('towns.csv', many, [], async (text) => (text.includes('1 to 2') ? '2' : ''));
    expect((await served('towns')).rows[1]?.name).toBe('\ufffd\ufffd');
    await add('towns.csv', many, ['--encoding', 'windows-1252']);
    expect((await served('towns')).rows[1]?.name).toBe('èè');
  });

  test('are zero bytes without number, if somebody says that it is a text', async () => {
    const padded = 'name,n\nBern\0\0\0\0,1\nThun\0\0\0\0,2\n';
    expect((await add('towns.csv', padded)).err).toContain('--bad-bytes replace leaves them out');
    expect((await add('towns.csv', padded, ['--bad-bytes', 'replace'])).out).toContain(
      '8 zero bytes are left out, the first in line 2',
    );
    expect((await served('towns')).rows.map(({ name }) => name)).toEqual(['Bern', 'Thun']);
  });
});

describe('a file of one row', () => {
  test.each<[string, string | Uint8Array]>([
    ['shops.csv', 'id,name\n'],
    ['shops.xlsx', sheetOf([['id', 'name']])],
  ])('is a header, and %s a block without rows, whose fields are texts', async (file, content) => {
    expect(await add(file, content)).toMatchObject({ code: 0, err: '' });
    const { block, rows } = await served('shops');
    expect(block.fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'text'],
      ['name', 'text'],
    ]);
    expect(rows).toEqual([]);
  });

  test('that has values may be a row: somebody says', async () => {
    const asked = await add('shops.csv', 'Ada,3\n');
    expect(asked.code).toBe(1);
    expect(asked.err).toContain('--header no   comma, no header');
    await add('shops.csv', 'Ada,3\n', ['--header', 'no']);
    expect((await served('shops')).rows).toEqual([{ column_1: 'Ada', column_2: 3 }]);
    await add('shops.csv', 'Ada,3\n', ['--header', 'yes']);
    expect((await served('shops')).rows).toEqual([]);
  });
});

describe('a header of several rows', () => {
  const text = (cell: string, at: string) =>
    `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  const rows = [
    '<row r="1">',
    text('Region', 'A1'),
    text('Population', 'B1'),
    '</row>',
    '<row r="2">',
    '<c r="B2"><v>2020</v></c><c r="C2"><v>2021</v></c>',
    text('Remark', 'D2'),
    '</row>',
    '<row r="3">',
    text('North', 'A3'),
    '<c r="B3"><v>5</v></c><c r="C3"><v>6</v></c>',
    '</row>',
    '<row r="4">',
    text('South', 'A4'),
    '<c r="B4"><v>7</v></c><c r="C4"><v>8</v></c>',
    text('x', 'D4'),
    '</row>',
  ];
  const merged = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>';
  const NORTH = { region: 'North', population_2020: 5, population_2021: 6 };

  test('in CSV is joined, told and served so', async () => {
    const csv = ',Population,\nRegion,2020,2021\nNorth,5,6\nSouth,7,8\n';
    const added = await add('towns.csv', csv);
    expect(added.out).toContain('rows 1 to 2 of the file are the header, joined');
    expect((await served('towns')).rows[0]).toEqual(NORTH);
  });

  test('in Excel is joined as far as cells are merged', async () => {
    const added = await add(
      'towns.xlsx',
      workbookOf(`<sheetData>${rows.join('')}</sheetData>${merged}`),
    );
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toContain('the header is in rows 1 and 2 of the sheet Data, joined');
    const block = await served('towns');
    expect(block.rows[0]).toEqual({ ...NORTH, remark: null });
    expect(block.block.fields[1]?.title).toBe('Population 2020');
  });

  test('is asked about where it may be a row, and an option says', async () => {
    const csv = 'name,height,weight\nNAME,NUMERIC,INTEGER\nAnn,170,60\nBob,180,70\n';
    const asked = await add('people.csv', csv);
    expect(asked.err).toBe(
      'people.csv: row 2 of the table has words above values, as a header has.\n' +
        '  --header-rows 1   it is a row like the others\n' +
        '  --header-rows 2   it is joined with the names above it\n' +
        '--yes takes the first of each.\n',
    );
    const added = await add('people.csv', csv, ['--header-rows', '2']);
    expect(added.out).toContain('people.csv --header-rows 2\n');
    expect((await served('people')).rows[0]).toEqual({
      name_name: 'Ann',
      height_numeric: 170,
      weight_integer: 60,
    });
    expect((await add('people.csv', csv, ['--yes'])).out).toContain('3 rows');
  });
});

describe('a file of several tables', () => {
  const FILE =
    'A: towns\nname,people\nBern,5\nChur,6\n\nB: shops\nid,town,score\n1,"Bern",5\n2,"Chur" x,\n3,Bern,7\nTotal,,12\n\nSource: us\n';

  test('is asked about, and each is served by the option that names it', async () => {
    const asked = await add('f.csv', FILE);
    expect(asked.code).toBe(1);
    expect(asked.err).toContain(
      'f.csv has 2 tables with a header each.\n  --table 2   the one from line 6',
    );
    expect(asked.err).toContain('--table all   all lines are one table');
    const added = await add('f.csv', FILE, ['--table', '2', '--bad-rows', 'mend']);
    expect(added.out).toContain('f.csv --bad-rows mend --table 2');
    expect(added.out).toContain(': line 9: 2,"Chur" x, is read as 2 | Chur x |');
    expect((await served('f')).rows).toEqual([
      { id: 1, town: 'Bern', score: 5 },
      { id: 2, town: 'Chur x', score: null },
      { id: 3, town: 'Bern', score: 7 },
    ]);
    await add('f.csv', FILE, ['--table', '1']);
    expect((await served('f')).rows).toEqual([
      { name: 'Bern', people: 5 },
      { name: 'Chur', people: 6 },
    ]);
    expect((await add('f.csv', FILE, ['--table', '3'])).err).toContain('has no table 3');
  });

  test('in Excel is asked about too, and each is served', async () => {
    const rows = [
      ['name', 'people'],
      ['Bern', 5],
      [],
      ['id', 'town', 'score'],
      [1, 'Bern', 5],
      [2, 'Chur', 6],
    ];
    const asked = await add('f.xlsx', sheetOf(rows));
    expect(asked.err).toContain('--table 2   the one from row 4, 2 rows: "id", "town", "score"');
    const added = await add('f.xlsx', sheetOf(rows), ['--yes']);
    expect(added.out).toContain('table 2, from row 4; what blank lines part from it is not read');
    expect(added.out).toContain('f.xlsx --table 2');
    expect((await served('f')).rows).toEqual([
      { id: 1, town: 'Bern', score: 5 },
      { id: 2, town: 'Chur', score: 6 },
    ]);
    await add('f.xlsx', sheetOf(rows), ['--table', '1']);
    expect((await served('f')).rows).toEqual([{ name: 'Bern', people: 5 }]);
  });
});

test.each<[string, string, string | Uint8Array, string]>([
  [
    'how windows-1252 reads',
    'f.csv',
    Buffer.from('id,town\n1,Z\xfcrich\n2,Chur\n', 'latin1'),
    'windows-1252: line 2 is not UTF-8, and reads "1,Zürich"; if letters are wrong there: --encoding NAME, such as macintosh\n',
  ],
  [
    'the encoding of Russian that windows-1252 shows',
    'f.csv',
    // \u041c\u043e\u0441\u043a\u0432\u0430 in windows-1251.
    Buffer.from('id,town\n1,\xcc\xee\xf1\xea\xe2\xe0\n2,Chur\n', 'latin1'),
    'if letters are wrong there: --encoding NAME, such as windows-1251\n',
  ],
  [
    'the encoding of Polish that windows-1252 shows',
    'f.csv',
    // Bia\u0142ystok in windows-1250.
    Buffer.from('id,town\n1,Bia\xb3ystok\n2,Chur\n', 'latin1'),
    'if letters are wrong there: --encoding NAME, such as windows-1250\n',
  ],
  [
    'byte order marks within the file',
    'f.csv',
    'id,town\n1,Bern\n2,\ufeffChur\n\ufeff3,Thun\n',
    '2 rows have a byte order mark (U+FEFF) before a cell, which is left out, first in line 3\n',
  ],
  [
    'numbers that Excel has cut, in a sheet',
    'f.xlsx',
    sheetOf([
      ['card', 'town'],
      [4.56789012345678e15, 'Bern'],
      [4.56789012345679e15, 'Chur'],
    ]),
    'card: the numbers of more than 15 digits end in zeros, such as "4567890123456780": Excel may',
  ],
  [
    'numbers that Excel has cut, in a CSV file',
    'f.csv',
    'card,town\n4567890123456780,Bern\n4567890123456790,Chur\n',
    'card: the numbers of more than 15 digits end in zeros, such as "4567890123456780": Excel may',
  ],
  [
    'a date in the first row that is written in another way',
    'f.csv',
    'id,day\n1,01.02.2020\n2,2020-01-01\n3,2020-01-02\n',
    '"01.02.2020" is no date written as others are',
  ],
])('%s is told', async (_, file, content, told) => {
  expect((await add(file, content, ['--yes'])).out).toContain(told);
});

test('long numbers are not said to be cut if few end in zeros', async () => {
  const rows = [4567890123456781n, 4567890123456792n, 4567890123456780n].join('\n');
  expect((await add('f.csv', `card\n${rows}\n`, ['--yes'])).out).not.toContain('Excel');
});
