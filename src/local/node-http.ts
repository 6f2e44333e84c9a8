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
import { type Answer, type Body, isTooSlow, isWhole } from '../http/answer.ts';
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
  type ConnectionBounds,
  noRoomForAnswer,
  noRoomForStream,
  Turns,
  turnsEnd,
  WaitingAnswers,
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
): { readonly server: Server; readonly waiting: WaitingAnswers } {
  const atTurnsEnd = turnsEnd();
  const turns = new Turns();
  const waiting = new WaitingAnswers(bounds);
  const hasRoom = () => waiting.hasRoom;
  const respond = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    invite?: () => void,
  ) => {
    const turn = turns.of(outgoing);
    if (turn !== undefined) await turn;
    if (incoming.socket.destroyed) return;
    try {
      const request = requestOf(incoming, { isTrustedProxy, atTurnsEnd, hasRoom }, invite);
      // By `then`: a variable of this function would keep an answer's text beside its bytes.
      await answer(request).then((answered) => {
        const problem = noRoomFor(answered.body);
        if (problem === undefined) return write(answered, outgoing);
        return answer({ ...request, problem }).then((refused) => write(refused, outgoing));
      });
    } catch {
      // The reader went away or the body failed; closing is the only way left to say so.
      outgoing.destroy();
    }
  };
  // By the next tick, all answers of a turn are made that wait for nothing.
  const answering = { waiting, turns, atTurnsEnd: turnsEnd(process.nextTick) };
  const write = (answered: Answer, outgoing: ServerResponse) =>
    writeAnswer(answered, outgoing, answering);
  const noRoomFor = (body: Body): Problem | undefined => {
    if (!isWhole(body)) return waiting.hasStream ? undefined : noRoomForStream(bounds);
    const isLarge = body !== null && body.length > PIECE_BYTES;
    return isLarge && waiting.isFull ? noRoomForAnswer() : undefined;
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
  server.maxConnections = bounds.connections;
  // By default Node drops the headers after the 2,000th in silence; their bytes are bounded above.
  server.maxHeadersCount = 0;
  // By default Node drops the answers still due when a client has sent its last request and says so.
  Object.assign(server, { httpAllowHalfOpen: true });
  const refuse = async (problem: Problem | undefined, socket: Socket) => {
    if (!(await turns.ofUnreadable(socket))) return socket.destroySoon();
    socket.end(rawText(await answer(refusedRequest(problem))));
    // A client that keeps its side open would keep the connection.
    setTimeout(() => socket.destroySoon(), DRAIN_MS).unref();
  };
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
  return { server, waiting };
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

/** What a server has for its answers. */
type Answering = {
  readonly waiting: WaitingAnswers;
  readonly turns: Turns;
  readonly atTurnsEnd: AtTurnsEnd;
};

/**
 * Writes an answer to `node:http`. A long body is written only as fast as the client reads, and no
 * more of it is made when he goes away; if the body fails, the answer breaks off.
 */
export function writeAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  { waiting, turns, atTurnsEnd }: Answering,
): Promise<void> | undefined {
  const { req: incoming } = outgoing;
  const { socket } = incoming;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  const forget = () => turns.forget(outgoing);
  if (isWhole(body)) {
    // Written as bytes: Node takes several times as long to write a long text.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const length = bytes?.length ?? 0;
    const whole = headerList(headers, bytes?.length);
    if (bytes === null || length <= PIECE_BYTES) {
      const end = incoming.complete || outgoing.shouldKeepAlive ? endNow : endOnceDrained;
      atTurnsEnd(() => {
        end(outgoing.writeHead(status, whole), bytes);
        // Mostly the system takes all of it at once, and nothing waits.
        if (socket.writableLength > 0) waiting.add(outgoing.once('close', forget), length);
      });
      return undefined;
    }
    const left = writeWhileTaken(bytes, outgoing.writeHead(status, whole));
    if (left === undefined) return undefined;
    waiting.add(outgoing.once('close', forget), length);
    return pipeline(takenInTime([left], length, socket), outgoing);
  }
  // At once: a client that has gone resets its connection at the first bytes.
  outgoing.writeHead(status, headers).flushHeaders();
  waiting.addStream(outgoing.once('close', forget));
  return pipeline(takenInTime(body, 0, socket), outgoing);
}

/** The headers as Node writes them with the least work: names and values in turn, each name once. */
function headerList(headers: Answer['headers'], length: number | undefined): string[] {
  const list: string[] = [];
  for (const name of Object.keys(headers)) {
    if (length !== undefined && name === 'Content-Length') continue;
    list.push(name, headers[name] as string);
  }
  if (length !== undefined) list.push('Content-Length', String(length));
  return list;
}

/** Writes pieces as long as the system takes them at once. Returns the rest, if it does not take all. */
function writeWhileTaken(bytes: Uint8Array, outgoing: ServerResponse): Uint8Array | undefined {
  const { socket } = outgoing.req;
  let at = 0;
  for (; at < bytes.length && socket.writableLength === 0; at += PIECE_BYTES) {
    outgoing.write(bytes.subarray(at, at + PIECE_BYTES));
    // Node would collect what is written in this turn.
    socket.uncork();
  }
  if (socket.writableLength > 0) return bytes.subarray(at);
  outgoing.end();
  return undefined;
}

/**
 * A body's pieces; the next one may be long in the making. If the body fails, or its reader is too
 * slow, resets its connection: no client is to take the connection's end for the body's.
 * @param length the bytes of the whole body; of one in pieces, 0
 */
async function* takenInTime(
  body: Iterable<Uint8Array> | AsyncIterable<string | Uint8Array>,
  length: number,
  socket: Socket,
): AsyncGenerator<Uint8Array> {
  let [sent, waitedMs] = [0, 0];
  try {
    for await (const made of body) {
      const bytes = typeof made === 'string' ? Buffer.from(made) : made;
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const began = performance.now();
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        yield piece;
        sent += piece.length;
        waitedMs += performance.now() - began;
        if (isTooSlow(Math.max(length, sent), waitedMs)) throw new Error('The reader is too slow.');
      }
    }
  } catch (error) {
    socket.resetAndDestroy();
    throw error;
  }
}

function endNow(outgoing: ServerResponse, bytes: Uint8Array | null): void {
  outgoing.end(bytes);
}

/**
 * Ends an answer when its request is there. Node closes the connection at the end of an answer if the
 * client asked for that: what he still sends would be reset, and he would not read why.
 */
function endOnceDrained(outgoing: ServerResponse, bytes: Uint8Array | null): void {
  outgoing.write(bytes ?? '');
  const end = () => outgoing.end();
  const timer = setTimeout(end, DRAIN_MS).unref();
  outgoing.req.resume().once('close', () => {
    clearTimeout(timer);
    end();
  });
}

function drain(incoming: ServerResponse['req']): void {
  if (incoming.closed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS).unref();
  incoming.once('close', () => clearTimeout(timer));
}
