import { type Random, randomOf } from '../tape/requests.ts';

/** A table as it should be read, and a file of it with a damage at some places. */
export type DamagedFile = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The places of the rows that are damaged. */
  readonly damaged: ReadonlySet<number>;
  readonly text: string;
};

/** How a table is written: a raw cell for each cell, with its quotes. */
type Written = {
  readonly delimiter: string;
  readonly raw: string[][];
  readonly rows: readonly (readonly string[])[];
  readonly random: Random;
};

/** Damages one row. Returns whether it has what can be damaged so. */
type Damage = (written: Written, row: number) => boolean;

const WORDS = [
  'north',
  'harbour',
  'old',
  'mill',
  'Kraków',
  'café',
  'bridge',
  'lower',
  'St.',
  'east',
];
const KINDS = ['retail', 'office', 'garden', 'depot'];
const HEADER = ['id', 'name', 'kind', 'amount', 'day', 'remark'];
const [NAME, REMARK] = [1, 5];

const two = (number: number) => String(number).padStart(2, '0');

/** A file with this damage: the same for each number for ever. */
export function damagedFile(damage: Damage, number: number): DamagedFile {
  const random = randomOf(26_000_000 + number);
  const rows = Array.from({ length: 100 + random.below(300) }, (_, i) => rowOf(random, i));
  const delimiter = random.one([',', ',', ';', '\t']);
  const quotesTexts = random.chance(0.5);
  const raw = rows.map((cells) =>
    cells.map((cell, column) => {
      const isText = quotesTexts && (column === NAME || column === REMARK) && cell !== '';
      const isNeeded = cell.includes(delimiter) || cell.includes('"');
      return isText || isNeeded ? `"${cell.replaceAll('"', '""')}"` : cell;
    }),
  );
  const damaged = new Set<number>();
  const wanted = 1 + random.below(3);
  for (let tries = 0; damaged.size < wanted && tries < 500; tries++) {
    const row = random.below(rows.length);
    if (!damaged.has(row) && damage({ delimiter, raw, rows, random }, row)) damaged.add(row);
  }
  const lines = [HEADER, ...raw].map((cells) => `${cells.join(delimiter)}\n`);
  return { header: HEADER, rows, damaged, text: lines.join('') };
}

function rowOf(random: Random, row: number): string[] {
  const words = () =>
    Array.from({ length: 1 + random.below(3) }, () => random.one(WORDS)).join(' ');
  const joined = random.chance(0.2) ? `${words()}, ${words()}` : words();
  const name = random.chance(0.1) ? `${joined} "${random.one(WORDS)}" x` : joined;
  const day = `2023-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  const amount = (random.below(100_000) / 100).toFixed(2);
  return [String(row + 1), name, random.one(KINDS), amount, day, random.chance(0.3) ? '' : words()];
}

const isQuoted = (cell: string) => cell.startsWith('"');

/** Changes one raw cell of a row that passes; false if none does. */
function inCell(
  passes: (raw: string, cell: string, column: number) => boolean,
  change: (raw: string, written: Written) => string,
): Damage {
  return (written, row) => {
    const { raw, rows, random } = written;
    const cells = raw[row] as string[];
    const places = cells.flatMap((cell, column) =>
      passes(cell, rows[row]?.[column] as string, column) ? [column] : [],
    );
    if (places.length === 0) return false;
    const column = random.one(places);
    cells[column] = change(cells[column] as string, written);
    return true;
  };
}

const within = (text: string, random: Random) => 1 + random.below(text.length - 1);
const isBareText = (raw: string, cell: string, column: number) =>
  !isQuoted(raw) && cell.length > 3 && (column === NAME || column === REMARK);
const insert = (text: string, at: number, what: string) =>
  text.slice(0, at) + what + text.slice(at);

/** Damages of single rows, by what happened. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  'a quote within a cell without quotes': inCell(isBareText, (raw, { random }) =>
    insert(raw, within(raw, random), '"'),
  ),
  'a quote before a cell without quotes': inCell(isBareText, (raw) => `"${raw}`),
  'a quote behind a cell without quotes': inCell(isBareText, (raw) => `${raw}"`),
  'a quote too many in a quoted cell': inCell(
    (raw, cell) => isQuoted(raw) && /^[a-z ]{4,}$/i.test(cell),
    (raw, { random }) => insert(raw, 2 + random.below(raw.length - 3), '"'),
  ),
  'quotes in a quoted cell are not doubled': inCell(
    (raw) => raw.slice(1, -1).includes('""'),
    (raw) => `"${raw.slice(1, -1).replaceAll('""', '"')}"`,
  ),
  'a closing quote is lost': inCell(isQuoted, (raw) => raw.slice(0, -1)),
  'an opening quote is lost': inCell(isQuoted, (raw) => raw.slice(1)),
  'text behind a closing quote': inCell(
    isQuoted,
    (raw, { random }) => raw + random.one([' ', ' x', 'x']),
  ),
  'a delimiter without quotes': inCell(
    (raw, cell) => isQuoted(raw) && /, /.test(cell) && !cell.includes('"'),
    (raw) => raw.slice(1, -1),
  ),
  'a line end without quotes': inCell(isBareText, (raw, { random }) =>
    insert(raw, within(raw, random), '\n'),
  ),
  'a cell too many': ({ raw, random }, row) => {
    const cells = raw[row] as string[];
    cells.splice(random.below(cells.length + 1), 0, random.one(['x', '7', '']));
    return true;
  },
  'a cell too few': ({ raw, random }, row) => {
    const cells = raw[row] as string[];
    cells.splice(random.below(cells.length), 1);
    return true;
  },
  'cells are missing at the end': ({ raw, random }, row) => {
    const cells = raw[row] as string[];
    cells.length -= 1 + random.below(3);
    return true;
  },
  'a row is cut off': ({ raw, random, delimiter }, row) => {
    const text = (raw[row] as string[]).join(delimiter);
    raw[row] = [text.slice(0, 1 + random.below(text.length - 1))];
    return true;
  },
  'a row is another table’s': ({ raw }, row) => {
    raw[row] = ['<!-- server error -->'];
    return true;
  },
};
