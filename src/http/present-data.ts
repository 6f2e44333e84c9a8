import type { Arguments } from '../arguments/given.ts';
import { type Block, type DatasetBlock, datasetOf } from '../block/block.ts';
import { type Grouping, MOST_GROUPS } from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import { MOST_LIMIT } from '../block/options.ts';
import type { Batches, RowsAsked, WritePieces } from '../formats/format.ts';
import { checkRows, FORMATS, type Format } from '../formats/formats.ts';
import { MEASURES } from '../measures/measures.ts';
import { invalidArguments, Problem, type Warning } from '../problem/errors.ts';
import { ReadCost } from '../query/row-store.ts';
import type { Output, PlannedRun, RowsOutput } from '../query/run.ts';
import { numberText } from '../text/wording.ts';
import type { Field } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import { bytesOfRows, joinRows, listTexts } from '../values/row-texts.ts';
import { Budget } from '../work/budget.ts';
import { whenThere } from '../work/work.ts';
import { type Answered, bytesOf, ledTo } from './answer.ts';
import { etagOf } from './etag.ts';
import type { Head, Presentation } from './line.ts';
import { checkFormatOptions } from './read-format.ts';
import {
  type HttpRequest,
  pathBelow,
  prefersAddresses,
  ROW_ADDRESSES,
  wantsFlat,
} from './request.ts';
import { outcomeOfOutput } from './run-record.ts';
import {
  type Asked,
  areasAsked,
  isOfDataset,
  placesAsked,
  type ServedBlock,
  type ServedDataset,
} from './served-block.ts';

/** An output, and how long it took, for Server-Timing. */
type Timed = {
  readonly output: Output;
  readonly timings: string;
  /** The reference of the file that has all of it, where it is too long to be answered. */
  readonly file?: string;
};

/** The JSON of rows or of a value, in one of the two envelopes. */
export function jsonOf(asked: Asked): Presentation<Arguments, PlannedRun, Timed> {
  const { run, served, given, budget } = asked;
  const { request } = run;
  const envelope = wantsFlat(request) ? 'flat' : 'params';
  const mayAddress = isOfDataset(served) && prefersAddresses(request.headers.prefer);
  const { withAddresses } = mayAddress ? served.answers : {};
  return {
    read() {
      return served.readArguments({ ...given, canWarn: true }, budget);
    },
    plan(read) {
      checkFormatOptions(served.block, read, 'json');
      const values = mayAddress && isOfRows(read) ? withKeys(served, read.values) : read.values;
      return served.plan(values, budget, read.grouping);
    },
    head(read, plan) {
      return headOf(asked, 'json', envelope, mayAddress && isOfRows(read), read, plan);
    },
    query(plan, read) {
      const began = performance.now();
      const timed = (output: Output) => ({ output, timings: sinceText(began) });
      const rows = plan.run(budget);
      if (withAddresses === undefined || !isOfRows(read)) return whenThere(rows, timed);
      const addressed = (found: Output) => withAddresses(served, found, read.values, budget);
      return whenThere(whenThere(rows, addressed), timed);
    },
    answer({ output, timings }, headers, { warnings, values }) {
      const all = warnings.length === 0 ? output.warnings : [...warnings, ...output.warnings];
      return {
        status: 200,
        headers: addRowsHeaders(headers, request, countOf(output)),
        body: renderEnvelope(output, all, envelope, values._explain === true),
        outcome: outcomeOfOutput(output, budget),
        timings,
      };
    },
    refuse: thrownOn,
  };
}

export type Envelope = 'params' | 'flat';

/**
 * Renders an answer's body as JSON. The default envelope puts the block's members in `params`; the
 * flat one, which old clients parse, puts them at the top level.
 */
export function renderEnvelope(
  output: Output,
  warnings: readonly Warning[],
  envelope: Envelope,
  explained: boolean,
): string | Uint8Array {
  const explain = explained ? `,"_explain":${JSON.stringify(output.explain)}` : '';
  const warned = `,"_warnings":${warnings.length === 0 ? '[]' : JSON.stringify(warnings)}`;
  if (envelope === 'params') {
    return renderMembers(output, '{"params":{', `},"_errors":[]${warned}${explain}}`);
  }
  const isEmpty = output.kind === 'value' && Object.keys(output.value).length === 0;
  const before = `{"_blockspring_spec":true,"_errors":[]${isEmpty ? '' : ','}`;
  return renderMembers(output, before, `${warnings.length === 0 ? '' : warned}${explain}}`);
}

/** Renders all members of an output between two texts. */
function renderMembers(output: Output, before: string, behind: string): string | Uint8Array {
  if (output.kind === 'value') {
    return `${before}${JSON.stringify(output.value).slice(1, -1)}${behind}`;
  }
  const { rows, total, next, help, facets, addresses, notFound, xy } = output;
  const missing = notFound === undefined ? '' : `,"notFound":${JSON.stringify(notFound)}`;
  const helped = help === undefined ? '' : `,"help":${JSON.stringify(help)}`;
  const faceted = facets === undefined ? '' : `,"facets":${JSON.stringify(facets)}`;
  const counted = `"count":${rows.length},"total":${total},"next":${JSON.stringify(next)}`;
  const addressed = addresses === undefined ? '' : `,"addresses":${JSON.stringify(addresses)}`;
  const numbers = xy === undefined ? '' : `,"xy":${JSON.stringify(xy)}`;
  const behindRows = `],${counted}${numbers}${addressed}${helped}${faceted}${missing}${behind}`;
  return joinRows(rows, `${before}"results":[`, behindRows);
}

/** Adds the headers of every answer with rows: how many match, and where the next page is. */
export function addRowsHeaders(
  headers: Record<string, string>,
  request: HttpRequest,
  { total, next }: { readonly total?: number; readonly next?: string | null },
): Record<string, string> {
  if (next != null) headers.Link = nextLink(request, next);
  if (total !== undefined) headers['X-Total-Count'] = String(total);
  return headers;
}

/** What the headers tell of an output. */
function countOf(output: Output) {
  return output.kind === 'value' ? {} : output;
}

/** A link of only a query, so that it works behind any path prefix (RFC 8288). */
function nextLink(request: HttpRequest, next: string): string {
  // A cursor has only characters that a query has as they are.
  if (request.query === '') return `<?_cursor=${next}>; rel="next"`;
  const query = new URLSearchParams(request.query);
  query.set('_cursor', next);
  return `<?${query}>; rel="next"`;
}

/** Whether its answers are rows of the dataset, which have addresses; groups have none. */
function isOfRows({ grouping }: Arguments): boolean {
  return grouping === undefined;
}

/** The same values, so that each row is read with its key: its address follows from that. */
function withKeys({ block }: ServedBlock, values: Arguments['values']): Arguments['values'] {
  const { primaryKey = [] } = block as Partial<DatasetBlock>;
  const { _fields: fields } = values as { readonly _fields?: readonly string[] };
  return fields === undefined ? values : { ...values, _fields: [...fields, ...primaryKey] };
}

/** A file of rows alone: all that match, unless a page is asked for. */
export function fileOf(asked: Asked): Presentation<Arguments, PlannedRun, Timed> {
  const { run, served, given, format, budget } = asked;
  const { request } = run;
  return {
    read() {
      return served.readArguments(given, budget);
    },
    plan(asked) {
      const { values, grouping } = asked;
      checkFormatOptions(served.block, asked, format);
      const first = request.canStream ? firstOfWhole(served.block, values) : {};
      const all = FORMATS[format].readsAllFields ? { _fields: undefined } : {};
      return served.plan({ ...values, ...all, ...first }, budget, grouping);
    },
    head(read, plan) {
      return headOf(asked, format, wantsFlat(request) ? 'flat' : 'params', false, read, plan);
    },
    async query(plan, { values }) {
      const began = performance.now();
      // Many downloads may be asked for at once, and each is much work.
      if (values._limit === undefined) await budget.giveWay();
      const output = await plan.run(budget);
      checkGroups(plan, output, values);
      checkStreaming(request, output, values);
      if (isPartOfWhole(output, values)) {
        const { streamBytes: most, inOnePiece } = run.settings;
        const places = placesAsked(served, values._geometry);
        const whole = { ...served, places, most, inOnePiece };
        try {
          served.answers?.checkLength(whole, format, output, values, plan);
        } catch (error) {
          const file = served.answers?.fileInstead(asked, values);
          if (file === undefined) throw error;
          return { output, timings: sinceText(began), file };
        }
      }
      checkSize(format, output, values);
      return { output, timings: sinceText(began) };
    },
    async answer({ output, timings, file }, headers, { values }, plan) {
      if (file !== undefined) {
        const outcome = outcomeOfOutput(output, budget);
        return { ...ledTo(pathBelow(request, file)), outcome, timings };
      }
      const { writer } = FORMATS[format];
      if (writer === undefined) throw new TypeError(`${format} is no file of rows.`);
      const ofRows = rowsAsked(served, format, values, output, plan);
      const write = await writer(ofRows, run.scheduler);
      if (isOfDataset(served) && plan.asked !== undefined && isPartOfWhole(output, values)) {
        addRowsHeaders(headers, request, { total: output.total });
        const whole = wholeBody({ ...asked, served }, plan.asked, { output, format, write });
        const { body, outcome } = whole;
        // What is refused must be so before its head.
        const left = run.settings.inOnePiece ? await bytesOf(body) : body;
        return { status: 200, headers, body: left, outcome, timings };
      }
      addRowsHeaders(headers, request, countOf(output));
      return { status: 200, headers, ...(await pageBody(output, write, budget)), timings };
    },
    refuse: thrownOn,
  };
}

/** The headers of JSON and files; a POST is answered anew each time. */
function headOf(
  { run: { settings }, served, given: { isPost } }: Asked,
  format: Format,
  envelope: Envelope,
  isAddressed: boolean,
  { values, warnings, applied }: Arguments,
  planned: PlannedRun,
): Head {
  const headers: Record<string, string> = { 'Content-Type': FORMATS[format].contentType };
  addDisposition(headers, format, served);
  if (applied !== undefined || isAddressed) {
    const followed = [applied && `handling=${applied}`, isAddressed && ROW_ADDRESSES];
    headers['Preference-Applied'] = followed.filter(Boolean).join(', ');
  }
  if (isPost) return { headers };
  Object.assign(headers, { 'Cache-Control': 'no-cache', Vary: 'Accept, Prefer' });
  if (values._explain === true) return { headers };
  const form = [format, values._fields, values._geometry, values._raw, values._bom, isAddressed];
  headers.ETag = etagOf(settings.build, planned.cacheKey(), warnings, envelope, ...form);
  return { headers };
}

function sinceText(began: number): string {
  return `run;dur=${(performance.now() - began).toFixed(2)}, `;
}

/** Throws an error on, with each fault's place in the request if that is known by then. */
export async function thrownOn(error: unknown, read: Arguments | undefined): Promise<never> {
  if (read === undefined || !(error instanceof Problem)) throw error;
  const { code, detail, headers, cause, faults } = error;
  throw new Problem(code, detail, {
    headers,
    cause,
    faults: faults.map((one) => read.locate(one)),
  });
}

/**
 * Cells of the rows that are read before a whole file begins. Of many columns, these are fewer than
 * the 1,000 rows that are read otherwise.
 */
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

function rowsAsked(
  served: ServedBlock,
  format: Format,
  { _fields, _near, _geometry: form, _raw: raw, _bom: bom }: Arguments['values'],
  output: Output | Pick<RowsOutput, 'kind' | 'fields'>,
  planned: PlannedRun,
): RowsAsked {
  const { block, manifest } = served;
  const dataset = datasetOf(block);
  const grouping = planned.asked?.query.grouping;
  const areas = FORMATS[format].isOfPlaces && grouping && areasAsked(served, grouping);
  const added = _near === undefined ? [] : [DISTANCE.name];
  const fields = _fields === undefined ? undefined : [...new Set(_fields as string[]), ...added];
  const typed = output.kind === 'rows' ? output.fields : undefined;
  return {
    columns:
      typed?.map(({ name }) => name) ??
      fields ??
      Object.keys(block.outputSchema.properties as object),
    typed: (typed ?? []).map((field) => ({ field, ...columnBounds(field, manifest, grouping) })),
    fields,
    raw: raw === true,
    bom: bom === true,
    about: () => (dataset && manifest && served.answers?.about(dataset, manifest)) ?? [],
    places: grouping === undefined ? placesAsked(served, form) : areas,
  };
}

/** All rows of a version as a file, with texts as they are: what reads it is a program. */
export async function* piecesOfVersion(
  served: ServedDataset,
  format: Format,
  budget: Budget,
): AsyncGenerator<string | Uint8Array> {
  const { block, manifest } = served;
  const { writer } = FORMATS[format];
  const values = { _raw: true };
  const plan = served.plan(values, budget);
  const { asked } = plan;
  if (writer === undefined || asked === undefined) throw new TypeError(`${format} is no file.`);
  const ofRows = rowsAsked(served, format, values, { kind: 'rows', fields: block.fields }, plan);
  const write = await writer({ ...ofRows, isKept: true }, budget.scheduler);
  let rows = 0;
  async function* batches({ dataset, query }: NonNullable<typeof asked>) {
    for await (const batch of dataset.store.rest(query, budget, new ReadCost())) {
      rows += batch.length;
      yield batch;
    }
  }
  yield* write(batches(asked), budget);
  if (rows !== manifest.rows) {
    throw new Error(`A file has ${rows} rows; its version has ${manifest.rows}.`);
  }
}

/** The bounds of the values in an answer's column, as far as they are known. */
function columnBounds(
  { name }: Field,
  manifest: Manifest | undefined,
  grouping: Grouping | undefined,
): { readonly min?: number; readonly max?: number } {
  const measure = grouping?.measures.find(({ column }) => column.name === name);
  const own = grouping?.dimensions.find(({ column }) => column.name === name) ?? measure;
  const { min, max } = manifest?.fields[own?.field?.name ?? name] ?? {};
  if (min === undefined || max === undefined || (own && 'cells' in own)) return {};
  const bounds = { min, max };
  const kind = measure && MEASURES[measure.of];
  return kind?.boundsOf?.(bounds, manifest?.rows ?? 1) ?? bounds;
}

/** Names the file that an answer is saved as (RFC 6266) by the block and its data's version. */
function addDisposition(
  headers: Record<string, string>,
  format: Format,
  { block, manifest }: ServedBlock,
): void {
  const { extension } = FORMATS[format];
  if (extension === undefined) return;
  const name = manifest === undefined ? block.name : `${block.name}-${manifest.version}`;
  headers['Content-Disposition'] = `attachment; filename="${name}.${extension}"`;
}

/** A stream of a function. It ends itself a little before Lambda would end it. */
export const STREAM_WITHIN_MS = 14.5 * 60_000;

/** All rows in one piece: API Gateway waits 29 s for a function's answer. Then 503. */
export const ONE_PIECE_WITHIN_MS = 20_000;

/** A whole answer, of which the first rows were read. */
type Whole = {
  readonly output: Output & RowsOutput;
  readonly format: Format;
  readonly write: WritePieces;
};

/** The body of an answer with rows alone, and what is recorded of it. */
type RowsBody = Required<Pick<Answered, 'body' | 'outcome'>>;

/**
 * Whether more rows belong into an answer than were read: a format without a place for a next page
 * has all rows, unless the caller asks for a page.
 */
function isPartOfWhole(
  output: Output,
  { _limit: limit }: Arguments['values'],
): output is Output & RowsOutput {
  return limit === undefined && output.kind === 'rows' && output.last !== undefined;
}

/** Throws a Problem if a file of all groups would have more of them than are listed. */
function checkGroups(plan: PlannedRun, output: Output, values: Arguments['values']): void {
  if (plan.asked?.query.grouping === undefined) return;
  if (values._limit !== undefined || output.kind === 'value') return;
  if (output.total <= MOST_GROUPS) return;
  const detail = `_group makes ${numberText(output.total)} groups, and a file of all has at most ${numberText(MOST_GROUPS)}. Ask for the first of them, in an order, with _limit=10 and _sort=-count, let _having choose among them, group by a part of the values (dates by .year or .month, numbers by a width such as .10), or filter for fewer rows.`;
  throw invalidArguments([{ code: 'too-many-groups', detail, parameter: '_group' }]);
}

/** Throws a Problem if rows belong into an answer that its channel cannot stream. */
function checkStreaming(
  { canStream }: HttpRequest,
  output: Output,
  values: Arguments['values'],
): void {
  if (canStream || !isPartOfWhole(output, values)) return;
  const { total, rows } = output;
  const detail = `${numberText(total)} rows match, and this channel cannot stream: an answer has ${numberText(rows.length)} of them. Ask the service's own address by HTTP/1.1, filter for fewer, or ask for pages: with _limit=${MOST_LIMIT}, and then with the _cursor that each answer's Link header has, until it has none.`;
  throw new Problem('result-too-large', detail, { fault: { parameter: '_limit' } });
}

/** Throws a Problem if a whole result is too large for its format, by the rows that were read. */
function checkSize(format: Format, output: Output, values: Arguments['values']): void {
  if (!isPartOfWhole(output, values)) return;
  const { total, rows } = output;
  checkRows(format, total);
  FORMATS[format].checkSize?.(total, (bytesOfRows(rows) / rows.length) * total);
}

/** The rows that were read. */
async function pageBody(output: Output, write: WritePieces, budget: Budget): Promise<RowsBody> {
  const body = await bytesOf(write([pageOf(output)], budget));
  return { body, outcome: outcomeOfOutput(output, budget) };
}

/**
 * All rows that match, read as the caller takes them. The page that was read says that there are
 * more and how many; it is not kept while the caller takes his time. The run's budget bounds the
 * page, this one's the whole. A whole that has another number of rows than it was said to breaks off.
 */
function wholeBody(
  { run: { request, settings }, served, budget: { scheduler, spent } }: Asked<ServedDataset>,
  { dataset, query }: NonNullable<PlannedRun['asked']>,
  { output, format, write }: Whole,
): RowsBody {
  const { isGone } = request;
  const reads = new ReadCost();
  const { streamBytes: most, inOnePiece } = settings;
  const withinMs = inOnePiece ? ONE_PIECE_WITHIN_MS : STREAM_WITHIN_MS;
  const streaming = new Budget(scheduler, Number.POSITIVE_INFINITY, withinMs, {
    isGone,
    isDownload: true,
  });
  const { total, whole } = output;
  const { path, chunksRead, itemsRead, capacityUnits } = output.explain;
  let rows = 0;
  const rest = () => {
    const { store } = dataset;
    // Columns need no rows in between. Distances are no column's.
    const values =
      FORMATS[format].takesValues && query.near === undefined
        ? store.restOfValues?.(query, streaming, reads)
        : undefined;
    return (values as Batches | undefined) ?? store.rest(query, streaming, reads);
  };
  async function* batches() {
    await streaming.pause();
    for await (const batch of whole?.(streaming) ?? rest()) {
      rows += batch.length;
      yield batch;
    }
    const { after } = query;
    if (after === undefined && rows !== total) {
      throw new Error(`A whole result has ${rows} rows; ${total} match.`);
    }
  }
  return {
    body: served.answers.within({ most, inOnePiece }, format, total, write(batches(), streaming)),
    outcome: () => ({
      path,
      rows,
      chunksRead: chunksRead + reads.chunksRead,
      itemsRead: itemsRead + reads.itemsRead,
      capacityUnits: capacityUnits + reads.capacityUnits,
      steps: spent + streaming.spent,
    }),
  };
}

function pageOf(output: Output): readonly string[] {
  return output.kind === 'rows' ? listTexts(output.rows) : [JSON.stringify(output.value)];
}
