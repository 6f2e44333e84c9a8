import type { Answered, Run } from './routes.ts';

/** Below this, compressing costs more than it saves. */
const LEAST_BYTES = 1400;

/** The answer of a text that browsers read, a page or a script, compressed where that is accepted. */
export async function compressed({ request }: Run, answered: Answered): Promise<Answered> {
  const { headers, body } = answered;
  const isAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers['accept-encoding'] ?? '',
  );
  if (!isAccepted || typeof body !== 'string' || body.length < LEAST_BYTES) return answered;
  // Not at a function's start: most answers are not pages.
  const { gzipSync } = await import('node:zlib');
  return { ...answered, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzipSync(body) };
}
