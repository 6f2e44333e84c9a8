import type { Arguments } from '../arguments/given.ts';
import { MOST_LIMIT } from '../block/options.ts';
import { MOST_PARQUET_BYTES, type WritePieces } from '../formats/rows-writer.ts';
import { Problem } from '../problem/errors.ts';
import { Reads } from '../query/row-store.ts';
import { bytesOfRows, textsOf } from '../query/row-texts.ts';
import type { Output, PlannedRun, RowsOutput } from '../query/run.ts';
import { numberText } from '../text/wording.ts';
import { Budget } from '../work/budget.ts';
import { type Answered, bytesOf } from './answer.ts';
import type { HttpRequest } from './request.ts';
import { outcomeOfOutput } from './run-record.ts';

/** A stream ends itself a little before Lambda would end it, after 15 minutes. */
export const STREAM_WITHIN_MS = 14.5 * 60_000;

/** The body of an answer with rows alone, and what is recorded of it. */
type RowsBody = Required<Pick<Answered, 'body' | 'outcome'>>;

/**
 * Whether more rows belong into an answer than were read: a format without a place for a next page
 * has all rows, unless the caller asks for a page.
 */
export function isPartOfWhole(
  output: Output,
  { _limit: limit }: Arguments['values'],
): output is Output & RowsOutput {
  return limit === undefined && output.kind === 'rows' && output.last !== undefined;
}

/** Throws a Problem if rows belong into an answer that its channel cannot stream. */
export function checkStreaming(
  { canStream }: HttpRequest,
  output: Output,
  values: Arguments['values'],
): void {
  if (canStream || !isPartOfWhole(output, values)) return;
  const { total, rows } = output;
  const detail = `${numberText(total)} rows match, and this channel cannot stream: an answer has ${numberText(rows.length)} of them. Ask the service's own address by HTTP/1.1, filter for fewer, or ask for pages: with _limit=${MOST_LIMIT}, and then with the _cursor that each answer's Link header has, until it has none.`;
  throw new Problem('result-too-large', detail, {
    faults: [{ code: 'result-too-large', detail, parameter: '_limit' }],
  });
}

/** Throws a Problem if a whole result is too large for a Parquet file, by the rows that were read. */
export function checkParquetSize(output: Output, values: Arguments['values']): void {
  if (!isPartOfWhole(output, values)) return;
  const { total, rows } = output;
  const bytes = (bytesOfRows(rows) / rows.length) * total;
  if (bytes <= MOST_PARQUET_BYTES) return;
  const gigabytes = (bytes / 1e9).toFixed(1);
  const detail = `${numberText(total)} rows match, about ${gigabytes} GB as JSON, and a Parquet file takes at most ${MOST_PARQUET_BYTES / 1e9} GB. Filter for fewer rows, name the fields that you need in _fields, or take CSV (_format=csv), which has no such bound.`;
  throw new Problem('result-too-large', detail, {
    faults: [{ code: 'result-too-large', detail, parameter: '_format' }],
  });
}

/** The rows that were read. */
export async function pageBody(
  output: Output,
  write: WritePieces,
  budget: Budget,
): Promise<RowsBody> {
  const body = await bytesOf(write([pageOf(output)], budget));
  return { body, outcome: outcomeOfOutput(output, budget) };
}

/**
 * All rows that match, read as the caller takes them. The page that was read says that there are
 * more and how many; it is not kept while the caller takes his time. The run's budget bounds the
 * page, this one's the whole. A whole that has another number of rows than it was said to breaks off.
 */
export function wholeBody(
  { isGone }: HttpRequest,
  { dataset, query }: PlannedRun & { readonly kind: 'rows' },
  output: Output & RowsOutput,
  write: WritePieces,
  { spent }: Budget,
): RowsBody {
  const reads = new Reads();
  const streaming = new Budget(Number.POSITIVE_INFINITY, STREAM_WITHIN_MS, {
    isGone,
    isDownload: true,
  });
  const { total, whole } = output;
  const { path, chunksRead, itemsRead, capacityUnits } = output.explain;
  let rows = 0;
  async function* batches() {
    await streaming.pause();
    const all = whole?.(streaming) ?? dataset.store.rest(query, streaming, reads);
    for await (const batch of all) {
      rows += batch.length;
      yield batch;
    }
    const { after } = query;
    if (after === undefined && rows !== total) {
      throw new Error(`A whole result has ${rows} rows; ${total} match.`);
    }
  }
  return {
    body: write(batches(), streaming),
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
  return output.kind === 'rows' ? textsOf(output.rows) : [JSON.stringify(output.value)];
}

/** The headers of every answer with rows: how many rows match, and where the next page is. */
export function rowsHeaders(request: HttpRequest, output: Output): Record<string, string> {
  if (output.kind === 'value') return {};
  return {
    ...(output.next === null ? {} : { Link: nextLink(request, output.next) }),
    'X-Total-Count': String(output.total),
  };
}

/** A link of only a query, so that it works behind any path prefix (RFC 8288). */
function nextLink(request: HttpRequest, next: string): string {
  const query = new URLSearchParams(request.query);
  query.set('_cursor', next);
  return `<?${query}>; rel="next"`;
}
