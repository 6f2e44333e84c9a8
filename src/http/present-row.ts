import type { Arguments, Members } from '../arguments/given.ts';
import { namesInQuery, optionOfOneRow } from '../arguments/names.ts';
import { belowRoot, rowPlace, rowReference } from '../block/addresses.ts';
import { FORMATS, type Format } from '../formats/formats.ts';
import { featureOf } from '../formats/geojson.ts';
import { inLanguage } from '../languages/language.ts';
import { hrefOf, type PageState } from '../page/block-view.ts';
import type { RowView } from '../page/row-view.ts';
import { PROBLEMS } from '../problem/errors.ts';
import type { FoundRow } from '../query/read-row.ts';
import type { ReadUsage } from '../query/row-store.ts';
import { rowText } from '../values/row-texts.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed } from './answer.ts';
import { renderEnvelope } from './envelope.ts';
import { etagOf } from './etag.ts';
import type { Presentation } from './line.ts';
import { loadPages, PAGE_HEADERS } from './load-pages.ts';
import { sentPairs, usedOf } from './page-arguments.ts';
import { languageOfPage } from './present-page.ts';
import type { BesideRead } from './read-row-page.ts';
import { pageAddress, wantsFlat } from './request.ts';
import { COLUMNS, isOfPage, namesOfQuestion } from './row-question.ts';
import { outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import { type Asked, placesAsked, type ServedDataset, type ServedRow } from './served-block.ts';
import { asProblem } from './service.ts';

/** The row that a request asks for, with its address as the caller sees it. */
type RowFound = FoundRow & { readonly address: string };

/** One row as JSON, or as a feature of GeoJSON. */
export function rowDataOf(
  asked: Asked<ServedDataset>,
  format: Exclude<Format, 'html'>,
): Presentation<Arguments, RowFound, RowFound> {
  const { run, served, given, budget } = asked;
  const { request, settings } = run;
  const { block, manifest } = served;
  const { version } = manifest;
  const envelope = wantsFlat(request) ? 'flat' : 'params';
  return {
    read() {
      // Whoever asks for a page's address as JSON wants its row.
      const { [COLUMNS]: columns, ...query } = given.query;
      const read = served.readArguments({ ...given, query }, budget);
      if (columns === undefined) return read;
      return { ...read, warnings: [...read.warnings, optionOfOneRow(COLUMNS)] };
    },
    // A row's address may be written in several ways: only the row says which is its own.
    plan() {
      return findRow(asked);
    },
    head({ values, warnings }, { address, output }) {
      const headers: Record<string, string> = {
        'Content-Type': FORMATS[format].contentType,
        'Cache-Control': 'no-cache',
        Vary: 'Accept',
      };
      if (values._explain !== true) {
        const form = [format, values._fields, values._geometry, warnings, envelope];
        headers.ETag = etagOf(settings.build, 'row', version, address, ...form);
      }
      return { headers, outcome: outcomeOfOutput(output, budget) };
    },
    async run(found) {
      return found;
    },
    answer(found, headers, { values, warnings }) {
      const outcome = outcomeOfOutput(found.output, budget);
      const { _fields } = values as { readonly _fields?: readonly string[] };
      if (format === 'geojson') {
        const fields = _fields === undefined ? undefined : [...new Set(_fields)];
        const places = placesAsked(served, values._geometry);
        if (places === undefined) throw new TypeError(`${block.name} has no places.`);
        const as = { ...places, boundaries: places.boundaries?.(), fields };
        const body = featureOf(found.text, as, decodeURIComponent(found.segment));
        return { status: 200, headers, body, outcome };
      }
      const row = JSON.parse(rowText(found.row, _fields));
      const value = { row, address: found.address, block: block.name, version };
      const output = { ...found.output, kind: 'value' as const, value };
      const body = renderEnvelope(output, warnings, envelope, values._explain === true);
      return { status: 200, headers, body, outcome };
    },
    async refuse(error) {
      throw error;
    },
  };
}

/** Arguments of a row's page, and the question that led to it. */
type RowRead = Arguments & { readonly question: Members };

/** A row, and what its page shows beside it. */
type RowShown = RowFound & BesideRead;

/** The page of a row, or of what is wrong with its address. */
export function rowPageOf(asked: Asked<ServedRow>): Presentation<RowRead, RowFound, RowShown> {
  const { run, served, budget } = asked;
  const { request, settings, runId } = run;
  const { manifest, all } = served;
  const { own, question, page } = splitQuery(asked.given.query, all);
  const { used, unused } = usedOf({ ...asked.given, query: own }, served.known);
  const address = pageAddress(request);
  const profile = served.profile?.();
  const key = new URLSearchParams(request.query).get('api_key') ?? undefined;
  const asQuestion = { ...asked.given, query: question };
  const pageSent = sentPairs({ ...asked.given, query: page });
  const questionSent = [...sentPairs(asQuestion), ...pageSent];
  const render = async (shown: Pick<RowView, 'outcome' | 'values'>, its: Budget) => {
    const { renderRowPage } = await loadPages();
    const language = await languageOfPage(sentPairs(used), all.block);
    return renderRowPage({
      language,
      block: inLanguage(all.block, language),
      manifest,
      profile,
      given: [...sentPairs(used), ...questionSent],
      unused,
      address,
      key,
      turn: (steps) => its.checkpoint(steps),
      ...shown,
    });
  };
  const linkTo = (reference: string, isInResults: boolean) => {
    const state: PageState = [
      ...(isInResults ? questionSent : []),
      ...sentPairs(used).filter(([name]) => name === '_lang'),
      ...(key === undefined ? [] : ([['api_key', key]] as const)),
    ];
    return address.toRoot + belowRoot(reference) + hrefOf(state).replace(/^\?$/, '');
  };
  return {
    read() {
      const read = served.readArguments(used, budget);
      return { ...read, question: all.readArguments(asQuestion, budget).values };
    },
    plan() {
      return findRow(asked);
    },
    head(_, found) {
      const dependsOn = [manifest.version, found.address, address, request.query];
      const ETag = etagOf(settings.build, 'row page', ...dependsOn);
      const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag };
      return { headers, outcome: outcomeOfOutput(found.output, budget) };
    },
    async run(found, { question }) {
      const { row, position } = found;
      const sent = { question: sentPairs(asQuestion), page: pageSent };
      const beside = { served: all, profile, question, sent, row, position, linkTo, budget };
      return { ...found, ...(await all.page.readBeside(beside)) };
    },
    async answer(shown, headers, { values, warnings }) {
      const { row, address: canonical, output, beside, reads } = shown;
      const explain = { ...output.explain, ...sumOf(output.explain, reads) };
      const outcome = { kind: 'row' as const, row, canonical, warnings, beside };
      const body = await render({ values, outcome }, budget);
      const record = outcomeOfOutput({ ...output, explain }, budget);
      return compressed(run, { status: 200, headers, outcome: record, body });
    },
    async refuse(error) {
      const problem = asProblem(error);
      const { status, title } = PROBLEMS[problem.code];
      const { detail, faults } = problem;
      const suggestion = problem.code === 'unknown-row' ? faults[0]?.suggestion : undefined;
      const shown = { kind: 'refused' as const, title, detail, faults, runId, suggestion };
      const headers = { ...PAGE_HEADERS, ...problem.headers, 'Cache-Control': 'no-store' };
      const outcome = outcomeOfProblem(problem);
      // The run's time may be over.
      const more = new Budget(run.scheduler, RUN_STEPS, settings.runWithinMs);
      const body = await render({ values: {}, outcome: shown }, more);
      return compressed(run, { status, headers, outcome, body });
    },
  };
}

/**
 * A query's members: those of the question that led to the row, of the page of its results, and the
 * others. Names that are misspelt go with the question, as the block refuses them: a filter may have
 * been meant.
 */
function splitQuery(query: Members, { block, known }: ServedDataset) {
  const isOfQuestion = namesOfQuestion(block);
  const misspelt = new Set(namesInQuery(query, known, false).near);
  const parts = {
    own: Object.create(null) as Members,
    question: Object.create(null) as Members,
    page: Object.create(null) as Members,
  };
  for (const name of Object.keys(query)) {
    const part = isOfQuestion(name) || misspelt.has(name) ? 'question' : 'own';
    Object.assign(parts[isOfPage(name) ? 'page' : part], { [name]: query[name] });
  }
  return parts;
}

function sumOf(one: ReadUsage, other: ReadUsage): ReadUsage {
  return {
    chunksRead: one.chunksRead + other.chunksRead,
    itemsRead: one.itemsRead + other.itemsRead,
    capacityUnits: one.capacityUnits + other.capacityUnits,
    usd: one.usd + other.usd,
  };
}

async function findRow({ run, served, budget }: Asked<ServedDataset>): Promise<RowFound> {
  const { request } = run;
  const { block, readRow } = served;
  const found = await readRow(rowPlace(request.path)?.segment ?? '', budget);
  const { url, toRoot } = pageAddress(request);
  const address = new URL(toRoot + belowRoot(rowReference(block.name, found.segment)), url).href;
  return { ...found, address };
}
