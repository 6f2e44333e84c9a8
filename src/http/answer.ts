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
  readonly runId: string;
  readonly began: number;
};

/** A handler's answer, with what goes into the run's record and into Server-Timing. */
export type Answered = Answer & {
  /** A body in pieces is asked for its outcome once it has been sent. */
  readonly outcome?: Outcome | (() => Outcome);
  readonly timings?: string;
};

export type ServiceSettings = {
  /** Identifies the code, so that no ETag outlives it. */
  readonly build: string;
  readonly record: Recorder;
  /** Whose pages may read answers; anyone's if absent. */
  readonly allowOrigin?: AllowOrigin;
  /** Who may embed pages, as `readFrames` reads it; anyone if absent. */
  readonly frameAncestors?: string;
  /** Whether the host asked for is not this service's, given the local address it came to. */
  readonly isForeignHost?: (host: string | undefined, arrivedAt: string | undefined) => boolean;
};
