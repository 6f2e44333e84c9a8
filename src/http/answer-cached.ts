import { etagOf, isUnchanged } from './etag.ts';
import { JSON_TYPE, type RunContext } from './run-app.ts';

/** Answers with a text that changes with the code alone, or with 304. */
export function answerCached(c: RunContext, text: string, build: string): Response {
  const etag = etagOf(build, text);
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache', ETag: etag };
  return isUnchanged(c.req.header('if-none-match') ?? null, etag)
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers });
}
