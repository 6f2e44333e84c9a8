import { sha256 } from '../work/sha256.ts';
import type { Answered, Run } from './answer.ts';
import type { HttpRequest } from './request.ts';

/** A weak ETag, a hash of everything that an answer depends on. */
export function etagOf(...dependsOn: readonly unknown[]): string {
  const digest = sha256(JSON.stringify(dependsOn), 'base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/**
 * A weak ETag of an address's text that changes only when the code does, so that its type is all
 * that it varies by. Made without a hash, since loading node:crypto takes longer than the answer.
 */
function etagOfBuild(build: string, contentType: string, mark: string): string {
  const [type] = contentType.split(';');
  return `W/"${`${build}-${type}${mark}`.replace(/[^\w-]/g, '-')}"`;
}

/** Whether If-None-Match names this ETag, by weak comparison (RFC 9110, section 13.1.2). */
function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
  );
}

/** A 304 if the caller already has the answer with this ETag; undefined if not, or without one. */
export function notModified(
  request: HttpRequest,
  headers: Readonly<Record<string, string>>,
): Answered | undefined {
  const { ETag } = headers;
  if (ETag === undefined) return undefined;
  const known = request.headers['if-none-match'] ?? null;
  return isUnchanged(known, ETag) ? { status: 304, headers, body: null } : undefined;
}

/** Answers with a text that changes only when the code or a mark does, or with 304. */
export function answerCached(
  { request, settings }: Run,
  text: string,
  own: Readonly<Record<string, string>> & { readonly 'Content-Type': string },
  mark = '',
): Answered {
  const ETag = etagOfBuild(settings.build, own['Content-Type'], mark);
  const headers = { ...own, 'Cache-Control': 'no-cache', ETag };
  return notModified(request, headers) ?? { status: 200, headers, body: text };
}
