import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import { BadBytes, decodeText, type TextSource } from '../decode-text.ts';
import type { Alternative, GivenWriting, Sniffed, TableChoice } from '../file-format.ts';
import { findHeader, type IsMerged, joinHeaders, usualWidth } from '../find-header.ts';
import { judgeBelow } from '../find-notes.ts';
import { LeaveOut } from '../leave-out.ts';
import { besideText, type FoundTable, findTable, noTable, TableFinder } from '../several-tables.ts';
import { SeedError } from '../source-table.ts';
import {
  cutOf,
  headOf,
  rankReadings,
  readHead,
  reasonOf,
  type ScoredDelimiter,
} from './rank-delimiters.ts';
import { type Cut, type ParsedRecord, RecordParser } from './record-parser.ts';
import { lineOfRecord, linesOf, recordsAbove, recordsIn } from './records-in.ts';

/**
 * Finds out how a file is written: delimiter, quotes and header from its beginning; from the whole
 * file whether cells are quoted, and what is below the table. Trusts what is given.
 */
export async function sniffCsv(source: TextSource, given: GivenWriting = {}): Promise<Sniffed> {
  const { file } = source;
  const readWhole = readerOf(source, given);
  let readText = readWhole;
  let firstLine = 1;
  const table = tableOf(given);
  if (table !== undefined) {
    const [whole] = rankReadings(await headOf(readWhole), given);
    const { cut } = await scanWith(readWhole, cutOf(whole), given);
    const lines = await findTable(recordsIn(readWhole(), cut), table);
    if (lines === undefined) throw noTable(file, table, 'line');
    readText = () => linesOf(readWhole(), lines);
    firstLine = lines.from;
  }
  const { headerRecord, delimiter, quoteChar } = given;
  const headerLine =
    headerRecord === undefined
      ? given.headerLine
      : await lineOfRecord(readText(), { delimiter, quoteChar }, headerRecord);
  const below = { from: headerLine ?? 1, to: Number.POSITIVE_INFINITY };
  const head = await headOf(() => linesOf(readText(), below));
  const ranked = rankReadings(head, given);
  const scanned = await scanWith(readText, cutOf(ranked[0]), given, firstLine);
  let above: number | undefined;
  if (headerLine !== undefined) {
    above = await recordsAbove(readText(), scanned.cut, headerLine);
    if (above === undefined) throw noHeaderLine(file, headerLine, 'line');
  }
  const ofHead = dialectOfHead(head, scanned.cut, given, above);
  const leftOut = await recordsLeftOut(readText(), scanned.cut, firstLine, given, file);
  const sniffed = await conclude(ranked, ofHead, scanned, source, given, leftOut);
  if (table === undefined) return sniffed;
  const reason = tableText(table, `line ${numberText(firstLine)}`);
  return { ...sniffed, reasons: [reason, ...sniffed.reasons] };
}

/** Receives a file's records as they are read. */
export type Seen = (record: ParsedRecord) => void;

/**
 * Finds out how a file is written while `read` reads all of it as its beginning suggests. Undefined
 * if `read` returns false because the suggestion is wrong.
 */
export async function sniffWhileReading(
  source: TextSource,
  given: GivenWriting,
  read: (guess: Dialect, seen: Seen) => Promise<boolean>,
): Promise<Sniffed | undefined> {
  const head = await headOf(readerOf(source, given));
  const ranked = rankReadings(head, given);
  const cut = cutOf(ranked[0]);
  const ofHead = dialectOfHead(head, cut, given);
  const scanner = new Scanner();
  if (!(await read(ofHead.dialectWith([]), (record) => scanner.add(record)))) return undefined;
  return conclude(ranked, ofHead, withQuote({ cut, ...scanner.found() }), source, given);
}

/** The numbers of the records in the lines that a person left out. */
async function recordsLeftOut(
  text: AsyncIterable<string>,
  cut: Cut,
  firstLine: number,
  { leaveOut }: GivenWriting,
  file: string,
): Promise<readonly number[]> {
  if (leaveOut === undefined) return [];
  const found = new LeaveOut(leaveOut, file, 'line');
  let number = 0;
  for await (const { line } of recordsIn(text, cut, { keepsStrayQuotes: true, firstLine })) {
    found.add(line, ++number);
  }
  return found.numbers();
}

function readerOf(source: TextSource, { badBytes }: GivenWriting) {
  return () => decodeText(source, badBytes && new BadBytes());
}

export function tableOf({ table }: GivenWriting): number | undefined {
  return table === 'all' ? undefined : table;
}

export function noHeaderLine(file: string, headerLine: number, counts: 'line' | 'row'): SeedError {
  const reason = `in ${counts} ${numberText(headerLine)} begins no row of cells; --header-line says in which the header begins`;
  return new SeedError(file, reason);
}

/**
 * The dialect that a file's beginning shows, cut into these records. `above` is the number of
 * records above, if a person said that the beginning starts with the header.
 */
function dialectOfHead(head: string, cut: Cut, given: GivenWriting, above?: number) {
  const records = readHead(head, cut);
  const count = given.header === false ? 1 : given.headerRows;
  const inHead = findHeader(records, { given: count, titles: above === undefined ? above : 0 });
  const found = { ...inHead, titles: inHead.titles + (above ?? 0) };
  const { titles } = found;
  const isCertain = found.isCertain || above !== undefined;
  const isSaid = given.headerRows !== undefined || above !== undefined;
  const header = given.header ?? (isSaid || found.hasHeader);
  const headerRows = header ? found.headerRows : 1;
  const aside = header ? numbersFrom(titles + headerRows + 1, found.aside) : [];
  const width = usualWidth(records);
  const beside = besideText(records.slice(titles));
  const isOpen = header && given.header === undefined && !isCertain && width > 1;
  const decoded = { ...cut, badBytes: given.badBytes, table: tableOf(given) };
  const ownCut = isOpen ? { ...decoded, keepsRepeatedHeaders: true as const } : decoded;
  return {
    found,
    header,
    headerRows,
    aside,
    width,
    decoded,
    beside,
    /** The dialect with these records below the table left out. */
    dialectWith: (below: readonly number[]) =>
      withRows(ownCut, { header, titles, headerRows, comments: [...aside, ...below] }),
  };
}

async function conclude(
  [best, ...others]: readonly [ScoredDelimiter, ...ScoredDelimiter[]],
  ofHead: ReturnType<typeof dialectOfHead>,
  { quoting, records, last, tables: parts }: Omit<Scanned, 'cut'>,
  source: TextSource,
  given: GivenWriting,
  leftOut: readonly number[] = [],
): Promise<Sniffed> {
  const { header, headerRows, aside, width, decoded, beside, dialectWith } = ofHead;
  const { titles, why, doubt, mayHaveRows } = ofHead.found;
  const belowHeader = titles + headerRows;
  const below = judgeBelow(last, {
    width,
    header: belowHeader,
    leftOut,
    ranges: given.leaveOut,
    counts: 'record',
    numberOf: (fromEnd) => records - fromEnd,
  });
  const reasons = [
    reasonOf(best),
    ...(quoting === undefined ? [] : [quoting]),
    ...(titles > 0 ? [`the table begins below ${titles} ${titles === 1 ? 'line' : 'lines'}`] : []),
    ...(given.header === undefined && given.headerLine === undefined && headerRows === 1
      ? [`${header ? 'a header' : 'no header'}: ${why}`]
      : []),
    ...(headerRows > 1
      ? [`rows ${titles + 1} to ${belowHeader} of the file are the header, joined`]
      : []),
    ...(beside === undefined ? [] : [beside]),
    ...(aside.length > 0 ? [`records ${aside.join(' and ')} below the header are left out`] : []),
    ...below.clauses,
  ];
  const alternatives: Alternative[] = [];
  if (given.header === undefined && given.headerLine === undefined && doubt !== undefined) {
    const comments = [...aside, ...below.numbers];
    const other = { titles, headerRows: 1, header: !header, comments };
    alternatives.push({ dialect: withRows(decoded, other), why: doubt });
  }
  for (const other of others.filter(({ score }) => score > 0 && score >= NEARLY * best.score)) {
    const { delimiter } = other;
    const { dialect } = await sniffCsv(source, { ...given, delimiter });
    alternatives.push({ dialect, why: reasonOf(other) });
  }
  const tables = given.table === undefined ? choicesOf(parts, titles) : [];
  return {
    dialect: dialectWith(below.numbers),
    reasons,
    leftOut: below.clauses,
    totalsBelow: below.totals,
    alternatives,
    mayHaveRows: header ? mayHaveRows : undefined,
    tables: tables.length > 1 ? tables : undefined,
  };
}

/** The tables that a person may mean, the largest first. Empty unless there are several. */
export function choicesOf(
  tables: readonly FoundTable[],
  titles: number,
  isMerged: IsMerged = () => undefined,
): TableChoice[] {
  const choices: (TableChoice & { readonly isOwn: boolean })[] = [];
  for (const [i, { from, above, records, head }] of tables.entries()) {
    if (head.length === 0) continue;
    const found = findHeader(head, {
      isMerged: (record, column) => isMerged(from + record, column),
    });
    const below = found.titles + found.headerRows;
    // Names and values above the header are titles. Rows below names of their own are not.
    const areTitles = !found.isCertain || records - below < 2;
    if (above + records <= titles && areTitles) continue;
    const header = joinHeaders(head.slice(found.titles, below));
    const [first] = choices;
    // A page of the same table repeats its header.
    const isOther = first !== undefined && String(header) !== String(first.header);
    const isWider = header.length > (first?.header.length ?? 0) && !header.includes('');
    const isOwn = isOther && (found.isCertain || (isWider && found.hasHeader));
    choices.push({ table: i + 1, line: from, rows: records - below, header, isOwn });
  }
  const [first, ...others] = choices;
  const own = others.filter(({ isOwn }) => isOwn);
  if (first === undefined || own.length === 0) return [];
  return [first, ...own]
    .map(({ isOwn, ...choice }) => choice)
    .sort((a, b) => cellsOf(b) - cellsOf(a) || a.table - b.table);
}

export function tableText(table: number, place: string): string {
  return `table ${numberText(table)}, from ${place}; what blank lines part from it is not read`;
}

/** A list of names and values may have more rows than a table, but few cells. */
function cellsOf({ rows, header }: TableChoice): number {
  return (rows + 1) * header.length;
}

/**
 * A second delimiter counts if it scores this share of the best. 1 in 35 files of CSV Wrangling has
 * one; it is right in 2 of 5 of these.
 */
const NEARLY = 0.6;

type Scanned = {
  readonly cut: Cut;
  /** The number of the text's records, and the last ones. */
  readonly records: number;
  readonly last: readonly (readonly string[])[];
  readonly tables: readonly FoundTable[];
  /** Why quotes differ from the default. */
  readonly quoting?: string;
};

/**
 * Scans the whole file. If a quote neither begins nor ends a cell, tests whether spaces are beside
 * delimiters, backslashes are before quotes, or quotes are ordinary characters.
 */
async function scanWith(
  readText: () => AsyncIterable<string>,
  cut: Cut,
  given: GivenWriting,
  firstLine = 1,
): Promise<Scanned> {
  const plain = await scan(readText, cut, firstLine);
  const { faults, quotedCells, firstFault: line } = plain;
  if (faults === 0) return withQuote(plain);
  for (const { quotes, why } of OTHER_QUOTES) {
    const other = await scan(readText, { ...cut, ...quotes }, firstLine);
    if (other.quotedCells > 0 && explains(other, faults)) {
      return { ...other, quoting: `${why}, as in line ${line}` };
    }
  }
  // A few cells in single quotes may be damaged. Apostrophes hardly ever begin and end cells.
  if (given.quoteChar !== undefined || (cut.quoteChar === "'" && quotedCells > 4 * faults)) {
    return withQuote(plain);
  }
  if (cut.quoteChar === "'") {
    const { quoteChar, ...others } = cut;
    return scanWith(readText, others, given, firstLine);
  }
  if (quotedCells > 0) return plain;
  const unquoted = await scan(readText, { ...cut, quoteChar: null }, firstLine);
  return { ...unquoted, quoting: `no cell is in quotes, and line ${line} has one within a cell` };
}

function withQuote(scanned: Scanned): Scanned {
  const { quoteChar } = scanned.cut;
  return quoteChar === "'" ? { ...scanned, quoting: 'cells are in single quotes' } : scanned;
}

/** Whether a way to quote leaves no faults, or few of many: these rows are then damaged. */
function explains({ faults }: Scan, before: number): boolean {
  return faults === 0 || (before - faults > 1 && faults * 4 <= before);
}

const OTHER_QUOTES = [
  { quotes: { skipInitialSpace: true }, why: 'spaces stand between delimiters and quotes' },
  { quotes: { escapeChar: '\\' }, why: 'a backslash stands before a quote in a cell' },
] as const satisfies readonly { quotes: Cut; why: string }[];

type Scan = Scanned & {
  readonly quotedCells: number;
  /** The number of records that cannot be cut, and the line of the first fault. */
  readonly faults: number;
  readonly firstFault?: number;
};

/** Scans the whole text. After a record that cannot be cut, continues with the next line. */
async function scan(
  readText: () => AsyncIterable<string>,
  cut: Cut,
  firstLine: number,
): Promise<Scan> {
  const parser = new RecordParser(cut, { firstLine });
  const scanner = new Scanner();
  let faults = 0;
  let firstFault: number | undefined;
  const read = () => {
    for (const record of parser.records()) {
      if (record.fault !== undefined) {
        faults++;
        firstFault ??= record.faultLine;
      }
      scanner.add(record);
    }
  };
  for await (const text of readText()) {
    parser.add(text);
    read();
  }
  parser.end();
  read();
  const { quotedCells } = parser;
  return { cut, ...scanner.found(), quotedCells, faults, firstFault };
}

/** Counts a text's records, keeps the last ones, and finds its tables. */
class Scanner {
  #records = 0;
  readonly #last: (readonly string[])[] = [];
  readonly #finder = new TableFinder();

  add(record: ParsedRecord): void {
    this.#records++;
    this.#finder.add(record);
    this.#last.push(record.cells);
    if (this.#last.length > KEPT) this.#last.shift();
  }

  /** The findings, once all records were added. */
  found(): Pick<Scanned, 'records' | 'last' | 'tables'> {
    this.#finder.end();
    return { records: this.#records, last: this.#last, tables: this.#finder.tables };
  }
}

/** How many of the last records are kept. Totals and notes at a file's end are fewer. */
export const KEPT = 100;

function withRows(
  cut: Dialect,
  rows: { header: boolean; titles: number; headerRows: number; comments: readonly number[] },
): Dialect {
  const { header, titles, headerRows } = rows;
  const titleRows = header ? [] : Array.from({ length: titles }, (_, i) => i + 1);
  const commentRows = [...titleRows, ...rows.comments];
  return {
    ...cut,
    header: header ? undefined : header,
    headerRows: header && titles + headerRows > 1 ? numbersFrom(titles + 1, headerRows) : undefined,
    commentRows: commentRows.length > 0 ? commentRows : undefined,
  };
}

function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
