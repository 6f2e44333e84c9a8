import { faultPointer } from '../arguments/faults.ts';
import {
  type ArgumentLocations,
  isBlank,
  isObject,
  type Members,
  withoutNesting,
} from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { NOT, OR } from '../block/parameter.ts';
import { type Fault, invalidArguments, Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';

/** A body's members as arguments, and where in the body they were. */
export type Unwrapped = { readonly body: Members; readonly locations: ArgumentLocations };

const NONE: ReadonlySet<string> = new Set();

/**
 * The members of an event's data at `path`, or of an event without an envelope; a pointer cannot
 * point into encoded data. It is a fault if they give no parameter.
 */
export function unwrapEvent(
  block: Block,
  body: Members,
  path?: readonly string[],
  isEncoded = false,
): Unwrapped {
  const pathOf: ArgumentLocations['pathOf'] = (name, index) =>
    isEncoded ? (path ?? []) : [...(path ?? []), name, ...(index === undefined ? [] : [index])];
  return {
    body,
    locations: { pathOf, faults: [], faulty: NONE, unlessGiven: () => [nothingGiven(block, path)] },
  };
}

/**
 * A Standard Webhooks body: the members of its `data` and those beside it, except `type` and
 * `timestamp`, which are about the event. A body without such `data` stays as it is.
 */
export function unwrapStandard(block: Block, body: Members): Unwrapped {
  const { parameters, options } = block;
  const isTaken = new Set([...parameters, ...options].map(({ name }) => name));
  if (parameters.some(({ op }) => op === 'not')) isTaken.add(NOT).add(OR);
  if (!Object.hasOwn(body, 'data') || isTaken.has('data')) return unwrapEvent(block, body);
  const { data, type: _, timestamp: __, ...others } = body;
  const inside = membersOf(data);
  if (inside === undefined) return unwrapEvent(block, body);
  const beside: Members = Object.assign(Object.create(null), others);
  const [flatInside, flatBeside] = [withoutNesting(inside), withoutNesting(beside)];
  const faults = [...new Set([...Object.keys(inside), ...Object.keys(flatInside)])]
    .filter((name) => isTaken.has(name))
    .filter(
      (name) =>
        [inside, flatInside].some((one) => isGiven(one[name])) &&
        [beside, flatBeside].some((one) => isGiven(one[name])),
    )
    .map(givenTwice);
  // A blank inside `data` means "not given" and does not replace a value beside it.
  const isInside = (name: string) => isGiven(inside[name]) || !Object.hasOwn(beside, name);
  const taken = Object.entries(inside).filter(([name]) => isInside(name));
  return {
    body: Object.assign(Object.create(null), beside, Object.fromEntries(taken)),
    locations: {
      pathOf: (name, index) => [
        ...(isInside(name) ? ['data'] : []),
        name,
        ...(index === undefined ? [] : [index]),
      ],
      faults,
      faulty: NONE,
      unlessGiven: () => [nothingGiven(block, ['data'])],
    },
  };
}

/** Whether a value is given; blanks and objects without members are not. */
function isGiven(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : !isBlank(value);
}

/** The members of an object. PHP writes an empty object as an empty list. */
function membersOf(data: unknown): Members | undefined {
  const isEmpty = data === null || (Array.isArray(data) && data.length === 0);
  if (!isEmpty && (typeof data !== 'object' || Array.isArray(data))) return undefined;
  return Object.assign(Object.create(null), isEmpty ? {} : data);
}

function givenTwice(name: string): Fault {
  return {
    code: 'not-one-value',
    detail: `${name} is given in data and beside it; leave one out.`,
    parameter: name,
    pointer: faultPointer([name]),
  };
}

/** The fault of a delivery that gives no parameter; `path` is where they would be. */
export function nothingGiven({ parameters }: Block, path?: readonly string[]): Fault {
  return {
    code: 'missing-parameter',
    detail:
      'The delivery has no parameter of this block, so it is not answered with all rows. The parameters are listed in allowed.',
    pointer: path && faultPointer(path),
    allowed: parameters.map(({ name }) => name),
  };
}

/** An event's data, or the encoded bytes to read them from, with their place in the event. */
type EventData =
  | { readonly kind: 'value'; readonly value: unknown; readonly path: readonly string[] }
  | {
      readonly kind: 'encoded';
      readonly bytes: Uint8Array;
      readonly contentType: string;
      readonly path: readonly string[];
    };

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/**
 * The data of a CloudEvent in structured mode (CloudEvents' JSON format, version 1.0.2, section
 * 3.1); undefined if the body is not an event. Other members describe the event and are ignored.
 */
export function dataOfEvent(event: Members): EventData | undefined {
  if (!Object.hasOwn(event, 'specversion')) return undefined;
  const contentType =
    typeof event.datacontenttype === 'string' ? event.datacontenttype : 'application/json';
  const { data, data_base64: encoded } = event;
  if (encoded === undefined || encoded === null) {
    return typeof data === 'string' && FORM.test(contentType)
      ? { kind: 'encoded', bytes: Buffer.from(data), contentType, path: ['data'] }
      : { kind: 'value', value: data, path: ['data'] };
  }
  if (data !== undefined && data !== null)
    throw unreadable('The event has both data and data_base64; send one.');
  if (typeof encoded !== 'string' || !isBase64(encoded)) {
    throw unreadable("The event's data_base64 is not base64.");
  }
  const bytes = Buffer.from(encoded, 'base64');
  return { kind: 'encoded', bytes, contentType, path: ['data_base64'] };
}

/** Refuses a batch of events: one request has one answer. */
export function refuseBatch(): never {
  throw unreadable(
    'A batch of events is not read here: send one at a time, as application/cloudevents+json.',
  );
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function unreadable(detail: string): Problem {
  return new Problem('invalid-json', detail);
}

/**
 * What a delivery claims to be: a CloudEvent (by its content type or, if binary, by its headers), a
 * batch of them, or a delivery of Standard Webhooks.
 */
export type WebhookMark = 'event' | 'batch' | 'binary-event' | 'standard';

export function webhookMark(
  headers: Readonly<Record<string, string | undefined>>,
): WebhookMark | undefined {
  const type = headers['content-type'] ?? '';
  const found = /^\s*application\/cloudevents(-batch)?\+/i.exec(type);
  if (found !== null) return found[1] === undefined ? 'event' : 'batch';
  if (headers['ce-id'] !== undefined || headers['ce-specversion'] !== undefined) {
    return 'binary-event';
  }
  return STANDARD_HEADERS.some((name) => headers[name] !== undefined) ? 'standard' : undefined;
}

/** The headers that Standard Webhooks specifies. The signature is not checked. */
const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** The answer to a sender that only asks whether this address takes its deliveries. */
export type Handshake = { readonly status: 200 | 204; readonly text: string | null };

/** A challenge that the answer repeats. Known senders' have under 300. */
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
  // Half of a surrogate pair is no text either.
  if (typeof challenge !== 'string' || !challenge.isWellFormed()) {
    return { code: 'not-text', detail: `${name} is not a text, which alone is sent back.` };
  }
  return challenge.length > MOST_CHALLENGE_LENGTH
    ? {
        code: 'text-too-long',
        detail: `${name} has ${numberText(challenge.length)} characters; at most ${numberText(MOST_CHALLENGE_LENGTH)} are sent back.`,
      }
    : undefined;
}
