import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_FILE_FORMAT, FILE_FORMATS } from '../files/file-formats.ts';
import type { FileIn } from '../files/read-bytes.ts';
import { listed, SeedError, type SourceTable } from '../files/source-table.ts';
import {
  compareDeliveries,
  type Delivery,
  type Differences,
  KeyTable,
} from '../import/compare-deliveries.ts';
import { type BadRows, MOST_SET_ASIDE } from '../recipe/bad-rows.ts';
import { asNext, delimiterFault } from '../recipe/next-file.ts';
import { AddRefusal } from '../recipe/questions.ts';
import { type RecipeRows, readRows, whyNot } from '../recipe/read.ts';
import type { BlockFile, Recipe } from '../recipe/recipe.ts';
import { numberText, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { showKey } from './describe-draft.ts';
import type { OwnBlock } from './own-block.ts';

/** Whether a file can be a block's next, and what it would change. */
export type Check = {
  /** The block as it reads the file. */
  readonly block: BlockFile;
  /** A clause for each record below the table that is not a row. */
  readonly leftOut: readonly string[];
  /**
   * A clause for each field with odd cells that are read as blank. Complete once the rows are read.
   */
  readonly odd: readonly string[];
  /** Why the file does not fit, a line each. Empty if it fits. */
  readonly faults: readonly string[];
  /** What a place's number counts: lines, or what else the file has. */
  readonly counts: SourceTable['counts'];
  /** Columns that no field reads: those new in this file, and those gone since the one before. */
  readonly columnsNew: readonly string[];
  readonly columnsGone: readonly string[];
  readonly badRows: BadRows;
  /** The last line has no line end, unlike that of the file before: the file may be cut off. */
  readonly mayBeCutOff: boolean;
  /** Absent if the file cannot be read to its end, or lacks a field of the key. */
  readonly differences?: Differences;
};

/**
 * Reads a file to its end as a block reads its own, and compares the two. Throws a SeedError if the
 * block's own file cannot be read, and an AddRefusal if code makes its rows.
 */
export async function checkDelivery(own: OwnBlock, next: FileIn): Promise<Check> {
  refuseOwnRows(own);
  const { file: block, seedData } = own;
  const faults: string[] = [];
  const before = { folder: seedData, file: block.file };
  const opened = await openNext(block, before, next, faults);
  if (opened === undefined) return unread(block, faults);
  const { rows, delivery } = opened;
  const primaryKey = own.block.primaryKey ?? [];
  const rowCount = await orFault(faults, () => checkRows(delivery, rows, primaryKey, faults));
  const isWhole = rowCount !== undefined;
  if (isWhole) {
    await addZeroFaults(delivery, () => readFile(block, before), rows.table.counts, faults);
    addBadRowsFault(block, rows.badRows, rowCount, next, faults);
  }
  const rowsBefore = await readFile(block, before);
  const found = {
    ...opened.asRead,
    block: withCounts(opened.asRead.block, rows.badRows),
    faults,
    badRows: rows.badRows,
    mayBeCutOff: await mayBeCutOff(block, before, next),
    counts: rows.table.counts,
    odd: rows.odd.notes(rows.table.counts),
    ...otherColumns(rowsBefore, rows),
  };
  const isComparable =
    primaryKey.every((name) => delivery.columns.includes(name)) && delivery.columns.length > 0;
  if (!isWhole || !isComparable) return found;
  const deliveryBefore = deliveryOf(block, before, rowsBefore);
  const differences = await compareDeliveries(deliveryBefore, delivery, primaryKey);
  addEmptyFault(differences, next, faults);
  return { ...found, differences };
}

function refuseOwnRows({ name, path: blockFile }: OwnBlock): void {
  if (!existsSync(path.join(path.dirname(blockFile), 'rows.ts'))) return;
  const reason = 'makes its rows in rows.ts, which only a start runs: replace its file by hand';
  throw new AddRefusal(`${name} ${reason}`);
}

/** What is known of a file that cannot be read. */
function unread(block: BlockFile, faults: readonly string[]): Check {
  return {
    block,
    faults,
    leftOut: [],
    odd: [],
    counts: 'line',
    badRows: { mended: [], setAside: [] },
    mayBeCutOff: false,
    columnsNew: [],
    columnsGone: [],
  };
}

/**
 * Opens a block's next file, and adds a fault for each field without a column. Undefined if it
 * cannot be read as the block reads its own.
 */
async function openNext(block: BlockFile, before: FileIn, next: FileIn, faults: string[]) {
  const opened = await orFault(faults, async () => {
    const asRead = await asNext(block, before, next);
    return { asRead, rows: await readFile(asRead.block, next) };
  });
  if (opened === undefined) return undefined;
  const { asRead, rows } = opened;
  const { names, gone, table } = rows;
  const otherDelimiter = gone.length > 0 && (await delimiterFault(block, next));
  if (otherDelimiter) {
    faults.push(new SeedError(next.file, otherDelimiter).message);
    return undefined;
  }
  const line = table.headerLine === 0 ? undefined : table.headerLine;
  for (const { name: column } of gone) {
    const reason = `the column is gone; there are ${listed(names)}`;
    faults.push(new SeedError(next.file, reason, { line, column }).message);
  }
  return { asRead, rows, delivery: deliveryOf(asRead.block, next, rows) };
}

/** The columns of either file that no field reads and the other file lacks. */
function otherColumns(
  before: RecipeRows,
  after: RecipeRows,
): Pick<Check, 'columnsNew' | 'columnsGone'> {
  const fields = new Set([...before.found, ...after.found].map(({ name }) => name));
  const unreadBeside = (own: RecipeRows, other: RecipeRows) =>
    own.names.filter((name) => !other.names.includes(name) && !fields.has(name));
  return { columnsNew: unreadBeside(after, before), columnsGone: unreadBeside(before, after) };
}

/** Adds a fault if a file has no rows and the one before had some. */
function addEmptyFault({ rows }: Differences, next: FileIn, faults: string[]): void {
  if (rows.after > 0 || rows.before === 0) return;
  const reason = `has a header and no rows, and the block has ${numberText(rows.before)}; if that is meant, remove the block and add it anew`;
  faults.push(new SeedError(next.file, reason).message);
}

/** Opens a file as a recipe reads it. The file need not fit. */
function readFile(recipe: Recipe, { folder, file }: FileIn): Promise<RecipeRows> {
  return readRows({ ...recipe, file }, folder);
}

/**
 * A file as a recipe reads it, which can be read repeatedly, and the zeros in front of its numbers.
 */
type CheckedDelivery = Delivery & {
  readonly recipe: Recipe;
  readonly at: FileIn;
  /** For each column of numbers, the first cell with a leading zero, and how many there are. */
  readonly zeros: Map<string, { readonly cell: string; readonly line: number; count: number }>;
};

function deliveryOf(recipe: Recipe, at: FileIn, { found }: RecipeRows): CheckedDelivery {
  return {
    recipe,
    at,
    columns: found.map(({ name }) => name),
    zeros: new Map(),
    // Each reading has readers of its own, because some learn from the first cells.
    rows: async function* () {
      const rows = await readFile(recipe, at);
      for await (const { cells, line } of rows.records) {
        const values = rows.found.map(({ at, read }): Value => {
          const cell = cells[at] as string;
          const value = read(cell);
          // A cell that is not of its field's type stays a text.
          return value === undefined ? cell : value;
        });
        yield { values, line };
      }
    },
  };
}

/** Whether a text's last line has no end, unlike that of the file before. */
async function mayBeCutOff(
  { format = DEFAULT_FILE_FORMAT }: BlockFile,
  before: FileIn,
  next: FileIn,
): Promise<boolean> {
  if (FILE_FORMATS[format].isBinary) return false;
  return !(await endsWithLine(next)) && (await endsWithLine(before));
}

/** Whether a file ends with a line end, of one byte or two. */
async function endsWithLine({ folder, file }: FileIn): Promise<boolean> {
  const handle = await open(path.join(folder, file));
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(size - 2, 0));
    const [before, last] = size < 2 ? [undefined, buffer[0]] : buffer;
    // UTF-16 may have the zero of its line end last.
    return isLineEnd(last) || (last === 0 && isLineEnd(before));
  } finally {
    await handle.close();
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

/** Sets the counts of bad rows in a block to those of its file. */
function withCounts({ badRows: _, ...block }: BlockFile, { mended, setAside }: BadRows): BlockFile {
  if (mended.length + setAside.length === 0) return block;
  return { ...block, badRows: { mended: mended.length, setAside: setAside.length } };
}

/** Adds a fault if far more rows of a file cannot be read than of the one before. */
function addBadRowsFault(
  { rows = 0, badRows: { setAside: before = 0 } = { mended: 0, setAside: 0 } }: BlockFile,
  { setAside }: BadRows,
  rowCount: number,
  { file }: FileIn,
  faults: string[],
): void {
  const [now, then] = [setAside.length, before];
  const share = now / Math.max(rowCount + now, 1);
  if (share <= Math.max(MOST_SET_ASIDE, (2 * then) / Math.max(rows + then, 1))) return;
  const reason = `${numberText(now)} rows cannot be read and would be left out, ${numberText(then)} before; first line ${setAside[0]?.line}`;
  faults.push(new SeedError(file, reason).message);
}

/** Returns what a step returns. If it throws a SeedError, adds a fault instead. */
async function orFault<T>(faults: string[], step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** A kind of wrong cell: why and where the first one is, and how many there are. */
type Odd = { reason: string; line: number; count: number };

/**
 * Counts all rows. Adds a fault for each column with cells not of its type, and for a faulty key.
 */
async function checkRows(
  { recipe, at: { file }, rows, zeros }: CheckedDelivery,
  { records, found, table: { counts } }: RecipeRows,
  primaryKey: readonly string[],
  faults: string[],
): Promise<number> {
  let rowCount = 0;
  const odd = new Map<string, Odd>();
  const note = (key: string, line: number, reason: () => string) => {
    const known = odd.get(key);
    if (known === undefined) odd.set(key, { reason: reason(), line, count: 1 });
    else known.count++;
  };
  const nouns = new Map(
    recipe.fields.map((field) => [
      field.name,
      field.format === undefined ? typeOf(field).noun : `written as ${field.format}`,
    ]),
  );
  const keyAt = primaryKey.map((name) => found.findIndex((field) => field.name === name));
  const hasKey = keyAt.length > 0 && !keyAt.includes(-1);
  const [blankKey, sameKey] = ['blank', 'same'].map(
    (kind) => `${kind} ${primaryKey.join(', ')}`,
  ) as [string, string];
  const keys = new KeyTable();
  let earlier: { readonly row: number } | undefined;
  for await (const { cells, line } of records) {
    rowCount++;
    const values = found.map(({ name, at, field, read }): Value => {
      const cell = cells[at] as string;
      const value = read(cell);
      if (typeof value === 'number' && hasZeroInFront(cell)) {
        const zero = zeros.get(name);
        if (zero === undefined) zeros.set(name, { cell, line, count: 1 });
        else zero.count++;
      }
      if (value !== undefined) return value;
      note(name, line, () => whyNot(cell, field, nouns.get(name)));
      return cell;
    });
    if (!hasKey) continue;
    const key = keyAt.map((place) => values[place] as Value);
    if (key.includes(null)) note(blankKey, line, () => 'blank, and it is the primary key');
    else {
      // Taken and added again, so that one is always left to find.
      const row = keys.take(key);
      if (row !== undefined) {
        note(sameKey, line, () => `the primary key ${showKey(key)} twice`);
        earlier ??= { row };
      }
    }
    keys.add(key);
  }
  for (const [column, { reason, line, count }] of odd) {
    const isSame = column === sameKey && earlier !== undefined;
    const first = isSame
      ? `, first in ${counts} ${await lineOf(rows(), earlier?.row as number)}`
      : '';
    const more = count > 1 ? `, and ${numberText(count - 1)} more like it` : '';
    const isKey = column === blankKey || column === sameKey;
    const where = { line, counts, column: isKey ? primaryKey.join(', ') : column };
    faults.push(new SeedError(file, `${reason}${first}${more}`, where).message);
  }
  return rowCount;
}

/**
 * Adds a fault for each column of numbers that has leading zeros for the first time: its cells are
 * names now, and would lose their zeros.
 */
async function addZeroFaults(
  { zeros, at: { file } }: CheckedDelivery,
  openBefore: () => Promise<RecipeRows>,
  counts: SourceTable['counts'],
  faults: string[],
): Promise<void> {
  if (zeros.size === 0) return;
  const left = new Map(zeros);
  const { records, found } = await openBefore();
  for await (const { cells } of records) {
    for (const { name, at } of found) {
      if (hasZeroInFront(cells[at] as string)) left.delete(name);
    }
    if (left.size === 0) return;
  }
  for (const [column, { cell, line, count }] of left) {
    const more = count > 1 ? `, and ${numberText(count - 1)} more like it` : '';
    const reason = `${showCell(cell)} has a zero in front, and no cell before had one: the numbers may be names; if so, set "type" of the field to "text" in block.json${more}`;
    faults.push(new SeedError(file, reason, { line, counts, column }).message);
  }
}

/** Whether a number has a leading zero after any sign, currency or bracket. */
function hasZeroInFront(cell: string): boolean {
  return /^\s*'?[-+\u2212(]?\s?(?:\p{Sc}|[A-Za-z]{1,3}\$?)?\s?[-+\u2212(]?0\d/u.test(cell);
}

async function lineOf(rows: ReturnType<Delivery['rows']>, number: number): Promise<number> {
  let row = 0;
  for await (const { line } of rows) {
    if (row++ === number) return line;
  }
  throw new Error('The file changed while it was read.');
}
