import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseUrl } from '../text/path.ts';
import {
  checkedAddresses,
  checkUrl,
  FetchError,
  hostOf,
  networkFailure,
  type Reach,
  type Resolve,
  SAVE_IT,
  shownAddress,
} from './fetch-address.ts';

/** Redirects of a fetch. */
export const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** What all requests of a fetch share. */
type Route = {
  readonly reach: Reach;
  readonly resolve: Resolve;
  /** Certificates to trust instead of those of the usual authorities. */
  readonly ca: string | undefined;
  readonly earlier: Validators;
  readonly headersMs: number;
  readonly clock: FetchClock;
};

/** An answer with the file (status 200), or one that says it is unchanged (304). */
type Arrival = {
  readonly url: URL;
  /** The address as errors show it. */
  readonly place: string;
  readonly answer: IncomingMessage;
};

/** Asks for a file and follows redirects. Checks each address on the way. Throws a FetchError. */
export async function followRedirects(first: URL, route: Route): Promise<Arrival> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const from = redirects === 0 ? '' : `, to which ${first.host} redirects`;
    const place = shownAddress(url) + from;
    const answer = await ask(url, place, route);
    const { statusCode: status = 0 } = answer;
    const isUnchanged = status === 304 && Object.values(route.earlier).some(Boolean);
    if (status === 200 || isUnchanged) return { url, place, answer };
    answer.destroy();
    if (!REDIRECTS.includes(status)) throw answerFault(status, place);
    url = targetOf(answer, url, place);
  }
  const reason = `more than ${MOST_REDIRECTS} redirects; it may want cookies or a login: ${SAVE_IT}`;
  throw new FetchError('too-many-redirects', shownAddress(first), reason);
}

/** Sends a request and waits for the answer's headers. Throws a FetchError. */
async function ask(url: URL, place: string, route: Route): Promise<IncomingMessage> {
  const { reach, resolve, headersMs, clock } = route;
  const { signal } = clock;
  checkUrl(url, reach, place);
  clock.wait(headersMs, () => {
    const reason = `no answer within ${headersMs / 1000} s; try again later, or ${SAVE_IT}`;
    return new FetchError('too-slow', place, reason);
  });
  try {
    const addresses = await checkedAddresses(url, reach, resolve, place, signal);
    return await openAnswer(url, place, addresses, route);
  } catch (error) {
    throw signal.aborted ? signal.reason : networkFailure(error, place);
  }
}

function targetOf({ headers, statusCode }: IncomingMessage, from: URL, place: string): URL {
  const location = headerText(headers.location ?? '');
  const target = location === '' ? undefined : parseUrl(location, from);
  if (target === undefined) {
    const reason = `status ${statusCode}, a redirect that says no address; ${SAVE_IT}`;
    throw new FetchError('bad-answer', place, reason);
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    const reason = `redirects to ${shownAddress(target)}, which is not encrypted; ${SAVE_IT}`;
    throw new FetchError('bad-address', place, reason);
  }
  return target;
}

/** Headers of an answer to a fetch. A file's answer needs far fewer. */
const MOST_HEADER_BYTES = 16_384;

/** Node's own 250 ms give up on distant hosts that work. */
const NEXT_ADDRESS_MS = 2_000;

/** Sends one request to one of these addresses, whatever DNS says by then. */
function openAnswer(
  url: URL,
  place: string,
  addresses: readonly string[],
  { earlier, ca, clock }: Route,
): Promise<IncomingMessage> {
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
      // A fresh connection, which shares nothing with other requests and uses no proxy.
      agent: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      // This overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      // TLS does not send addresses as server names, nor the dot that ends a name (RFC 6066).
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      ca,
      signal: clock.signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new FetchError('bad-answer', place, `no answer; ${SAVE_IT}`)))
      .end();
  });
}

const FAULTS: Readonly<Record<number, string>> = {
  202: 'the server is still making the file; try again in a few minutes',
  401: `the server wants a login; ${SAVE_IT}`,
  403: `the server does not give this file to programs, or wants a login; ${SAVE_IT}`,
  404: 'no file has this address; check it',
  407: `a proxy wants a login; ${SAVE_IT}`,
  410: "the file is gone; look for its new address on the publisher's site",
  429: 'too many requests; try again later',
};

/** The error for an answer that is neither the file nor a redirect. */
function answerFault(status: number, place: string): FetchError {
  const reason = FAULTS[status] ?? (status >= 500 ? 'a fault of the server; try again later' : '');
  const why = reason === '' ? `not a file; ${SAVE_IT}` : reason;
  return new FetchError('refused', place, `status ${status}: ${why}`);
}

type BodyLimits = {
  readonly mostBytes: number;
  readonly idleMs: number;
  readonly clock: FetchClock;
};

/**
 * Yields an answer's body as sent. Bounds its size before and after unpacking. Throws FetchErrors.
 */
export async function* fileBody(
  answer: IncomingMessage,
  place: string,
  limits: BodyLimits,
): AsyncGenerator<Buffer> {
  const { clock } = limits;
  try {
    const sent = bounded(receive(answer, place, limits), place, limits);
    yield* isPacked(answer, place) ? bounded(unpacked(sent), place, limits) : sent;
  } catch (error) {
    throw clock.signal.aborted ? clock.signal.reason : networkFailure(error, place);
  }
}

async function* receive(
  answer: IncomingMessage,
  place: string,
  { mostBytes, idleMs, clock }: BodyLimits,
): AsyncGenerator<Buffer> {
  if ((lengthOf(answer) ?? 0) > mostBytes) throw tooLarge(place, mostBytes);
  clock.wait(idleMs, () => {
    const reason = `nothing came for ${idleMs / 1000} s in the middle of the file; try again later`;
    return new FetchError('too-slow', place, reason);
  });
  for await (const piece of answer as AsyncIterable<Buffer>) {
    clock.goOn();
    yield piece;
  }
}

async function* bounded(
  pieces: AsyncIterable<Buffer>,
  place: string,
  { mostBytes }: BodyLimits,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw tooLarge(place, mostBytes);
    yield piece;
  }
}

function unpacked(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // The iteration throws any failure.
  return pipeline(packed, createGunzip(), () => {});
}

function isPacked({ headers }: IncomingMessage, place: string): boolean {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity') return false;
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  const reason = `the answer is packed in a way that was not asked for; ${SAVE_IT}`;
  throw new FetchError('bad-answer', place, reason);
}

/** Node itself refuses an answer with fewer bytes than its length says. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Whether we would notice that a body broke off before its end. */
export function isEndKnown(answer: IncomingMessage, place: string): boolean {
  const isChunked = /\bchunked\s*$/i.test(answer.headers['transfer-encoding'] ?? '');
  return isChunked || lengthOf(answer) !== undefined || isPacked(answer, place);
}

function tooLarge(place: string, mostBytes: number): FetchError {
  const most = mostBytes.toLocaleString('en');
  const reason = `more than ${most} bytes, the most that is fetched; ${SAVE_IT}`;
  return new FetchError('too-large', place, reason);
}

/** The time limits of a fetch: a deadline for all of it, and one for each wait within it. */
export class FetchClock {
  readonly #over = new AbortController();
  /** Aborts with the error of the limit that passed. */
  readonly signal = this.#over.signal;
  readonly #deadline: NodeJS.Timeout;
  #wait: NodeJS.Timeout | undefined;

  constructor(deadlineMs: number, late: () => Error) {
    this.#deadline = setTimeout(() => this.#over.abort(late()), deadlineMs);
  }

  /** Begins a wait, and ends the one before. */
  wait(ms: number, late: () => Error): void {
    clearTimeout(this.#wait);
    this.#wait = setTimeout(() => this.#over.abort(late()), ms);
  }

  /** Starts the present wait again, because something came. */
  goOn(): void {
    this.#wait?.refresh();
  }

  stop(): void {
    clearTimeout(this.#wait);
    clearTimeout(this.#deadline);
  }
}

/** What an answer says about its version, to send with the next fetch (RFC 9110, 8.8). */
export type Validators = {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
};

const SENDABLE = /^[\x21-\x7e][\x20-\x7e]{0,1023}$/;

/** Returns the validators of an answer. */
export function validatorsOf(headers: IncomingHttpHeaders): Validators {
  return sendable({ etag: headers.etag, lastModified: headers['last-modified'] });
}

/** Drops validators that no header can hold: they may come from an edited file. */
export function sendable({ etag, lastModified }: Validators): Validators {
  const only = (text: string | undefined) => (SENDABLE.test(text ?? '') ? text : undefined);
  return { etag: only(etag), lastModified: only(lastModified) };
}

/** Decodes a header's text: Node reads headers as Latin-1, but many servers write UTF-8. */
export function headerText(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
