import type { Arguments } from '../arguments/given.ts';
import { svg } from '../formats/svg.ts';
import { PROBLEMS, type Problem } from '../problem/errors.ts';
import type { Shown } from '../views/block-page.tsx';
import type { FigureFile } from '../views/figure-file.ts';
import type { Arrival, ViewQuery } from '../views/view.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed, PAGE_HEADERS, type Run, rootOf } from './answer.ts';
import { etagOf } from './etag.ts';
import type { Presentation } from './line.ts';
import { addRowsHeaders, thrownOn } from './present-data.ts';
import { checkFormatOptions } from './read-format.ts';
import { pageAddress } from './request.ts';
import { outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import {
  type Asked,
  type DatasetViews,
  type PageViews,
  placesAsked,
  type ServedDataset,
} from './served-block.ts';
import { asProblem } from './service.ts';

/** The arguments of a page; undefined if its block needs some and has none. */
type PageArguments = Arguments | undefined;

/** A block's page: its form, and below it a view of the block, or the problem. */
export function pageOf(
  asked: Asked,
  views: PageViews,
): Presentation<PageArguments, ViewQuery, Shown> {
  const { run, served, given, budget } = asked;
  const { request, settings, runId } = run;
  const began = performance.now();
  const more = () => new Budget(run.scheduler, RUN_STEPS, settings.runWithinMs);
  const door = views.arriveAt(arrivalOf(asked));
  const answered = async (
    shown: Shown,
    read: PageArguments,
    headers: Headers,
    problem?: Problem,
  ) => {
    const { output } = shown.read;
    const { applied } = read ?? {};
    if (applied !== undefined) headers['Preference-Applied'] = `handling=${applied}`;
    const body = await views.renderBlockPage(shown);
    return compressed(run, {
      status: problem === undefined ? 200 : PROBLEMS[problem.code].status,
      headers: { ...addRowsHeaders({ ...headers }, request, shown.read), ...problem?.headers },
      body,
      outcome:
        problem !== undefined
          ? outcomeOfProblem(problem)
          : output && outcomeOfOutput(output, shown.budget),
      timings: `page;dur=${(performance.now() - began).toFixed(2)}, `,
    });
  };
  return {
    read() {
      if (door.tooLong === undefined && isUnasked(asked)) return undefined;
      return views.readPage(door, budget);
    },
    plan(read) {
      if (read !== undefined) checkFormatOptions(served.block, read, 'html');
      return views.openView(door, read, budget);
    },
    head(read, { planned }) {
      const headers: Headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache' };
      if (given.isPost || read?.values._explain === true) return { headers };
      const cacheKey = planned === undefined ? 'unasked' : [planned.cacheKey(), read?.warnings];
      const { sent, address, unused, today, mayBeFramed, whole } = door;
      const links = [mayBeFramed, whole?.most, whole?.inOnePiece, served.filesMark?.()];
      const dependsOn = [{ given: sent, address }, unused, cacheKey, today, links];
      headers.ETag = etagOf(settings.build, 'page', ...dependsOn);
      return { headers };
    },
    query(query, read) {
      return views.readView(query, door, read?.warnings ?? [], budget, more);
    },
    answer(shown, headers, read) {
      return answered(shown, read, headers);
    },
    refuse(error, read) {
      const problem = asProblem(error);
      const { detail, faults, code } = problem;
      // The run's time may be over.
      const shown = views.refusedView(
        door,
        { title: PROBLEMS[code].title, detail, faults },
        runId,
        more(),
      );
      // A problem must not be cached, nor answered with 304.
      return answered(shown, read, { ...PAGE_HEADERS, 'Cache-Control': 'no-store' }, problem);
    },
  };
}

type Headers = Record<string, string>;

/** What is known of a page at its door. A POST's query has names that are not for the block. */
function arrivalOf({ run, served, given }: Asked): Arrival {
  const { request, settings } = run;
  const { frameAncestors = '*', streamBytes: most, inOnePiece } = settings;
  const { block, manifest, boundaries, plan, readArguments, kept } = served;
  return {
    block,
    manifest,
    boundaries,
    plan,
    readArguments,
    kept,
    given,
    site: siteOf(run),
    profile: served.profile?.(),
    unused: given.isPost ? [] : given.names.strangers,
    address: pageAddress(request),
    mayBeFramed: frameAncestors === '*',
    whole: { most, inOnePiece, places: placesAsked(served, undefined) },
    files: served.filesNow?.() ?? [],
  };
}

/** Whether a block that needs arguments was given none, not even a misspelt name. */
function isUnasked({ served, given }: Asked): boolean {
  if (served.block.answers !== 'value' || given.isPost || given.locations !== undefined) {
    return false;
  }
  const { names } = given;
  return names.near.length === 0 && names.known.every((name) => name === '_format');
}

/** Whose the page is, for search engines; undefined of a page with a query, which they may not keep. */
function siteOf({ request, settings }: Run): Arrival['site'] {
  const root = rootOf({ request, settings });
  if (root === undefined || request.query !== '') return undefined;
  return { root, publication: settings.publication ?? {} };
}

/** A file that runs nothing and loads nothing, wherever it is opened. */
const SVG_HEADERS = {
  'Content-Type': svg.contentType,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Accept-Encoding, Prefer',
};

/**
 * The figure of a block's page as an SVG file. Like all files it has no place for warnings, so a
 * name that the block does not have is refused.
 */
export function pictureOf(
  { run, served, given, budget }: Asked<ServedDataset>,
  views: DatasetViews,
): Presentation<Arguments, ViewQuery, FigureFile> {
  const of = { ...served, profile: served.profile?.() };
  const began = performance.now();
  return {
    read() {
      return views.readForPage(served.readArguments, given, budget);
    },
    plan(read) {
      checkFormatOptions(served.block, read, 'svg');
      const query = views.openDataset(of, read, budget);
      views.checkFigure(query);
      return query;
    },
    head({ values, applied }, query) {
      const headers: Record<string, string> = { ...SVG_HEADERS };
      if (applied !== undefined) headers['Preference-Applied'] = `handling=${applied}`;
      if (given.isPost || values._explain === true) return { headers };
      const dependsOn = [query.planned?.cacheKey(), query.name, query.values];
      headers.ETag = etagOf(run.settings.build, 'svg', ...dependsOn);
      return { headers };
    },
    query(query) {
      const language = views.languageOf(views.sentPairs(given), served.block);
      return views.figureFile(query, { of, language, budget });
    },
    answer({ text, total, output }, headers) {
      return compressed(run, {
        status: 200,
        headers: { ...headers, 'X-Total-Count': String(total) },
        body: text,
        outcome: outcomeOfOutput(output, budget),
        timings: `figure;dur=${(performance.now() - began).toFixed(2)}, `,
      });
    },
    refuse: thrownOn,
  };
}
