import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { type AllBlocks, CHANNELS } from '../channels/channels.ts';
import { openapiFile } from '../channels/openapi/openapi-document.ts';
import type { ReadSecrets } from '../channels/slack/slash-command.ts';
import { type Answer, isWhole, type ServiceSettings, textOf } from '../http/answer.ts';
import { blockRoutes } from '../http/block-routes.ts';
import { callBlockBy } from '../http/call-block.ts';
import { type CatalogFiles, catalogRoutes } from '../http/catalog-routes.ts';
import { ROW_ADDRESSES, refusedRequest } from '../http/request.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { BLOCKS_PATH, METHODS, type Routes, type Service, serviceOf } from '../http/service.ts';
import { listBlock } from '../page/listed-block.ts';
import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  Connections,
  noRoom,
  noRoomForStream,
  turnsEnd,
} from './connections.ts';
import { DRAIN_MS, requestOf, writeAnswer } from './node-http.ts';

/** API Gateway's bound on a request line with headers, so that the same requests pass here. */
const MOST_HEADER_BYTES = 10_240;

export type LocalSettings = ServiceSettings & {
  /** The signing secret of the Slack app. */
  readonly slackSecrets?: ReadSecrets;
  /** Whether a request from this address may say what its caller asked for; none if absent. */
  readonly isTrustedProxy?: (address: string | undefined) => boolean;
};

/** All functions as one service. Channels without data call a block by a POST to this service. */
export function localService(
  blocks: readonly ServedBlock[],
  settings: LocalSettings,
  files: CatalogFiles = {},
): Service {
  const call = callBlockBy(async (block, text) => {
    const bytes = Buffer.from(text);
    const { status, body } = await service({
      method: 'POST',
      origin: 'http://localhost',
      path: `${BLOCKS_PATH}/${block}`,
      query: '',
      headers: {
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        prefer: ROW_ADDRESSES,
      },
      body: async () => bytes,
    });
    return { status, body: await textOf(body) };
  });
  const { slackSecrets } = settings;
  const service = serviceOf(localRoutes({ blocks, call, slackSecrets }, files), settings);
  return service;
}

/** A server of these blocks. */
export function localServer(
  blocks: readonly ServedBlock[],
  settings: LocalSettings,
  files?: CatalogFiles,
): Server {
  return serverOf(localService(blocks, settings, files), CONNECTION_BOUNDS, settings).server;
}

/** A server of a service. Requests that Node itself refuses get a problem as well. */
export function serverOf(
  answer: Service,
  bounds: ConnectionBounds,
  { isTrustedProxy = () => false }: Pick<LocalSettings, 'isTrustedProxy'> = {},
): { readonly server: Server; readonly connections: Connections } {
  const atTurnsEnd = turnsEnd();
  const respond = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    invite?: () => void,
  ) => {
    const connection = connections.of(incoming.socket);
    // It was told that there is no room.
    if (connection === undefined) return;
    connection.ask();
    const turn = connection.line.turnOf(outgoing);
    if (turn !== undefined) await turn;
    if (incoming.socket.destroyed) return;
    try {
      const request = requestOf(incoming, { isTrustedProxy, atTurnsEnd, hasRoom }, invite);
      // By `then`: a variable of this function would keep an answer's text beside its bytes.
      await answer(request)
        .then((answered) =>
          isWhole(answered.body) || connections.makeRoomForStream()
            ? answered
            : answer({ ...request, problem: noRoomForStream(bounds) }),
        )
        .then((answered) => writeAnswer(answered, outgoing, connection, atTurnsEnd));
    } catch {
      // The reader went away or the body failed; closing is the only way left to say so.
      outgoing.destroy();
    }
  };
  const listener: RequestListener = (incoming, outgoing) => respond(incoming, outgoing);
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: bounds.arrivalMs,
      headersTimeout: bounds.arrivalMs,
      keepAliveTimeout: bounds.idleMs,
      // By default Node looks for late requests only every 30 s.
      connectionsCheckingInterval: bounds.sweepMs,
      requireHostHeader: false,
      joinDuplicateHeaders: true,
    },
    listener,
  );
  // By default Node drops the headers after the 2,000th in silence; their bytes are bounded above.
  server.maxHeadersCount = 0;
  // By default Node drops the answers still due when a client has sent its last request and says so.
  Object.assign(server, { httpAllowHalfOpen: true });
  const refuse = async (problem: Problem | undefined, socket: Socket) => {
    const isDue = (await connections.of(socket)?.line.turnOfUnreadable(socket)) ?? true;
    if (!isDue) return socket.destroySoon();
    socket.end(rawText(await answer(refusedRequest(problem))));
    // A client that keeps its side open would keep the connection.
    setTimeout(() => socket.destroySoon(), DRAIN_MS).unref();
  };
  const hasRoom = () => connections.hasRoom;
  const connections = new Connections(server, (socket) => refuse(noRoom(), socket), bounds);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || !socket.writable || isUnused) socket.destroy();
    else refuse(refusalOf(error), socket);
  });
  server.on('connect', (_, socket: Socket) => refuse(connectRefused(), socket));
  // A sender that waits with its body is asked for it only if the rest is not refused: a refusal is
  // to come at once (RFC 9110, section 10.1.1). Node would ask for every body.
  server.on('checkContinue', (incoming, outgoing) =>
    respond(incoming, outgoing, () => outgoing.writeContinue()),
  );
  // An unknown Expect may be ignored (RFC 9110, section 10.1.1); Node would refuse it.
  server.on('checkExpectation', listener);
  return { server, connections };
}

/** The problem for a request that Node cannot read; undefined for the general one. */
function refusalOf({ code }: NodeJS.ErrnoException): Problem | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = `The request line and headers are over ${numberText(MOST_HEADER_BYTES)} bytes; send long lists in a body.`;
    return new Problem('headers-too-large', detail);
  }
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return undefined;
  return new Problem('request-timeout', 'The request did not arrive whole in time.');
}

function connectRefused(): Problem {
  const headers = { Allow: METHODS.join(', ') };
  return new Problem('method-not-allowed', 'CONNECT is not taken here.', { headers });
}

/** An answer as HTTP text, for a socket on which Node has no request to answer. */
function rawText({ body, headers, status }: Answer): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body as string),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/**
 * The addresses of all Lambda functions in one table, the same as in each function. `files` are
 * those that browsers and programs load beside the blocks.
 */
function localRoutes(all: AllBlocks, files: CatalogFiles): Routes {
  const { blocks } = all;
  const catalog = catalogRoutes({
    blocks: blocks.map(({ block, manifest, profile }) => listBlock(block, manifest, profile?.())),
    files: { ...files, ...openapiFile(blocks) },
  });
  const channels = CHANNELS.map(({ routes }) => routes(all));
  const tables = [catalog, ...channels, ...blocks.map(blockRoutes)];
  return {
    at: new Map(tables.flatMap(({ at }) => [...at])),
    rows: new Map(tables.flatMap(({ rows = [] }) => [...rows])),
    elsewhere: catalog.elsewhere,
  };
}
