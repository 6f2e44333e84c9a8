import type { Hono } from 'hono/quick';
import {
  type Arguments,
  type IsNamed,
  isNamedOf,
  type ReadArguments,
  readArgumentsOf,
} from '../core/arguments.ts';
import type { Block } from '../core/block.ts';
import { renderEnvelope } from '../core/envelope.ts';
import { Refusal } from '../core/errors.ts';
import type { Output } from '../core/output.ts';
import type { PreparedRun } from '../core/run-dataset.ts';
import { answerCached } from './answer-cached.ts';
import { etagOf, isUnchanged } from './etag.ts';
import { preferredHandling } from './prefer.ts';
import { readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';
import {
  type AppSettings,
  answer,
  BLOCKS_PATH,
  JSON_TYPE,
  METHODS,
  type RunContext,
  type RunEnv,
  refuseMethod,
  runApp,
  wantsFlat,
} from './run-app.ts';
import type { Outcome } from './run-record.ts';
import { isWebhook } from './webhook-mark.ts';

/** A block with all that it needs to be answered. */
export type ServedBlock = {
  readonly block: Block;
  /** Decides a run from valid arguments; throws a Refusal for what cannot be asked. */
  readonly prepare: (values: Readonly<Record<string, unknown>>) => PreparedRun;
  /** The block's description, as JSON text; made when it is first asked for. */
  readonly description: () => string;
};

/** No run takes longer: the store gives up, and the caller gets a 503. */
const RUN_WITHIN_MS = 2800;

/** The app of one block, the same behind Lambda and behind the local server. */
export function blockApp(served: ServedBlock, settings: AppSettings): Hono<RunEnv> {
  const { block } = served;
  const app = runApp(settings, block.name);
  const line = { served, settings, readArguments: readArgumentsOf(block) };
  const isNamed: IsNamed = isNamedOf(block);
  for (const address of new Set([block.id, block.name])) {
    const path = `${BLOCKS_PATH}/${address}`;
    app.get(path, (c) => {
      const query = readQuery(queryOf(c));
      return isNamed(query)
        ? run(c, line, query, {})
        : answerCached(c, served.description(), settings.build);
    });
    app.post(path, async (c) => run(c, line, readQuery(queryOf(c)), await bodyOf(c)));
    app.all(path, (c) => refuseMethod(c, METHODS));
  }
  return app;
}

type Line = {
  readonly served: ServedBlock;
  readonly settings: AppSettings;
  readonly readArguments: ReadArguments;
};

/** The straight line: request → arguments → (query → plan → items →) output → response. */
async function run(
  c: RunContext,
  { served, settings, readArguments }: Line,
  query: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const isPost = c.req.method === 'POST';
  const preferred = preferredHandling(c.req.header('prefer') ?? null);
  const given = {
    query,
    body,
    isPost,
    isWebhook: isWebhook(c.req.raw.headers),
    ...(preferred === undefined ? {} : { preferred }),
  };
  const { values, warnings, applied, locate } = readArguments(given);
  const prepared = located(locate, () => served.prepare(values));
  const envelope = wantsFlat(c) ? 'flat' : 'params';
  const explained = values._explain === true;
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  if (applied !== undefined) headers['Preference-Applied'] = `handling=${applied}`;
  if (!isPost) {
    Object.assign(headers, { 'Cache-Control': 'no-cache', Vary: 'Prefer' });
    if (!explained) {
      headers.ETag = etagOf(settings.build, prepared.identity(), warnings, envelope);
      if (isUnchanged(c.req.header('if-none-match') ?? null, headers.ETag)) {
        return answer(c, null, 304, headers);
      }
    }
  }
  const began = performance.now();
  const output = await prepared.run(() => AbortSignal.timeout(RUN_WITHIN_MS));
  const ended = performance.now();
  const text = renderEnvelope(
    { ...output, warnings: [...warnings, ...output.warnings] },
    envelope,
    explained,
  );
  if (output.kind === 'rows' && output.next !== null) headers.Link = nextLink(c, output.next);
  const timings = `run;dur=${(ended - began).toFixed(2)}, `;
  return answer(c, text, 200, headers, outcomeOf(output), timings);
}

function outcomeOf(output: Output): Outcome {
  return output.kind === 'rows' ? { ...output.explain, rows: output.rows.length } : output.explain;
}

/** What is found to be wrong behind the arguments is still told with its place in the request. */
function located<T>(locate: Arguments['locate'], prepare: () => T): T {
  try {
    return prepare();
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

/** A reference with a query only, so that it holds behind any path prefix (RFC 8288). */
function nextLink(c: RunContext, next: string): string {
  const query = new URLSearchParams(queryOf(c));
  query.set('_cursor', next);
  return `<?${query}>; rel="next"`;
}

function queryOf(c: RunContext): string {
  const { url } = c.req;
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

function bodyOf(c: RunContext): ReturnType<typeof readBody> {
  const { raw } = c.req;
  return readBody({
    headers: raw.headers,
    stream: () => raw.body,
    bytes: () => raw.arrayBuffer(),
  });
}
