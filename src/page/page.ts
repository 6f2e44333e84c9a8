import type { Child } from 'hono/jsx';
import type { DatasetBlock, ValueBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { ListedFile } from '../formats/files.ts';
import type { Language } from '../languages/language.ts';
import type { Fault } from '../problem/errors.ts';
import type { WholeAnswer } from '../query/answer-length.ts';
import type { BinCounts, Facet } from '../query/groups.ts';
import type { Turn } from './in-turns.ts';
import type { Links } from './links.ts';

/** What every part of a block's page is given. It is made once, of what is known at the door. */
export type Page = DatasetPage | ValuePage;

export type DatasetPage = AnyPage & {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile?: DatasetProfile;
  /** What a file of all rows may have; any number of bytes if absent. */
  readonly whole?: Omit<WholeAnswer, 'block' | 'manifest'>;
  /** The files that programs open in place, if there are any. */
  readonly files?: readonly ListedFile[];
};

export type ValuePage = AnyPage & {
  readonly block: ValueBlock;
  readonly manifest?: undefined;
  readonly profile?: undefined;
};

type AnyPage = {
  /** How the page speaks. */
  readonly language: Language;
  /** The arguments as read, if they are valid. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly links: Links;
  /** The day on which it is shown: `2026-11-28`. */
  readonly today: string;
  readonly turn: Turn;
  /** HTML, and what is decided once, that is the same on all pages of the block; pages add to it. */
  readonly kept: Map<string, string>;
};

/** What a page found, as its filters say it. */
export type Found = {
  /** How many rows match. Absent if the page does not tell. */
  readonly matching?: number;
  /** How many rows each value has, and each bin of a range, of the fields that were counted. */
  readonly facets?: Readonly<Record<string, Facet>>;
  readonly bins?: Readonly<Record<string, BinCounts>>;
  /** What is wrong with the arguments. */
  readonly faults?: readonly Fault[];
};

/** What JSX takes. */
export type Html = Child;
