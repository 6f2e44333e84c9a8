import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import { ColumnPacker } from '../../src/columns/encode-chunk.ts';
import { readCsv } from '../../src/files/csv/read-csv.ts';
import { RecordScan } from '../../src/files/csv/scan-records.ts';
import { PlainRows } from '../../src/files/plain-rows.ts';
import { batchesOf, repeatable, type SourceTable } from '../../src/files/source-table.ts';
import { packRows } from '../../src/import/pack-rows.ts';
import { gatherEvidence } from '../../src/recipe/gather-evidence.ts';
import { propose } from '../../src/recipe/propose.ts';
import { takeSafest } from '../../src/recipe/questions.ts';
import { readRows, valuesOf } from '../../src/recipe/read.ts';
import { declarationOf } from '../../src/recipe/recipe.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

afterAll(cleanUp);

/** The same records, one by one, each with a text for each cell. */
function oneByOne(table: SourceTable): SourceTable {
  const { records } = table;
  const copied = repeatable(async function* () {
    for await (const record of records) yield record;
  });
  return { ...table, records: copied };
}

/** Cells that are plain, and those that need a second look. */
const PLAIN = ['0', '12', '-7', '3.50', '007', '2020-05-17', 'yes', 'Main St 4', 'x', 'n/a', ' '];
const DOUBTFUL = [
  '',
  'Total',
  'Total North',
  'mean',
  'é',
  '日本',
  '\u{1f600} a',
  '\ufeffb',
  '  c ',
];
const MARKED = ['a,b', 'say "x"', 'two\nlines', '="05"', 'a;b'];

const cell = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom(...DOUBTFUL, ...MARKED) },
  { weight: 20, arbitrary: fc.integer({ min: -999, max: 99_999 }).map(String) },
);

const place = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('Oak', 'Elm 5', 'ash', 'A12') },
  { weight: 1, arbitrary: cell },
);

const written = (text: string, delimiter: string, isQuoted: boolean) =>
  isQuoted || /["\n]/.test(text) || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text;

const HEADER = ['id', 'a', 'b', 'c'];

const table = fc.record({
  rows: fc.array(fc.tuple(place, cell, cell, cell), { minLength: 200, maxLength: 400 }),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  quoted: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  repeatsHeader: fc.boolean(),
  mark: fc.constantFrom('', '\ufeff'),
  piece: fc.constantFrom(1, 7, 64, 1000, 2 ** 18),
});

async function* inPieces(text: string, length: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

type FcTable = typeof table extends fc.Arbitrary<infer T> ? T : never;

/** The text of a table, with its header among the rows, and the line of each record. */
function textOf({ rows, delimiter, lineEnd, quoted, repeatsHeader, mark }: FcTable) {
  const again = repeatsHeader ? [HEADER] : [];
  const records = [HEADER, ...rows.slice(0, 120), ...again, ...rows.slice(120)].map(
    (cells) =>
      cells.map((one, i) => written(one, delimiter, quoted[i] === true)).join(delimiter) + lineEnd,
  );
  let line = 1;
  const lines = records.map((record) => {
    line += record.split('\n').length - 1;
    return line - record.split('\n').length + 1;
  });
  return { text: mark + records.join(''), lines };
}

/** The rows as Papa Parse reads them, without blank ones and repeated headers. */
function rowsByPapa({ text, lines }: ReturnType<typeof textOf>, { delimiter, mark }: FcTable) {
  const whole = text.slice(mark.length).replaceAll('\r\n', '\n').replace(/\n$/, '');
  const { data } = Papa.parse<string[]>(whole, { delimiter, newline: '\n' });
  const rows = data.map((cells, i) => ({ cells, line: lines[i] }));
  return rows.filter(({ cells }) => {
    const isBlank = cells.every((one) => one.trim() === '');
    return !isBlank && !cells.every((one, i) => one.trim() === HEADER[i]);
  });
}

test('rows that are cut without a second look are those that others cut', async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(table, async (made) => {
      const whole = textOf(made);
      const readBytes = () => inPieces(whole.text, made.piece);
      const source = { readBytes, file: 'a.csv', encoding: 'utf-8' };
      const read = await readCsv(source, { dialect: { delimiter: made.delimiter } });
      const found: unknown[] = [];
      for await (const batch of batchesOf(read.records)) {
        if (batch instanceof PlainRows) plain += batch.length;
        for (const { cells, line } of batch) found.push({ cells, line });
      }
      expect(found).toEqual(rowsByPapa(whole, made));
    }),
    { seed: 62, numRuns: 40 },
  );
  expect(plain).toBeGreaterThan(1000);
});

/** Makes random numbers below a bound. */
function randomBy(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const two = (number: number) => String(number).padStart(2, '0');

type Random = ReturnType<typeof randomBy>;

const dayBy = (random: Random) =>
  `${1990 + random(40)}-${two(1 + random(12))}-${two(1 + random(28))}`;
const timeBy = (random: Random) => `${two(random(24))}:${two(random(60))}:${two(random(60))}`;

/** Columns of cells that are read in different ways, some of them with few or many texts. */
const COLUMNS: Readonly<Record<string, (random: Random, row: number) => string>> = {
  id: (_, row) => String(30_000_000 + row),
  code: (_, row) => `A${String(row).padStart(7, '0')}`,
  count: (random) => String(random(40_000)),
  few: (random) => String(random(300)),
  zip: (random) => String(10_001 + random(80_000)).slice(-4 - random(2)),
  balance: (random) => ((random(2_000_000) - 1_000_000) / 100).toFixed(2),
  price: (random) => (random(150) / 10).toFixed(1 + random(2)),
  spelled: (random) => (random(20_000) / 10).toFixed(1 + random(2)),
  rate: (random) => String(random(900_000) / 1000),
  latitude: (random) => (40.5 + random(400_000) / 1e6).toFixed(6),
  longitude: (random) => (-74.2 + random(500_000) / 1e6).toFixed(6),
  exact: (random) => String(random(2 ** 30) / 2 ** 31),
  opened: dayBy,
  created: (random) => `${dayBy(random)}T${timeBy(random)}`,
  changed: (random) => `${dayBy(random)} ${timeBy(random)}`,
  seen: (random) => `${dayBy(random)}T${timeBy(random)}Z`,
  american: (random) => `${two(1 + random(12))}/${two(1 + random(28))}/${2000 + random(20)}`,
  open: (random) => (random(2) === 0 ? 'yes' : 'no'),
  agency: (random) => ['NYPD', 'HPD', 'Dept of Total Ease', 'mean'][random(4)] as string,
  name: (random) => `Name ${random(50_000)}`,
  address: (random) => `${random(9999)} STREET ${random(400)}`,
  email: (random) => `p${random(30_000)}@example.org`,
  blank: (random) => (random(500) === 0 ? 'x' : ''),
  group: (random) => (random(40) === 0 ? '1.234' : String(random(100_000) / 10)),
  nines: (random) => (random(50) === 0 ? '-9999' : String(random(9000))),
  unknown: (random) => (random(30) === 0 ? 'n/a' : String(random(70_000))),
  town: (random) => ['Zürich', 'Genève', 'Bern', '東京'][random(4)] as string,
};

/** Cells that are odd in most columns. */
const ODD = ['', '-', 'n/a', ' 7', '007', '1,5', '1e5', '-0', '$5', '2456-01-02', '9'.repeat(20)];

/** A file of these columns, in which one cell in `oneIn` is odd. */
function fileBy(seed: number, rows: number, oneIn: number): string {
  const random = randomBy(seed);
  const lines = [Object.keys(COLUMNS).join(',')];
  for (let row = 0; row < rows; row++) {
    const cells = Object.values(COLUMNS).map((cellOf) => {
      const own = cellOf(random, row);
      return written(random(oneIn) === 0 ? (ODD[random(ODD.length)] as string) : own, ',', false);
    });
    lines.push(cells.join(','));
  }
  return `${lines.join('\n')}\n`;
}

describe.each([
  [1, 40_000],
  [2, 300],
  [3, Number.MAX_SAFE_INTEGER],
])('a file of many kinds of columns, made from %i', (seed, oneIn) => {
  // More rows than texts of a column are counted.
  const text = fileBy(seed, 22_000, oneIn);
  const open = (scan?: RecordScan) =>
    readCsv(
      { readBytes: () => inPieces(text, 2 ** 18), file: 'a.csv', encoding: 'utf-8' },
      { dialect: { badRows: 'mend' }, scan },
    );

  test('decides the same by parts of the text as by a text for each cell', async () => {
    const decisions = async (isByCells: boolean) => {
      const scan = new RecordScan();
      const opened = await open(scan);
      const read = await gatherEvidence(
        isByCells ? oneByOne(opened) : opened,
        'a.csv',
        {},
        () => {},
      );
      const { columns, points, places, rows, totals, bad, notes } = read;
      const decided = columns.map(({ name, evidence }) => ({ name, ...evidence.decide() }));
      const why = points.decide(opened.headers, 'line');
      const placed = [places?.evidence.placed, places?.evidence.notes('line')];
      return JSON.parse(
        JSON.stringify({ decided, why, placed, rows, totals, bad, notes, scanned: scan.found() }),
      );
    };
    expect(await decisions(false)).toEqual(await decisions(true));
  });

  test('has the same packed rows', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a.csv'), text.slice(0, text.indexOf('\n', 1_500_000) + 1));
    const draft = await propose({ folder, file: 'a.csv' }, {}, takeSafest, () => {});
    const { fields } = declarationOf(draft.block, draft.name);
    const packed = await packRows(fields, draft.block, folder, 2000);
    const packer = new ColumnPacker(fields, 2000);
    const rows = await readRows(draft.block, folder);
    for await (const record of rows.records) packer.add(valuesOf(record, rows, 'a.csv'));
    expect(packed.columns.hashes).toEqual(packer.packed().hashes);
  });
});
