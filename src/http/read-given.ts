import type { Members, RawArguments } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { isPassedOver } from '../block/wire-names.ts';
import { invalidArguments, Problem } from '../problem/errors.ts';
import { shorten } from '../text/wording.ts';
import { pickArguments } from './picked-arguments.ts';
import { gather, membersOf, readBody } from './read-body.ts';
import { preferredHandling, type RequestHeaders } from './request.ts';
import {
  dataOfEvent,
  refuseBatch,
  type Unwrapped,
  unwrapBare,
  unwrapEvent,
  unwrapStandard,
  type WebhookMark,
  webhookMark,
} from './webhooks.ts';

/** A request's query, whether it points at parts of the body, and the body's value. */
type Sent = {
  readonly query: Members;
  readonly isPicked: boolean;
  readonly isPost: boolean;
  readonly sent?: unknown;
};

/**
 * What a request gives a block: the parts of the body that its query points at, if it does so;
 * otherwise the body's members, out of any envelope. `sent` is the body's value; undefined if none.
 */
export function argumentsSent(
  block: Block,
  headers: RequestHeaders,
  { query, isPicked, isPost, sent }: Sent,
): RawArguments | Promise<RawArguments> {
  // A delivery is a POST. A GET whose handling its headers changed could not be kept by a cache.
  const mark = isPost ? webhookMark(headers) : undefined;
  const prefer = headers.prefer ?? null;
  // Nearly every request ends here, without the objects that the others need.
  if (mark === undefined && prefer === null && !isPicked) {
    return { isPost, isWebhook: false, query, body: isPost ? membersOf(sent) : {} };
  }
  const preferred = preferredHandling(prefer);
  const asked = { isPost, isWebhook: mark !== undefined, preferred };
  if (mark === 'batch') refuseBatch();
  if (isPicked) {
    return {
      ...asked,
      ...pickArguments(block, query, sent === undefined ? sent : { value: sent }),
    };
  }
  if (!isPost) return { ...asked, query, body: {} };
  const body = membersOf(sent);
  if (mark === undefined) return { ...asked, query, body };
  if (mark !== 'event') return { ...asked, query, ...unwrap(block, mark, body) };
  return eventOf(block, body).then((unwrapped) => ({ ...asked, query, ...unwrapped }));
}

function unwrap(block: Block, mark: WebhookMark, body: Members): Unwrapped {
  return mark === 'standard' ? unwrapStandard(block, body) : unwrapBare(block, body);
}

async function eventOf(block: Block, event: Members): Promise<Unwrapped> {
  const data = dataOfEvent(event);
  if (data === undefined) return unwrapBare(block, event);
  const isEncoded = data.kind === 'encoded';
  const value = isEncoded ? await readBody(data.bytes, data.contentType) : data.value;
  const members = membersOf(value ?? undefined, "The event's data");
  return unwrapEvent(block, members, data.path, isEncoded);
}

/** Decodes a query (without its `?`) into members; a name sent twice becomes a list. */
export function readQuery(query: string): Members {
  if (query === '') return NO_MEMBERS;
  const members = gather(new URLSearchParams(query));
  for (const [name, value] of Object.entries(members)) {
    // URLSearchParams and API Gateway replace bytes that are not UTF-8 with U+FFFD.
    if ([value].flat().some((text) => (text as string).includes('\ufffd'))) {
      const detail = `The value of ${name} in the query is not UTF-8, percent-encoded.`;
      throw new Problem('invalid-encoding', detail, {
        faults: [{ code: 'invalid-encoding', detail, parameter: name }],
      });
    }
  }
  return members;
}

const NO_MEMBERS: Members = Object.freeze(Object.create(null));

/** The names of a query that an address does not read: more may have been meant. */
export function unreadNames(query: string, read: readonly string[]): string[] {
  const names = new Set(new URLSearchParams(query).keys());
  return [...names].filter((name) => !read.includes(name) && !isPassedOver(name));
}

/** Throws a Problem with the names that an address does not read. `of` says what is there. */
export function refuseNames(query: string, read: readonly string[], of: string): void {
  const faults = unreadNames(query, read).map((name) => {
    const parameter = shorten(name);
    const detail = `${parameter} is not a parameter of ${of}.`;
    return { code: 'unknown-parameter' as const, detail, parameter, allowed: read };
  });
  if (faults.length > 0) throw invalidArguments(faults);
}
