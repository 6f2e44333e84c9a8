import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type Answer, isWhole } from '../http/answer.ts';
import { BodyPieces } from '../http/read-body.ts';
import {
  type HttpRequest,
  type RequestHeaders,
  readTarget,
  refusedRequest,
} from '../http/request.ts';
import { METHODS } from '../http/routes.ts';
import type { Service } from '../http/service.ts';
import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import {
  type AtTurnsEnd,
  type Connection,
  type ConnectionBounds,
  Connections,
  noRoom,
  noRoomForStream,
  turnsEnd,
} from './connections.ts';

export type ServerSettings = {
  /** Whether a request from this address may say what its caller asked for; none if absent. */
  readonly isTrustedProxy?: (address: string | undefined) => boolean;
};

/**
 * Request line and headers. Then 431.
 *
 * This is API Gateway's bound, so that the same requests pass here.
 */
const MOST_HEADER_BYTES = 10_240;

/** A server of a service. Requests that Node itself refuses get a problem as well. */
export function serverOf(
  answer: Service,
  bounds: ConnectionBounds,
  { isTrustedProxy = () => false }: ServerSettings = {},
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

/** What a server knows of its requests. */
type RequestContext = {
  readonly isTrustedProxy: (address: string | undefined) => boolean;
  readonly atTurnsEnd: AtTurnsEnd;
  readonly hasRoom: () => boolean;
};

/**
 * The request from the one that `node:http` has read. Calls `invite` before it reads the body, if
 * the sender waits to be asked for it.
 */
function requestOf(
  incoming: IncomingMessage,
  { isTrustedProxy, atTurnsEnd, hasRoom }: RequestContext,
  invite?: () => void,
): HttpRequest {
  const { method = '', url = '', socket } = incoming;
  // The server joins repeated headers into one text, except Set-Cookie, which nothing here reads.
  const sent = incoming.headers as RequestHeaders;
  const seen = isTrustedProxy(socket.remoteAddress) ? forwardedBy(sent) : {};
  const host = seen.host ?? sent.host;
  // A request without a Host header is answered too.
  const target = readTarget(seen.scheme ?? 'http', host || 'localhost', url);
  if (target === undefined) return refusedRequest();
  // A whole address names the host itself, and the header does not count (RFC 9112, section 3.2.2).
  const asked = url.startsWith('/') ? host : new URL(target.origin).host;
  const headers = asked === sent.host ? sent : { ...sent, host: asked };
  const { localAddress } = socket;
  return {
    method,
    ...target,
    headers,
    body: bytesOf.bind(undefined, incoming, atTurnsEnd, invite),
    // HTTP/1.0 has no chunks: the end of a connection would be the end of the rows.
    canStream: incoming.httpVersion !== '1.0',
    isGone: () => socket.destroyed,
    hasRoom,
    arrivedAt: localAddress,
    seenPath: seen.prefix === undefined ? undefined : `${seen.prefix}${target.path}`,
  };
}

/** What a proxy says of the address that its caller asked for, as far as that can be one. */
function forwardedBy(headers: RequestHeaders): {
  readonly scheme?: string;
  readonly host?: string;
  readonly prefix?: string;
} {
  // Where proxies add to a list, the last is what the one in front of us says.
  const last = (name: string) => headers[`x-forwarded-${name}`]?.split(',').at(-1)?.trim();
  const [scheme, host, prefix] = [last('proto'), last('host'), last('prefix')];
  return {
    scheme: scheme === 'http' || scheme === 'https' ? scheme : undefined,
    host: host || undefined,
    prefix:
      prefix !== undefined && /^(?:\/[\w.~-]+)+\/?$/.test(prefix)
        ? prefix.replace(/\/$/, '')
        : undefined,
  };
}

/** The body's bytes. Rejects if the sender goes away, or at the first piece over a bound. */
function bytesOf(
  incoming: IncomingMessage,
  atTurnsEnd: AtTurnsEnd,
  invite?: () => void,
): Promise<Uint8Array> {
  invite?.();
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces(incoming.headers['content-length'] !== undefined);
    incoming
      .on('data', (piece: Uint8Array) => {
        try {
          pieces.add(piece);
        } catch (problem) {
          // Discard the rest of the body.
          incoming.removeAllListeners('data').resume();
          reject(problem);
        }
      })
      .on('end', () => atTurnsEnd(() => resolve(pieces.whole())))
      .on('error', reject)
      .on('close', () => {
        if (!incoming.readableEnded) reject(new Error('The connection was closed.'));
      });
  });
}

/**
 * How long the rest of what nobody reads may still arrive, whatever its client does. Then the
 * server closes the connection.
 */
const DRAIN_MS = 500;

/** The most that is written at once: only what the system took whole counts as taken. */
const PIECE_BYTES = 65_536;

/**
 * What a download has in memory beside a piece that waits: the positions of 32,768 rows, and 64 KB
 * of rows (src/columns).
 */
const DOWNLOAD_BYTES = 3 * 65_536;

/**
 * Writes an answer to `node:http`. A long body is written only as fast as the client reads, and no
 * more of it is made when he goes away; if the body fails, the answer breaks off.
 */
export function writeAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  connection: Connection,
  atTurnsEnd: AtTurnsEnd,
): Promise<void> | undefined {
  const { req: incoming } = outgoing;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  if (isWhole(body)) {
    // Written as bytes: Node takes several times as long to write a long text.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const length = bytes?.length ?? 0;
    const whole = bytes === null ? headers : { ...headers, 'Content-Length': length };
    if (bytes === null || length <= PIECE_BYTES) {
      atTurnsEnd(() => {
        outgoing.writeHead(status, whole).end(bytes);
        // Mostly the system takes all of it at once, and nothing waits.
        if (connection.socket.writableLength > 0) holdFor(outgoing, connection, length);
      });
      return undefined;
    }
    outgoing.writeHead(status, whole);
    return writeLong(bytes, outgoing, connection);
  }
  // At once: a client that has gone resets its connection at the first bytes.
  outgoing.writeHead(status, headers).flushHeaders();
  holdFor(outgoing, connection, 0);
  connection.isStreaming = true;
  outgoing.once('close', () => {
    connection.isStreaming = false;
  });
  return pipeline(offered(body, outgoing, connection), outgoing);
}

/** Writes pieces as long as the system takes them at once; the rest only as fast as the client reads. */
function writeLong(
  bytes: Uint8Array,
  outgoing: ServerResponse,
  connection: Connection,
): Promise<void> | undefined {
  const { socket } = connection;
  let at = 0;
  for (; at < bytes.length && socket.writableLength === 0; at += PIECE_BYTES) {
    outgoing.write(bytes.subarray(at, at + PIECE_BYTES));
    // Node would collect what is written in this turn.
    socket.uncork();
  }
  if (socket.writableLength === 0) {
    outgoing.end();
    return undefined;
  }
  holdFor(outgoing, connection, bytes.length);
  return pipeline(piecesOf(bytes.subarray(at)), outgoing);
}

/** Counts a whole body until its end is taken: until then all of it is in memory. */
function holdFor(outgoing: ServerResponse, connection: Connection, bytes: number): void {
  connection.begin(bytes);
  connection.hold(bytes);
  outgoing.once('close', () => {
    connection.hold(0);
    connection.line.forget();
  });
}

/**
 * A body's pieces; the next one may be long in the making. If the body fails, resets its
 * connection: no client is to take the connection's end for the body's.
 */
async function* offered(
  body: AsyncIterable<string | Uint8Array>,
  outgoing: ServerResponse,
  connection: Connection,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const made of body) {
      const bytes = typeof made === 'string' ? Buffer.from(made) : made;
      connection.hold(DOWNLOAD_BYTES + bytes.length + outgoing.writableLength);
      yield* piecesOf(bytes);
      // All was taken but what Node has room for, 16 KiB: that counts with the next piece.
      connection.hold(0);
    }
  } catch (error) {
    connection.socket.resetAndDestroy();
    throw error;
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

function drain(incoming: ServerResponse['req']): void {
  if (incoming.closed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS).unref();
  incoming.once('close', () => clearTimeout(timer));
}
