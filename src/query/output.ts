import type { Field } from '../fields/field-types.ts';
import type { Warning } from '../problem/errors.ts';
import type { Facet } from './facets.ts';
import type { Usage, Whole } from './row-store.ts';
import type { RowTexts } from './row-texts.ts';
import type { FilterHelp } from './zero-result-help.ts';

/** A block's answer, before it is formatted for a client. */
export type Output = (RowsOutput | ValueOutput) & {
  readonly warnings: readonly Warning[];
  readonly explain: Explain;
};

/** A page of rows as JSON text; `next` is the cursor of the next page. */
export type RowsOutput = {
  readonly kind: 'rows';
  /** The members of each row, in order. */
  readonly fields: readonly Field[];
  readonly rows: RowTexts;
  /** Where each row is in the dataset; absent if they are not rows of it. */
  readonly positions?: ArrayLike<number>;
  /** The rows' addresses, relative to the block's, if they are to be answered. */
  readonly addresses?: readonly string[];
  readonly total: number;
  readonly next: string | null;
  /** The position of its last row, if more follow. */
  readonly last?: number;
  /** Of groups: how many of the dataset's rows are in them. */
  readonly matching?: number;
  /** Of groups: those of all pages from this one on. */
  readonly whole?: Whole;
  /** Set if no row matches: how each filter contributes to that. */
  readonly help?: readonly FilterHelp[];
  /** Counts of values, by what was asked for, if any were. */
  readonly facets?: Readonly<Record<string, Facet>>;
};

export type ValueOutput = {
  readonly kind: 'value';
  readonly value: Readonly<Record<string, unknown>>;
};

/** The answer's access path and its cost on DynamoDB. */
export type Explain = Usage & { readonly path: string };
