import { type Answered, JSON_TYPE, type Run } from './answer.ts';
import { etagOfBuild } from './etag.ts';
import { notModified } from './not-modified.ts';

/** Answers with a text that changes only when the code does, or with 304. */
export function answerCached(
  { request, settings }: Run,
  text: string,
  own: Readonly<Record<string, string>> & { readonly 'Content-Type': string },
): Answered {
  const ETag = etagOfBuild(settings.build, own['Content-Type']);
  const headers = { ...own, 'Cache-Control': 'no-cache', ETag };
  return notModified(request, headers) ?? { status: 200, headers, body: text };
}

/** The headers of a JSON text at an address that can also answer with a page. */
export const CACHED_JSON = { 'Content-Type': JSON_TYPE, Vary: 'Accept' };
