import { FetchError } from '../fetch/fetch-address.ts';
import type { FetchOptions } from '../fetch/fetch-file.ts';
import { SeedError } from '../files/source-table.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedDataset } from '../import/load-blocks.ts';
import type { Publication } from '../portals/publication.ts';
import { AddRefusal } from '../recipe/questions.ts';
import type { Ask } from './ask.ts';

/** Where a command prints and asks: a terminal, or a test. */
export type Console = {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Asks the person at the terminal. Absent if there is none. */
  readonly ask?: Ask;
  /** The width of a line in characters. */
  readonly columns?: number | undefined;
};

/** What every command gets: the folder of the blocks if none is named, and how far fetches go. */
export type Setup = {
  readonly blocks: string;
  /** Keeps an import for the next start, which then need not make it again. */
  readonly keep?: Keep;
  /** What portals learn about the service. */
  readonly publication?: Publication;
  readonly fetching?: Pick<FetchOptions, 'reach' | 'resolve' | 'ca'>;
};

export type Keep = (
  blocks: string,
  block: LoadedDataset,
  imported: ImportedDataset,
) => Promise<void>;

/**
 * Exit codes. `refused`: something is wrong with the line, or no file is there; `unfit`: with the
 * file's content.
 */
export const EXIT = { done: 0, refused: 1, unfit: 3 } as const;

/** Whether an error tells the person in a line what to do. */
export function isForUser(error: unknown): error is Error {
  return error instanceof SeedError || error instanceof FetchError || error instanceof AddRefusal;
}

export function isAddress(file: string): boolean {
  return /^https?:/i.test(file);
}
