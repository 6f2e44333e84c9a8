import { Problem } from '../problem/errors.ts';

/** A request as every channel hands it over: plain data, whatever it came in. */
export type HttpRequest = {
  readonly method: string;
  /** Percent-encoded, as it was sent; of a stage or a base path before it there is nothing here. */
  readonly path: string;
  /** As it was sent, without its `?`. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Reads the bytes of the body, once. Rejects where they do not arrive, or are too many. */
  readonly body: () => Promise<Uint8Array>;
  /** The scheme and the host that were asked for. */
  readonly origin: string;
  /** The id that the channel has given the run, a UUID. */
  readonly runId?: string;
  /** The path that the caller sees, where that is another. */
  readonly seenPath?: string;
  /** The address of ours that the request came to. */
  readonly arrivedAt?: string;
  /** What the channel itself refuses it with, where it is none, or is not answered in time. */
  readonly problem?: Problem;
  /** When it came, where that is a while ago; a moment of `performance.now()`. */
  readonly began?: number;
};

/** A request that is none: what is known of it may be added. */
export function refusedRequest(
  problem = new Problem('bad-request', 'The request is not valid HTTP/1.1.'),
): HttpRequest {
  const body = async () => new Uint8Array();
  return { method: 'other', path: '', query: '', headers: {}, origin: '', body, problem };
}

/** By their names in lower case; the values of one that comes twice are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Where a request is sent, in its parts. */
export type Target = Pick<HttpRequest, 'origin' | 'path' | 'query'>;

/** What needs no URL to be made of it: nothing in it is escaped, and it is no way up. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;
const PLAIN_TARGET = /^\/[!#$&-;=?-[\]_a-z~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?#]|$)/;

/**
 * The parts of a request's target, which is a path or a whole address (RFC 9112, section 3.2);
 * undefined where it is none, or the host is none.
 */
export function readTarget(scheme: string, host: string, target: string): Target | undefined {
  const isWhole = /^https?:\/\//.test(target);
  if (!isWhole && !target.startsWith('/')) return undefined;
  const origin = `${scheme}://${host}`;
  if (PLAIN_HOST.test(host) && PLAIN_TARGET.test(target) && !DOT_SEGMENT.test(target)) {
    return { origin, ...splitTarget(target) };
  }
  const address = isWhole ? target : `${origin}${target}`;
  if (/^[^?]*\\/.test(target) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const named = host.replace(/:\d+$/, '').toLowerCase();
  // Else the host held more than one.
  if (!isWhole && url.hostname.length !== host.length && url.hostname !== named) return undefined;
  return { origin: url.origin, ...splitTarget(url.href.slice(url.href.indexOf('/', 8))) };
}

function splitTarget(target: string): Pick<Target, 'path' | 'query'> {
  const end = target.search(/[?#]/);
  const start = target.indexOf('?');
  return {
    path: end < 0 ? target : target.slice(0, end),
    query: start < 0 ? '' : target.slice(start + 1),
  };
}
