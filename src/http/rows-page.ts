import type { Arguments } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile } from '../block/manifest.ts';
import { matchingIn, type PageOutcome, type SearchHint } from '../page/block-view.ts';
import type { OpenedView } from '../page/opened-view.ts';
import type { PlannedRun } from '../query/run.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { checkFigure, figureFile } from './figure-file.ts';
import { figureOutcome, totalOfFigure } from './figure-outcome.ts';
import { loadPages } from './load-pages.ts';
import { readBeside } from './read-row-page.ts';
import { rowsHeaders } from './rows-headers.ts';
import { type Outcome, outcomeOfOutput } from './run-record.ts';
import { searchHints } from './search-hints.ts';
import { asProblem } from './service.ts';
import { planTable, tableOutcome } from './table-outcome.ts';
import type { PagedDataset, ViewAsked } from './view-asked.ts';

/** What a page shows of rows, and what is recorded of its run. */
export type ShownRows = {
  readonly outcome: PageOutcome;
  readonly opened: OpenedView;
  readonly record: Outcome;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hints?: readonly SearchHint[];
};

/** The pages of a dataset: a block that computes a value carries nothing of them. */
export type RowsPage = typeof rowsPage;

export const rowsPage = {
  ...{ open, plan: planOf, show, readBeside },
  ...{ checkFigure, drawFigure: figureFile },
};

/** Opens a view. Groups that are given no order, and have none of their own, begin with the largest. */
async function open(
  of: PagedDataset,
  profile: DatasetProfile | undefined,
  read: Pick<Arguments, 'values' | 'grouping'>,
  budget: Budget,
): Promise<OpenedView> {
  const { openedView } = await loadPages();
  const opened = openedView({ ...of, block: withFirst(of, budget), profile }, read);
  const _sort = usualSort(opened);
  if (_sort === undefined) return opened;
  // As if it were asked for: so the page's links, files and programs have its order too.
  return {
    ...opened,
    values: { ...opened.values, _sort: [_sort] },
    added: { ...opened.added, _sort },
  };
}

/** The block with what its page opens with as it is read: a text of a list as a list. */
function withFirst({ block, readArguments }: PagedDataset, budget: Budget): DatasetBlock {
  const { first } = block;
  if (first === undefined) return block;
  const given = { query: {}, body: first, isPost: true, isWebhook: false };
  return { ...block, first: readArguments(given, budget).values };
}

/** The order of groups that are given none and have none of their own: the largest first. */
function usualSort({
  values,
  grouping,
}: Pick<Arguments, 'values' | 'grouping'>): string | undefined {
  const { dimensions: [dimension, second] = [], measures: [measure] = [] } = grouping ?? {};
  if (values._sort !== undefined || dimension === undefined || measure === undefined) {
    return undefined;
  }
  const isOrdered = dimension.part !== undefined || typeOf(dimension.field).isOrdered;
  const isSortedByItself = second !== undefined || isOrdered || !isNumeric(measure.column);
  return isSortedByItself ? undefined : `-${measure.column.name}`;
}

/** Rows whose files' sizes and first members are shown beside programs. */
const SAMPLED = 50;

/** What a page's answer depends on. A table is of this plan, and so is what a program is shown. */
function planOf(
  of: PagedDataset,
  profile: DatasetProfile | undefined,
  opened: OpenedView,
  budget: Budget,
): Promise<PlannedRun> | PlannedRun {
  const { view, values, grouping } = opened;
  if (view === 'table') return planTable(of, profile, opened, budget);
  if (view === 'api') return of.plan({ ...values, _limit: SAMPLED }, budget, grouping);
  return of.plan(values, budget, grouping);
}

/** Reads what a view shows, and what a search may have meant. */
async function show(
  asked: ViewAsked,
  opened: OpenedView,
  planned: PlannedRun,
  budget: Budget,
): Promise<ShownRows> {
  const shown = await showView(asked, opened, planned, budget);
  const matching = matchingIn(shown.outcome);
  if (matching === undefined || opened.view === 'api') return shown;
  return { ...shown, hints: await searchHints(asked, opened.values, matching, budget) };
}

/** Groups that no figure can show are a table. */
async function showView(
  asked: ViewAsked,
  opened: OpenedView,
  planned: PlannedRun,
  budget: Budget,
): Promise<ShownRows> {
  const { view, added } = opened;
  if (view === 'columns') {
    return { opened, outcome: { kind: 'columns', warnings: asked.warnings }, record: {} };
  }
  if (view === 'api' || view === 'table') return showTable(asked, opened, planned, budget);
  const drawn = await figureOutcome(asked, opened, budget).catch(unlessAsked(opened));
  if (drawn === undefined) return showInstead(asked, opened);
  const { outcome, output } = drawn;
  const _group = outcome.grouping?.dimensions.map(({ text }) => text);
  // What nobody asked for is what is drawn, in links and files too.
  const shown = added._group === undefined ? opened : { ...opened, added: { ...added, _group } };
  const total = totalOfFigure(opened, { matching: outcome.matching, output });
  const headers = { 'X-Total-Count': String(total) };
  return { opened: shown, outcome, headers, record: outcomeOfOutput(output, budget) };
}

/** The table of what no figure can show. */
async function showInstead(asked: ViewAsked, opened: OpenedView): Promise<ShownRows> {
  const table: OpenedView = { ...(isAsked(opened) ? opened : rowsOf(opened)), view: 'table' };
  // The figure may have taken all that a run has.
  const { scheduler, settings } = asked.run;
  const more = new Budget(scheduler, RUN_STEPS, settings.runWithinMs);
  return showTable(asked, table, await planTable(asked.served, asked.profile, table, more), more);
}

async function showTable(
  asked: ViewAsked,
  opened: OpenedView,
  planned: PlannedRun,
  budget: Budget,
): Promise<ShownRows> {
  const { outcome, output } = await tableOutcome(asked, opened, planned, budget);
  return {
    opened,
    outcome,
    record: outcomeOfOutput(output, budget),
    headers: rowsHeaders(asked.run.request, output),
  };
}

/** Whether somebody asked for a figure, and did not only come to the block. */
function isAsked({ values, isImplied }: OpenedView): boolean {
  return isImplied === true || values._view !== undefined;
}

/** The rows, without a question that nobody asked. */
function rowsOf({ values, added }: OpenedView): OpenedView {
  const asked = Object.entries(values).filter(([name]) => !Object.hasOwn(added, name));
  return { view: 'table', values: Object.fromEntries(asked), added: {} };
}

/** A question that nobody asked must not take more than a run has: the page then has its table. */
function unlessAsked(opened: OpenedView) {
  return (error: unknown): undefined => {
    if (isAsked(opened) || asProblem(error).code !== 'too-much-work') throw error;
  };
}
