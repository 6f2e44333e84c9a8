import { FetchError } from '../fetch/fetch-address.ts';
import type { FetchOptions } from '../fetch/fetch-file.ts';
import { SeedError } from '../files/source-table.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedDataset } from '../import/load-blocks.ts';
import type { Publication } from '../portals/publication.ts';
import { AddRefusal } from '../recipe/questions.ts';
import type { Ask } from './ask.ts';

/** Where a command runs: a shell, or a test. */
export type Console = {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Asks whoever is at the terminal; absent if nobody is. */
  readonly ask?: Ask;
  /** Characters of a line. */
  readonly columns?: number | undefined;
};

/** A folder of blocks, if none is named, and how far fetches go: the checkout's, and the public internet. */
export type Place = {
  readonly blocks: string;
  /** Keeps what was imported for the next start, which then need not import it again. */
  readonly keep?: Keep;
  /** What portals are told of the service. */
  readonly publication?: Publication;
  readonly fetching?: Pick<FetchOptions, 'reach' | 'resolve' | 'ca'>;
};

export type Keep = (
  blocks: string,
  block: LoadedDataset,
  imported: ImportedDataset,
) => Promise<void>;

/** Exit codes. `refused`: the line, or where the file should be; `unfit`: the file's content. */
export const EXIT = { done: 0, refused: 1, unfit: 3 } as const;

/** Whether an error says in a line what whoever called can do. */
export function isForUser(error: unknown): error is Error {
  return error instanceof SeedError || error instanceof FetchError || error instanceof AddRefusal;
}

export function isAddress(file: string): boolean {
  return /^https?:/i.test(file);
}
