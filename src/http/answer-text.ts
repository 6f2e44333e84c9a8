import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import type { Answered, Run } from './routes.ts';

/** Below this, compressing costs more than it saves. */
const LEAST_BYTES = 1400;

/** An answer of a text that browsers read, a page or a script, as it is sent: compressed where that is accepted. */
export async function compressed(
  { request }: Run,
  answered: Answered & { readonly body: string },
): Promise<Answered> {
  const isAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers['accept-encoding'] ?? '',
  );
  const { headers, body } = answered;
  if (!isAccepted || body.length < LEAST_BYTES) return answered;
  // Not at a function's start: most answers are not pages.
  const { gzipSync } = await import('node:zlib');
  return { ...answered, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzipSync(body) };
}

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
