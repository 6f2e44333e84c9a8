import { readArgumentsOf } from '../arguments/arguments.ts';
import type { Arguments, RawArguments } from '../arguments/given.ts';
import { knownNamesOf } from '../arguments/names.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { Format } from '../block/options.ts';
import { oneRowOf } from '../block/row-key.ts';
import { featureOf } from '../formats/geojson.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import { geojsonAsked } from '../formats/rows-writer.ts';
import { renderEnvelope } from '../query/envelope.ts';
import { type FoundRow, readRow } from '../query/read-row.ts';
import { rowText } from '../query/row-texts.ts';
import type { Dataset } from '../query/run.ts';
import { Budget, RUN_STEPS, RUN_WITHIN_MS } from '../work/budget.ts';
import type { Answered, Run } from './answer.ts';
import { usedOf } from './answer-page.ts';
import { answerRowPage } from './answer-row-page.ts';
import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import { pageAddress } from './page-address.ts';
import { formatSent } from './read-format.ts';
import { readQuery } from './read-query.ts';
import { belowRoot, type Route, rowPlace, rowReference } from './routes.ts';
import { outcomeOfOutput } from './run-record.ts';
import { once, type ServedBlock } from './served-block.ts';
import { wantsFlat } from './wants-flat.ts';

export type ServedDataset = ServedBlock & {
  readonly block: DatasetBlock;
  readonly source: Dataset;
};

/** Whether a block's answers have rows. */
export function isOfDataset(served: ServedBlock): served is ServedDataset {
  return typeof served.source !== 'function';
}

/** What is at the addresses of a dataset's rows. */
export function rowRoute(served: ServedDataset): Route {
  const ofOneRow = once(() => ({ ...served, block: oneRowOf(served.block) }));
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
  const shown = usedOf(given, knownNamesOf(served.block));
  return answerRowPage(run, served, shown, () => findRow(run, served, shown.used, budget));
}

/** The row that a request asks for, with its address as the caller sees it. */
export type RowAsked = Pick<Arguments, 'values' | 'warnings'> & {
  readonly found: FoundRow;
  readonly address: string;
  readonly budget: Budget;
};

async function findRow(
  { request }: Run,
  { block, source }: ServedDataset,
  given: RawArguments,
  budget: Budget,
): Promise<RowAsked> {
  const { values, warnings } = readArgumentsOf(block)(given, budget);
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
      ...(shape === undefined ? {} : { form: shape }),
      ...(boundaries === undefined ? {} : { boundaries }),
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
