import type { Warning } from '../problem/errors.ts';
import type { Usage } from './row-store.ts';
import type { RowTexts } from './row-texts.ts';
import type { FilterHelp } from './zero-result-help.ts';

/** What a block answers with, before it is dressed for a client. */
export type Output = (RowsOutput | ValueOutput) & {
  readonly warnings: readonly Warning[];
  readonly explain: Explain;
};

/** A page of rows as JSON text; `next` is the cursor of the next page. */
export type RowsOutput = {
  readonly kind: 'rows';
  readonly rows: RowTexts;
  readonly total: number | null;
  readonly next: string | null;
  /** Where no row matches the filters: what each has to do with it. */
  readonly help?: readonly FilterHelp[];
};

export type ValueOutput = {
  readonly kind: 'value';
  readonly value: Readonly<Record<string, unknown>>;
};

/** Which way the answer was found and what it cost on DynamoDB. */
export type Explain = Usage & { readonly path: string };
