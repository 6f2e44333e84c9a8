import { html } from '../formats/html.ts';
import type { Publication } from '../portals/publication.ts';
import { Problem } from '../problem/errors.ts';
import type { Scheduler } from '../work/scheduler.ts';
import type { AllowOrigin } from './allow-origin.ts';
import type { HttpRequest } from './request.ts';
import type { Outcome, Recorder } from './run-record.ts';

/** An answer as plain data, for every channel to write. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
};

/** A long body may be an iterable that makes each piece when its reader asks for it. */
export type Body = Piece | AsyncIterable<Piece> | null;

type Piece = string | Uint8Array;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function isWhole(body: Body): body is Piece | null {
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
}

/** The whole body, for callers that cannot pass on pieces. */
export async function bytesOf(body: Body): Promise<Buffer> {
  if (isWhole(body)) return Buffer.from((body ?? '') as Uint8Array);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

export async function textOf(body: Body): Promise<string> {
  return typeof body === 'string' ? body : (await bytesOf(body)).toString();
}

/** A run under way; `began` is a time of `performance.now()`. */
export type Run = {
  readonly request: HttpRequest;
  readonly settings: ServiceSettings;
  /** The service's, which all its runs share. */
  readonly scheduler: Scheduler;
  readonly runId: string;
  readonly began: number;
};

/**
 * The service's public address, with a slash at its end: that of the settings, else that of the
 * deployment. Undefined if neither is known. What a caller sends never counts.
 */
export function rootOf({ settings, request }: Pick<Run, 'settings' | 'request'>) {
  return settings.publication?.address?.() ?? request.deployedAt;
}

/** The refusal of a document that has absolute addresses, where nobody knows them. */
export function addressUnknown(): Problem {
  const detail = 'The public address of this service is not known. Set PUBLIC_URL.';
  return new Problem('not-found', detail);
}

/** A handler's answer, with what goes into the run's record and into Server-Timing. */
export type Answered = Answer & {
  /** A body in pieces is asked for its outcome once it has been sent. */
  readonly outcome?: Outcome | (() => Outcome);
  readonly timings?: string;
};

export type ServiceSettings = {
  /** Identifies the code and what portals are told, so that no ETag outlives them. */
  readonly build: string;
  readonly record: Recorder;
  /** The longest time for a run, in milliseconds; `RUN_WITHIN_MS` if absent. Tests give more. */
  readonly runWithinMs?: number;
  /** The most bytes of an answer in pieces; any number if absent. */
  readonly streamBytes?: number;
  /** Whether these leave in one piece all the same: as a text in JSON, or in base64. */
  readonly inOnePiece?: boolean;
  /** The clock by which runs end, `performance.now` if absent. Tests move their own. */
  readonly now?: () => number;
  /** Whose pages may read answers; anyone's if absent. */
  readonly allowOrigin?: AllowOrigin;
  /** Who may embed pages, as `readFrames` reads it; anyone if absent. */
  readonly frameAncestors?: string;
  /** What portals are told of the service. */
  readonly publication?: Publication;
  /** Whether the host asked for is not this service's, given the local address it came to. */
  readonly isForeignHost?: (host: string | undefined, arrivedAt: string | undefined) => boolean;
};

/** The headers of a JSON text at an address that can also answer with a page. */
export const CACHED_JSON = { 'Content-Type': JSON_TYPE, Vary: 'Accept' };

/** The policy allows nothing from other origins, and no inline script or style. */
export const PAGE_HEADERS = {
  'Content-Type': html.contentType,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  Vary: 'Accept, Accept-Encoding, Prefer',
};

/** Sends a reader elsewhere. The address may have a key, or be one, so no cache keeps it. */
export function ledTo(Location: string): Answered {
  return { status: 302, headers: { Location, 'Cache-Control': 'private, no-store' }, body: null };
}

/** Compressing a shorter text costs more than it saves. */
const LEAST_BYTES = 1400;

/** Compresses a text for browsers (a page or a script) if the request accepts gzip. */
export async function compressed({ request }: Run, answered: Answered): Promise<Answered> {
  const { headers, body } = answered;
  const isAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers['accept-encoding'] ?? '',
  );
  if (!isAccepted || typeof body !== 'string' || body.length < LEAST_BYTES) return answered;
  // Loaded here and not at a function's start, since most answers are not pages.
  const { gzip } = await import('node:zlib');
  const { promisify } = await import('node:util');
  // In another thread: the page of 400 columns takes 20 ms.
  const zipped = await promisify(gzip)(body);
  return { ...answered, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: zipped };
}

/**
 * How fast a reader must be, whichever channel writes to him. Whoever reads nothing, or next to
 * nothing, would keep an answer's memory, or a function, for as long as he likes.
 */

/**
 * A reader who takes nothing of what waits for him. Then his connection is reset. The system
 * reports progress in steps of up to a third of its own buffer; on Linux this buffer has up to 4
 * MB, and no bound of ours counts it.
 */
export const STALLED_MS = 30_000;

/**
 * A reader's time for an answer, even if bytes go on, and how many bytes a second he must take for
 * more time. They are of the whole answer, or of what a stream has sent so far. The time in which
 * the answer is made does not count.
 *
 * This is 262 kbit/s: slower than a first 3G line (384 kbit/s, ITU's IMT-2000).
 */
const GRACE_MS = 60_000;

/** The least rate after that, 262 kbit/s: slower than a first 3G line (384 kbit/s, ITU's IMT-2000). */
const LEAST_BYTES_PER_SECOND = 32 * 1024;

/**
 * Whether a reader has been waited for too long in all, though he takes a byte now and then.
 * @param bytes of the whole answer; of a stream, whose length nobody knows, those sent so far
 * @param waitedMs how long something waited for him; the time in which it is made is not his
 */
export function isTooSlow(bytes: number, waitedMs: number): boolean {
  return waitedMs > GRACE_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1000;
}
