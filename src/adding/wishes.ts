import type { Delimiter } from '../block/declaration.ts';
import type { TotalsWish } from '../readers/find-comments.ts';
import type { FieldTypeName } from '../values/field-types.ts';

/** What a person says of a file, so that it need not be asked. */
export type Wishes = {
  /** The block's name. */
  readonly name?: string;
  readonly encoding?: string;
  readonly delimiter?: Delimiter;
  readonly header?: boolean;
  /** Whether the cells that a row lacks at its end are blank. */
  readonly shortRows?: true;
  readonly totals?: TotalsWish;
  readonly sheet?: string;
  /** The way to the list of rows in a JSON document. */
  readonly property?: string;
  /** The order of a day and a month in `3/4/2020`. */
  readonly dates?: 'dmy' | 'mdy';
  /** The character before decimals. */
  readonly decimal?: '.' | ',';
  /** Types by the columns' names or headers. */
  readonly types: ReadonlyMap<string, FieldTypeName>;
};
