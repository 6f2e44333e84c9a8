import type { Arguments } from '../arguments/given.ts';
import { optionOfOneRow } from '../arguments/names.ts';
import { belowRoot, COLUMNS, placeBelow, rowReference } from '../block/addresses.ts';
import { FORMATS, type Format } from '../formats/formats.ts';
import { featureOf } from '../formats/geojson.ts';
import { PROBLEMS } from '../problem/errors.ts';
import type { FoundRow } from '../query/read-row.ts';
import type { ReadUsage } from '../query/row-store.ts';
import { rowText } from '../values/row-texts.ts';
import type { BesideRead } from '../views/read-beside.ts';
import type { RowArguments } from '../views/row.tsx';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed, PAGE_HEADERS } from './answer.ts';
import { etagOf } from './etag.ts';
import type { Presentation } from './line.ts';
import { renderEnvelope } from './present-data.ts';
import { pageAddress, wantsFlat } from './request.ts';
import { outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import {
  type Asked,
  type DatasetViews,
  placesAsked,
  type ServedDataset,
  type ServedRow,
} from './served-block.ts';
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
    async query(found) {
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

/** A row, and what its page shows beside it. */
type RowShown = RowFound & BesideRead;

/** The page of a row, or of what is wrong with its address. */
export function rowPageOf(
  asked: Asked<ServedRow>,
  views: DatasetViews,
): Presentation<RowArguments, RowFound, RowShown> {
  const { run, served, given, budget } = asked;
  const { request, settings, runId } = run;
  const { manifest, all, known, readArguments } = served;
  const address = pageAddress(request);
  const door = views.arriveAtRow({
    of: { ...all, profile: served.profile?.() },
    known: all.known,
    given,
    address,
    ofOneRow: { known, readArguments },
    key: new URLSearchParams(request.query).get('api_key') ?? undefined,
  });
  return {
    read() {
      return views.readRowArguments(door, budget);
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
    async query(found, { question }) {
      return { ...found, ...(await views.readRowPage(door, found, question, budget)) };
    },
    async answer(shown, headers, { values, warnings }) {
      const { row, address: canonical, output, beside, reads } = shown;
      const explain = { ...output.explain, ...sumOf(output.explain, reads) };
      const outcome = { kind: 'row' as const, row, canonical, warnings, beside };
      const body = await views.renderRowPage(door, values, outcome, budget);
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
      const body = await views.renderRowPage(door, {}, shown, more);
      return compressed(run, { status, headers, outcome, body });
    },
  };
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
  const found = await readRow(placeBelow(request.path)?.segment ?? '', budget);
  const { url, toRoot } = pageAddress(request);
  const address = new URL(toRoot + belowRoot(rowReference(block.name, found.segment)), url).href;
  return { ...found, address };
}
