import { firstFew, inOneLine, shorten } from '../text/wording.ts';

/** The result of every reader of files: the headers, and a stream of records. */
export type SourceTable = {
  /** As written, trimmed. Blank where the file has none. */
  readonly headers: readonly string[];
  /** The line of the header. 0 if each record names its members. */
  readonly headerLine: number;
  readonly records: AsyncIterable<SourceRecord>;
  /** What `line` of a record, and `headerLine`, count. */
  readonly counts: 'line' | 'record' | 'feature' | 'row';
  /** A clause for each thing that was left out or chosen. Complete once all records are read. */
  readonly notes: readonly string[];
  /** Where the places of the file's geometries are. Absent if it has none. */
  readonly geometry?: GeometryColumns;
  /**
   * The first position that is on no map, if all positions of the file are on one with the latitude
   * first. A person must decide.
   */
  readonly mayBeLatitudeFirst?: { readonly position: string; readonly line: number };
};

/** The columns of the places that stand for a file's geometries. */
export type GeometryColumns = {
  readonly longitude: number;
  readonly latitude: number;
  /** What every geometry is. */
  readonly are: 'points' | 'areas' | 'others';
};

/** A record: its line, and a cell for each header, as written or blank. */
export type SourceRecord = {
  /** Empty if the row is bad. */
  readonly cells: readonly string[];
  readonly line: number;
  /** The type that the file itself gives each cell. Absent in a format of texts alone. */
  readonly types?: readonly CellType[];
  /** Set if the row cannot be read as it stands. Only if the dialect handles bad rows. */
  readonly bad?: BadRow;
};

/** The file's own type of a filled cell. `time` is a date or a time; `other` is unknown. */
export type CellType = 'number' | 'text' | 'boolean' | 'time' | 'other';

/** Lines of a file that should be a row of its table, but cannot be read as one. */
export type BadRow = {
  /** The lines as they stand in the file. */
  readonly text: string;
  readonly reason: BadRowReason;
  /** The reason in words, if it varies between rows. */
  readonly detail?: string;
  /** The rows that it may be. Those of one way differ only in quotes, the likelier one first. */
  readonly ways: readonly (readonly Cells[])[];
  /**
   * The rows that the first of its lines may be alone. One that fits makes the ways doubtful, and is
   * not a way itself, because the other lines would be lost.
   */
  readonly waysOfFirst?: readonly (readonly Cells[])[];
};

export type BadRowReason =
  | RecordFault
  | 'too-few-cells'
  | 'too-many-cells'
  | 'faulty-record'
  | 'too-large';

export type Cells = readonly string[];

/** Reads a file's bytes from the beginning. Called again to find the place of a fault. */
export type ReadBytes = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Some records, in the order of their file. */
export type Batch<T> = Iterable<T> & { readonly length: number };

/** Records that come many at a time: to wait for each of them takes longer than to read it. */
export class Batched<T> implements AsyncIterable<T> {
  readonly batches: AsyncIterable<Batch<T>>;

  constructor(batches: AsyncIterable<Batch<T>>) {
    this.batches = batches;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const batch of this.batches) for (const one of batch) yield one;
  }
}

/** Records in batches: of one record each, if they come one by one. */
export function batchesOf<T>(records: AsyncIterable<T>): AsyncIterable<Batch<T>> {
  return records instanceof Batched ? records.batches : oneByOne(records);
}

async function* oneByOne<T>(records: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  for await (const record of records) yield [record];
}

/** Makes records start anew with each iteration. */
export function repeatable<T>(records: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: records };
}

/** Says in one line what is wrong with a seed file and where, for its maintainer. */
export class SeedError extends Error {
  /** `counts` says what the place counts, if not lines. */
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

/** A fault of one record, which does not affect the others. */
export class RecordError extends SeedError {
  /** The fault without the place. */
  readonly reason: string;

  /** The same error, with the option that leaves such records out. */
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

/** Levels of objects that become columns `a.b.c`. Deeper ones stay JSON text. */
export const MAX_LEVELS = 8;

/** Levels of a JSON value that stays text. */
export const MAX_DEPTH = 100;

/** Lists names from a file in a message: the first ten, in one line, without control characters. */
export function listed(names: readonly string[]): string {
  const shown = names.map((name) => {
    const text = inOneLine(name.slice(0, 100));
    return text.length < name.length ? `${text}…` : text;
  });
  return firstFew(shown, 10);
}

/** The error for a file that lacks a column. */
export function noColumn(
  column: string,
  columns: readonly string[],
  file: string,
  where: { readonly line?: number } = { line: 1 },
): SeedError {
  const reason = `the header has no such column; it has ${shorten(columns.join(', '), 1000)}`;
  return new SeedError(file, reason, { ...where, column });
}

/** Why a record cannot be cut as the dialect says. */
export type RecordFault =
  /** A quote in a cell that does not begin with one. */
  | 'quote-in-cell'
  /** Something other than a delimiter or a line end after a closing quote. */
  | 'text-behind-quote'
  /** An escape character before a character that needs none. */
  | 'needless-escape'
  /** A quote that is opened and never closed. */
  | 'open-quote'
  /** The record has over MOST_OF_RECORD characters. */
  | 'too-long'
  /** The record has over MOST_OF_RECORD characters, and a quote is open. */
  | 'too-long-quote';

/** Stands before each JSON text of a sequence (RFC 7464). */
export const RECORD_SEPARATOR = 0x1e;
