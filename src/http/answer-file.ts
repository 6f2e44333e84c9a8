import { compressed } from './compressed.ts';
import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import type { Answered, Run } from './routes.ts';

/** Answers with a text that changes with the code alone, compressed or not; or with 304. */
export async function answerFile(
  run: Run,
  text: string,
  own: Readonly<Record<string, string>>,
): Promise<Answered> {
  const ETag = etagOf(run.settings.build, text);
  const headers = { Vary: 'Accept-Encoding', ...own, 'Cache-Control': 'no-cache', ETag };
  const known = notModified(run.request, headers);
  return known ?? compressed(run, { status: 200, headers, body: text });
}
