import { JSON_TYPE } from './answer.ts';
import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import type { Answered, Run } from './routes.ts';

/** Answers with a text that changes with the code alone, or with 304. */
export function answerCached(
  { request, settings }: Run,
  text: string,
  own: Readonly<Record<string, string>>,
): Answered {
  const headers = { ...own, 'Cache-Control': 'no-cache', ETag: etagOf(settings.build, text) };
  return notModified(request, headers) ?? { status: 200, headers, body: text };
}

/** Of a text for programs. */
export const CACHED_JSON = { 'Content-Type': JSON_TYPE, Vary: 'Accept' };
