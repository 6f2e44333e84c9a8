import type { Arguments } from '../arguments/given.ts';
import { FORMATS, type Format } from '../formats/formats.ts';
import { featureOf } from '../formats/geojson.ts';
import type { RowView } from '../page/row-page.tsx';
import { PROBLEMS } from '../problem/errors.ts';
import type { FoundRow } from '../query/read-row.ts';
import { rowText } from '../values/row-texts.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed, etagOf } from './answer.ts';
import type { Asked, Presentation } from './line.ts';
import { loadPages, PAGE_HEADERS } from './load-pages.ts';
import { sentPairs, usedOf } from './page-arguments.ts';
import { placesAsked, renderEnvelope } from './present-data.ts';
import { pageAddress, wantsFlat } from './request.ts';
import { outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import type { ServedDataset } from './served-block.ts';
import { asProblem, belowRoot, rowPlace, rowReference } from './service.ts';

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
      return served.readArguments(given, budget);
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

/** The page of a row, or of what is wrong with its address. */
export function rowPageOf(
  asked: Asked<ServedDataset>,
): Presentation<Arguments, RowFound, RowFound> {
  const { run, served, budget } = asked;
  const { request, settings, runId } = run;
  const { manifest } = served;
  const { used, unused } = usedOf(asked.given, served.known);
  const address = pageAddress(request);
  const render = async (shown: Pick<RowView, 'outcome' | 'values'>, its: Budget) => {
    const { renderRowPage } = await loadPages();
    return renderRowPage({
      block: served.block,
      manifest,
      profile: served.profile?.(),
      given: sentPairs(used),
      unused,
      address,
      key: new URLSearchParams(request.query).get('api_key') ?? undefined,
      turn: (steps) => its.checkpoint(steps),
      ...shown,
    });
  };
  return {
    read() {
      return served.readArguments(used, budget);
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
    async run(found) {
      return found;
    },
    async answer({ row, address: canonical, output }, headers, { values, warnings }) {
      const outcome = outcomeOfOutput(output, budget);
      const shown = { kind: 'row' as const, row, canonical, warnings };
      const body = await render({ values, outcome: shown }, budget);
      return compressed(run, { status: 200, headers, outcome, body });
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

async function findRow({ run, served, budget }: Asked<ServedDataset>): Promise<RowFound> {
  const { request } = run;
  const { block, readRow } = served;
  const found = await readRow(rowPlace(request.path)?.segment ?? '', budget);
  const { url, toRoot } = pageAddress(request);
  const address = new URL(toRoot + belowRoot(rowReference(block.name, found.segment)), url).href;
  return { ...found, address };
}
