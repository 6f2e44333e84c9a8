import type { Handshake } from '../webhooks/handshake.ts';
import type { Answered } from './answer.ts';

/** Answers a handshake. The sender's text is echoed as plain text, never as HTML. */
export function answerHandshake({ status, text }: Handshake): Answered {
  const headers = {
    ...(text === null ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Cache-Control': 'no-store',
  };
  return { status, headers, body: text };
}
