import { DYNAMODB } from '../dynamodb/storage.ts';
import { BadRowCount, sureCells } from '../files/bad-row.ts';
import type { BadRow, BadRowReason, SourceRecord, SourceTable } from '../files/source-table.ts';
import { quotedCell } from '../formats/csv.ts';
import { fold } from '../text/fold.ts';
import { numberText } from '../text/wording.ts';
import type { CellReader } from '../values/spelling.ts';

/**
 * What becomes of bad rows: `mend` mends rows with one sure way and sets the others aside; `skip`
 * sets all aside.
 */
export type BadRowsChoice = 'mend' | 'skip';

/** The bad rows of a file, once it is read. */
export type BadRows = { readonly mended: MendedRow[]; readonly setAside: SetAsideRow[] };

export type MendedRow = SetAsideRow & { readonly cells: readonly string[] };
export type SetAsideRow = Lines & Pick<BadRow, 'reason' | 'detail'>;

/** A row's text in the file, and the number of its place. */
type Lines = { readonly line: number; readonly text: string };

/** Tests of a row: whether its cells are of their columns' types, and whether it is too large. */
export type RowTest = {
  readonly fits: (cells: readonly string[]) => boolean;
  readonly tooLarge: (cells: readonly string[]) => BadRow | undefined;
};

/** Yields the rows of a table. Mends bad rows or leaves them out, and adds both to `found`. */
export async function* mendedRecords(
  { records, file }: { readonly records: AsyncIterable<SourceRecord>; readonly file: string },
  choice: BadRowsChoice,
  { fits, tooLarge }: RowTest,
  found: BadRows,
): AsyncGenerator<SourceRecord> {
  const count = new BadRowCount();
  for await (const record of records) {
    const { cells: read, line } = record;
    const bad = record.bad ?? tooLarge(read);
    if (bad === undefined) {
      yield record;
      continue;
    }
    count.add(bad, file, { line });
    const cells = addBadRow(bad, line, choice, fits, found);
    if (cells !== undefined) yield { cells, line };
  }
}

/** What the numbers of places count: lines of a file, or records of a document. */
type Counts = SourceTable['counts'];

/** Decides on a bad row. Returns its cells if it is mended. */
export function addBadRow(
  bad: BadRow,
  line: number,
  choice: BadRowsChoice,
  fits: (cells: readonly string[]) => boolean,
  found: BadRows,
): readonly string[] | undefined {
  const { ways: _, waysOfFirst: __, ...as } = bad;
  const cells = choice === 'mend' ? sureCells(bad, fits) : undefined;
  if (cells === undefined) found.setAside.push({ line, ...as });
  else found.mended.push({ line, ...as, cells });
  return cells;
}

/**
 * Makes a test whether a row's cells are all of their columns' types. `readers` has one for each
 * column that is read, for this test alone: some readers learn from the first cells.
 */
export function fitBy(
  readers: readonly { readonly at: number; readonly read: CellReader }[],
): (cells: readonly string[]) => boolean {
  return (cells) => readers.every(({ at, read }) => read(cells[at] as string) !== undefined);
}

/**
 * Makes a test for rows that are too large for an item, as if all their cells were texts. `columns`
 * are those that are read, with the names of their fields.
 */
export function largeRows(
  columns: readonly { readonly at: number; readonly name: string }[],
): RowTest['tooLarge'] {
  const { bytesBeside, bytesOfRow, mostBytesOfRow } = DYNAMODB;
  const beside = columns.reduce((sum, { name }) => {
    const { value, key } = bytesBeside(name);
    return sum + value + key;
  }, bytesOfRow);
  const few = (mostBytesOfRow - beside) / MOST_BYTES_OF_UNIT;
  return (cells) => {
    let characters = 0;
    for (const { at } of columns) characters += (cells[at] as string).length;
    if (characters <= few) return undefined;
    let bytes = beside;
    for (const { at } of columns) {
      const cell = cells[at] as string;
      const own = Buffer.byteLength(cell);
      // Folding does not lengthen ASCII.
      bytes += own + (own === cell.length ? own : Buffer.byteLength(fold(cell)));
    }
    if (bytes <= mostBytesOfRow) return undefined;
    const detail = `${numberText(bytes)} bytes with what finds its texts, of at most ${numberText(mostBytesOfRow)}`;
    const text = columns.map(({ at }) => quotedCell(cells[at] as string)).join(',');
    return { text, reason: 'too-large', detail, ways: [] };
  };
}

/** Bytes of a UTF-16 code unit and of its folded form, at most. */
const MOST_BYTES_OF_UNIT = 3 + 18 * 3;

/** The share of a file's rows that may be set aside without a person's word. */
export const MOST_SET_ASIDE = 0.01;

/**
 * Writes a CSV file of bad rows: their places, what became of them and why, and their original
 * texts.
 */
export function badRowsFile(found: BadRows, counts: Counts): string {
  const lines = inOrder(found).map(({ line, text, cells, ...why }) => {
    const [is, read] = cells === undefined ? ['set aside', ''] : ['mended', JSON.stringify(cells)];
    return [line, is, ...[reasonText(why), text, read].map(quotedCell)].join(',');
  });
  return `${counts},outcome,reason,text,read as\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** All bad rows, in the order of the file. Those that are mended have cells. */
export function inOrder({ mended, setAside }: BadRows): (SetAsideRow & Partial<MendedRow>)[] {
  return [...setAside, ...mended].sort((a, b) => a.line - b.line);
}

/** Says in a clause why a row is bad. */
export function reasonText({ reason, detail }: Pick<BadRow, 'reason' | 'detail'>): string {
  if (reason === 'faulty-record') return detail ?? '';
  return detail === undefined ? REASONS[reason] : `${REASONS[reason]}: ${detail}`;
}

const REASONS: Readonly<Record<Exclude<BadRowReason, 'faulty-record'>, string>> = {
  'quote-in-cell': 'a quote in a cell that does not begin with one',
  'text-behind-quote': 'text behind a closing quote',
  'needless-escape': 'a backslash before a character that needs none',
  'open-quote': 'a quote that nothing closes',
  'too-long-quote': 'a quote that nothing closes',
  'too-long': 'too many characters',
  'too-few-cells': 'fewer cells than the header',
  'too-many-cells': 'more cells than the header',
  'too-large': 'more than DynamoDB takes in an item',
};

/** `2 rows are mended and 1 is set aside`; undefined if no row is bad. */
export function badRowsText(mended: number, setAside: number): string | undefined {
  const said = [
    ...(mended === 0 ? [] : [`${rowsText(mended)} mended`]),
    ...(setAside === 0 ? [] : [`${rowsText(setAside)} set aside`]),
  ];
  return said.length === 0 ? undefined : said.join(', ');
}

function rowsText(count: number): string {
  return count === 1 ? '1 row is' : `${numberText(count)} rows are`;
}
