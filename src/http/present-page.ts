import type { Arguments, RawArguments } from '../arguments/given.ts';
import type { ViewName } from '../block/views.ts';
import { type BlockView, type PageOutcome, type PageState, pairsOf } from '../page/block-view.ts';
import { type OpenedView, openedView, viewsOf } from '../page/opened-view.ts';
import { PROBLEMS } from '../problem/errors.ts';
import type { PlannedRun } from '../query/run.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed, etagOf, type Run } from './answer.ts';
import { figureOutcome } from './figure-outcome.ts';
import type { Asked, Presentation } from './line.ts';
import { loadPages, PAGE_HEADERS } from './load-pages.ts';
import {
  isUnasked,
  readForPage,
  refusalOfLength,
  sentPairs,
  usedOf,
  usualSort,
} from './page-arguments.ts';
import { rowsHeaders } from './present-data.ts';
import { checkFormatOptions } from './read-format.ts';
import { pageAddress } from './request.ts';
import { type Outcome, outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import { isOfDataset, type ServedDataset } from './served-block.ts';
import { asProblem } from './service.ts';
import { planTable, tableOutcome } from './table-outcome.ts';

type PageRead = {
  /** The arguments as name-value pairs, as the page's links and its forms have them. */
  readonly sent: PageState;
  /** Undefined if the block needs arguments and has none. */
  readonly read: Arguments | undefined;
  /** What a page of rows shows. */
  readonly opened?: OpenedView;
};

/** A block's page: its form, and below it the result or the problem. */
export function pageOf(asked: Asked): Presentation<PageRead, PlannedRun | undefined, Shown> {
  const { run, served, budget } = asked;
  const { request, settings } = run;
  const began = performance.now();
  const { used, unused } = usedOf(asked.given, served.known);
  const pairs = sentPairs(used);
  const tooLong = refusalOfLength(pairs);
  const address = pageAddress(request);
  const profile = served.profile?.();
  const render = async (
    { outcome, opened, values }: Pick<Shown, 'outcome' | 'opened' | 'values'>,
    sent: PageState,
    its: Budget,
  ) => {
    const { renderBlockPage } = await loadPages();
    return renderBlockPage({
      given: sent,
      address,
      block: served.block,
      values,
      unused,
      opened: opened?.view,
      added: pairsOf(opened?.added ?? {}),
      views: isOfDataset(served) ? viewsOf({ ...served, profile }) : [],
      outcome,
      turn: (steps) => its.checkpoint(steps),
      kept: served.kept,
      manifest: served.manifest,
      profile,
    } satisfies BlockView);
  };
  const answered = async (
    shown: Shown,
    page: string,
    { read }: Pick<PageRead, 'read'>,
    headers: Record<string, string>,
  ) => {
    const { applied } = read ?? {};
    return compressed(run, {
      status: shown.status,
      headers: {
        ...headers,
        ...(applied === undefined ? {} : { 'Preference-Applied': `handling=${applied}` }),
        ...shown.headers,
      },
      body: page,
      outcome: shown.record,
      timings: `page;dur=${(performance.now() - began).toFixed(2)}, `,
    });
  };
  return {
    read() {
      if (tooLong !== undefined) throw tooLong;
      const given = { ...asked, given: used };
      if (isUnasked(given)) return { sent: pairs, read: undefined };
      const read = readForPage(given);
      if (!isOfDataset(served)) return { sent: pairs, read };
      return inUsualOrder(used, read, openedView({ ...served, profile }, read));
    },
    plan({ read, opened }) {
      if (read === undefined) return undefined;
      checkFormatOptions(read.values, 'html');
      if (opened === undefined || !isOfDataset(served)) return served.plan(read.values, budget);
      return planOf(served, opened, budget);
    },
    head({ sent, read }, planned) {
      const headers: Record<string, string> = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache' };
      if (used.isPost || read?.values._explain === true) return { headers };
      const cacheKey = planned === undefined ? 'unasked' : [planned.cacheKey(), read?.warnings];
      const dependsOn = [{ given: sent, address }, unused, cacheKey];
      headers.ETag = etagOf(settings.build, 'page', ...dependsOn);
      return { headers };
    },
    async run(planned, { sent, read, opened }) {
      const status = 200;
      if (planned === undefined || read === undefined) {
        return { outcome: { kind: 'unasked' }, values: {}, record: {}, status };
      }
      const { warnings } = read;
      if (opened === undefined || !isOfDataset(served)) {
        const output = await planned.run(budget);
        const all = [...warnings, ...output.warnings];
        const record = outcomeOfOutput(output, budget);
        if (output.kind === 'rows') throw new TypeError('These rows have no view.');
        const outcome: PageOutcome = { kind: 'value', value: output.value, warnings: all };
        return { outcome, values: read.values, record, status };
      }
      const of = { run, served, profile, sent, warnings };
      const shown = { opened, values: opened.values, status };
      if (opened.view === 'columns') {
        return { ...shown, outcome: { kind: 'columns', warnings }, record: {} };
      }
      if (opened.view === 'chart' || opened.view === 'map') {
        const drawn = await figureOutcome(of, opened, budget).catch(unlessAsked(opened));
        if (drawn !== undefined) {
          const record = outcomeOfOutput(drawn.output, budget);
          const counted = read.grouping === undefined ? drawn.outcome.matching : drawn.output.total;
          const headers = { 'X-Total-Count': String(counted) };
          return { ...shown, outcome: drawn.outcome, record, headers };
        }
      }
      const view: ViewName = opened.view === 'api' ? 'api' : 'table';
      const table = view === 'api' ? planned : await planTable(served, opened, budget);
      const output = await table.run(budget);
      return {
        ...{ ...shown, opened: { ...opened, view } },
        outcome: await tableOutcome(of, opened, output, budget),
        record: outcomeOfOutput(output, budget),
        headers: rowsHeaders(request, output),
      };
    },
    async answer(shown, headers, read) {
      return answered(shown, await render(shown, read.sent, budget), read, headers);
    },
    async refuse(error, read) {
      const shown = refused(run, error);
      const sent = read?.sent ?? (tooLong === undefined ? pairs : []);
      // The run's time may be over. A problem must not be cached, nor answered with 304.
      const more = new Budget(run.scheduler, RUN_STEPS, run.settings.runWithinMs);
      const page = await render(shown, sent, more);
      const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
      return answered(shown, page, read ?? { read: undefined }, headers);
    },
  };
}

/** A question that nobody asked must not take more than a run has: the page then has its table. */
function unlessAsked({ added }: OpenedView) {
  return (error: unknown): undefined => {
    const isUnasked = Object.keys(added).length > 0;
    if (!isUnasked || asProblem(error).code !== 'too-much-work') throw error;
  };
}

type Shown = {
  readonly outcome: PageOutcome;
  readonly opened?: OpenedView;
  readonly values: Arguments['values'];
  readonly record: Outcome;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Groups that are given no order, and have none of their own, begin with the largest. */
function inUsualOrder(used: RawArguments, read: Arguments, opened: OpenedView): PageRead {
  const _sort = usualSort(opened);
  if (_sort === undefined) return { sent: sentPairs(used), read, opened };
  const values = { ...opened.values, _sort: [_sort] };
  // Of a question that was sent, as if it were sent too: so links, files and programs have its order.
  if (read.grouping === undefined) {
    const added = { ...opened.added, _sort };
    return { sent: sentPairs(used), read, opened: { ...opened, values, added } };
  }
  const sent = sentPairs({ ...used, query: { ...used.query, _sort } });
  return { sent, read, opened: { ...opened, values } };
}

/** Rows whose files' sizes and first members are shown beside programs. */
const SAMPLED = 50;

/** What a page's answer depends on; a table is of this plan. */
function planOf(
  served: ServedDataset,
  opened: OpenedView,
  budget: Budget,
): Promise<PlannedRun> | PlannedRun {
  const { view, values, grouping } = opened;
  if (view === 'table') return planTable(served, opened, budget);
  if (view === 'api') return served.plan({ ...values, _limit: SAMPLED }, budget, grouping);
  return served.plan(values, budget, grouping);
}

function refused({ runId }: Run, error: unknown): Shown {
  const problem = asProblem(error);
  const { status, title } = PROBLEMS[problem.code];
  const { detail, faults, headers } = problem;
  return {
    outcome: { kind: 'refused', title, detail, faults, runId },
    values: {},
    record: outcomeOfProblem(problem),
    status,
    headers,
  };
}
