import type { Block } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { Row } from '../fields/field.ts';
import type { Fault, Warning } from '../problem/errors.ts';
import type { FilterHelp } from '../query/zero-result-help.ts';
import type { DatasetProfile } from './dataset-profile.ts';

/** All that a block's page shows: plain data, so that the page may be a bundle of its own. */
export type BlockView = {
  readonly block: Block;
  readonly manifest?: Manifest;
  readonly profile?: DatasetProfile;
  /** What was asked, as it was sent: names may repeat. */
  readonly given: readonly (readonly [string, string])[];
  /** The same, read: what is valid of it. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly address: PageAddress;
  readonly outcome: PageOutcome;
};

/** Where a page is, so that its links hold under any stage or base path. */
export type PageAddress = {
  /** The page's own address, absolute, without its query: for snippets. */
  readonly url: string;
  /** From the page to the service's root: `../../`. */
  readonly toRoot: string;
};

export type PageOutcome =
  /** Nothing was asked, and something must be. */
  | { readonly kind: 'unasked' }
  | {
      readonly kind: 'refused';
      readonly title: string;
      readonly detail: string;
      readonly faults: readonly Fault[];
      readonly runId: string;
    }
  | {
      readonly kind: 'rows';
      readonly rows: readonly Row[];
      readonly total: number | null;
      readonly next: string | null;
      readonly warnings: readonly Warning[];
      readonly help?: readonly FilterHelp[];
      /** The rows for the map: all, or those that could be had without reading more. */
      readonly marks: readonly Row[];
      readonly marksAreAll: boolean;
    }
  | {
      readonly kind: 'value';
      readonly value: Readonly<Record<string, unknown>>;
      readonly warnings: readonly Warning[];
    };

/** Makes a block's page of what it shows. */
export type RenderBlockPage = (view: BlockView) => string;
