import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import { answer, JSON_TYPE, type RunContext } from './run-app.ts';

/** Answers with a text that changes with the code alone, or with 304. */
export function answerCached(c: RunContext, text: string, build: string): Response {
  const etag = etagOf(build, text);
  const headers = {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-cache',
    ETag: etag,
    Vary: 'Accept',
  };
  return notModified(c, headers) ?? answer(c, text, 200, headers);
}
