import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { DEFAULT_FILE_FORMAT, FILE_FORMATS } from '../files/formats.ts';
import type { CsvRow } from '../files/read-csv.ts';
import { SeedError, type SourceTable } from '../files/source-table.ts';
import { withoutTotals } from '../files/totals.ts';
import { numberText } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import type { BoundariesFile, DataFile, FileField, TableFile } from './block-file.ts';
import { nameColumns } from './column-names.ts';

/** A hash of all that a dataset is made from. Throws a SeedError if a file is missing. */
export async function hashOfSeed(source: DatasetSource, hashOf: HashOfFile): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(source));
  for (const file of [source.file, source.boundaries?.file]) {
    if (file !== undefined) hash.update(await hashOf(file));
  }
  return hash.digest('hex');
}

/** The hash of a file in `seed-data/`, in hex. Rejects with a SeedError if it is missing. */
export type HashOfFile = (file: string) => Promise<string>;

/** Reads each file once, however often its hash is asked for. */
export function hashesOnce(seedData: string): HashOfFile {
  const known = new Map<string, Promise<string>>();
  return (file) => {
    const hash = known.get(file) ?? sha256Of(seedData, file);
    known.set(file, hash);
    return hash;
  };
}

/** Throws a SeedError if a file has not the rows or shapes, or not the hash, that it must have. */
export async function checkDataFile(
  hashOfFile: HashOfFile,
  { file, hash, rows }: DataFile,
  { found, noun, blockFile }: { found: number; noun: string; blockFile: string },
): Promise<void> {
  if (rows !== undefined && rows !== found) {
    throw new SeedError(
      file,
      `${numberText(found)} ${noun}, and ${blockFile} says ${numberText(rows)}`,
    );
  }
  if (hash === undefined) return;
  const its = `sha256:${await hashOfFile(file)}`;
  if (its === hash) return;
  throw new SeedError(
    file,
    `not the file that ${blockFile} describes; if it was changed on purpose, write its hash there: ${its}`,
  );
}

/** A file's hash, in hex. Throws a SeedError if it cannot be read. */
export async function sha256Of(seedData: string, file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(seedData, file)) hash.update(bytes);
  return hash.digest('hex');
}

/** A file's bytes, as they are read. Throws a SeedError if it cannot be. */
export async function* bytesOf(folder: string, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path.join(folder, file), { highWaterMark: 2 ** 18 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SeedError(file, code === 'ENOENT' ? `is missing in ${folder}` : message);
  }
}

export async function readWhole(folder: string, file: string): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const bytes of bytesOf(folder, file)) read.push(bytes);
  return Buffer.concat(read);
}

/** How to make a block's rows from files in `seed-data/`. */
export type DatasetSource = DataFile &
  TableFile & {
    /** How the file writes the fields' values. */
    readonly fields?: readonly FileField[];
    readonly missingValues?: readonly string[];
    /** Set if the rows are not the file's own. */
    readonly toRows?: ToRows;
    readonly boundaries?: BoundariesFile;
  };

/** What a folder's `rows.ts` exports: makes the rows, in the dataset's order, from the file's. */
export type ToRows = (rows: readonly CsvRow[], file: string) => MadeRows;

export type MadeRows = {
  readonly rows: readonly Row[];
  /** Notes for whoever imports the file: cells that were left out, and why. */
  readonly notes: readonly string[];
};

/** Opens a file's table as its block says that it is written. Throws a SeedError if it is not. */
export async function readTable(source: TableFile, folder: string): Promise<SourceTable> {
  const { format = DEFAULT_FILE_FORMAT, file, dialect = {} } = source;
  const table = await FILE_FORMATS[format].read(source, {
    path: path.join(folder, file),
    readBytes: () => bytesOf(folder, file),
  });
  if (dialect.totals === undefined) return table;
  const names = nameColumns(table.headers).map(({ name }) => name);
  return withoutTotals(table, dialect, names, file);
}
