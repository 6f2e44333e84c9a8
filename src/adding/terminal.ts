import { FetchError } from '../fetching/fetch-error.ts';
import type { FetchOptions } from '../fetching/fetch-file.ts';
import { SeedError } from '../readers/seed-error.ts';
import { AddRefusal } from './add-refusal.ts';
import type { Ask } from './question.ts';

/** Where a command runs: a shell, or a test. */
export type Terminal = {
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
  readonly fetching?: Pick<FetchOptions, 'reach' | 'resolve' | 'ca'>;
};

/** Exit codes. `refused`: the line, or where the file should be; `unfit`: the file's content. */
export const EXIT = { done: 0, refused: 1, unfit: 3 } as const;

/** Whether an error says in a line what whoever called can do. */
export function isForUser(error: unknown): error is Error {
  return error instanceof SeedError || error instanceof FetchError || error instanceof AddRefusal;
}

export function isAddress(file: string): boolean {
  return /^https?:/i.test(file);
}
