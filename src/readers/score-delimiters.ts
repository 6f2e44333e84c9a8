import { parse } from 'csv-parse/sync';
import { DELIMITERS, type Delimiter, type Dialect } from '../block/declaration.ts';
import { kindOf } from './cell-kind.ts';
import { parseOptions } from './parse-options.ts';

type QuoteChar = '"' | "'" | null;

/** A delimiter, and what it makes of a file's beginning. */
export type ScoredDelimiter = {
  readonly delimiter: Delimiter;
  readonly quoteChar: QuoteChar;
  /** 0 if it cuts nothing; at most 1. */
  readonly score: number;
  /** The share of records that it cuts. */
  readonly cutRecords: number;
  readonly records: readonly (readonly string[])[];
};

/**
 * Scores each delimiter by what it makes of a file's beginning, the best first: many cells a record,
 * as many in each record, and cells that look like something. After van den Burg, Nazábal and Sutton,
 * "Wrangling messy CSV files by detecting row and type patterns", 2019.
 */
export function scoreDelimiters(
  head: string,
  quotes: readonly QuoteChar[],
): [ScoredDelimiter, ...ScoredDelimiter[]] {
  const byScore = (a: ScoredDelimiter, b: ScoredDelimiter) => b.score - a.score;
  const scored = DELIMITERS.map((delimiter) => {
    const readings = quotes.map((quoteChar) => reading(head, delimiter, quoteChar));
    return readings.sort(byScore)[0] as ScoredDelimiter;
  });
  return scored.sort(byScore) as [ScoredDelimiter, ...ScoredDelimiter[]];
}

function reading(head: string, delimiter: Delimiter, quoteChar: QuoteChar): ScoredDelimiter {
  const records = readHead(head, { delimiter, quoteChar });
  const cut = records.filter(({ length }) => length > 1).length;
  const cutRecords = cut / Math.max(records.length, 1);
  return { delimiter, quoteChar, score: scoreOf(records), cutRecords, records };
}

/** The records of a file's beginning, as far as they can be read, with the faults that they have. */
export function readHead(head: string, dialect: Dialect): string[][] {
  const records: string[][] = [];
  try {
    parse(head, {
      ...parseOptions(dialect),
      relax_quotes: true,
      relax_column_count: true,
      to: MOST_RECORDS,
      on_record: (record: string[]) => {
        records.push(record);
        return null;
      },
    });
  } catch {
    // A quote is open at the end: what was read before it tells enough.
  }
  return records;
}

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
