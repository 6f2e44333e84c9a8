import { createHash } from 'node:crypto';
import type { CsvRow } from '../files/csv/named-rows.ts';
import { bytesOf } from '../files/read-bytes.ts';
import { SeedError } from '../files/source-table.ts';
import type { BoundariesFile, DataFile, Recipe, TableFile } from '../recipe/recipe.ts';
import { numberText } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';

/** Hashes all that a dataset is made from. Throws a SeedError if a file is missing. */
export async function hashOfSeed(source: DatasetSource, hashOf: HashOfFile): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(source));
  for (const file of [source.file, source.boundaries?.file]) {
    if (file !== undefined) hash.update(await hashOf(file));
  }
  return hash.digest('hex');
}

/** Gives the hash of a file in `seed-data/`, in hex. Rejects with a SeedError if it is missing. */
export type HashOfFile = (file: string) => Promise<string>;

/** Reads each file only once, however often its hash is requested. */
export function hashesOnce(seedData: string): HashOfFile {
  const known = new Map<string, Promise<string>>();
  return (file) => {
    const hash = known.get(file) ?? sha256Of(seedData, file);
    known.set(file, hash);
    return hash;
  };
}

/** Throws a SeedError if a file has not the rows, shapes or hash that it must have. */
export async function checkDataFile(
  hashOfFile: HashOfFile,
  { file, hash, rows }: Pick<DataFile, 'file' | 'hash' | 'rows'>,
  { found, noun, blockFile }: { found: number; noun: string; blockFile: string },
): Promise<void> {
  if (rows !== undefined && rows !== found) {
    throw new SeedError(
      file,
      `${numberText(found)} ${noun}, and ${blockFile} says ${numberText(rows)}`,
    );
  }
  if (hash === undefined) return;
  const actual = `sha256:${await hashOfFile(file)}`;
  if (actual === hash) return;
  throw new SeedError(
    file,
    `not the file that ${blockFile} describes; if it was changed on purpose, write its hash there: ${actual}`,
  );
}

/** Hashes a file, in hex. Throws a SeedError if it cannot be read. */
export async function sha256Of(seedData: string, file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(seedData, file)) hash.update(bytes);
  return hash.digest('hex');
}

/** How to make a block's rows from files in `seed-data/`. */
export type DatasetSource = DataFile &
  TableFile &
  Partial<Recipe> & {
    /** Set if code makes the rows from the file's. */
    readonly toRows?: ToRows;
    readonly boundaries?: BoundariesFile;
  };

/** The export of a folder's `rows.ts`. Makes the dataset's rows, in order, from the file's. */
export type ToRows = (rows: readonly CsvRow[], file: string) => MadeRows;

export type MadeRows = {
  readonly rows: readonly Row[];
  /** Notes for the person who imports the file: cells that were left out, and why. */
  readonly notes: readonly string[];
};
