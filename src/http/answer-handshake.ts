import type { Handshake } from '../webhooks/handshake.ts';
import { answer, type RunContext } from './run-app.ts';

/** Answers a handshake. What came comes back as text alone, whatever it looks like. */
export function answerHandshake(c: RunContext, { status, text }: Handshake): Response {
  return answer(c, text, status, {
    ...(text === null ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
}
