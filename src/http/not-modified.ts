import { isUnchanged } from './etag.ts';
import type { HttpRequest } from './request.ts';
import type { Answered } from './routes.ts';

/** The 304 for who has the answer of these headers' ETag already; undefined for who has not. */
export function notModified(
  request: HttpRequest,
  headers: Readonly<Record<string, string>> & { readonly ETag: string },
): Answered | undefined {
  const known = request.headers['if-none-match'] ?? null;
  return isUnchanged(known, headers.ETag) ? { status: 304, headers, body: null } : undefined;
}
