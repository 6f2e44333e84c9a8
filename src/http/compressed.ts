import { promisify } from 'node:util';
import type { Answered, Run } from './answer.ts';

/** Compressing a shorter text costs more than it saves. */
const LEAST_BYTES = 1400;

/** Compresses a text for browsers (a page or a script) if the request accepts gzip. */
export async function compressed({ request }: Run, answered: Answered): Promise<Answered> {
  const { headers, body } = answered;
  const isAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers['accept-encoding'] ?? '',
  );
  if (!isAccepted || typeof body !== 'string' || body.length < LEAST_BYTES) return answered;
  // Loaded here and not at a function's start, since most answers are not pages.
  const { gzip } = await import('node:zlib');
  // In another thread: the page of 400 columns takes 20 ms.
  const zipped = await promisify(gzip)(body);
  return { ...answered, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: zipped };
}
