import type { Members, RawArguments } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { dataOfEvent, refuseBatch } from '../webhooks/cloud-event.ts';
import { pickArguments, picks } from '../webhooks/picked-arguments.ts';
import { type Unwrapped, unwrapBare, unwrapEvent, unwrapStandard } from '../webhooks/unwrap.ts';
import { type WebhookMark, webhookMark } from '../webhooks/webhook-mark.ts';
import { preferredHandling } from './prefer.ts';
import { membersOf, readBody } from './read-body.ts';
import type { RequestHeaders } from './request.ts';

/**
 * What a request gives a block: the parts of the body that its query points at, if it does so;
 * otherwise the body's members, out of any envelope. `sent` is the body's value; undefined if none.
 */
export function givenOf(
  block: Block,
  headers: RequestHeaders,
  query: Members,
  isPost: boolean,
  sent?: unknown,
): RawArguments | Promise<RawArguments> {
  // A delivery is a POST. A GET whose handling its headers changed could not be kept by a cache.
  const mark = isPost ? webhookMark(headers) : undefined;
  const prefer = headers.prefer ?? null;
  const isPicked = picks(query);
  // Nearly every request ends here, without the objects that the others need.
  if (mark === undefined && prefer === null && !isPicked) {
    return { isPost, isWebhook: false, query, body: isPost ? membersOf(sent) : {} };
  }
  const preferred = preferredHandling(prefer);
  const asked = {
    isPost,
    isWebhook: mark !== undefined,
    ...(preferred === undefined ? {} : { preferred }),
  };
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
