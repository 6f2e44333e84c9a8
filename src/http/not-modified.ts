import type { Answered } from './answer.ts';
import { isUnchanged } from './etag.ts';
import type { HttpRequest } from './request.ts';

/** A 304 if the caller already has the answer with this ETag; undefined otherwise. */
export function notModified(
  request: HttpRequest,
  headers: Readonly<Record<string, string>> & { readonly ETag: string },
): Answered | undefined {
  const known = request.headers['if-none-match'] ?? null;
  return isUnchanged(known, headers.ETag) ? { status: 304, headers, body: null } : undefined;
}
