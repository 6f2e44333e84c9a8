import type { ReadArguments } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { countedFields, type PageState } from '../page/block-view.ts';
import type { Warning } from '../problem/errors.ts';
import type { PlanRun } from '../query/run.ts';
import type { Run } from './answer.ts';
import { pageAddress } from './request.ts';
import { belowRoot } from './service.ts';

/** A dataset, as its pages need it. */
export type PagedDataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly plan: PlanRun;
  readonly readArguments: ReadArguments;
  readonly profile?: () => DatasetProfile;
};

/** What a view of a page is asked for, beside what it shows. */
export type ViewAsked = {
  readonly run: Run;
  readonly served: PagedDataset;
  readonly profile: DatasetProfile | undefined;
  /** The arguments as name-value pairs. */
  readonly sent: PageState;
  readonly warnings: readonly Warning[];
};

/** Makes links to rows, which keep a key, of the ends of their addresses. */
export function rowLinks({ run, sent }: Pick<ViewAsked, 'run' | 'sent'>): (row: string) => string {
  const [, key] = sent.find(([name]) => name === 'api_key') ?? [];
  const keyed = key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
  const { toRoot } = pageAddress(run.request);
  return (row) => toRoot + belowRoot(row) + keyed;
}

/** The facets that are asked for, and those of the form. */
export function facetsFor(
  { block, manifest }: PagedDataset,
  asked: unknown,
): { _facets?: string[] } {
  const _facets = [
    ...new Set([...((asked ?? []) as string[]), ...countedFields(block.fields, manifest)]),
  ];
  return _facets.length === 0 ? {} : { _facets };
}
