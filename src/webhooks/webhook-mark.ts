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
