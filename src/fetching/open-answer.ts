import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { hostOf } from './checked-addresses.ts';
import { FetchError, SAVE_IT } from './fetch-error.ts';
import { networkFailure } from './network-failure.ts';
import type { Validators } from './validators.ts';

/** Of an answer; far more than a file's answer needs. */
const MOST_HEADER_BYTES = 16_384;

/** Node's own 250 ms give up on far hosts that are well. */
const NEXT_ADDRESS_MS = 2_000;

/** One request to one of these addresses, whatever DNS says by now. */
export type Request = {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly earlier: Validators;
  /** Certificates to trust instead of the usual authorities'. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
  readonly place: string;
};

/** Asks, and waits for the answer's headers. Throws a FetchError, or the signal's reason. */
export function openAnswer(asked: Request): Promise<IncomingMessage> {
  const { url, addresses, earlier, ca, signal, place } = asked;
  const host = hostOf(url);
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = pinned;
    if (all) callback(null, pinned);
    else callback(null, first?.address ?? '', first?.family);
  };
  const connecting: Pick<TcpNetConnectOpts, 'lookup' | 'autoSelectFamilyAttemptTimeout'> = {
    lookup,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(signal.aborted ? signal.reason : networkFailure(error, place));
    request({
      host,
      port: url.port,
      path: url.pathname + url.search,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip',
        'user-agent': 'blockyard',
        ...(earlier.etag === undefined ? {} : { 'if-none-match': earlier.etag }),
        ...(earlier.lastModified === undefined
          ? {}
          : { 'if-modified-since': earlier.lastModified }),
      },
      ...connecting,
      // A connection of its own: no other request's, and no proxy's.
      agent: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      // TLS sends no addresses as names, and no dot that ends a name (RFC 6066).
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      ...(ca === undefined ? {} : { ca }),
      signal,
    })
      .on('response', resolve)
      .on('error', fail)
      .on('close', () => fail(new FetchError('bad-answer', place, `no answer; ${SAVE_IT}`)))
      .end();
  });
}
