import { etagOf } from './etag.ts';
import { notModified } from './not-modified.ts';
import { answer, type RunContext } from './run-app.ts';
import type { Outcome } from './run-record.ts';

/** Below this, compressing costs more than it saves. */
const LEAST_BYTES = 1400;

/** Answers with a text that browsers read: a page, a script. Compressed where that is accepted. */
export async function answerText(
  c: RunContext,
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  outcome?: Outcome,
  timings?: string,
): Promise<Response> {
  const isAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    c.req.header('accept-encoding') ?? '',
  );
  if (!isAccepted || text.length < LEAST_BYTES) {
    return answer(c, text, status, headers, outcome, timings);
  }
  // Not at a function's start: most answers are not pages.
  const { gzipSync } = await import('node:zlib');
  const compressed = { ...headers, 'Content-Encoding': 'gzip' };
  return answer(c, gzipSync(text), status, compressed, outcome, timings);
}

/** As `answerText`, for what changes with the code alone; or 304. */
export async function answerFile(
  c: RunContext,
  text: string,
  headers: Readonly<Record<string, string>>,
  build: string,
): Promise<Response> {
  const etag = etagOf(build, text);
  const cached = { Vary: 'Accept-Encoding', ...headers, 'Cache-Control': 'no-cache', ETag: etag };
  return notModified(c, cached) ?? answerText(c, text, 200, cached);
}
