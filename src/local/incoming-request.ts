import type { IncomingMessage } from 'node:http';
import { BodyPieces } from '../http/read-body.ts';
import {
  type HttpRequest,
  type RequestHeaders,
  readTarget,
  refusedRequest,
} from '../http/request.ts';
import type { AtTurnsEnd } from './at-turns-end.ts';

/** What a server knows of its requests. */
export type RequestContext = {
  readonly isTrustedProxy: (address: string | undefined) => boolean;
  readonly atTurnsEnd: AtTurnsEnd;
  readonly hasRoom: () => boolean;
};

/**
 * The request from the one that `node:http` has read. Calls `invite` before it reads the body, if
 * the sender waits to be asked for it.
 */
export function requestOf(
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
    ...(localAddress === undefined ? {} : { arrivedAt: localAddress }),
    ...(seen.prefix === undefined ? {} : { seenPath: `${seen.prefix}${target.path}` }),
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
    ...(scheme === 'http' || scheme === 'https' ? { scheme } : {}),
    ...(host ? { host } : {}),
    ...(prefix !== undefined && /^(?:\/[\w.~-]+)+\/?$/.test(prefix)
      ? { prefix: prefix.replace(/\/$/, '') }
      : {}),
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
