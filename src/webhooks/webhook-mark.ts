/**
 * What a delivery says that it is: an event of CloudEvents, by its type or by headers, a batch of
 * them, or one of Standard Webhooks.
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

/** The headers of Standard Webhooks, as the specification names them. The signature is not checked. */
const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
