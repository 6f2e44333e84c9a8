import { parquetWriteBuffer } from 'hyparquet-writer';
import { sheetOf } from '../support/sheet-of.ts';
import { type Random, randomOf } from '../tape/requests.ts';
import {
  type ColumnPlan,
  IDS,
  NAME,
  NUMBERS,
  PLAIN_NUMBERS,
  type Right,
  TEXT,
  TIMES,
  type Trap,
} from './made-up-columns.ts';

/** A column as a naive writer means it. */
export type MadeColumn = ColumnPlan & { readonly feature: string; readonly header: string };

/** What is written below the header: rows, and totals and notes, which are none. */
export type MadeRecord = {
  readonly values: readonly Right[];
  /** What the record is a trap for, if it is one. */
  readonly feature?: string;
  readonly isRow: boolean;
  /** The cell that says what it is. */
  readonly label?: string;
};

/** A file, and what each of its cells means. */
export type MadeFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What is unusual above the rows, or that nothing is. */
  readonly header: string;
  /** The header, joined if it has two rows; without one it is blank. */
  readonly headers: readonly string[];
  readonly columns: readonly MadeColumn[];
  readonly records: readonly MadeRecord[];
};

type Cell = string | number;

/** What a format writes: the lines above the header, and perhaps none. */
type Written = Pick<MadeFile, 'columns' | 'records'> & {
  readonly above: readonly (readonly Cell[])[];
  readonly heads: readonly string[];
};

/** The columns that belong to rows that are traps. */
export const PARTS = { group: 'group', level: 'level' } as const;

const FORMATS = { csv, xlsx, json, parquet };

/** The file of a number: the same for ever. */
export function madeUpFile(number: number): MadeFile {
  const random = randomOf(31_000_000 + number);
  const format = random.one<keyof typeof FORMATS>([
    ...(['csv', 'csv', 'csv', 'csv', 'csv'] as const),
    ...(['xlsx', 'xlsx', 'json', 'json', 'parquet'] as const),
  ]);
  const isSheet = format === 'csv' || format === 'xlsx';
  const header = random.one([
    ...['a header', 'a header', 'a header', 'years as headers'],
    ...(isSheet ? ['titles above', 'titles above', 'two header rows', 'no header'] : []),
  ]);
  const totals = random.one([
    ...['', '', '', 'a total at the end', 'a total that does not add up'],
    ...['a total at the top', 'subtotals', 'a level Total'],
  ]);
  const columns = columnsOf(random, format === 'csv', header, totals);
  const heads = columns.map((column) => column.header);
  const records = recordsOf(random, columns, totals);
  if (isSheet && random.chance(0.2)) records.push(...notesBelow(random, columns));
  const groups = header === 'two header rows' ? groupsAbove(random, columns) : undefined;
  const written: Written = {
    ...{ columns, records },
    above: groups ? [groups] : header === 'titles above' ? titles(random) : [],
    heads: header === 'no header' ? [] : heads,
  };
  let group = '';
  const joined = heads.map((head, i) => {
    group = groups?.[i] || group;
    return `${group} ${head}`.trim();
  });
  return {
    name: `made-${number}.${format}`,
    bytes: FORMATS[format](written, random),
    header,
    headers: header === 'no header' ? heads.map(() => '') : joined,
    ...{ columns, records },
  };
}

/** Columns of texts and of traps, three at the least, no header twice. */
function columnsOf(random: Random, isCsv: boolean, header: string, totals: string): MadeColumn[] {
  const taken = new Set<string>();
  const column = ([feature, make]: Trap, wished?: string): MadeColumn => {
    const plan = make(random);
    const free = plan.headers.filter((one) => !taken.has(one.toLowerCase()));
    const name =
      wished ?? (free.length > 0 ? random.one(free) : `${plan.headers[0]} ${taken.size}`);
    taken.add(name.toLowerCase());
    return { ...plan, feature, header: name };
  };
  const trap = (traps: readonly Trap[]) =>
    column(random.one(traps.filter(([feature]) => isCsv || feature !== '="00123"')));
  const part = (feature: string, headers: readonly string[]) =>
    column([feature, () => ({ ...TEXT, headers })]);
  const isGrouped = totals === 'subtotals' || totals === 'a level Total';
  const texts = [
    ...(isGrouped ? [part(PARTS.group, ['region', 'district', 'Kreis', 'country'])] : []),
    totals === 'a level Total' ? part(PARTS.level, ['sex', 'Geschlecht']) : column(['name', NAME]),
  ];
  if (header === 'two header rows' || header === 'years as headers') {
    const few = random.chance(0.3) ? [trap([...IDS, ...TIMES])] : [];
    const first = 1990 + random.below(25);
    const years = Array.from({ length: 4 }, (_, i) => (header === 'two header rows' ? i % 2 : i));
    const plan = random.one(PLAIN_NUMBERS);
    return [...texts, ...few, ...years.map((year) => column(plan, String(first + year)))];
  }
  // A total has the sum of one column at least.
  const sure = trap(NUMBERS);
  const count = 2 + random.below(7 - texts.length) - texts.length;
  const more = Array.from({ length: Math.max(1, count) }, () =>
    trap(random.one([NUMBERS, NUMBERS, IDS, TIMES])),
  );
  const all = [...texts, ...more];
  return totals === '' && random.chance(0.5) ? [...all.reverse(), sure] : [...all, sure];
}

const GROUPS = ['North', 'East', 'South', 'West', 'Centre', 'Coast', 'Valley', 'Islands'];
const WORDS = [
  'Total',
  'TOTAL',
  'Totals',
  'Summe',
  'Gesamt',
  'Grand total',
  'Total général',
  'Sum',
];

/** The records below the header, with their totals. */
function recordsOf(random: Random, columns: readonly MadeColumn[], totals: string): MadeRecord[] {
  // Some columns have blank cells, but not in their first rows.
  const shares = columns.map(({ kind }) => (kind === 'text' || random.chance(0.7) ? 0 : 0.06));
  const draw = (row: number, parts: Readonly<Record<string, string>> = {}): MadeRecord => ({
    isRow: true,
    values: columns.map((column, i) => {
      const isBlank = row > 3 && random.chance(shares[i] as number);
      return parts[column.feature] ?? (isBlank ? null : column.draw(row));
    }),
  });
  const place = (feature: string) => columns.findIndex((column) => column.feature === feature);
  const word = random.one(WORDS);
  if (totals === 'a level Total') {
    const [label, ...sexes] = random.one([
      ['Total', 'Male', 'Female'],
      ['Gesamt', 'Männer', 'Frauen'],
    ]) as [string, string, string];
    return Array.from({ length: 4 + random.below(60) }, (_, number) => {
      const group = `${random.one(GROUPS)} ${number + 1}`;
      const rows = sexes.map((level, i) => draw(3 * number + i, { group, level }));
      const both = totalOf(columns, rows, { [place(PARTS.level)]: label }, totals);
      return [
        ...rows,
        { ...both, isRow: true, values: both.values.with(place(PARTS.group), group) },
      ];
    }).flat();
  }
  if (totals === 'subtotals') {
    const label = random.one<(group: string) => string>([
      (group) => `Total ${group}`,
      (group) => `${group} total`,
      (group) => `Summe ${group}`,
      () => random.one(['Subtotal', 'Zwischensumme']),
    ]);
    const at = place(random.one([PARTS.group, 'name']));
    let row = 0;
    const parts = GROUPS.slice(0, 2 + random.below(6)).map((group) =>
      Array.from({ length: 2 + random.below(25) }, () => draw(row++, { group })),
    );
    const all = parts.flatMap((rows, i) => [
      ...rows,
      totalOf(columns, rows, { [at]: label(GROUPS[i] as string) }, totals),
    ]);
    const whole = totalOf(columns, parts.flat(), { [at]: word }, totals);
    return random.chance(0.6) ? [...all, whole] : all;
  }
  const rows = Array.from({ length: 10 + random.below(191) }, (_, row) => draw(row));
  if (totals === '') return rows;
  const texts = columns.flatMap(({ kind }, i) => (kind === 'text' ? [i] : []));
  const at = random.chance(0.7) ? texts[0] : random.one(texts);
  const factor = totals === 'a total that does not add up' ? 1.2 : 1;
  const total = totalOf(columns, rows, { [at as number]: word }, totals, factor);
  return totals === 'a total at the top' ? [total, ...rows] : [...rows, total];
}

/** A record with the sums of others, or with sums that are not theirs. */
function totalOf(
  columns: readonly MadeColumn[],
  rows: readonly MadeRecord[],
  labels: Readonly<Record<number, string>>,
  feature: string,
  factor = 1,
): MadeRecord & { readonly values: Right[] } {
  const values = columns.map(({ decimals }, column): Right => {
    if (decimals === undefined) return labels[column] ?? null;
    const sum = rows.reduce((all, { values }) => all + Number(values[column] ?? 0), 0);
    return Number((sum * factor).toFixed(decimals));
  });
  return { values, feature, isRow: false, label: Object.values(labels)[0] as string };
}

function notesBelow(random: Random, columns: readonly MadeColumn[]): MadeRecord[] {
  const label = random.one([
    ...['Source: city registry', 'Note: figures are provisional', '* estimated'],
    ...['Quelle: Statistisches Amt', 'Data as of 1 March 2024', 'n/a = not available'],
  ]);
  const blank = columns.map((): Right => null);
  const note = { feature: 'notes below', isRow: false, label, values: blank.with(0, label) };
  return random.chance(0.6) ? [{ isRow: false, values: blank }, note] : [note];
}

function titles(random: Random): string[][] {
  return [
    [random.one(['Annual report', 'Table 3: Results by site', 'City of Testville'])],
    ...(random.chance(0.5) ? [['Exported 2024-03-01']] : []),
    ...(random.chance(0.6) ? [[]] : []),
  ];
}

/** Names above the last four columns, each above two. */
function groupsAbove(random: Random, columns: readonly MadeColumn[]): string[] {
  const [one, other] = random.one([
    ['Population', 'Income'],
    ['Visitors', 'Loans'],
    ['Men', 'Women'],
  ]) as [string, string];
  return [...columns.slice(4).map(() => ''), one, '', other, ''];
}

/** A record's cells as texts. Words and blanks of a total or a note are written as they are. */
export function cellTexts(columns: readonly MadeColumn[], { values, isRow }: MadeRecord): string[] {
  return columns.map(({ kind, write }, i) => {
    const value = values[i] ?? null;
    if (value === null) return isRow && kind === 'absent' ? write(value) : '';
    return isRow || typeof value === 'number' ? write(value) : value;
  });
}

/** Cells with numbers, in columns that have them. */
function typed({ columns }: Written, record: MadeRecord): Cell[] {
  return cellTexts(columns, record).map((text, i) =>
    columns[i]?.isTyped && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text,
  );
}

function csv({ above, heads, columns, records }: Written, random: Random): Uint8Array {
  const delimiter = random.one([',', ',', ';', '\t']);
  const [quotesAll, isPadded] = [random.chance(0.25), random.chance(0.5)];
  const end = random.one(['\n', '\n', '\r\n']);
  const raw = (cell: Cell) => {
    const text = String(cell);
    // So that Excel keeps the zeros; what quotes every cell doubles these quotes.
    if (!quotesAll && text.startsWith('="')) return text;
    const isNeeded = quotesAll || text.includes(delimiter) || text.includes('"');
    return isNeeded ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [...above, heads, ...records.map((record) => cellTexts(columns, record))];
  const whole = lines.map((cells) => {
    const missing = isPadded || cells.length > 1 ? columns.length - cells.length : 0;
    return `${[...cells, ...Array<string>(missing).fill('')].map(raw).join(delimiter)}${end}`;
  });
  if (heads.length === 0) whole.splice(above.length, 1);
  return Buffer.from(whole.join(''));
}

function xlsx(written: Written): Uint8Array {
  const { above, heads, records } = written;
  const lines = [...above, ...(heads.length > 0 ? [heads] : [])];
  return sheetOf([...lines, ...records.map((record) => typed(written, record))]);
}

function json(written: Written, random: Random): Uint8Array {
  const nothing = random.one(['null', '""']);
  // By hand: an object would have years before other names.
  const lines = written.records.map((record) => {
    const members = typed(written, record).map(
      (cell, i) =>
        `${JSON.stringify(written.heads[i])}: ${cell === '' ? nothing : JSON.stringify(cell)}`,
    );
    return `{${members.join(', ')}}`;
  });
  const list = `[\n${lines.join(',\n')}\n]\n`;
  return Buffer.from(random.chance(0.3) ? `{"data": ${list}}` : list);
}

function parquet(written: Written): Uint8Array {
  const rows = written.records.map((record) => typed(written, record));
  const columnData = written.columns.map(({ header, isTyped }, i) => {
    const cells = rows.map((row) => (row[i] === '' ? null : row[i]));
    const isNumber = isTyped && cells.every((one) => typeof one !== 'string');
    const data = isNumber ? cells : cells.map((one) => (one === null ? null : String(one)));
    return { name: header, data, type: isNumber ? 'DOUBLE' : 'STRING', nullable: true } as const;
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
