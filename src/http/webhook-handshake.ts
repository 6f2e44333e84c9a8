import { faultPointer } from '../arguments/faults.ts';
import type { Members } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { type Fault, invalidArguments } from '../problem/errors.ts';
import { numberText } from '../values/wording.ts';

/** The answer to a sender that only asks whether this address takes its deliveries. */
export type Handshake = { readonly status: 200 | 204; readonly text: string | null };

/** The most characters of a challenge that are sent back; known senders' have under 300. */
const MOST_CHALLENGE_LENGTH = 1024;

/** WebSub (W3C, section 5.3) and Meta's webhooks: a GET that subscribes or unsubscribes. */
export function handshakeOfGet(query: Members): Handshake | undefined {
  const { 'hub.mode': mode, 'hub.challenge': challenge } = query;
  return mode === 'subscribe' || mode === 'unsubscribe'
    ? echo('hub.challenge', challenge)
    : undefined;
}

/** Microsoft Graph: a POST with a token in its query and no body. */
export function handshakeOfEmptyPost(block: Block, query: Members): Handshake | undefined {
  const name = 'validationToken';
  return takes(block, name) || !Object.hasOwn(query, name) ? undefined : echo(name, query[name]);
}

/** GitHub: a webhook's first delivery, which describes only the webhook. */
export function handshakeOfEvent(event: string | null): Handshake | undefined {
  return event === 'ping' ? { status: 204, text: null } : undefined;
}

/** Slack's Events API: a body of the type `url_verification` with a challenge. */
export function handshakeOfBody(block: Block, body: unknown): Handshake | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { type } = body as Members;
  if (type !== 'url_verification' || takes(block, 'type') || takes(block, 'challenge')) {
    return undefined;
  }
  if (!Object.hasOwn(body, 'challenge')) return undefined;
  return echo('challenge', (body as Members).challenge, { pointer: faultPointer(['challenge']) });
}

function takes({ parameters }: Block, parameter: string): boolean {
  return parameters.some(({ name }) => name === parameter);
}

/** Sends a challenge back, or refuses a bad one: a handshake is never answered with rows. */
function echo(name: string, challenge: unknown, place: Pick<Fault, 'pointer'> = {}): Handshake {
  const fault = faultOfChallenge(name, challenge);
  if (fault !== undefined) throw invalidArguments([{ ...fault, parameter: name, ...place }]);
  return { status: 200, text: challenge as string };
}

function faultOfChallenge(name: string, challenge: unknown): Fault | undefined {
  if (challenge === undefined || challenge === null || challenge === '') {
    return { code: 'missing-parameter', detail: `${name} is required: the text to send back.` };
  }
  if (Array.isArray(challenge)) {
    return { code: 'not-one-value', detail: `${name} is given more than once; expected one text.` };
  }
  if (typeof challenge !== 'string') {
    return { code: 'not-text', detail: `${name} is not a text, which alone is sent back.` };
  }
  return challenge.length > MOST_CHALLENGE_LENGTH
    ? {
        code: 'text-too-long',
        detail: `${name} has ${numberText(challenge.length)} characters; at most ${numberText(MOST_CHALLENGE_LENGTH)} are sent back.`,
      }
    : undefined;
}
