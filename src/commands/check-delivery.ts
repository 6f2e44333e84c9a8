import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BlockFile } from '../block/block-file.ts';
import { nameOfDelimiter } from '../block/declaration.ts';
import { sniffDialect } from '../files/sniff-dialect.ts';
import { listed, SeedError, type SourceTable } from '../files/source-table.ts';
import { compareDeliveries, type Differences, KeyTable } from '../import/compare-deliveries.ts';
import { bytesOf } from '../import/seed-files.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { numberText, showCell } from '../values/wording.ts';
import { showKey } from './describe-draft.ts';
import {
  checkWriting,
  type GivenFile,
  isDelimited,
  type OpenedDelivery,
  openDelivery,
  withItsComments,
} from './open-delivery.ts';
import type { OwnBlock } from './own-block.ts';
import { AddRefusal } from './terminal.ts';

/** Whether a file can be a block's next, and what it would change. */
export type Check = {
  /** The block as it reads the file. */
  readonly block: BlockFile;
  /** A clause for each record below the table that is no row. */
  readonly leftOut: readonly string[];
  /** Why it does not fit, a line each; it fits if there is none. */
  readonly faults: readonly string[];
  /** What the numbers of its places count. */
  readonly counts: SourceTable['counts'];
  /** Columns that no field reads, and that the file before had or has not. */
  readonly columnsNew: readonly string[];
  readonly columnsGone: readonly string[];
  /** Absent if the file cannot be read to its end, or lacks a part of the key. */
  readonly differences?: Differences;
};

/**
 * Reads a file as a block reads its own, to its end, and compares the two. Throws a SeedError if
 * the block's own file cannot be read, an AddRefusal if code makes its rows.
 */
export async function checkDelivery(own: OwnBlock, given: GivenFile): Promise<Check> {
  const { name, file: block, seedData } = own;
  const its = { folder: seedData, file: block.file };
  if (existsSync(path.join(path.dirname(own.path), 'rows.ts'))) {
    const reason = 'makes its rows in rows.ts, which only a start runs: replace its file by hand';
    throw new AddRefusal(`${name} ${reason}`);
  }
  const faults: string[] = [];
  const unread = {
    block,
    leftOut: [],
    faults,
    counts: 'line' as const,
    columnsNew: [],
    columnsGone: [],
  };
  const read = await orFault(faults, async () => {
    const reason = await checkWriting(given, block);
    if (reason !== undefined) throw new SeedError(given.file, reason);
    const next = await withItsComments(block, its, given);
    return { next, opened: await openDelivery(next.block, given) };
  });
  if (read === undefined) return unread;
  const { next, opened } = read;
  const otherDelimiter = opened.gone.length > 0 && (await delimiterFault(block, given));
  if (otherDelimiter) return { ...unread, faults: [otherDelimiter] };

  const where = opened.table.headerLine === 0 ? {} : { line: opened.table.headerLine };
  for (const column of opened.gone) {
    const reason = `the column is gone; there are ${listed(opened.names)}`;
    faults.push(new SeedError(given.file, reason, { ...where, column }).message);
  }
  const primaryKey = own.block.primaryKey ?? [];
  const isWhole = await orFault(faults, () => checkRows(block, given, opened, primaryKey, faults));

  const before = await openDelivery(block, its);
  const fields = new Set([...before.columns, ...opened.columns]);
  const found = {
    counts: opened.table.counts,
    columnsNew: opened.names.filter((name) => !before.names.includes(name) && !fields.has(name)),
    columnsGone: before.names.filter((name) => !opened.names.includes(name) && !fields.has(name)),
  };
  const isComparable =
    primaryKey.every((name) => opened.columns.includes(name)) && opened.columns.length > 0;
  if (!isWhole || !isComparable) return { ...next, faults, ...found };
  const differences = await compareDeliveries(before, opened, primaryKey);
  return { ...next, faults, ...found, differences };
}

/** What a step gives; if it throws a SeedError, that is a fault. */
async function orFault<T>(faults: string[], step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** Whether other cells than before come out because another character stands between them. */
async function delimiterFault(
  { format = 'csv', encoding = 'utf-8', dialect }: BlockFile,
  { folder, file }: GivenFile,
): Promise<string | undefined> {
  if (!isDelimited(format)) return undefined;
  const expected = dialect?.delimiter ?? (format === 'tsv' ? '\t' : ',');
  const sniffed = await orFault([], () =>
    sniffDialect(() => bytesOf(folder, file), file, encoding, {}),
  );
  const its = sniffed?.dialect.delimiter ?? ',';
  if (sniffed === undefined || its === expected) return undefined;
  const [now, then] = [nameOfDelimiter(its), nameOfDelimiter(expected)];
  return new SeedError(file, `a ${now} is between cells now; block.json reads a ${then}`).message;
}

/** A row's cell that should not be as it is: the first of its kind, and how many there are. */
type Odd = { reason: string; line: number; count: number };

/** Reads all rows, and adds a fault for each column with cells not of its type, and of the key. */
async function checkRows(
  block: BlockFile,
  { file }: GivenFile,
  opened: OpenedDelivery,
  primaryKey: readonly string[],
  faults: string[],
): Promise<true> {
  const { table, found } = opened;
  const odd = new Map<string, Odd>();
  const note = (key: string, line: () => number, reason: () => string) => {
    const known = odd.get(key);
    if (known === undefined) odd.set(key, { reason: reason(), line: line(), count: 1 });
    else known.count++;
  };
  const nouns = new Map(
    block.fields.map((field) => [
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
  for await (const { cells, line } of table.records) {
    const values = found.map(({ name, at, read }): Value => {
      const cell = cells[at] as string;
      const value = read(cell);
      if (value !== undefined) return value;
      note(name, line, () => `${showCell(cell)} is not ${nouns.get(name)}`);
      return cell;
    });
    if (!hasKey) continue;
    const key = keyAt.map((at) => values[at] as Value);
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
    const first = isSame ? `, first in line ${await lineOf(opened, earlier?.row as number)}` : '';
    const more = count > 1 ? `, and ${numberText(count - 1)} more like it` : '';
    const isKey = column === blankKey || column === sameKey;
    const where = { line, column: isKey ? primaryKey.join(', ') : column };
    faults.push(new SeedError(file, `${reason}${first}${more}`, where).message);
  }
  return true;
}

async function lineOf({ rows }: OpenedDelivery, wanted: number): Promise<number> {
  let row = 0;
  for await (const { line } of rows()) {
    if (row++ === wanted) return line();
  }
  throw new Error('The file changed while it was read.');
}
