import type { Arguments, RawArguments } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { Format } from '../block/options.ts';
import { featureOf } from '../formats/geojson.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import { geojsonAsked } from '../formats/rows-writer.ts';
import type { RowView } from '../page/row-page.tsx';
import { PROBLEMS } from '../problem/errors.ts';
import { renderEnvelope } from '../query/envelope.ts';
import { type FoundRow, readRow } from '../query/read-row.ts';
import { rowText } from '../query/row-texts.ts';
import type { Dataset } from '../query/run.ts';
import { Budget, RUN_STEPS, RUN_WITHIN_MS } from '../work/budget.ts';
import { type Answered, compressed, etagOf, notModified, type Run } from './answer.ts';
import { loadPages, PAGE_HEADERS, pageAddress, sentPairs, usedOf } from './answer-page.ts';
import { formatSent } from './read-format.ts';
import { readQuery } from './read-given.ts';
import { wantsFlat } from './request.ts';
import { belowRoot, type Route, rowPlace, rowReference } from './routes.ts';
import { type Outcome, outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import { once, type ServedBlock, serveOneRow } from './served-block.ts';
import { asProblem } from './service.ts';

type ServedDataset = ServedBlock & {
  readonly block: DatasetBlock;
  readonly source: Dataset;
};

/** Whether a block's answers have rows. */
export function isOfDataset(served: ServedBlock): served is ServedDataset {
  return typeof served.source !== 'function';
}

/** What is at the addresses of a dataset's rows. */
export function rowRoute(served: ServedDataset): Route {
  const ofOneRow = once(() => serveOneRow(served));
  const GET = (run: Run) => answerRow(run, ofOneRow());
  return { block: served.block.name, allowed: ['GET', 'HEAD', 'OPTIONS'], GET };
}

/** Answers with one row. The block is as the addresses of its rows take arguments. */
async function answerRow(run: Run, served: ServedDataset): Promise<Answered> {
  const { request } = run;
  const budget = new Budget(RUN_STEPS, RUN_WITHIN_MS, request);
  const given = { query: readQuery(request.query), body: {}, isPost: false, isWebhook: false };
  const format = formatSent(request, served.block, given);
  if (format !== 'html') {
    return answerData(run, served, format, await findRow(run, served, given, budget));
  }
  const shown = usedOf(given, served.known);
  return answerRowPage(run, served, shown, () => findRow(run, served, shown.used, budget));
}

/** The row that a request asks for, with its address as the caller sees it. */
type RowAsked = Pick<Arguments, 'values' | 'warnings'> & {
  readonly found: FoundRow;
  readonly address: string;
  readonly budget: Budget;
};

async function findRow(
  { request }: Run,
  { block, source, readArguments }: ServedDataset,
  given: RawArguments,
  budget: Budget,
): Promise<RowAsked> {
  const { values, warnings } = readArguments(given, budget);
  const found = await readRow(source, rowPlace(request.path)?.segment ?? '', budget);
  const { url, toRoot } = pageAddress(request);
  const address = new URL(toRoot + belowRoot(rowReference(block.name, found.segment)), url).href;
  return { values, warnings, found, address, budget };
}

async function answerData(
  run: Run,
  served: ServedDataset,
  format: Format,
  { values, warnings, found, address, budget }: RowAsked,
): Promise<Answered> {
  const { request, settings } = run;
  const { block, source, boundaries } = served;
  const { version } = source.manifest;
  const envelope = wantsFlat(request) ? 'flat' : 'params';
  const isExplained = values._explain === true;
  const outcome = outcomeOfOutput(found.output, budget);
  const headers: Record<string, string> = {
    'Content-Type': FORMAT_TYPES[format].contentType,
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
  };
  if (!isExplained) {
    const form = [format, values._fields, values._geometry, warnings, envelope];
    headers.ETag = etagOf(settings.build, 'row', version, address, ...form);
    const known = notModified(request, { ...headers, ETag: headers.ETag });
    if (known !== undefined) return { ...known, outcome };
  }
  const { _fields: fields, _geometry: shape } = values as {
    readonly _fields?: readonly string[];
    readonly _geometry?: 'polygon' | 'point';
  };
  if (format === 'geojson') {
    const asked = geojsonAsked({
      block,
      ...(fields === undefined ? {} : { fields: [...new Set(fields)] }),
      form: shape,
      boundaries,
    });
    const body = featureOf(found.text, asked, decodeURIComponent(found.segment));
    return { status: 200, headers, body, outcome };
  }
  const row = JSON.parse(rowText(found.row, fields));
  const value = { row, address, block: block.name, version };
  const output = { ...found.output, kind: 'value' as const, value };
  const body = renderEnvelope(output, warnings, envelope, isExplained);
  return { status: 200, headers, body, outcome };
}

/** Answers with the page of a row, or of what is wrong with its address. */
async function answerRowPage(
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
