import { JSON_TYPE } from './answer.ts';
import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import type { Answered, Run } from './routes.ts';

/** Answers with a text that changes with the code alone, or with 304. */
export function answerCached({ request, settings }: Run, text: string): Answered {
  const headers = {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-cache',
    ETag: etagOf(settings.build, text),
    Vary: 'Accept',
  };
  return notModified(request, headers) ?? { status: 200, headers, body: text };
}
