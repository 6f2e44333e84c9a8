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
import { FURTHER } from './made-up-kinds.ts';

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
  /** The column whose cell is written blank: its label is in a row above. */
  readonly unwritten?: number;
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
  /** How the format is written, if not in the usual way. */
  readonly layout?: string;
};

type Cell = string | number;

/** What a format writes: the lines above the header, and perhaps none. */
type Written = Pick<MadeFile, 'columns' | 'records' | 'layout'> & {
  readonly above: readonly (readonly Cell[])[];
  readonly heads: readonly string[];
};

/** The columns that belong to rows that are traps. */
export const PARTS = { group: 'group', level: 'level' } as const;

const FORMATS = { csv, xlsx, json, parquet };

/** How files are written that are no usual CSV or JSON, by their formats. */
const LAYOUTS = {
  csv: ['', '', '', '', 'delimiter ¦', 'delimiter ||'],
  json: [
    '',
    '',
    'records by id',
    'JSONP',
    'JSON over several lines',
    'JSON without line ends',
    'data beside columns',
  ],
};

/**
 * The file of a number: the same for ever. A mixed one also has what people met with other tools
 * (issue 55).
 */
export function madeUpFile(number: number, isMixed = false): MadeFile {
  const random = randomOf((isMixed ? 55_000_000 : 31_000_000) + number);
  const format = random.one<keyof typeof FORMATS>([
    ...(['csv', 'csv', 'csv', 'csv', 'csv'] as const),
    ...(['xlsx', 'xlsx', 'json', 'json', 'parquet'] as const),
  ]);
  const isSheet = format === 'csv' || format === 'xlsx';
  const header = random.one([
    ...['a header', 'a header', 'a header', 'years as headers'],
    ...(isSheet ? ['titles above', 'titles above', 'two header rows', 'no header'] : []),
    ...(isMixed && format === 'csv' ? ['a wider line above', 'a narrower line above'] : []),
    ...(isMixed && isSheet ? ['labels below names'] : []),
  ]);
  const totals = random.one([
    ...['', '', '', 'a total at the end', 'a total that does not add up'],
    ...['a total at the top', 'subtotals', 'a level Total'],
    ...(isMixed ? ['a total without a word', 'a total without a word', 'figures below'] : []),
    ...(isMixed ? ['labels once a group'] : []),
  ]);
  const columns = columnsOf(random, format, header, totals, isMixed);
  const heads = columns.map((column) => column.header);
  const records = recordsOf(random, columns, totals, isSheet);
  if (isSheet && random.chance(0.2)) records.push(...notesBelow(random, columns, isMixed));
  // A total has a key of its own where records are named.
  const layouts = isMixed && (format === 'csv' || format === 'json') ? LAYOUTS[format] : [''];
  const drawn = layouts.length > 1 ? random.one(layouts) : '';
  const isKeyless = totals === 'a total without a word' || totals === 'figures below';
  const layout = drawn === 'records by id' && isKeyless ? '' : drawn;
  const groups = header === 'two header rows' ? groupsAbove(random, columns) : undefined;
  const labels = header === 'labels below names' ? codesOf(columns) : undefined;
  const above = () => {
    if (groups) return [groups];
    if (labels) return [labels];
    if (header === 'titles above') return titles(random);
    return header.endsWith('line above') ? [lineAbove(random, columns.length, header)] : [];
  };
  const written: Written = {
    ...{ columns, records, layout },
    above: above(),
    heads: header === 'no header' ? [] : heads,
  };
  let group = '';
  const joined = heads.map((head, i) => {
    group = (groups ?? labels)?.[i] || group;
    return `${group} ${head}`.trim();
  });
  return {
    name: `made-${number}.${format}`,
    bytes: FORMATS[format](written, random),
    header,
    headers: header === 'no header' ? heads.map(() => '') : joined,
    ...{ columns, records, layout },
  };
}

/** Columns of texts and of traps, three at the least, no header twice. */
function columnsOf(
  random: Random,
  format: keyof typeof FORMATS,
  header: string,
  totals: string,
  isMixed: boolean,
): MadeColumn[] {
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
    column(random.one(traps.filter(([feature]) => (ONLY_IN[feature] ?? format) === format)));
  const part = (feature: string, headers: readonly string[]) =>
    column([feature, () => ({ ...TEXT, headers })]);
  const isGrouped = totals === 'subtotals' || totals === 'a level Total';
  const texts = [
    ...(totals === 'labels once a group' ? [part(totals, ['region', 'district', 'Kreis'])] : []),
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
  if (isMixed) more.push(...furtherOf(random, trap, column));
  const all = [...texts, ...more];
  return totals === '' && random.chance(0.5) ? [...all.reverse(), sure] : [...all, sure];
}

/** Columns that a format alone has. */
const ONLY_IN: Readonly<Record<string, string>> = {
  '="00123"': 'csv',
  'typed dates and texts': 'xlsx',
};

/** One or two columns of the further kinds, each with the one beside it. */
function furtherOf(
  random: Random,
  trap: (traps: readonly Trap[]) => MadeColumn,
  column: (trap: Trap) => MadeColumn,
): MadeColumn[] {
  return Array.from({ length: 1 + random.below(2) }, () => {
    const one = trap(FURTHER);
    const { beside } = one;
    return beside === undefined ? [one] : [one, column([one.feature, () => beside])];
  }).flat();
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
function recordsOf(
  random: Random,
  columns: readonly MadeColumn[],
  totals: string,
  isSheet: boolean,
): MadeRecord[] {
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
  if (totals === 'labels once a group') {
    const label = random.one<(group: string) => string>([
      (group) => `${group} Total`,
      (group) => `Total ${group}`,
    ]);
    const at = place(totals);
    let row = 0;
    const parts = GROUPS.slice(0, 2 + random.below(6)).map((group) =>
      Array.from({ length: 2 + random.below(8) }, (_, i) => ({
        ...draw(row++, { [totals]: group }),
        ...(i > 0 ? { unwritten: at } : {}),
      })),
    );
    const all = parts.flatMap((rows, i) => [
      ...rows,
      totalOf(columns, rows, { [at]: label(GROUPS[i] as string) }, totals),
    ]);
    return [...all, totalOf(columns, parts.flat(), { [at]: 'Grand Total' }, totals)];
  }
  const rows = Array.from({ length: 10 + random.below(191) }, (_, row) => draw(row));
  if (totals === '') return rows;
  if (totals === 'a total without a word') {
    const total = totalOf(columns, rows, {}, totals);
    const blank = { isRow: false, values: columns.map((): Right => null) };
    return isSheet && random.chance(0.5) ? [...rows, blank, total] : [...rows, total];
  }
  if (totals === 'figures below') {
    const at = columns.findIndex(({ kind }) => kind === 'text');
    const words = random.one([
      ['Average', 'Minimum', 'Maximum'],
      ['Mean', 'Median'],
      ['Mittelwert', 'Minimum', 'Maximum'],
      ['Moyenne'],
      ['Average'],
    ]);
    const below = words.map((word, i) =>
      totalOf(columns, rows, { [at]: word }, totals, (1 + i) / rows.length),
    );
    return [...rows, ...below];
  }
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

/** Codes above the names of columns. */
function codesOf(columns: readonly MadeColumn[]): string[] {
  return columns.map((_, i) => `B0${1000 + 37 * i}_00${i + 1}E`);
}

/** A line about the file, with more or fewer cells than the table. */
function lineAbove(random: Random, width: number, header: string): string[] {
  const count = header.startsWith('a wider') ? width + 1 + random.below(6) : Math.max(2, width - 1);
  const words = ['TOA5', 'Station 4', 'CR1000', '12345', 'EXTF', '700', 'CPU:prog.CR1', 'Table1'];
  return Array.from({ length: count }, (_, i) => words[i % words.length] as string);
}

function notesBelow(
  random: Random,
  columns: readonly MadeColumn[],
  isMixed: boolean,
): MadeRecord[] {
  if (isMixed && random.chance(0.5)) return furtherNotes(random, columns);
  const label = random.one([
    ...['Source: city registry', 'Note: figures are provisional', '* estimated'],
    ...['Quelle: Statistisches Amt', 'Data as of 1 March 2024', 'n/a = not available'],
  ]);
  const blank = columns.map((): Right => null);
  const note = { feature: 'notes below', isRow: false, label, values: blank.with(0, label) };
  return random.chance(0.6) ? [{ isRow: false, values: blank }, note] : [note];
}

/** Several lines of text below a table, as CDC WONDER and statistical offices write them. */
function furtherNotes(random: Random, columns: readonly MadeColumn[]): MadeRecord[] {
  const lines = [
    ...['---', 'Dataset: Underlying causes of death', 'Query Parameters:', 'Rates per 100,000'],
    ...['Suggested citation: Bureau of tests; 2024', 'Caveats:', '1. Data are provisional.'],
  ];
  const first = random.below(2);
  return lines.slice(first, first + 2 + random.below(5)).map((label) => ({
    ...{ feature: 'lines of notes below', isRow: false, label },
    values: columns.map((): Right => null).with(0, label),
  }));
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
export function cellTexts(
  columns: readonly MadeColumn[],
  { values, isRow, unwritten }: MadeRecord,
): string[] {
  return columns.map(({ kind, write, nothing = '' }, i) => {
    const value = i === unwritten ? null : (values[i] ?? null);
    if (value === null) return isRow ? (kind === 'absent' ? write(value) : nothing) : '';
    return isRow || typeof value === 'number' ? write(value) : value;
  });
}

/** Cells with numbers, in columns that have them. */
function typed({ columns }: Written, record: MadeRecord): Cell[] {
  return cellTexts(columns, record).map((text, i) =>
    columns[i]?.isTyped && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text,
  );
}

function csv({ above, heads, columns, records, layout }: Written, random: Random): Uint8Array {
  const usual = random.one([',', ',', ';', '\t']);
  const delimiter = layout?.startsWith('delimiter ') ? layout.slice(10) : usual;
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
    const isShort = cells === above[0] && cells[0] === 'TOA5';
    const missing = !isShort && (isPadded || cells.length > 1) ? columns.length - cells.length : 0;
    return `${[...cells, ...Array<string>(Math.max(0, missing)).fill('')].map(raw).join(delimiter)}${end}`;
  });
  if (heads.length === 0) whole.splice(above.length, 1);
  return Buffer.from(whole.join(''));
}

function xlsx(written: Written): Uint8Array {
  const { above, heads, records } = written;
  const lines = [...above, ...(heads.length > 0 ? [heads] : [])];
  return sheetOf([...lines, ...records.map((record) => withDates(written, record))]);
}

/** Cells with numbers and with dates. */
function withDates(written: Written, record: MadeRecord): (Cell | Date)[] {
  return typed(written, record).map((cell, i) => {
    const day = record.isRow && written.columns[i]?.serial?.(record.values[i] ?? null);
    return typeof day === 'number' ? new Date((day - 25_569) * 86_400_000) : cell;
  });
}

function json(written: Written, random: Random): Uint8Array {
  const { layout } = written;
  const nothing = random.one(['null', '""']);
  // By hand: an object would have years before other names.
  const lines = written.records.map((record) => {
    const members = typed(written, record).map(
      (cell, i) =>
        `${JSON.stringify(written.heads[i])}: ${cell === '' ? nothing : JSON.stringify(cell)}`,
    );
    return layout === 'JSON over several lines'
      ? `{\n  ${members.join(',\n  ')}\n}`
      : `{${members.join(', ')}}`;
  });
  if (layout === 'JSON over several lines') return Buffer.from(`${lines.join('\n')}\n`);
  if (layout === 'JSON without line ends') return Buffer.from(lines.join(''));
  if (layout === 'records by id') {
    return Buffer.from(`{${lines.map((line, i) => `"r${i + 1}": ${line}`).join(',\n')}}`);
  }
  if (layout === 'data beside columns') {
    const cells = written.records.map((record) => JSON.stringify(typed(written, record)));
    return Buffer.from(`{"columns": ${JSON.stringify(written.heads)}, "data": [${cells}]}`);
  }
  if (layout === 'JSONP') return Buffer.from(`callback([\n${lines.join(',\n')}\n]);\n`);
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
