import type { Arguments, RawArguments } from '../arguments/given.ts';
import { namesInQuery } from '../arguments/names.ts';
import type { Block, DatasetBlock } from '../block/block.ts';
import { DATA_PACKAGE, dataPackageOf } from '../block/describe-block.ts';
import { groupingOf } from '../block/grouping.ts';
import { type Format, MOST_LIMIT } from '../block/options.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import { type RowsAsked, writePiecesOf } from '../formats/rows-writer.ts';
import { Problem } from '../problem/errors.ts';
import { renderEnvelope } from '../query/envelope.ts';
import { columnBounds } from '../query/row-store.ts';
import { cacheKeyOf, type Output, type PlannedRun, planRun, runPlanned } from '../query/run.ts';
import { DISTANCE } from '../values/places.ts';
import { Budget, RUN_STEPS, RUN_WITHIN_MS } from '../work/budget.ts';
import {
  type Answered,
  answerCached,
  CACHED_JSON,
  etagOf,
  JSON_TYPE,
  notModified,
  type Run,
} from './answer.ts';
import { answerPage, type BlockAsked, pageAddress } from './answer-page.ts';
import { isOfDataset, rowRoute } from './answer-row.ts';
import { picks } from './picked-arguments.ts';
import { checkEncoding, readBody, readBytes } from './read-body.ts';
import { checkFormatOptions, formatAsked, formatSent } from './read-format.ts';
import { givenOf, readQuery, refuseNames } from './read-given.ts';
import { prefersAddresses, ROW_ADDRESSES, wantsFlat } from './request.ts';
import { BLOCKS_PATH, METHODS, type Route, type Routes, refuseAddress } from './routes.ts';
import { withAddresses } from './row-addresses.ts';
import {
  checkParquetSize,
  checkStreaming,
  isPartOfWhole,
  pageBody,
  rowsHeaders,
  wholeBody,
} from './rows-body.ts';
import { outcomeOfOutput } from './run-record.ts';
import type { ServedBlock } from './served-block.ts';
import {
  type Handshake,
  handshakeOfBody,
  handshakeOfEmptyPost,
  handshakeOfEvent,
  handshakeOfGet,
  webhookMark,
} from './webhooks.ts';

/**
 * The addresses of one block, the same behind API Gateway and on this machine. API Gateway brings all
 * that lies below them here too.
 */
export function blockRoutes(served: ServedBlock): Routes {
  const { block, known, readArguments } = served;
  const asked = { served, known, readArguments };
  const route: Route = {
    block: block.name,
    allowed: METHODS,
    GET: (run) => answerGet(run, asked),
    POST: (run) => answerPost(run, asked),
  };
  const described = dataPackageRoute(served);
  const addresses = [block.id, block.name].map((address) => `${BLOCKS_PATH}/${address}`);
  return {
    at: new Map(
      addresses.flatMap((address): [string, Route][] => [
        [address, route],
        ...described.map((one): [string, Route] => [`${address}/${DATA_PACKAGE}`, one]),
      ]),
    ),
    ...(isOfDataset(served)
      ? { rows: new Map(addresses.map((address) => [address, rowRoute(served)])) }
      : {}),
    elsewhere: { block: block.name, any: refuseAddress },
  };
}

/** Only a dataset is a Data Package. */
function dataPackageRoute({ block, manifest }: ServedBlock): Route[] {
  if (manifest === undefined) return [];
  const GET = (run: Run) => answerDataPackage(run, { block, manifest });
  return [{ block: block.name, allowed: ['GET', 'HEAD', 'OPTIONS'], GET }];
}

async function answerGet(run: Run, asked: BlockAsked): Promise<Answered> {
  const { request } = run;
  const { block, description } = asked.served;
  const query = readQuery(request.query);
  const handshake = handshakeOfGet(query);
  if (handshake !== undefined) return answerHandshake(handshake);
  const isRun =
    Object.values(namesInQuery(query, asked.known, false)).some((names) => names.length > 0) ||
    picks(query) ||
    formatAsked(request, block, query) !== 'json';
  return isRun
    ? answerRun(run, asked, await givenOf(block, request.headers, query, false))
    : answerCached(run, description(), CACHED_JSON);
}

async function answerPost(run: Run, asked: BlockAsked): Promise<Answered> {
  const { headers, query: sentQuery } = run.request;
  const { block } = asked.served;
  checkEncoding(headers);
  const bytes = await readBytes(run.request);
  const query = readQuery(sentQuery);
  const early =
    handshakeOfEvent(headers['x-github-event'] ?? null) ??
    (bytes.length === 0 ? handshakeOfEmptyPost(block, query) : undefined);
  if (early !== undefined) return answerHandshake(early);
  const sent = await readBody(bytes, headers['content-type'] ?? '');
  // A delivery in a webhook envelope is an event, never a bare challenge.
  const handshake = webhookMark(headers) === undefined ? handshakeOfBody(block, sent) : undefined;
  return handshake === undefined
    ? answerRun(run, asked, await givenOf(block, headers, query, true, sent))
    : answerHandshake(handshake);
}

/** The whole path: request → arguments → query → plan → items → output → answer. */
async function answerRun(run: Run, asked: BlockAsked, given: RawArguments): Promise<Answered> {
  const { request, settings } = run;
  const { served, readArguments } = asked;
  const { isPost } = given;
  const budget = new Budget(RUN_STEPS, RUN_WITHIN_MS, request);
  const format = formatSent(request, served.block, given);
  if (format === 'html') return answerPage(run, { ...asked, given, budget });
  const canWarn = format === 'json';
  const { values, warnings, applied, locate } = readArguments({ ...given, canWarn }, budget);
  const isAddressed =
    format === 'json' &&
    isOfDataset(served) &&
    prefersAddresses(request.headers.prefer) &&
    groupingOf(served.block, values) === undefined;
  let planned: PlannedRun;
  try {
    checkFormatOptions(values, format);
    const keys = isAddressed ? served.block.primaryKey : undefined;
    const first = format !== 'json' && request.canStream ? firstOfWhole(served.block, values) : {};
    planned = planRun(served.source, { ...valuesToRead(values, format, keys), ...first }, budget);
  } catch (error) {
    throw located(error, locate);
  }
  const envelope = wantsFlat(request) ? 'flat' : 'params';
  const explained = values._explain === true;
  const headers: Record<string, string> = {
    'Content-Type': FORMAT_TYPES[format].contentType,
    ...dispositionOf(format, served),
  };
  const followed = [applied && `handling=${applied}`, isAddressed && ROW_ADDRESSES].filter(Boolean);
  if (followed.length > 0) headers['Preference-Applied'] = followed.join(', ');
  if (!isPost) {
    Object.assign(headers, { 'Cache-Control': 'no-cache', Vary: 'Accept, Prefer' });
    if (!explained) {
      const form = [format, values._fields, values._geometry, values._raw, isAddressed];
      headers.ETag = etagOf(settings.build, cacheKeyOf(planned), warnings, envelope, ...form);
      const known = notModified(request, { ...headers, ETag: headers.ETag });
      if (known !== undefined) return known;
    }
  }
  const began = performance.now();
  let output: Output;
  try {
    // Many downloads may be asked for at once, and each is much work: they begin one after another.
    if (format !== 'json' && values._limit === undefined) await budget.pause();
    output = await runPlanned(planned, budget);
    if (format !== 'json') checkStreaming(request, output, values);
    if (format === 'parquet') checkParquetSize(output, values);
    if (isAddressed) output = await withAddresses(served, output, values, budget);
  } catch (error) {
    throw located(error, locate);
  }
  const ended = performance.now();
  const timings = `run;dur=${(ended - began).toFixed(2)}, `;
  if (format === 'json') {
    const told = [...warnings, ...output.warnings];
    return {
      status: 200,
      headers: Object.assign(headers, rowsHeaders(request, output)),
      body: renderEnvelope(output, told, envelope, explained),
      outcome: outcomeOfOutput(output, budget),
      timings,
    };
  }
  const write = await writePiecesOf(format, rowsAsked(served, values, output, planned));
  if (planned.kind === 'rows' && isPartOfWhole(output, values)) {
    Object.assign(headers, rowsHeaders(request, { ...output, next: null }));
    return {
      status: 200,
      headers,
      ...wholeBody(request, planned, output, write, budget),
      timings,
    };
  }
  Object.assign(headers, rowsHeaders(request, output));
  return { status: 200, headers, ...(await pageBody(output, write, budget)), timings };
}

/** The most cells of the rows that tell whether a whole answer has more than they. */
const CELLS_OF_FIRST = 40_000;

/**
 * A whole answer that has more rows than were read at first is read again from its beginning, while
 * it is sent: of many columns, fewer rows are read at first.
 */
function firstOfWhole(block: Block, { _limit }: Arguments['values']): Arguments['values'] {
  const { fields } = block as Partial<DatasetBlock>;
  if (_limit !== undefined || fields === undefined) return {};
  return { _limit: Math.min(MOST_LIMIT, Math.ceil(CELLS_OF_FIRST / fields.length)) };
}

/** More fields are read than answered: for GeoJSON a row's place, and for an address its key. */
function valuesToRead(
  values: Arguments['values'],
  format: Format,
  keys: readonly string[] = [],
): Arguments['values'] {
  const { _fields: fields } = values as { readonly _fields?: readonly string[] };
  if (fields === undefined) return values;
  return { ...values, _fields: format === 'geojson' ? undefined : [...fields, ...keys] };
}

function rowsAsked(
  { block, boundaries, manifest }: ServedBlock,
  { _fields, _near, _geometry: form, _raw: raw }: Arguments['values'],
  output: Output,
  planned: PlannedRun,
): RowsAsked {
  const grouping = planned.kind === 'rows' ? planned.query.grouping : undefined;
  const added = _near === undefined ? [] : [DISTANCE.name];
  const fields = _fields === undefined ? undefined : [...new Set(_fields as string[]), ...added];
  const typed = output.kind === 'rows' ? output.fields : undefined;
  return {
    block,
    columns:
      typed?.map(({ name }) => name) ??
      fields ??
      Object.keys(block.outputSchema.properties as object),
    typed: (typed ?? []).map((field) => ({ field, ...columnBounds(field, manifest, grouping) })),
    boundaries,
    fields,
    raw: raw === true,
    ...(form === undefined ? {} : { form: form as 'polygon' | 'point' }),
  };
}

/** Names the file that an answer is saved as (RFC 6266) by the block and its data's version. */
function dispositionOf(format: Format, { block, manifest }: ServedBlock): Record<string, string> {
  const { extension } = FORMAT_TYPES[format];
  if (extension === undefined) return {};
  const name = manifest === undefined ? block.name : `${block.name}-${manifest.version}`;
  return { 'Content-Disposition': `attachment; filename="${name}.${extension}"` };
}

/** Adds each fault's place in the request to a problem found after the arguments were read. */
function located(error: unknown, locate: Arguments['locate']): unknown {
  if (!(error instanceof Problem)) return error;
  const { code, detail, headers, cause, faults } = error;
  const placed = faults.map((fault) => locate(fault));
  return new Problem(code, detail, { headers, cause, faults: placed });
}

/** Answers a handshake. The sender's text is echoed as plain text, never as HTML. */
function answerHandshake({ status, text }: Handshake): Answered {
  const headers = {
    ...(text === null ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Cache-Control': 'no-store',
  };
  return { status, headers, body: text };
}

/** Answers with a dataset's Data Package, whose path is the block's address as the caller sees it. */
function answerDataPackage(
  run: Run,
  { block, manifest }: Required<Pick<ServedBlock, 'block' | 'manifest'>>,
): Answered {
  refuseNames(run.request.query, [], 'a Data Package, which describes all rows');
  const { url, toRoot } = pageAddress(run.request);
  const csv = `${toRoot}${BLOCKS_PATH.slice(1)}/${block.name}?_format=csv&_raw=true`;
  const described = dataPackageOf(block as DatasetBlock, manifest, new URL(csv, url).href);
  return answerCached(run, JSON.stringify(described), { 'Content-Type': JSON_TYPE });
}
