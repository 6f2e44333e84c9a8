import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { type CatalogFiles, catalogApp } from '../catalog/catalog-app.ts';
import { summariseBlock } from '../core/describe-block.ts';
import { type ProblemCode, Refusal } from '../core/errors.ts';
import { blockApp } from '../http/block-app.ts';
import { callBlockBy } from '../http/call-block.ts';
import { type AppSettings, BLOCKS_PATH, internalError, MCP_PATH } from '../http/run-app.ts';
import { outcomeOfRefusal } from '../http/run-record.ts';
import { once } from '../http/serve-block.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { type UnreadRefusal, unreadRefusal } from '../http/unread-refusal.ts';
import { openapiFile } from '../openapi/openapi-document.ts';
import type { ReadSecrets } from '../slack/read-secrets.ts';
import { SLACK_PATH, slackApp } from '../slack/slack-app.ts';

/** API Gateway's bound on a request line with its headers, so that the same requests pass here. */
const MOST_HEADER_BYTES = 10_240;

export type LocalSettings = AppSettings & {
  /** The signing secret of the Slack app. */
  readonly slackSecrets?: ReadSecrets;
};

/** All apps as one, each as its Lambda function has it; the catalogue for the rest. */
export function localApp(
  served: readonly ServedBlock[],
  settings: LocalSettings,
  files: CatalogFiles = {},
): Hono {
  const app = new Hono({ strict: false });
  const call = callBlockBy(async (block, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await app.request(`${BLOCKS_PATH}/${block}`, {
      method: 'POST',
      headers,
      body,
    });
    return { status: response.status, body: await response.text() };
  });
  for (const block of served) {
    const { fetch } = blockApp(block, settings);
    for (const address of new Set([block.block.id, block.block.name])) {
      app.all(`/api_v2/blocks/${address}`, (c) => fetch(c.req.raw, c.env));
    }
  }
  const mcp = once(async () => {
    // Not at the start: it is a large part of the code, and most services are asked for none.
    const { mcpApp } = await import('../mcp/mcp-app.ts');
    return mcpApp({ blocks: served, call }, settings);
  });
  app.all(MCP_PATH, async (c) => (await mcp()).fetch(c.req.raw, c.env));
  const { slackSecrets } = settings;
  const slack = slackApp(
    {
      blocks: served.map(({ description }) => JSON.parse(description())),
      call,
      ...(slackSecrets === undefined ? {} : { secrets: slackSecrets }),
    },
    settings,
  );
  app.all(SLACK_PATH, (c) => slack.fetch(c.req.raw, c.env));
  const blocks = served.map(({ block }) => summariseBlock(block));
  const { fetch } = catalogApp({ blocks, files: { ...files, ...openapiFile(served) } }, settings);
  app.all('*', (c) => fetch(c.req.raw, c.env));
  return app;
}

/** A server of these blocks; what Node itself refuses is a problem document too. */
export function localServer(
  served: readonly ServedBlock[],
  settings: LocalSettings,
  files?: CatalogFiles,
): Server {
  const app = localApp(served, settings, files);
  const refusalOf = (code: ProblemCode) => unreadRefusal(refusalOfNode(code), settings);
  const listener = getRequestListener(app.fetch, {
    // A request without a Host header is answered like any other.
    hostname: 'localhost',
    errorHandler: (error) => {
      if (error instanceof RequestError) return responseOf(refusalOf('bad-request'));
      const refusal = internalError(error);
      const unread = unreadRefusal(refusal, settings);
      const { runId, status } = unread;
      // No app has answered: of what was asked, nothing is known here.
      const unknown = { block: null, method: 'other', durationMs: 0 };
      settings.record({ runId, status, ...unknown, ...outcomeOfRefusal(refusal) });
      return responseOf(unread);
    },
  });
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: 30_000,
      headersTimeout: 30_000,
      // Node looks only every 30 s for those that are late.
      connectionsCheckingInterval: 2000,
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    socket.end(rawText(refusalOf(codeOf(error))));
  });
  server.on('connect', (_, socket: Socket) => socket.end(rawText(refusalOf('method-not-allowed'))));
  // An Expect that nobody knows may be passed over (RFC 9110, section 10.1.1); Node would refuse.
  server.on('checkExpectation', listener);
  return server;
}

function codeOf({ code }: NodeJS.ErrnoException): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-timeout' : 'bad-request';
}

const DETAILS: Partial<Record<ProblemCode, string>> = {
  'headers-too-large': `The request line and headers are over ${MOST_HEADER_BYTES} bytes; send long lists in a body.`,
  'request-timeout': 'The request did not arrive whole in time.',
  'method-not-allowed': 'CONNECT is not taken here.',
};

function refusalOfNode(code: ProblemCode): Refusal {
  return new Refusal(code, DETAILS[code] ?? 'The request is not valid HTTP/1.1.');
}

function responseOf({ body, headers, status }: UnreadRefusal): Response {
  return new Response(body, { headers, status });
}

/** A refusal as it goes over the wire, where there is no request to answer. */
function rawText({ body, headers, status }: UnreadRefusal): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
