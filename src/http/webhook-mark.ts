const MARKS = ['webhook-id', 'webhook-signature', 'ce-id', 'ce-specversion'];

/** Whether a delivery says that it is a webhook's: Standard Webhooks, or CloudEvents. */
export function isWebhook(headers: Headers): boolean {
  return (
    MARKS.some((name) => headers.has(name)) ||
    /^\s*application\/cloudevents(?:-batch)?\+/i.test(headers.get('content-type') ?? '')
  );
}
