import type { RowView } from '../page/row-page.tsx';
import { PROBLEMS } from '../problem/errors.ts';
import { Budget } from '../work/budget.ts';
import type { Answered, Run } from './answer.ts';
import { PAGE_HEADERS, sentPairs, type usedOf } from './answer-page.ts';
import type { RowAsked, ServedDataset } from './answer-row.ts';
import { asProblem } from './as-problem.ts';
import { compressed } from './compressed.ts';
import { etagOf } from './etag.ts';
import { loadPages } from './load-pages.ts';
import { notModified } from './not-modified.ts';
import { pageAddress } from './page-address.ts';
import { type Outcome, outcomeOfOutput, outcomeOfProblem } from './run-record.ts';

/** Answers with the page of a row, or of what is wrong with its address. */
export async function answerRowPage(
  run: Run,
  served: ServedDataset,
  { used, unused }: ReturnType<typeof usedOf>,
  find: () => Promise<RowAsked>,
): Promise<Answered> {
  const { request, settings, runId } = run;
  const { block, source, profile } = served;
  const { manifest } = source;
  const address = pageAddress(request);
  const key = new URLSearchParams(request.query).get('api_key') ?? undefined;
  const answer = async (
    shown: Pick<RowView, 'outcome' | 'values'>,
    budget: Budget,
    answered: Pick<Answered, 'status' | 'headers'> & { readonly outcome: Outcome },
  ) => {
    const { renderRowPage } = await loadPages();
    const its = profile === undefined ? {} : { profile: profile() };
    const body = await renderRowPage({
      block,
      manifest,
      ...its,
      given: sentPairs(used),
      unused,
      address,
      key,
      turn: (steps) => budget.turn(steps),
      ...shown,
    });
    return compressed(run, { ...answered, body });
  };
  try {
    const { values, warnings, found, address: canonical, budget } = await find();
    const outcome = outcomeOfOutput(found.output, budget);
    const ETag = etagOf(
      settings.build,
      'row page',
      manifest.version,
      canonical,
      address,
      request.query,
    );
    const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag };
    const known = notModified(request, headers);
    if (known !== undefined) return { ...known, outcome };
    const shown = { kind: 'row' as const, row: found.row, canonical, warnings };
    return await answer({ values, outcome: shown }, budget, { status: 200, headers, outcome });
  } catch (error) {
    const problem = asProblem(error);
    const { status, title } = PROBLEMS[problem.code];
    const { detail, faults } = problem;
    const suggestion = problem.code === 'unknown-row' ? faults[0]?.suggestion : undefined;
    const shown = { kind: 'refused' as const, title, detail, faults, runId };
    const headers = { ...PAGE_HEADERS, ...problem.headers, 'Cache-Control': 'no-store' };
    return answer(
      { values: {}, outcome: suggestion === undefined ? shown : { ...shown, suggestion } },
      new Budget(),
      { status, headers, outcome: outcomeOfProblem(problem) },
    );
  }
}
