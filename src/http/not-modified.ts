import { isUnchanged } from './etag.ts';
import { answer, type RunContext } from './run-app.ts';

/** The 304 for who has the answer of these headers' ETag already; undefined for who has not. */
export function notModified(
  c: RunContext,
  headers: Readonly<Record<string, string>> & { readonly ETag: string },
): Response | undefined {
  const known = c.req.header('if-none-match') ?? null;
  return isUnchanged(known, headers.ETag) ? answer(c, null, 304, headers) : undefined;
}
