import type { Hono } from 'hono/quick';
import {
  type Arguments,
  type Given,
  type ReadArguments,
  readArgumentsOf,
} from '../core/arguments.ts';
import { Budget } from '../core/budget.ts';
import { renderEnvelope } from '../core/envelope.ts';
import { Refusal } from '../core/errors.ts';
import { type IsNamed, isNamedOf } from '../core/known-names.ts';
import type { Format } from '../core/options.ts';
import type { Output } from '../core/output.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import { type RowsAsked, renderFormat } from '../formats/render-format.ts';
import {
  handshakeOfBody,
  handshakeOfEmptyPost,
  handshakeOfEvent,
  handshakeOfGet,
} from '../webhooks/handshake.ts';
import { picks } from '../webhooks/picked-arguments.ts';
import { webhookMark } from '../webhooks/webhook-mark.ts';
import { answerCached } from './answer-cached.ts';
import { answerHandshake } from './answer-handshake.ts';
import { answerPage } from './answer-page.ts';
import { checkWhole } from './check-whole.ts';
import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import { readBody } from './read-body.ts';
import { checkEncoding, readBytes } from './read-bytes.ts';
import { formatAsked, wantsHtml } from './read-format.ts';
import { givenOf } from './read-given.ts';
import { readQuery } from './read-query.ts';
import { queryOf, rowsHeaders } from './rows-headers.ts';
import {
  type AppSettings,
  answer,
  BLOCKS_PATH,
  METHODS,
  type RunContext,
  type RunEnv,
  refuseMethod,
  runApp,
  wantsFlat,
} from './run-app.ts';
import { outcomeOfOutput } from './run-record.ts';
import type { ServedBlock } from './served-block.ts';

/** The app of one block, the same behind Lambda and behind the local server. */
export function blockApp(served: ServedBlock, settings: AppSettings): Hono<RunEnv> {
  const { block } = served;
  const app = runApp(settings, block.name);
  const isOwnName = isNamedOf(block);
  const isNamed: IsNamed = (query) => isOwnName(query) || picks(query);
  const line = { served, settings, readArguments: readArgumentsOf(block), isNamed };
  for (const address of new Set([block.id, block.name])) {
    const path = `${BLOCKS_PATH}/${address}`;
    app.get(path, async (c) => {
      const query = readQuery(queryOf(c));
      const handshake = handshakeOfGet(query);
      if (handshake !== undefined) return answerHandshake(c, handshake);
      return isNamed(query) || formatAsked(c, block, query) !== 'json'
        ? run(c, line, await givenOf(block, c.req.raw.headers, query, false))
        : answerCached(c, served.description(), settings.build);
    });
    app.post(path, async (c) => {
      const { headers } = c.req.raw;
      const bytes = await readBytes(c.req.raw);
      checkEncoding(headers);
      const query = readQuery(queryOf(c));
      const early =
        handshakeOfEvent(headers.get('x-github-event')) ??
        (bytes.length === 0 ? handshakeOfEmptyPost(block, query) : undefined);
      if (early !== undefined) return answerHandshake(c, early);
      const sent = await readBody(bytes, headers.get('content-type') ?? '');
      // An event that has an envelope is no bare challenge, whatever its type.
      const handshake =
        webhookMark(headers) === undefined ? handshakeOfBody(block, sent) : undefined;
      return handshake === undefined
        ? run(c, line, await givenOf(block, headers, query, true, sent))
        : answerHandshake(c, handshake);
    });
    app.all(path, (c) => refuseMethod(c, METHODS));
  }
  return app;
}

type Line = {
  readonly served: ServedBlock;
  readonly settings: AppSettings;
  readonly readArguments: ReadArguments;
  readonly isNamed: IsNamed;
};

/** The straight line: request → arguments → (query → plan → items →) output → response. */
async function run(
  c: RunContext,
  { served, settings, readArguments, isNamed }: Line,
  given: Given,
): Promise<Response> {
  const { isPost } = given;
  const budget = new Budget();
  if (wantsHtml(c, served.block, given)) {
    const asked = { served, settings, readArguments, given, isNamed, budget };
    return answerPage(c, asked);
  }
  const { values, warnings, applied, locate } = readArguments(given, budget);
  const format = formatAsked(c, served.block, values) as Exclude<Format, 'html'>;
  const prepared = await located(locate, () =>
    served.prepare(valuesToRead(values, format), budget),
  );
  const envelope = wantsFlat(c) ? 'flat' : 'params';
  const explained = values._explain === true;
  const headers: Record<string, string> = {
    'Content-Type': FORMAT_TYPES[format].contentType,
    ...dispositionOf(format, served),
  };
  if (applied !== undefined) headers['Preference-Applied'] = `handling=${applied}`;
  if (!isPost) {
    Object.assign(headers, { 'Cache-Control': 'no-cache', Vary: 'Accept, Prefer' });
    if (!explained) {
      const form = [format, values._fields, values._geometry];
      headers.ETag = etagOf(settings.build, prepared.identity(), warnings, envelope, ...form);
      const known = notModified(c, { ...headers, ETag: headers.ETag });
      if (known !== undefined) return known;
    }
  }
  const began = performance.now();
  const output = await located(locate, async () => {
    const found = await prepared.run(budget);
    if (format !== 'json') checkWhole(found, format, values);
    return found;
  });
  const ended = performance.now();
  const text =
    format === 'json'
      ? renderEnvelope(
          { ...output, warnings: [...warnings, ...output.warnings] },
          envelope,
          explained,
        )
      : await renderFormat(format, rowsAsked(served, values, output), budget);
  Object.assign(headers, rowsHeaders(c, output));
  const timings = `run;dur=${(ended - began).toFixed(2)}, `;
  return answer(c, text, 200, headers, outcomeOfOutput(output, budget), timings);
}

/** GeoJSON wants more of a row than the fields that it gives. */
function valuesToRead(values: Arguments['values'], format: Format): Arguments['values'] {
  return format === 'geojson' ? { ...values, _fields: undefined } : values;
}

function rowsAsked(
  { block, boundaries }: ServedBlock,
  { _fields: fields, _geometry: form }: Arguments['values'],
  output: Output,
): RowsAsked {
  return {
    block,
    output,
    ...(boundaries === undefined ? {} : { boundaries }),
    ...(fields === undefined ? {} : { fields: [...new Set(fields as string[])] }),
    ...(form === undefined ? {} : { form: form as 'polygon' | 'point' }),
  };
}

/** A name for the file that an answer is saved as (RFC 6266): the block, and its data's version. */
function dispositionOf(format: Format, { block, facts }: ServedBlock): Record<string, string> {
  const { extension } = FORMAT_TYPES[format];
  if (extension === undefined) return {};
  const name = facts === undefined ? block.name : `${block.name}-${facts.version}`;
  return { 'Content-Disposition': `attachment; filename="${name}.${extension}"` };
}

/** What is found to be wrong behind the arguments is still told with its place in the request. */
async function located<T>(locate: Arguments['locate'], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, detail, headers, cause } = error;
    throw new Refusal(code, detail, {
      headers,
      cause,
      faults: error.faults.map((fault) => locate(fault)),
    });
  }
}
