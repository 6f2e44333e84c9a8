import { gzipSync } from 'node:zlib';
import { sheetOf } from '../support/sheet-of.ts';
import { zipOf } from '../support/zip-of.ts';
import type { MessyFile } from './messy-files.ts';
import type { Random } from './requests.ts';
import { randomOf } from './requests.ts';

// Nothing here is of the product: its changes must not change what is read.

type Rows = readonly (readonly string[])[];
type Column = {
  readonly title: string;
  /** A second row of the header. */
  readonly below?: string;
  cell(random: Random, row: number): string;
};

/**
 * A file of a number in wider kinds than the first: sheets, GeoJSON, packed files, headers of two
 * rows, several tables, notes and totals, other quotes and bytes, cells that can be read in two
 * ways; and options, or none, so that questions are printed.
 */
export function wideFile(number: number): MessyFile {
  const random = randomOf(20_000_000 + number);
  const columns = random.some(COLUMNS, 8);
  const count = random.chance(0.05) ? random.below(2) : 3 + random.below(60);
  const rows = Array.from({ length: count }, (_, row) =>
    columns.map(({ cell }) => (random.chance(0.04) ? '' : cell(random, row))),
  );
  const changed = rows
    .filter(() => !random.chance(0.08))
    .map((row) => row.map((cell) => (random.chance(0.04) ? random.one(OTHER_CELLS) : cell)))
    .concat(random.chance(0.3) ? [columns.map(({ cell }) => cell(random, count + 1))] : []);
  const header = columns.map(({ title }) => title);
  const write = random.one(WRITERS)(random, columns);
  const renamed = random.chance(0.08) ? [...header.slice(1), 'new one'] : header;
  const [next, nextRows] = [renamed, changed];
  return {
    name: `${random.one(NAMES)}-${number}.${write.ending}`,
    bytes: write.bytes(header, rows),
    next: write.bytes(next, nextRows),
    options: optionsOf(random, header),
  };
}

const NAMES = ['file', 'Umsätze 2021', 'a.b', 'REPORT_final(2)', 'données'];
const two = (number: number) => String(number).padStart(2, '0');
const OTHER_CELLS = ['n/a', '-', '0012', '1.234,5', 'x', '', '99999', 'Total', '31.12.2020'];
const WORDS = ['Nord', 'Süd', 'west', 'O’Brien', 'a, b', 'say "yes"', 'Straße 5', 'x;y', '=1+1'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct'];

const COLUMNS: readonly Column[] = [
  { title: 'id', cell: (_, row) => String(row + 1) },
  { title: 'key', cell: (_, row) => `K-${two(row)}-${(row * 7919) % 97}` },
  { title: 'Name', below: 'of place', cell: (random, row) => `${random.one(WORDS)} ${row}` },
  { title: 'Region', cell: (random) => random.one(['North', 'South', 'East', 'Total Wine']) },
  {
    title: 'Betrag (EUR)',
    cell: (random) => `${random.below(9)}.${100 + random.below(900)},${two(random.below(99))}`,
  },
  {
    title: 'Betrag',
    below: 'in EUR',
    cell: (random) => `${random.below(900)},${two(random.below(99))}`,
  },
  { title: 'thousands', cell: (random) => `${1 + random.below(9)},${100 + random.below(900)}` },
  { title: 'points', cell: (random) => `${1 + random.below(9)}.${100 + random.below(900)}` },
  { title: 'price ($)', cell: (random) => `$${random.below(2000) / 4}` },
  {
    title: 'profit',
    cell: (random) => (random.chance(0.3) ? `(${random.below(90)})` : String(random.below(90))),
  },
  {
    title: 'minus',
    cell: (random) => (random.chance(0.2) ? `${random.below(90)}-` : String(random.below(90))),
  },
  { title: 'share', below: '%', cell: (random) => `${random.below(100)}%` },
  { title: 'count', cell: (random) => (random.chance(0.05) ? 'n/a' : String(random.below(5000))) },
  { title: 'score', cell: (random) => (random.chance(0.1) ? '-999' : String(random.below(50))) },
  { title: 'Jahr', cell: (random) => String(1990 + random.below(40)) },
  {
    title: 'Datum',
    cell: (random) => `${two(1 + random.below(28))}.${two(1 + random.below(12))}.2021`,
  },
  { title: 'date', cell: (random) => `${1 + random.below(12)}/${1 + random.below(12)}/2021` },
  { title: 'day', cell: (random) => `${1 + random.below(28)}-${random.one(MONTHS)}-2021` },
  { title: 'month', cell: (random) => `2021-${two(1 + random.below(12))}` },
  { title: 'quarter', cell: (random) => `2021-Q${1 + random.below(4)}` },
  {
    title: 'updated',
    cell: (random) =>
      `2021-${two(1 + random.below(12))}-03T04:${two(random.below(60))}:00+0${random.below(3)}:00`,
  },
  { title: 'epoch', cell: (random) => String(1_600_000_000 + random.below(9_000_000)) },
  {
    title: 'at',
    cell: (random) =>
      `${random.below(12) + 1}:${two(random.below(60))} ${random.one(['AM', 'PM'])}`,
  },
  { title: 'open?', cell: (random) => random.one(['yes', 'no']) },
  { title: 'ja', cell: (random) => random.one(['Ja', 'Nein', 'ja']) },
  { title: 'flag', cell: (random) => random.one(['0', '1']) },
  { title: 'lat', cell: (random) => String(39 + random.below(1000) / 1000) },
  { title: 'lon', cell: (random) => String(-76 - random.below(1000) / 1000) },
  {
    title: 'geom',
    cell: (random) => `POINT(${-76 - random.below(99) / 100} ${39 + random.below(99) / 100})`,
  },
  { title: 'ZIP code', cell: (random) => two(random.below(99)) + two(random.below(999)) },
  { title: 'code', cell: (random) => `="00${random.below(999)}"` },
  { title: 'quoted', cell: (random) => `'${random.below(999)}` },
  {
    title: 'phone',
    cell: (random) => `(410) 555-${two(random.below(99))}${two(random.below(99))}`,
  },
  { title: 'web', cell: (_, row) => `https://example.org/${row}` },
  { title: 'mail', cell: (_, row) => `a${row}@example.org` },
  { title: 'odd', cell: (random) => random.one(['1', '2', '3', 'k. A.', '7*', '<5']) },
  {
    title: 'nearly',
    cell: (random) => (random.chance(0.02) ? 'closed' : String(random.below(70))),
  },
  {
    title: 'notes',
    cell: (random) => (random.chance(0.8) ? '' : 'A sentence of some words, with a comma.'),
  },
  { title: 'lines', cell: (random) => (random.chance(0.2) ? 'one\ntwo' : 'one') },
  { title: 'empty', cell: () => '' },
  { title: '', cell: () => 'x' },
  { title: 'Name', cell: (random) => random.one(WORDS) },
];

/** What somebody says on the line, or that nobody can be asked. */
function optionsOf(random: Random, header: readonly string[]): readonly string[] {
  if (random.chance(0.15)) return [];
  const column = random.one(header) || 'id';
  const said = random.one<readonly string[]>([
    ...[[], [], [], []],
    ['--bad-rows', random.one(['mend', 'skip', 'stop'])],
    ['--header', random.one(['yes', 'no'])],
    ['--header-rows', random.one(['1', '2'])],
    ['--header-line', random.one(['1', '2', '3'])],
    ['--leave-out', random.one(['2', '3..4', '-1', '-2..'])],
    ['--totals', random.one(['end', 'keep', 'drop'])],
    ['--table', random.one(['1', '2', 'all'])],
    ['--type', `${column}=${random.one(['text', 'number', 'integer', 'date', 'boolean'])}`],
    ['--nothing', `${column}=${random.one(['n/a', '-999', 'x', ''])}`],
    ['--format', `${column}=${random.one(['%d.%m.%Y', '%m/%d/%Y', '%s', '%Y-%m'])}`],
    ['--dates', random.one(['dmy', 'mdy'])],
    ['--decimal', random.one(['.', ','])],
    ['--zone', 'Europe/Berlin'],
    ['--key', random.one([column, 'none'])],
    ['--main', column],
    ['--delimiter', random.one(['comma', 'semicolon', 'tab', 'bar'])],
    ['--quote', random.one(['none', 'double', 'single'])],
    ['--encoding', random.one(['utf-8', 'windows-1252', 'utf-16le'])],
    ['--bad-bytes', 'replace'],
    ['--short-rows', 'blank'],
    ['--odd-cells', 'blank', '--type', `${column}=integer`],
    ['--sheet', 'Data'],
    ['--property', 'rows'],
    ['--file', 'rows.csv'],
    ['--title', 'A title', '--license', 'CC-BY-4.0', '--lang', 'de'],
  ]);
  return random.chance(0.85) ? [...said, '--yes'] : said;
}

type Writer = {
  readonly ending: string;
  bytes(header: readonly string[], rows: Rows): Buffer;
};

type MakeWriter = (random: Random, columns: readonly Column[]) => Writer;

const delimited: MakeWriter = (random, columns) => {
  const delimiter = random.one([',', ',', ';', '\t', '|', ' ', ':']);
  const quote = random.one(['"', '"', '"', '"', "'", '']);
  const end = random.one(['\n', '\n', '\r\n', '\r']);
  const encoding = random.one(['utf8', 'utf8', 'utf8', 'bom', 'latin1', 'utf16le'] as const);
  const quotesAll = random.chance(0.2);
  const space = random.chance(0.07) ? ' ' : '';
  const escaped = random.chance(0.07) ? '\\' : quote;
  const above = random.chance(0.2)
    ? random.one([['Report of 2021', ''], ['Title', 'Source: x', ''], [`sep=${delimiter}`]])
    : [];
  const isDouble = random.chance(0.12) && columns.some(({ below }) => below !== undefined);
  const isAgain = random.chance(0.08);
  const notes = random.chance(0.15)
    ? random.one([['', 'Source: an office'], ['* provisional'], ['Note: a, b and c', 'and more']])
    : [];
  const total = random.chance(0.15);
  const second = random.chance(0.08);
  const damage = random.chance(0.25) ? random.below(6) : undefined;
  const at = 1 + random.below(4);
  const last = random.chance(0.2);
  const quoted = (cell: string) =>
    quote !== '' && (quotesAll || [delimiter, quote, '\n'].some((one) => cell.includes(one)))
      ? `${quote}${cell.replaceAll(quote, `${escaped}${quote}`)}${quote}`
      : cell;
  const lineOf = (cells: readonly string[]) => cells.map(quoted).join(`${delimiter}${space}`);
  return {
    ending: delimiter === '\t' ? 'tsv' : random.one(['csv', 'csv', 'txt']),
    bytes: (header, rows) => {
      const heads = isDouble ? [header, columns.map(({ below = '' }) => below)] : [header];
      const lines = [...heads, ...rows].map(lineOf);
      const line = lines[at] ?? '';
      if (damage === 0) lines[at] = `${line}${delimiter}extra`;
      if (damage === 1) lines[at] = line.split(delimiter).slice(0, -1).join(delimiter);
      if (damage === 2) lines[at] = `"${line}`;
      if (damage === 3) lines.splice(at, 0, '');
      if (damage === 4) lines[at] = `${line.slice(0, 3)}"${line.slice(3)}`;
      if (damage === 5) lines[at] = `${line}\ufffd\u0000`;
      if (isAgain) lines.splice(Math.min(lines.length, 5), 0, lines[0] as string);
      if (total)
        lines.push(lineOf(['Total', ...header.slice(1).map((_, i) => sumOf(rows, i + 1))]));
      if (second) lines.push('', lineOf(['a', 'b', 'c']), lineOf(['1', '2', '3']), '4,5,6');
      const text = [...above, ...lines, ...notes].join(end);
      return encoded(last ? text : `${text}${end}`, encoding);
    },
  };
};

function sumOf(rows: Rows, column: number): string {
  const numbers = rows.map((row) => Number(row[column]));
  return numbers.every((number) => Number.isFinite(number))
    ? String(numbers.reduce((sum, number) => sum + number, 0))
    : '';
}

function encoded(text: string, encoding: 'utf8' | 'bom' | 'latin1' | 'utf16le'): Buffer {
  if (encoding === 'bom') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(text.replaceAll('’', "'"), encoding);
}

const numberOf = (cell: string) => (/^-?\d{1,9}(?:\.\d+)?$/.test(cell) ? Number(cell) : cell);

const sheet: MakeWriter = (random) => {
  const above = random.chance(0.3) ? [['Report of 2021'], []] : [];
  const notes = random.chance(0.2) ? [[], ['Source: an office']] : [];
  const total = random.chance(0.2);
  const escaped = (cell: string) =>
    cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    ending: 'xlsx',
    bytes: (header, rows) =>
      sheetOf([
        ...above,
        header.map(escaped),
        ...rows.map((row) => row.map((cell) => numberOf(escaped(cell)))),
        ...(total
          ? [['Total', ...header.slice(1).map((_, i) => numberOf(sumOf(rows, i + 1)))]]
          : []),
        ...notes,
      ]),
  };
};

const objectsOf = (header: readonly string[], rows: Rows) =>
  rows.map((row) =>
    Object.fromEntries(header.map((name, i) => [name, numberOf(row[i] as string)])),
  );

const json: MakeWriter = (random) => {
  const kind = random.one(['list', 'lines', 'deep', 'columns'] as const);
  const broken = random.chance(0.15);
  return {
    ending: kind === 'lines' ? 'ndjson' : 'json',
    bytes: (header, rows) => {
      const objects = objectsOf(header, rows);
      if (kind === 'lines') {
        const lines = objects.map((one) => JSON.stringify(one));
        if (broken) lines.splice(1, 0, '{"a": ');
        return Buffer.from(`${lines.join('\n')}\n`);
      }
      const whole =
        kind === 'list'
          ? objects
          : kind === 'deep'
            ? { success: true, result: { rows: objects, other: [{ a: 1 }] } }
            : { rows: objects.map((one, i) => ({ ...one, place: { x: i, y: [i, 'a'] } })) };
      const text = JSON.stringify(whole, undefined, random.chance(0.5) ? 1 : 0);
      return Buffer.from(broken ? text.slice(0, -3) : text);
    },
  };
};

const geojson: MakeWriter = (random) => {
  const isArea = random.chance(0.4);
  return {
    ending: 'geojson',
    bytes: (header, rows) =>
      Buffer.from(
        JSON.stringify({
          type: 'FeatureCollection',
          features: objectsOf(header, rows).map((properties, i) => {
            const [x, y] = [-76 + i / 100, 39 + i / 100];
            const ring = [
              [x, y],
              [x + 0.01, y],
              [x, y + 0.01],
              [x, y],
            ];
            const geometry = isArea
              ? { type: 'Polygon', coordinates: [ring] }
              : { type: 'Point', coordinates: [x, y] };
            return { type: 'Feature', properties, geometry };
          }),
        }),
      ),
  };
};

const packed: MakeWriter = (random, columns) => {
  const inner = delimited(random, columns);
  if (random.chance(0.5)) {
    return { ending: `${inner.ending}.gz`, bytes: (...all) => gzipSync(inner.bytes(...all)) };
  }
  const several = random.chance(0.5);
  return {
    ending: 'zip',
    bytes: (...all) =>
      zipOf({
        'rows.csv': inner.bytes(...all),
        ...(several ? { 'other.csv': 'a,b\n1,2\n', 'readme.md': '# Read' } : {}),
      }),
  };
};

const WRITERS: readonly MakeWriter[] = [
  ...Array.from({ length: 10 }, () => delimited),
  ...[sheet, sheet, json, json, geojson, packed],
];
