import { BadRowCount } from '../files/bad-row.ts';
import { PlainRows } from '../files/plain-rows.ts';
import {
  type BadRow,
  batchesOf,
  type CellType,
  SeedError,
  type SourceTable,
} from '../files/source-table.ts';
import { numberText } from '../text/wording.ts';
import { largeRows } from './bad-rows.ts';
import { nameColumns } from './column-names.ts';
import { ColumnEvidence } from './evidence/column.ts';
import { roomForColumns } from './evidence/distinct-texts.ts';
import {
  type PlaceColumns,
  PlaceEvidence,
  PointColumns,
  placeColumns,
  type SaidPlaces,
  saidPlaces,
} from './evidence/place.ts';
import { type TotalRow, TotalsApart } from './find-totals.ts';
import { type Given, givenFor } from './given.ts';
import type { FoundPlaces } from './propose-roles.ts';
import { few } from './questions.ts';

/** Is called with a line for the person who waits: how far the work is, or what went wrong. */
export type OnProgress = (line: string) => void;

/** A column of a file, and the evidence from all its cells. */
export type ReadColumn = {
  readonly name: string;
  readonly header: string;
  /** Why the name is not made of the header alone. */
  readonly why?: string;
  readonly evidence: ColumnEvidence;
};

/**
 * Finds the column that an option names, by its name or its header. Throws a SeedError if there is
 * none.
 */
export function columnNamed<Column extends Pick<ReadColumn, 'name' | 'header'>>(
  columns: readonly Column[],
  given: string,
  option: string,
  file: string,
): Column {
  const found = columns.find(({ name, header }) => given === name || given === header);
  if (found !== undefined) return found;
  const names = columns.map(({ name }) => name);
  const reason = `${option} names ${JSON.stringify(given)}; the columns are ${few(names, ', ', 'columns')}`;
  throw new SeedError(file, reason);
}

/** What one reading of the whole file has found. */
export type ReadColumns = {
  readonly columns: readonly ReadColumn[];
  readonly places?: FoundPlaces;
  /** The columns whose headers are of places. */
  readonly named?: PlaceColumns;
  readonly points: PointColumns;
  /** The places in columns beside those of the geometries. */
  readonly said?: SaidPlaces;
  /** How many rows are good, without those that are called totals. */
  readonly rows: number;
  /** Rows that are called totals. They are not yet in the columns' evidence. */
  readonly totals: readonly TotalRow[];
  /** Rows that cannot be read as they stand. */
  readonly bad: { readonly line: number; readonly bad: BadRow }[];
  /** What the numbers of places count. */
  readonly counts: SourceTable['counts'];
  readonly geometry?: SourceTable['geometry'];
  readonly notes: readonly string[];
};

/** Rows between two reports of progress. */
const ROWS_A_STEP = 100_000;

/** Reads every cell of a table. Throws a SeedError if a row does not fit its header. */
export async function gatherEvidence(
  table: SourceTable,
  file: string,
  given: Given,
  onProgress: OnProgress,
): Promise<ReadColumns> {
  const room = roomForColumns();
  const columns = nameColumns(table.headers).map((column) => ({
    ...column,
    evidence: new ColumnEvidence(column.header, room, givenFor(given, column)),
  }));
  const { counts, geometry } = table;
  const isDrawn = (at: number) => at === geometry?.longitude || at === geometry?.latitude;
  const named = placeColumns(table.headers.map((header, at) => (isDrawn(at) ? '' : header)));
  const at = geometry ?? named;
  const places = at && { columns: at, evidence: new PlaceEvidence(at), counts };
  const chosen = given.places;
  if (chosen !== undefined && geometry !== undefined) {
    throw new SeedError(file, '--places is given, and the file has geometries; leave it out');
  }
  const chosenColumn =
    chosen === undefined ? undefined : columnNamed(columns, chosen, '--places', file);
  const points = new PointColumns(columns.length, chosenColumn && columns.indexOf(chosenColumn));
  const said = saidPlaces(named, geometry);
  const read = { columns, points, places, named, geometry, said };
  let rows = 0;
  let marks: { count: number; line: number } | undefined;
  const badRows: { line: number; bad: BadRow }[] = [];
  const tooLarge = largeRows(columns.map(({ name }, at) => ({ at, name })));
  const count = new BadRowCount();
  const totals = new TotalsApart();
  for await (const batch of batchesOf(table.records)) {
    if (batch instanceof PlainRows) {
      totals.passOrdinary();
      rows += addRows({ ...read, bad: badRows }, totals.takeOrdinary());
      addPlainRows(read, batch);
      rows += batch.length;
      const over = rows % ROWS_A_STEP;
      if (over < batch.length) onProgress(`${numberText(rows - over)} rows read`);
      continue;
    }
    for (const record of batch) {
      const { cells, line, types, bad: faulty } = record;
      const isApart = totals.add(record);
      const ordinary = totals.takeOrdinary();
      if (ordinary.length > 0) rows += addRows({ ...read, bad: badRows }, ordinary);
      if (isApart) continue;
      const bad = faulty ?? tooLarge(cells);
      if (bad !== undefined) {
        count.add(bad, file, { line });
        badRows.push({ line, bad });
        continue;
      }
      addRow(read, cells, line, types);
      if (cells.some(hasMark))
        marks = { line: marks?.line ?? line, count: (marks?.count ?? 0) + 1 };
      rows++;
      if (rows % ROWS_A_STEP === 0) onProgress(`${numberText(rows)} rows read`);
    }
  }
  for (const { evidence } of columns) evidence.endRows();
  const apart = totals.take();
  rows += addRows({ ...read, bad: badRows }, totals.takeOrdinary());
  if (columns.length === 0)
    throw new SeedError(file, 'has rows without any value; write a member with a value in each');
  return {
    ...read,
    rows,
    totals: apart,
    bad: badRows,
    counts,
    notes: [
      ...table.notes,
      ...(marks === undefined ? [] : [marksText(marks, counts)]),
      ...(said?.notes(
        columns.map(({ name }) => name),
        counts,
      ) ?? []),
    ],
  };
}

/**
 * Whether a cell begins with a byte order mark, as in joined files. The mark is trimmed like a
 * space.
 */
function hasMark(cell: string): boolean {
  return cell.charCodeAt(0) === 0xfeff;
}

function marksText({ count, line }: { count: number; line: number }, counts: string): string {
  const rows = count === 1 ? '1 row has' : `${numberText(count)} rows have`;
  return `${rows} a byte order mark (U+FEFF) before a cell, which is left out, first in ${counts} ${line}`;
}

/**
 * Adds rows that were kept apart. Those with too few cells go to the bad rows. Returns how many are
 * rows.
 */
export function addRows(
  read: RowEvidence & Pick<ReadColumns, 'bad'>,
  rows: readonly TotalRow[],
): number {
  let count = 0;
  for (const { cells, line, types, bad } of rows) {
    if (bad !== undefined) {
      read.bad.push({ line, bad });
      continue;
    }
    addRow(read, cells, line, types);
    count++;
  }
  return count;
}

/** What each row is added to. */
type RowEvidence = Pick<ReadColumns, 'columns' | 'places' | 'points' | 'said'>;

/** Adds rows without doubts to the evidence of the columns. None is too large. */
function addPlainRows({ columns, places, points }: RowEvidence, rows: PlainRows): void {
  for (let i = 0; i < columns.length; i++) (columns[i] as ReadColumn).evidence.addRows(rows, i);
  places?.evidence.addRows(rows);
  points.addRows(rows);
}

/** Adds a row to the evidence of the columns. */
export function addRow(
  { columns, places, points, said }: RowEvidence,
  cells: readonly string[],
  line: number,
  types?: readonly CellType[],
): void {
  for (let i = 0; i < columns.length; i++) {
    (columns[i] as ReadColumn).evidence.add(cells[i] as string, line, types?.[i]);
  }
  places?.evidence.add(cells, line);
  said?.add(cells, line);
  points.add(cells, line);
}
