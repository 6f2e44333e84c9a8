import type { ReadArguments } from '../arguments/given.ts';
import { belowRoot } from '../block/addresses.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { hrefOf, type PageState } from '../page/block-view.ts';
import type { Warning } from '../problem/errors.ts';
import type { PlanRun } from '../query/run.ts';
import type { Run } from './answer.ts';
import { pageAddress } from './request.ts';
import { carriedQuestion } from './row-question.ts';

/** A dataset, as its pages need it. */
export type PagedDataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly plan: PlanRun;
  readonly readArguments: ReadArguments;
};

/** What a view of a page is asked for, beside what it shows. */
export type ViewAsked = {
  readonly run: Run;
  readonly served: PagedDataset;
  readonly profile: DatasetProfile | undefined;
  /** The arguments as name-value pairs. */
  readonly sent: PageState;
  readonly warnings: readonly Warning[];
  readonly language: Language;
};

/** Makes links to rows, which keep the question and a key, of the ends of their addresses. */
export function rowLinks(
  { run, served, sent }: Pick<ViewAsked, 'run' | 'served' | 'sent'>,
  view?: 'map',
): (row: string) => string {
  const kept = ['_lang', 'api_key'].flatMap((name) =>
    sent.filter((one) => one[0] === name).slice(0, 1),
  );
  const query = hrefOf([...carriedQuestion(served.block, sent, view), ...kept]).replace(/^\?$/, '');
  const { toRoot } = pageAddress(run.request);
  return (row) => toRoot + belowRoot(row) + query;
}
