import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import { BadBytes, decodeText, type TextSource } from '../decode-text.ts';
import type { Alternative, GivenWriting, Sniffed } from '../file-format.ts';
import { findHeader, lowerHeaderText, noHeaderLine, usualWidth } from '../find-header.ts';
import { judgeBelow } from '../find-notes.ts';
import { LeaveOut } from '../leave-out.ts';
import {
  besideText,
  choicesOf,
  findTable,
  noTable,
  tableOf,
  tableText,
} from '../several-tables.ts';
import { cutOf, headOf, rankReadings, readHead, reasonOf } from './rank-delimiters.ts';
import type { Cut } from './record-parser.ts';
import { lineOfRecord, linesOf, recordsAbove, recordsIn } from './records-in.ts';
import { type CutText, cutText, type Scanned, withQuote } from './scan-records.ts';

/**
 * Finds out how a file is written: delimiter, quotes and header from its beginning; from the whole
 * file whether cells are quoted, and what is below the table. Trusts what is given.
 */
export async function sniffCsv(source: TextSource, given: GivenWriting = {}): Promise<Sniffed> {
  const { file } = source;
  const { readText, firstLine, reasons } = await textOf(source, given);
  const { headerRecord, delimiter, quoteChar } = given;
  const headerLine =
    headerRecord === undefined
      ? given.headerLine
      : await lineOfRecord(readText(), { delimiter, quoteChar }, headerRecord);
  const below = { from: headerLine ?? 1, to: Number.POSITIVE_INFINITY };
  const head = await headOf(() => linesOf(readText(), below));
  const ranked = rankReadings(head, given);
  const text = await cutText(readText, cutOf(ranked[0]), given, firstLine);
  let above: number | undefined;
  if (headerLine !== undefined) {
    above = await recordsAbove(readText(), text.cut, headerLine);
    if (above === undefined) throw noHeaderLine(file, headerLine, 'line');
  }
  const guess = { ranked, cut: text.cut, ...dialectOfHead(head, text.cut, given, above) };
  const leftOut = await recordsLeftOut(readText(), text.cut, firstLine, given, file);
  const sniffed = await conclude(guess, text, source, given, leftOut);
  return { ...sniffed, reasons: [...reasons, ...sniffed.reasons] };
}

/** The text of the table that is read: of the whole file, unless another one is given. */
async function textOf(source: TextSource, given: GivenWriting) {
  const readWhole = readerOf(source, given);
  const table = tableOf(given);
  if (table === undefined) return { readText: readWhole, firstLine: 1, reasons: [] };
  const [best] = rankReadings(await headOf(readWhole), given);
  const { cut } = await cutText(readWhole, cutOf(best), given);
  const lines = await findTable(recordsIn(readWhole(), cut), table);
  if (lines === undefined) throw noTable(source.file, table, 'line');
  const reasons = [tableText(table, `line ${numberText(lines.from)}`)];
  return { readText: () => linesOf(readWhole(), lines), firstLine: lines.from, reasons };
}

/** How a file is written as far as its beginning shows. */
export type CsvGuess = ReturnType<typeof dialectOfHead> & {
  readonly ranked: ReturnType<typeof rankReadings>;
  readonly cut: Cut;
};

/** Finds out from a file's beginning how it is written. */
export async function guessCsv(source: TextSource, given: GivenWriting): Promise<CsvGuess> {
  const head = await headOf(readerOf(source, given));
  const ranked = rankReadings(head, given);
  const cut = cutOf(ranked[0]);
  return { ranked, cut, ...dialectOfHead(head, cut, given) };
}

/** What `sniffCsv` finds, if a reading as guessed has shown all records and none has a fault. */
export function confirmGuess(
  guess: CsvGuess,
  scanned: Scanned,
  source: TextSource,
  given: GivenWriting,
): Promise<Sniffed> {
  return conclude(guess, withQuote({ cut: guess.cut, scanned }), source, given);
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
  guess: CsvGuess,
  { quoting, scanned }: CutText,
  source: TextSource,
  given: GivenWriting,
  leftOut: readonly number[] = [],
): Promise<Sniffed> {
  const { header, headerRows, aside, width, decoded, beside, dialectWith } = guess;
  const { titles, why, doubt, mayHaveRows, lower } = guess.found;
  const [best, ...others] = guess.ranked;
  const { records, last, tables: parts } = scanned;
  const isOpen = given.header === undefined && given.headerLine === undefined;
  const headerBelow =
    lower === undefined || !isOpen
      ? undefined
      : await lineOfRecord(readerOf(source, given)(), decoded, lower + 1);
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
    ...(headerBelow === undefined ? [] : [lowerHeaderText(headerBelow, 'line')]),
    ...(isOpen && headerRows === 1 ? [`${header ? 'a header' : 'no header'}: ${why}`] : []),
    ...(headerRows > 1
      ? [`rows ${titles + 1} to ${belowHeader} of the file are the header, joined`]
      : []),
    ...(beside === undefined ? [] : [beside]),
    ...(aside.length > 0 ? [`records ${aside.join(' and ')} below the header are left out`] : []),
    ...below.clauses,
  ];
  const alternatives: Alternative[] = [];
  if (isOpen && doubt !== undefined) {
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

/**
 * A second delimiter counts if it scores this share of the best. 1 in 35 files of CSV Wrangling has
 * one; it is right in 2 of 5 of these.
 */
const NEARLY = 0.6;

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
