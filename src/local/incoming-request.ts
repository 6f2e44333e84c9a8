import type { IncomingMessage } from 'node:http';
import { BodyPieces } from '../http/read-bytes.ts';
import { type HttpRequest, type RequestHeaders, readTarget } from '../http/request.ts';

/** The request that `node:http` read; undefined where its address or its host is none. */
export function requestOf(incoming: IncomingMessage): HttpRequest | undefined {
  const { method = '', url = '', socket } = incoming;
  // Of several headers of one name the server makes one text, but of this one, which nobody reads.
  const headers = incoming.headers as RequestHeaders;
  // A request without a Host header is answered like any other.
  const target = readTarget('http', headers.host || 'localhost', url);
  if (target === undefined) return undefined;
  const { localAddress } = socket;
  return {
    method,
    ...target,
    headers,
    body: () => bytesOf(incoming),
    ...(localAddress === undefined ? {} : { arrivedAt: localAddress }),
  };
}

/** The body's bytes. Rejects where the sender goes away, or at the first piece that is too many. */
function bytesOf(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces(incoming.headers['content-length'] !== undefined);
    const add = (piece: Uint8Array) => {
      try {
        pieces.add(piece);
      } catch (refusal) {
        incoming.off('data', add);
        reject(refusal);
      }
    };
    incoming.on('data', add);
    incoming.once('end', () => resolve(pieces.whole()));
    incoming.once('error', reject);
    incoming.once('close', () => reject(new Error('The connection was closed.')));
  });
}
