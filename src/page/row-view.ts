import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import type { Fault, ProblemTitle, Warning } from '../problem/errors.ts';
import type { Row } from '../values/field-type.ts';
import type { Turn } from './in-turns.ts';
import type { PageAddress, PageState } from './links.ts';

/** All that the page of a row shows. */
export type RowView = {
  /** As its own address takes arguments. */
  readonly block: DatasetBlock;
  /** How the page speaks. */
  readonly language: Language;
  readonly manifest: Manifest;
  readonly profile?: DatasetProfile | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** The query as sent; names may repeat. */
  readonly given: PageState;
  /** Names in the address that a row's address does not take. */
  readonly unused: readonly string[];
  readonly address: PageAddress;
  /** The caller's key, which links repeat. */
  readonly key?: string | undefined;
  readonly outcome: RowOutcome | RefusedOutcome;
  readonly turn: Turn;
};

export type RowOutcome = {
  readonly kind: 'row';
  readonly row: Row;
  /** The row's own address, of which a page may have several. */
  readonly canonical: string;
  readonly warnings: readonly Warning[];
  readonly beside: RowBeside;
};

/** What the page shows beside the row itself. */
export type RowBeside = {
  /** The state of the page of results that led to the row, without its view. */
  readonly back: PageState;
  readonly results: RowResults;
  /** The nearest rows, with their distances. */
  readonly nearest: readonly RowLink[];
  /** The places of the row's numbers, by field. */
  readonly numbers: Readonly<Record<string, NumberPlace>>;
};

/** Another row, with its address. */
export type RowLink = { readonly row: Row; readonly href: string };

/** Where a row is among the results of the question that led to it, or among all rows. */
export type RowResults = {
  /** The question, as read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** How many rows it finds. Absent if finding them takes too much work. */
  readonly total?: number;
  /** How many of them come before the row. Absent if it is none of them. */
  readonly index?: number;
  readonly previous?: RowLink;
  readonly next?: RowLink;
};

/** The place of a number among all rows that have one in its field: 1 is the greatest. */
export type NumberPlace = {
  /** One more than the rows with a greater number. So equal numbers have the same place. */
  readonly rank: number;
  readonly of: number;
  /** All numbers, ascending. Absent if they are many. */
  readonly values?: readonly number[];
};

export type RefusedOutcome = {
  readonly kind: 'refused';
  readonly title: ProblemTitle;
  readonly detail: string;
  readonly faults: readonly Fault[];
  /** The end of the address of the row that was probably meant. */
  readonly suggestion?: string | undefined;
  readonly runId: string;
};
