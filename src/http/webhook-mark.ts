import { SIGNATURE_HEADERS } from '../webhooks/standard-webhooks.ts';

/**
 * What a delivery says that it is: an event of CloudEvents, by its type or by headers, a batch of
 * them, or one of Standard Webhooks.
 */
export type WebhookMark = 'event' | 'batch' | 'binary-event' | 'standard';

export function webhookMark(headers: Headers): WebhookMark | undefined {
  const type = headers.get('content-type') ?? '';
  const found = /^\s*application\/cloudevents(-batch)?\+/i.exec(type);
  if (found !== null) return found[1] === undefined ? 'event' : 'batch';
  if (headers.has('ce-id') || headers.has('ce-specversion')) return 'binary-event';
  return isSigned(headers) ? 'standard' : undefined;
}

/** Whether a delivery carries any of the headers of a signature. */
export function isSigned(headers: Headers): boolean {
  return SIGNATURE_HEADERS.some((name) => headers.has(name));
}
