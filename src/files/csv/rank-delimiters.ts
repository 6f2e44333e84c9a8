import { DELIMITERS, nameOfDelimiter } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import type { GivenWriting } from '../file-format.ts';
import { kindOf, usualWidth } from '../find-header.ts';
import { type Cut, RecordParser } from './record-parser.ts';

/**
 * The beginning of a file, from which its dialect is found. Four times as much finds no more
 * delimiters right (bench/dialects).
 */
const HEAD_CHARACTERS = 2 ** 16;

/** The beginning of a text, cut after a line unless it is the whole text. */
export async function headOf(readText: () => AsyncIterable<string>): Promise<string> {
  let head = '';
  for await (const text of readText()) {
    head += text;
    if (head.length > HEAD_CHARACTERS) {
      const lines = head.slice(0, head.lastIndexOf('\n', HEAD_CHARACTERS) + 1);
      return lines === '' ? head.slice(0, HEAD_CHARACTERS) : lines;
    }
  }
  return head;
}

/** Ranks the possible delimiters, the best first. */
export function rankReadings(
  head: string,
  given: GivenWriting,
): [ScoredDelimiter, ...ScoredDelimiter[]] {
  const stated = given.delimiter ?? STATED.exec(head)?.[1];
  const readings = scoreDelimiters(
    head,
    given.quoteChar === undefined ? ['"', "'"] : [given.quoteChar],
    stated === undefined ? DELIMITERS : [stated],
  );
  const [best] = readings;
  if (stated !== undefined) return readings;
  if (best.delimiter === '|' && isDoubled(best)) {
    return [reading(head, '||', best.quoteChar), ...readings.slice(1)];
  }
  const seldom = isEven(best) ? undefined : seldomReading(head, best.quoteChar);
  if (seldom !== undefined) return [seldom];
  if (best.cutRecords >= CUT_AT_LEAST) return readings;
  // A single column: a delimiter that cuts nothing cannot be wrong. Readers expect a comma.
  const commaOrNone = readings.toSorted((a, b) => a.cutRecords - b.cutRecords);
  return [commaOrNone[0] as ScoredDelimiter];
}

/** Delimiters that are tried if no usual one cuts nearly all records into equally many cells. */
const SELDOM = ['^', '~'];

/** The least number of cells that a seldom delimiter makes of a record. */
const LEAST_CELLS = 3;

function seldomReading(head: string, quoteChar: QuoteChar): ScoredDelimiter | undefined {
  return SELDOM.map((delimiter) => reading(head, delimiter, quoteChar)).find(
    (one) => isEven(one) && one.records.length > 1 && usualWidth(one.records) >= LEAST_CELLS,
  );
}

/** Whether nearly all records have equally many cells, and more than one. */
function isEven({ records }: ScoredDelimiter): boolean {
  const width = usualWidth(records);
  return (
    width > 1 && records.filter(({ length }) => length === width).length >= 0.95 * records.length
  );
}

/** Whether every second cell is blank in nearly all records: a delimiter stands twice. */
function isDoubled({ records }: ScoredDelimiter): boolean {
  const isTwice = (cells: readonly string[]) =>
    cells.length > 2 &&
    cells.length % 2 === 1 &&
    cells.every((cell, i) => i % 2 === 0 || cell === '');
  return records.filter(isTwice).length >= 0.9 * records.length;
}

/** Excel's line that states the delimiter. */
const STATED = /^"?sep=([,;\t|])"?\n/i;

/** A delimiter that cuts a smaller share of the records is punctuation in a file of one column. */
const CUT_AT_LEAST = 0.1;

export function reasonOf({ delimiter, records, cutRecords }: ScoredDelimiter): string {
  if (cutRecords < CUT_AT_LEAST) {
    const isByWidth = records.filter(hasWideSpaces).length >= 0.9 * records.length;
    return `one column: no delimiter cuts its records${isByWidth ? '; columns that spaces bring to one width are not read: save it as CSV' : ''}`;
  }
  const width = usualWidth(records.filter(({ length }) => length > 1));
  const count = records.filter(({ length }) => length === width).length;
  const of = count === records.length ? 'all' : `${numberText(count)} of`;
  return `${nameOfDelimiter(delimiter)}: ${of} ${numberText(records.length)} rows looked at have ${width} cells`;
}

/** Whether a line has parts with two or more spaces between them. */
function hasWideSpaces(cells: readonly string[]): boolean {
  return /\S {2,}\S/.test(cells.join(' '));
}

export function cutOf({ delimiter, quoteChar }: ScoredDelimiter): Cut {
  return {
    delimiter: delimiter === ',' ? undefined : delimiter,
    quoteChar: quoteChar === '"' ? undefined : quoteChar,
  };
}

type QuoteChar = string | null;

/** A delimiter, and the records that it makes of a file's beginning. */
export type ScoredDelimiter = {
  readonly delimiter: string;
  readonly quoteChar: QuoteChar;
  /** From 0, if it cuts nothing, to 1. */
  readonly score: number;
  /** The share of records that it cuts. */
  readonly cutRecords: number;
  readonly records: readonly (readonly string[])[];
};

/**
 * Scores each delimiter by the records that it makes of a file's beginning, the best first. Good
 * records have many cells, equally many, and of recognisable kinds. After van den Burg, Nazábal and
 * Sutton, "Wrangling messy CSV files by detecting row and type patterns", 2019.
 */
function scoreDelimiters(
  head: string,
  quotes: readonly QuoteChar[],
  delimiters: readonly string[],
): [ScoredDelimiter, ...ScoredDelimiter[]] {
  const byScore = (a: ScoredDelimiter, b: ScoredDelimiter) => b.score - a.score;
  const scored = delimiters.map((delimiter) => {
    const readings = quotes.map((quoteChar) => reading(head, delimiter, quoteChar));
    // Ignores a quote sign that quotes no cell.
    const [usual, ...others] = readings as [QuotedReading, ...QuotedReading[]];
    return [usual, ...others.filter(({ hasQuotedCell }) => hasQuotedCell)].sort(
      byScore,
    )[0] as ScoredDelimiter;
  });
  return scored.sort(byScore) as [ScoredDelimiter, ...ScoredDelimiter[]];
}

/**
 * A character as web pages write it, which ends with a semicolon: `&amp;`, `&#39;`. Only names that
 * are common: `Johnson&Johnson;` ends a cell.
 */
const ENTITY =
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[lr]s?aquo|iquest|iexcl|middot|ord[fm]|[mn]dash|hellip|euro|copy|reg|deg|szlig|[ao]elig|[a-z](?:acute|grave|circ|tilde|uml|ring|cedil|slash));/gi;

type QuotedReading = ScoredDelimiter & { readonly hasQuotedCell: boolean };

function reading(head: string, delimiter: string, quoteChar: QuoteChar): QuotedReading {
  const cuttable = delimiter === ';' ? head.replace(ENTITY, '') : head;
  const { records, hasQuotedCell } = parseHead(cuttable, { delimiter, quoteChar });
  const cut = records.filter(({ length }) => length > 1).length;
  const cutRecords = cut / Math.max(records.length, 1);
  return { delimiter, quoteChar, score: scoreOf(records), cutRecords, records, hasQuotedCell };
}

/** The records of a file's beginning. Quotes in cells are not faults. */
export function readHead(head: string, cut: Cut): string[][] {
  return parseHead(head, cut).records;
}

function parseHead(head: string, cut: Cut): { records: string[][]; hasQuotedCell: boolean } {
  const records: string[][] = [];
  const parser = new RecordParser(cut, { keepsStrayQuotes: true });
  parser.add(head);
  parser.end();
  while (records.length < MOST_RECORDS) {
    const record = parser.next();
    if (record === undefined) break;
    // A quote that is never closed, or not in this beginning, is skipped with its line.
    if (record.fault === undefined) records.push(record.cells);
    else parser.skipLines(1);
  }
  return { records, hasQuotedCell: parser.quotedCells > 0 };
}

/** Records of a file's beginning, from which its dialect is found. */
const MOST_RECORDS = 1000;

function scoreOf(records: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>();
  let known = 0;
  let cells = 0;
  for (const record of records) {
    widths.set(record.length, (widths.get(record.length) ?? 0) + 1);
    cells += record.length;
    for (const cell of record) if (kindOf(cell) !== 'other') known++;
  }
  if (cells === 0) return 0;
  let cuts = 0;
  for (const [width, count] of widths) cuts += (count * (width - 1)) / width;
  return (cuts / widths.size / records.length) * (known / cells);
}
