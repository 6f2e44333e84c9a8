import { firstFew, inOneLine, shorten } from '../text/wording.ts';
import type { RecordFault } from './csv/record-parser.ts';

/** What every reader of a file gives: its headers, and its records as they are read. */
export type SourceTable = {
  /** As written, without white space around them; blank where the file has none. */
  readonly headers: readonly string[];
  /** The line of the header; 0 if each record names its members. */
  readonly headerLine: number;
  readonly records: AsyncIterable<SourceRecord>;
  /** What `line` of a record, and `headerLine`, count. */
  readonly counts: 'line' | 'record' | 'feature' | 'row';
  /** What was left out or chosen, a clause each; complete once all records are read. */
  readonly notes: readonly string[];
};

/** One record: a cell for each header, as written, blank where there is none; and its line. */
export type SourceRecord = {
  /** None if the row is bad. */
  readonly cells: readonly string[];
  readonly line: number;
  /** What the file itself says that each cell is; absent in a format of texts alone. */
  readonly types?: readonly CellType[];
  /** Set if it cannot be read as it stands; only where the dialect says what becomes of such rows. */
  readonly bad?: BadRow;
};

/** What a file says of a cell that is not blank: `time` is a date or a time, `other` what it does not say. */
export type CellType = 'number' | 'text' | 'boolean' | 'time' | 'other';

/** Lines of a file that should be a row of its table and cannot be read as one. */
export type BadRow = {
  /** As they stand in the file. */
  readonly text: string;
  readonly reason: BadRowReason;
  /** The reason in words, where it is not the same for all rows of that reason. */
  readonly detail?: string;
  /** The rows that it may be; those of one way differ in quotes alone, the likelier one first. */
  readonly ways: readonly (readonly Cells[])[];
};

export type BadRowReason =
  | RecordFault
  | 'too-few-cells'
  | 'too-many-cells'
  | 'faulty-record'
  | 'too-large';

export type Cells = readonly string[];

/** Reads a file's bytes from the beginning; called again to tell where a fault is. */
export type ReadBytes = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Records that start anew each time somebody goes through them. */
export function repeatable<T>(records: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: records };
}

/** One line that says what is wrong with a seed file and where, for its maintainer. */
export class SeedError extends Error {
  /** `counts` says what the number of its place counts, if that is no line. */
  constructor(
    file: string,
    reason: string,
    where: { line?: number; column?: string; counts?: SourceTable['counts'] } = {},
  ) {
    const { line, column, counts = 'line' } = where;
    const place = [
      ...(line === undefined ? [] : [`${counts} ${line}`]),
      ...(column === undefined ? [] : [`column ${inOneLine(column)}`]),
    ].join(', ');
    super(`${inOneLine(file)}${place === '' ? '' : `, ${place}`}: ${reason}`);
  }
}

/** A fault of one record, which leaves the others as they are. */
export class RecordError extends SeedError {
  /** What is wrong, without the place. */
  readonly reason: string;

  /** The same, with the option that leaves such records out. */
  readonly withOption: SeedError;

  constructor(file: string, reason: string, where: { line?: number; column?: string }) {
    super(file, reason, where);
    this.reason = reason;
    this.withOption = new SeedError(file, `${reason}; ${SET_ASIDE}`, where);
  }
}

const SET_ASIDE = "--bad-rows skip (in block.json, the dialect's badRows) sets such records aside";

/**
 * Columns of a JSON, Excel or Parquet file. More are likely data in members' names, as in `{
 * "<id>": … }`.
 */
export const MAX_COLUMNS = 2_000;

/** A JSON record, in characters. Outlines of a coast take some millions. */
export const MAX_RECORD = 16_000_000;

/** Levels of objects that become columns `a.b.c`. What lies below stays JSON text. */
export const MAX_LEVELS = 8;

/** Levels of a JSON value that stays text. */
export const MAX_DEPTH = 100;

/** Names from a file for a message: the first ten, in one line, without what a terminal obeys. */
export function listed(names: readonly string[]): string {
  const shown = names.map((name) => {
    const text = inOneLine(name.slice(0, 100));
    return text.length < name.length ? `${text}…` : text;
  });
  return firstFew(shown, 10);
}

/** What is wrong with a file that lacks a column. */
export function noColumn(
  column: string,
  columns: readonly string[],
  file: string,
  where: { readonly line?: number } = { line: 1 },
): SeedError {
  const reason = `the header has no such column; it has ${shorten(columns.join(', '), 1000)}`;
  return new SeedError(file, reason, { ...where, column });
}
