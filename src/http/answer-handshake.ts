import type { Handshake } from '../webhooks/handshake.ts';
import type { Answered } from './routes.ts';

/** Answers a handshake. What came comes back as text alone, whatever it looks like. */
export function answerHandshake({ status, text }: Handshake): Answered {
  const headers = {
    ...(text === null ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status, headers, body: text };
}
