import { type Random, randomOf } from './requests.ts';

// Nothing here is of the product: its changes must not change what is read.

export type MessyFile = {
  readonly name: string;
  readonly bytes: Buffer;
  /** The same file with some rows changed, added or left out, and sometimes a column renamed. */
  readonly next: Buffer;
  /** What the line says beside the file. */
  readonly options: readonly string[];
};

/** The file of a number, as people write them: the same for ever. */
export function messyFile(number: number): MessyFile {
  const random = randomOf(10_000_000 + number);
  const columns = columnsOf(random);
  const rows = Array.from({ length: 3 + random.below(40) }, (_, row) =>
    columns.map(({ cell }) => (random.chance(0.05) ? '' : cell(random, row))),
  );
  const header = columns.map(({ title }) => title);
  const write = writerOf(random);
  const changed = rows
    .filter(() => !random.chance(0.1))
    .map((row) => (random.chance(0.2) ? row.map((cell) => `${cell}0`) : row));
  const renamed = random.chance(0.1) ? ['renamed', ...header.slice(1)] : header;
  return {
    name: `file-${number}.${write.ending}`,
    bytes: write.bytes(header, rows),
    next: write.bytes(renamed, changed),
    options: ['--yes'],
  };
}

type Column = { readonly title: string; cell(random: Random, row: number): string };

const two = (number: number) => String(number).padStart(2, '0');
const WORDS = ['Nord', 'Süd', 'west', 'O’Brien', 'a, b', 'say "yes"', 'Straße 5', 'x;y', '=1+1'];

const COLUMNS: readonly Column[] = [
  { title: 'id', cell: (_, row) => String(row + 1) },
  { title: 'ZIP code', cell: (random) => two(random.below(99)) + two(random.below(999)) },
  { title: 'Name', cell: (random, row) => `${random.one(WORDS)} ${row}` },
  { title: 'kind', cell: (random) => random.one(['a', 'b', 'c']) },
  {
    title: 'Betrag',
    cell: (random) => `${random.below(9)}.${two(random.below(99))}0,${two(random.below(99))}`,
  },
  { title: 'price ($)', cell: (random) => `$${random.below(2000) / 4}` },
  { title: 'share', cell: (random) => `${random.below(100)}%` },
  { title: 'count', cell: (random) => (random.chance(0.05) ? 'n/a' : String(random.below(5000))) },
  {
    title: 'Datum',
    cell: (random) => `${two(1 + random.below(28))}.${two(1 + random.below(12))}.2021`,
  },
  { title: 'date', cell: (random) => `${1 + random.below(12)}/${1 + random.below(28)}/2021` },
  {
    title: 'updated',
    cell: (random) => `2021-${two(1 + random.below(12))}-03T04:${two(random.below(60))}:00Z`,
  },
  { title: 'open?', cell: (random) => random.one(['yes', 'no']) },
  { title: 'lat', cell: (random) => String(39 + random.below(1000) / 1000) },
  { title: 'lon', cell: (random) => String(-76 - random.below(1000) / 1000) },
  {
    title: 'phone',
    cell: (random) => `(410) 555-${two(random.below(99))}${two(random.below(99))}`,
  },
  { title: 'web', cell: (_, row) => `https://example.org/${row}` },
  { title: 'odd', cell: (random) => random.one(['1', '2', '3', 'k. A.', '7*', '<5']) },
  { title: '', cell: () => 'x' },
];

function columnsOf(random: Random): Column[] {
  return random.some(COLUMNS, 7);
}

type Writer = {
  readonly ending: string;
  bytes(header: readonly string[], rows: readonly (readonly string[])[]): Buffer;
};

function writerOf(random: Random): Writer {
  if (random.chance(0.12)) return jsonWriter(random.chance(0.5));
  const delimiter = random.one([',', ',', ';', '\t', '|']);
  const end = random.one(['\n', '\n', '\r\n']);
  const encoding = random.one(['utf8', 'utf8', 'utf8', 'bom', 'latin1', 'utf16le'] as const);
  const quotesAll = random.chance(0.2);
  const titles = random.chance(0.15) ? ['Report of 2021', ''] : [];
  const total = random.chance(0.1);
  const damage = random.chance(0.25) ? random.below(4) : undefined;
  const at = random.below(3);
  const quoted = (cell: string) =>
    quotesAll || [delimiter, '"', '\n'].some((one) => cell.includes(one))
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return {
    ending: delimiter === '\t' ? 'tsv' : 'csv',
    bytes: (header, rows) => {
      const lines = [header, ...rows].map((cells) => cells.map(quoted).join(delimiter));
      const line = lines[at + 1] ?? '';
      if (damage === 0) lines[at + 1] = `${line}${delimiter}extra`;
      if (damage === 1) lines[at + 1] = line.split(delimiter).slice(0, -1).join(delimiter);
      if (damage === 2) lines[at + 1] = `"${line}`;
      if (damage === 3) lines.splice(at + 1, 0, '');
      if (total) lines.push(['Total', ...header.slice(1).map(() => '12')].join(delimiter));
      return encoded([...titles, ...lines, ''].join(end), encoding);
    },
  };
}

function jsonWriter(isLines: boolean): Writer {
  return {
    ending: isLines ? 'ndjson' : 'json',
    bytes: (header, rows) => {
      const records = rows.map((cells) =>
        JSON.stringify(Object.fromEntries(cells.map((cell, i) => [header[i] || 'x', cell]))),
      );
      return Buffer.from(isLines ? `${records.join('\n')}\n` : `[${records.join(',\n')}]`);
    },
  };
}

function encoded(text: string, encoding: 'utf8' | 'bom' | 'latin1' | 'utf16le'): Buffer {
  if (encoding === 'bom') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(text.replaceAll('’', "'"), encoding);
}
