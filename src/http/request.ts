import { isAscii } from 'node:buffer';
import type { Handling } from '../arguments/given.ts';
import { belowRoot } from '../block/addresses.ts';
import type { PageAddress } from '../page/links.ts';
import { Problem } from '../problem/errors.ts';
import { parseUrl } from '../text/path.ts';

/** A request as plain data, whichever channel it came through. */
export type HttpRequest = {
  readonly method: string;
  /** Percent-encoded, as it was sent, but without a stage or base path before it. */
  readonly path: string;
  /** As it was sent, without its `?`. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Reads the bytes of the body, once. Rejects if they do not arrive, or are too many. */
  readonly body: () => Promise<Uint8Array>;
  /** The scheme and host that the caller asked for. */
  readonly origin: string;
  /** The service's public address by its deployment, with a slash at its end. */
  readonly deployedAt?: string;
  /** The run's id, a UUID, if the channel gave one. */
  readonly runId?: string;
  /** The path that the caller sees, if it differs from `path`. */
  readonly seenPath?: string;
  /** The local IP address that the request came to. */
  readonly arrivedAt?: string;
  /** The channel's own refusal, if the request is not valid HTTP or was not answered in time. */
  readonly problem?: Problem;
  /** Whether the channel passes on a body in pieces, however long. */
  readonly canStream?: boolean;
  /** Whether nobody waits for the answer any more, if the channel can tell. */
  readonly isGone?: () => boolean;
  /** Whether the channel has room for a large answer; while it has none, few are made. */
  readonly hasRoom?: () => boolean;
  /** When it came, by `performance.now()`, if it has waited since. */
  readonly began?: number;
};

/** Stands for a request that could not be read; the caller may add what is known of it. */
export function refusedRequest(
  problem = new Problem('bad-request', 'The request is not valid HTTP/1.1.'),
): HttpRequest {
  const body = async () => new Uint8Array();
  return { method: 'other', path: '', query: '', headers: {}, origin: '', body, problem };
}

/** Headers by lower-case name; the values of a repeated header are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** The parts of the address that a request is sent to. */
export type Target = Pick<HttpRequest, 'origin' | 'path' | 'query'>;

/** Hosts and targets that `new URL` would leave as they are, so that parsing can be skipped. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;
const PLAIN_TARGET = /^\/[!#$&-;=?-[\]_a-z~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?#]|$)/;

/**
 * The parts of a request's target, which is a path or a whole address (RFC 9112, section 3.2).
 * Undefined if the target or the host is not valid.
 */
export function readTarget(scheme: string, host: string, target: string): Target | undefined {
  const isWhole = !target.startsWith('/');
  if (isWhole && !/^https?:\/\//i.test(target)) return undefined;
  const origin = `${scheme}://${host}`;
  if (PLAIN_HOST.test(host) && PLAIN_TARGET.test(target) && !hasDots(target)) {
    return { origin, ...splitTarget(target) };
  }
  const address = isWhole ? target : `${origin}${target}`;
  const url = /^[^?]*\\/.test(target) ? undefined : parseUrl(address);
  if (url === undefined) return undefined;
  const named = host.replace(/:\d+$/, '').toLowerCase();
  // A hostname that differs means that the Host header held more than a host.
  if (!isWhole && url.hostname.length !== host.length && url.hostname !== named) return undefined;
  return { origin: url.origin, ...splitTarget(url.href.slice(url.href.indexOf('/', 8))) };
}

/** Whether a target has a part that `new URL` would take away. */
function hasDots(target: string): boolean {
  return target.includes('/.') && DOT_SEGMENT.test(target);
}

function splitTarget(target: string): Pick<Target, 'path' | 'query'> {
  const start = target.indexOf('?');
  const fragment = target.indexOf('#');
  const end = fragment < 0 || (start >= 0 && start < fragment) ? start : fragment;
  return {
    path: end < 0 ? target : target.slice(0, end),
    query: start < 0 ? '' : target.slice(start + 1),
  };
}

/** The handling that a Prefer header asks for (RFC 7240); the first counts if there are several. */
export function preferredHandling(prefer: string | null): Handling | undefined {
  const found = /(?:^|,)\s*handling\s*=\s*"?(strict|lenient)"?\s*(?=[,;]|$)/i.exec(prefer ?? '');
  return found?.[1]?.toLowerCase() as Handling | undefined;
}

/** The preference for an answer with the addresses of its rows. */
export const ROW_ADDRESSES = 'row-addresses';

/** Whether a Prefer header asks for the addresses of the answer's rows. */
export function prefersAddresses(prefer: string | undefined): boolean {
  return prefer !== undefined && /(?:^|,)\s*row-addresses\s*(?=[,;]|$)/i.test(prefer);
}

/** The key in an address, which a page's links keep. */
export function keyOf({ query }: HttpRequest): string | undefined {
  return new URLSearchParams(query).get('api_key') ?? undefined;
}

/** Whether the query asks for the flat form by having `cache`, escaped or not. */
export function wantsFlat({ query }: HttpRequest): boolean {
  if (query === '') return false;
  if (/(?:^|[?&])cache(?:[=&]|$)/.test(query)) return true;
  return query.includes('%') && new URLSearchParams(query).has('cache');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of these bytes, without a byte order mark. Throws a Problem if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  // Most bodies are ASCII, and a decoder takes several times as long for these.
  if (Buffer.isBuffer(bytes) && isAscii(bytes)) return bytes.toString('latin1');
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const detail = 'The body holds bytes that are not UTF-8. Save or send it as UTF-8.';
    throw new Problem('invalid-encoding', detail, { cause });
  }
}

/**
 * The address of the request's page, as the caller sees it, by what its channel says: headers that
 * anybody may send count nowhere here. Links are relative, so they need only the path.
 */
export function pageAddress({ origin, path, seenPath = path }: HttpRequest): PageAddress {
  return { url: `${origin}${seenPath}`, toRoot: toRoot(path, seenPath) };
}

/** The path of what is given relative to the blocks, as the caller sees it, with the caller's key. */
export function pathBelow(request: HttpRequest, reference: string): string {
  const path = `${pageAddress(request).toRoot}${belowRoot(reference)}`;
  const key = keyOf(request);
  return key === undefined ? path : `${path}?api_key=${encodeURIComponent(key)}`;
}

/** The relative link from a page to the service's root: `../` for each folder above the page. */
export function toRoot(path: string, visible: string): string {
  const depth = path.split('/').length - 2;
  if (depth > 0) return '../'.repeat(depth);
  // A stage's address without its trailing slash: a link must repeat the last part of the path.
  const last = path.length > 1 ? '' : (visible.split('/').at(-1) ?? '');
  return last === '' ? './' : `./${last}/`;
}
