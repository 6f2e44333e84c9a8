import type { FoundBlock, ListedBlock } from '../portals/listed-block.ts';
import { PROBLEMS, type Problem } from '../problem/errors.ts';
import { dateText } from '../values/calendar.ts';
import { type Answered, compressed, PAGE_HEADERS, type Run } from './answer.ts';
import { acceptedFormat } from './read-format.ts';
import { type HttpRequest, keyOf, pageAddress, wantsFlat } from './request.ts';
import { addressRefused } from './routes.ts';
import { outcomeOfProblem } from './run-record.ts';

/** Pages that refuse, which are of no block. */

/** Loads the code of pages that are of no block, at the first one. */
export const loadCatalog = () => import('../page/catalog-page.tsx');

/** Whether a request prefers a page to JSON. */
export function isForPerson({ headers }: HttpRequest): boolean {
  return acceptedFormat(headers.accept ?? null, ['json', 'html']) === 'html';
}

/** Refuses an address that does not exist; a person gets a page that leads to the list of blocks. */
export function refuseAddressOf(run: Run): Promise<Answered> {
  return answerNotFound(run, addressRefused());
}

/** What a page shows beside what is not there: the first of some blocks, and the one meant. */
type Beside = {
  readonly blocks?: readonly FoundBlock[];
  readonly meant?: ListedBlock['summary'] | undefined;
};

/** Answers a person with a page, and throws the problem for others. */
export async function answerNotFound(
  run: Run,
  problem: Problem,
  { blocks = [], meant }: Beside = {},
): Promise<Answered> {
  const { request } = run;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || wantsFlat(request) || !isForPerson(request)) throw problem;
  const { renderNotFoundPage, BLOCKS_ON_PAGE, languageAsked } = await loadCatalog();
  const body = await renderNotFoundPage({
    language: languageAsked(request.query),
    blocks: blocks.slice(0, BLOCKS_ON_PAGE),
    title: PROBLEMS[problem.code].title,
    // Where nothing is, the title says all: the detail is for programs.
    detail: problem.code === 'not-found' ? undefined : problem.detail,
    toRoot: pageAddress(request).toRoot,
    key: keyOf(request),
    today: dateText(Date.now()),
    meant,
  });
  return refusedPage(run, problem, body);
}

/** A problem as a page. */
export function refusedPage(run: Run, problem: Problem, body: string): Promise<Answered> {
  const { status } = PROBLEMS[problem.code];
  const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
  return compressed(run, { status, headers, body, outcome: outcomeOfProblem(problem) });
}
