import type { Members } from '../core/arguments.ts';
import type { Block } from '../core/block.ts';

/** What a sender is answered with that only asks whether this is an address for its deliveries. */
export type Handshake = { readonly status: 200 | 204; readonly text: string | null };

/** A challenge is sent back as text, at most so long: those that are known have under 300. */
const MOST_CHALLENGE_LENGTH = 1024;

/** WebSub (W3C, section 5.3), and Meta's webhooks: a GET whose query has a challenge. */
export function handshakeOfGet(query: Members): Handshake | undefined {
  const { 'hub.mode': mode, 'hub.challenge': challenge } = query;
  return mode === 'subscribe' || mode === 'unsubscribe' ? echo(challenge) : undefined;
}

/** Microsoft Graph: a POST without a body, whose query has a token. */
export function handshakeOfEmptyPost(block: Block, query: Members): Handshake | undefined {
  return takes(block, 'validationToken') ? undefined : echo(query.validationToken);
}

/** GitHub: the first delivery of a webhook, which tells of the webhook alone. */
export function handshakeOfEvent(event: string | null): Handshake | undefined {
  return event === 'ping' ? { status: 204, text: null } : undefined;
}

/** Slack's Events API: a body of this type, with a challenge. */
export function handshakeOfBody(block: Block, body: unknown): Handshake | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { type } = body as Members;
  if (type !== 'url_verification' || takes(block, 'type') || takes(block, 'challenge')) {
    return undefined;
  }
  return echo((body as Members).challenge);
}

function takes({ parameters }: Block, parameter: string): boolean {
  return parameters.some(({ name }) => name === parameter);
}

function echo(challenge: unknown): Handshake | undefined {
  if (typeof challenge !== 'string') return undefined;
  if (challenge === '' || challenge.length > MOST_CHALLENGE_LENGTH) return undefined;
  return { status: 200, text: challenge };
}
