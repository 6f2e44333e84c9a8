import { OF_CHARTS } from '../arguments/check-examples.ts';
import type { Arguments } from '../arguments/given.ts';
import type { Block, ValueBlock } from '../block/block.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { type LanguageName, languageName } from '../languages/names.ts';
import {
  type BlockView,
  type PageOutcome,
  type PageState,
  pairsOf,
  type SearchHint,
} from '../page/block-view.ts';
import type { OpenedView } from '../page/opened-view.ts';
import { PROBLEMS } from '../problem/errors.ts';
import type { PlannedRun } from '../query/run.ts';
import { dateText } from '../values/calendar.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed, type Run, rootOf } from './answer.ts';
import { etagOf } from './etag.ts';
import type { Presentation } from './line.ts';
import { loadPages, PAGE_HEADERS } from './load-pages.ts';
import { isUnasked, readForPage, refusalOfLength, sentPairs, usedOf } from './page-arguments.ts';
import { refuseNumbersOf } from './page-numbers.ts';
import { checkFormatOptions } from './read-format.ts';
import { pageAddress } from './request.ts';
import { type Outcome, outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import { type Asked, isOfDataset } from './served-block.ts';
import { asProblem } from './service.ts';

type PageRead = {
  /** The arguments as name-value pairs, as the page's links and its forms have them. */
  readonly sent: PageState;
  /** Undefined if the block needs arguments and has none. */
  readonly read: Arguments | undefined;
};

/** A run, and what a page of rows shows of it. */
type PagePlan = { readonly planned?: PlannedRun; readonly opened?: OpenedView };

/** A block's page: its form, and below it the result or the problem. */
export function pageOf(asked: Asked): Presentation<PageRead, PagePlan, Shown> {
  const { run, served, budget } = asked;
  const { request, settings } = run;
  const began = performance.now();
  const { used, unused } = usedOf(asked.given, served.known);
  const pairs = sentPairs(used);
  const tooLong = refusalOfLength(pairs);
  const address = pageAddress(request);
  const profile = served.profile?.();
  const today = dateText(Date.now());
  const render = async (
    { outcome, opened, values, hints }: Pick<Shown, 'outcome' | 'opened' | 'values' | 'hints'>,
    sent: PageState,
    its: Budget,
  ) => {
    const { renderBlockPage } = await loadPages();
    const language = await languageOfPage(sent, served.block);
    return renderBlockPage({
      language,
      given: sent,
      address,
      site: siteOf(run),
      today,
      mayBeFramed: settings.frameAncestors === undefined || settings.frameAncestors === '*',
      block: inLanguage(served.block, language),
      values,
      unused,
      opened: opened?.view,
      isImplied: opened?.isImplied === true,
      added: pairsOf(opened?.added ?? {}),
      outcome,
      ...(hints === undefined ? {} : { hints }),
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
      const given = { ...asked, given: { ...used, canWarn: true } };
      if (isUnasked(given)) return { sent: pairs, read: undefined };
      refuseNumbersOf(nameOfLanguage(pairs, served.block), pairs, served);
      return { sent: pairs, read: readForPage(given) };
    },
    async plan({ sent, read }) {
      if (read === undefined) return {};
      checkFormatOptions(read.values, 'html');
      if (!isOfDataset(served))
        return { planned: served.plan(withOthers(served.block, sent, read.values), budget) };
      const opened = await served.page.open(served, profile, read, budget);
      return { opened, planned: await served.page.plan(served, profile, opened, budget) };
    },
    head({ sent, read }, { planned }) {
      const headers: Record<string, string> = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache' };
      if (used.isPost || read?.values._explain === true) return { headers };
      const cacheKey = planned === undefined ? 'unasked' : [planned.cacheKey(), read?.warnings];
      const dependsOn = [{ given: sent, address }, unused, cacheKey, today];
      headers.ETag = etagOf(settings.build, 'page', ...dependsOn);
      return { headers };
    },
    async run({ planned, opened }, { sent, read }) {
      const status = 200;
      if (planned === undefined || read === undefined) {
        return { outcome: { kind: 'unasked' }, values: {}, record: {}, status };
      }
      const { warnings } = read;
      if (opened !== undefined && isOfDataset(served)) {
        const language = await languageOfPage(sent, served.block);
        const of = { run, served, profile, sent: sentTo(opened, sent), warnings, language };
        const shown = await served.page.show(of, opened, planned, budget);
        return { ...shown, values: opened.values, status };
      }
      const output = await planned.run(budget);
      if (output.kind === 'rows') throw new TypeError('These rows have no page.');
      const all = [...warnings, ...output.warnings];
      const outcome: PageOutcome = { kind: 'value', value: output.value, warnings: all };
      return { outcome, values: read.values, record: outcomeOfOutput(output, budget), status };
    },
    async answer(shown, headers, read) {
      const sent = sentTo(shown.opened, read.sent);
      return answered(shown, await render(shown, sent, budget), read, headers);
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

/**
 * The arguments of a page as its links have them. A filter of the block's first question can be
 * dropped as one that was sent, so the links then have the whole question.
 */
function sentTo(opened: OpenedView | undefined, sent: PageState): PageState {
  const added = opened?.added ?? {};
  return Object.keys(added).some((name) => !OF_CHARTS.includes(name))
    ? [...sent, ...pairsOf(added)]
    : sent;
}

/** Similar colours that a page shows beside the one found, if nobody asks for a number of them. */
const OTHERS_SHOWN = 5;

/** The arguments of a block, on a page also those by which a colour is shown among similar ones. */
function withOthers(block: Block, sent: PageState, values: Arguments['values']) {
  const { others } = (block as ValueBlock).color ?? {};
  const isTaken = block.parameters.some(({ name }) => name === others);
  if (others === undefined || !isTaken || sent.some(([name]) => name === others)) return values;
  return { ...values, [others]: OTHERS_SHOWN };
}

type Spoken = Partial<Pick<Block, 'lang'>>;

function nameOfLanguage(sent: PageState, { lang }: Spoken = {}): LanguageName {
  return languageName(sent.find(([name]) => name === '_lang')?.[1], lang);
}

/** The language of a page: the one that is asked for, or else the block's. */
export async function languageOfPage(sent: PageState, block?: Spoken): Promise<Language> {
  const { LANGUAGES } = await loadPages();
  return LANGUAGES[nameOfLanguage(sent, block)];
}

/** Whose the page is, for search engines; undefined of a page with a query, which they may not keep. */
function siteOf({ request, settings }: Run): BlockView['site'] {
  const root = rootOf({ request, settings });
  if (root === undefined || request.query !== '') return undefined;
  return { root, publication: settings.publication ?? {} };
}

type Shown = {
  readonly outcome: PageOutcome;
  readonly opened?: OpenedView;
  readonly values: Arguments['values'];
  readonly record: Outcome;
  readonly status: number;
  readonly hints?: readonly SearchHint[];
  readonly headers?: Readonly<Record<string, string>>;
};

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
